"""Input schemas -> declarations of Python types, as data for `agent/actions.py`. Pure.

An object becomes a TypedDict, an enum of texts, whole numbers or booleans a Literal; everything is nameable,
so that a handler can annotate what it passes on.
"""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pond_new.project.literals import docstring, python_text
from pond_new.project.names import RESERVED_TYPES, free_name, part_name

PLAIN_TYPES: Mapping[str, str] = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
BUILTIN_TYPES = frozenset({*PLAIN_TYPES.values(), "list", "dict"})
INLINE_LITERAL = 60  # characters up to which a Literal stands inside its field


@dataclass(frozen=True, slots=True)
class Field:
    """One property: its key and annotation as Python source, and its description as a docstring."""

    name: str
    key: str
    annotation: str
    doc: str


@dataclass(frozen=True, slots=True)
class Declaration:
    """One type. `choices` (source of each value) makes it a Literal, else it is a TypedDict of `fields`.

    `is_class` says whether its keys can be written as attributes of a class.
    """

    name: str
    literal: str
    doc: str
    fields: tuple[Field, ...] = ()
    choices: tuple[str, ...] = ()
    is_class: bool = True


@dataclass(slots=True)
class Declarations:
    """The types of one module, in an order in which each stands after those that it uses."""

    taken: set[str]
    types: list[Declaration] = field(default_factory=list)

    def declare(self, name: str, schema: Mapping[str, Any], *, doc: str) -> str:
        """Declare the TypedDict of an object's schema under exactly this name; returns the name."""
        properties: Mapping[str, Any] = schema.get("properties") or {}
        required = set(schema.get("required") or ())
        fields = tuple(
            self._field(name, key, inner, is_required=key in required) for key, inner in properties.items()
        )
        is_class = all(_is_attribute(key) and key not in self.taken for key in properties)
        documented = doc if is_class else " ".join([doc, *_described(properties)])
        self.types.append(
            Declaration(
                name,
                python_text(name),
                docstring(documented, indent=4 if is_class else 0),
                fields,
                is_class=is_class,
            )
        )
        return name

    def typing_names(self) -> list[str]:
        """What the module has to import from `typing` for these types, sorted."""
        annotations = " ".join(each.annotation for declared in self.types for each in declared.fields)
        has_literal = "Literal[" in annotations or any(declared.choices for declared in self.types)
        return sorted(
            ["Any", "TypedDict"]
            + ["Literal"] * has_literal
            + ["NotRequired"] * ("NotRequired[" in annotations)
        )

    def _field(self, owner: str, key: str, schema: Any, *, is_required: bool) -> Field:
        annotation = self._annotation(owner + part_name(key), schema)
        doc = docstring(_described_as(schema), indent=4)
        return Field(key, python_text(key), annotation if is_required else f"NotRequired[{annotation}]", doc)

    def _annotation(self, name: str, schema: Any) -> str:
        """The annotation of a value; types that it needs are declared on the way, named after `name`."""
        if not isinstance(schema, Mapping):  # `true` is a schema too
            return "Any"
        kind = schema.get("type")
        if choices := _choices(schema):
            return self._literal(name, choices, doc=str(schema.get("description", "")))
        if kind == "array":
            items = schema.get("items")
            return f"list[{self._annotation(name + 'Item', items) if isinstance(items, Mapping) else 'Any'}]"
        if kind == "object":
            if not schema.get("properties"):
                return "dict[str, Any]"
            doc = str(schema.get("description", ""))
            return self.declare(self._free(name), schema, doc=doc)
        return PLAIN_TYPES.get(str(kind), "Any")

    def _literal(self, name: str, choices: tuple[str, ...], *, doc: str) -> str:
        inline = f"Literal[{', '.join(choices)}]"
        if len(inline) <= INLINE_LITERAL:
            return inline
        alias = self._free(name)
        self.types.append(Declaration(alias, python_text(alias), docstring(doc), choices=choices))
        return alias

    def _free(self, wanted: str) -> str:
        name = free_name(wanted, self.taken)
        self.taken.add(name)
        return name


def _choices(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """The values of an enum as Python source, or nothing where a Literal cannot hold them."""
    values = schema.get("enum")
    if not isinstance(values, list) or not values:
        return ()
    match schema.get("type"):
        case "string" if all(isinstance(value, str) for value in values):
            return tuple(dict.fromkeys(python_text(value) for value in values))
        case "integer" if all(_is_whole(value) for value in values):
            return tuple(dict.fromkeys(str(int(value)) for value in values))
        case "boolean" if all(isinstance(value, bool) for value in values):
            return tuple(dict.fromkeys(str(value) for value in values))
    return ()


def _is_whole(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == int(value)


def _is_attribute(key: str) -> bool:
    """Whether a key can be annotated in a class body: Python rewrites `__name` there, `list: str` shadows."""
    is_plain = key.isidentifier() and key.isascii() and not keyword.iskeyword(key)
    return is_plain and not key.startswith("__") and key not in RESERVED_TYPES | BUILTIN_TYPES


def _described(properties: Mapping[str, Any]) -> list[str]:
    return [f"{key}: {_described_as(inner)}" for key, inner in properties.items()]


def _described_as(schema: Any) -> str:
    return str(schema.get("description", "")) if isinstance(schema, Mapping) else ""
