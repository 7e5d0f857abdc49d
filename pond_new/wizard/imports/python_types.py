"""Type annotations, as text, to JSON Schema: what the standard library and pydantic mean by them. Pure."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

Json = dict[str, Any]
Make = Callable[[ast.ClassDef, "Annotations"], Json]

SIMPLE: Mapping[str, Json] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "Decimal": {"type": "number"},
    "bool": {"type": "boolean"},
    "None": {"type": "null"},
    "dict": {"type": "object"},
    "Any": {"type": "string"},
    "bytes": {"type": "string"},
    "datetime": {"type": "string", "format": "date-time"},
    "date": {"type": "string", "format": "date"},
    "time": {"type": "string", "format": "time"},
    "UUID": {"type": "string", "format": "uuid"},
    "Path": {"type": "string"},
    "EmailStr": {"type": "string", "format": "email"},
    "HttpUrl": {"type": "string", "format": "uri"},
    "AnyUrl": {"type": "string", "format": "uri"},
    "AnyHttpUrl": {"type": "string", "format": "uri"},
    "PositiveInt": {"type": "integer", "exclusiveMinimum": 0},
    "NonNegativeInt": {"type": "integer", "minimum": 0},
    "PositiveFloat": {"type": "number", "exclusiveMinimum": 0},
    "NonNegativeFloat": {"type": "number", "minimum": 0},
}
DEPTH = 24
LISTS = frozenset({"list", "List", "tuple", "Tuple", "Sequence", "Iterable", "Collection"})
SETS = frozenset({"set", "Set", "frozenset", "FrozenSet", "AbstractSet"})
MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
WRAPPERS = frozenset({"Required", "NotRequired", "ReadOnly", "Final", "ClassVar"})
FIELD_KEYS: Mapping[str, str] = {
    "ge": "minimum",
    "le": "maximum",
    "gt": "exclusiveMinimum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
    "regex": "pattern",
    "description": "description",
    "title": "title",
    "examples": "examples",
}
ABOUT = ("description", "title", "examples")
LENGTHS: Mapping[str, tuple[str, str]] = {
    "min_length": ("minLength", "minItems"),
    "max_length": ("maxLength", "maxItems"),
}


class Annotations:
    """The annotations of one module; remembers which classes were meant and what could not be read."""

    def __init__(self, module: ast.Module) -> None:
        self.module = module
        self.unread: list[tuple[str, str]] = []
        self._classes = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
        self._aliases = _aliases(module)
        self._wanted: list[str] = []

    def note(self, place: str, what: str) -> None:
        """Remember that something at `place` cannot be read from the text."""
        if (place, what) not in self.unread:
            self.unread.append((place, what))

    def schema(self, node: ast.expr | None, place: str, depth: int = 0) -> Json:
        """The JSON Schema of an annotation; {} for none, a text for one that cannot be read."""
        found: Json | None = None
        match node:
            case None | ast.Constant(value=None):
                found = {} if node is None else {"type": "null"}
            case ast.Constant(value=str() as quoted) if depth < DEPTH:
                found = self.schema(_expression(quoted), place, depth + 1)
            case ast.Name() | ast.Attribute():
                found = self._named(last_name(node), place, depth)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                found = {"anyOf": [self.schema(left, place, depth), self.schema(right, place, depth)]}
            case ast.Subscript(value=value, slice=inner):
                parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                found = self._generic(last_name(value), parts, place, depth + 1)
        return self._unreadable(node, place) if found is None and node is not None else found or {}

    def with_default(self, schema: Json, default: ast.expr | None) -> Json:
        """The schema with a default value, where that is a plain one that JSON has."""
        value = literal(default)
        return {**schema, "default": value} if value is not None else schema

    def constrained(self, schema: Json, keywords: list[ast.keyword]) -> Json:
        """The schema with what pydantic's `Field` says: bounds, lengths, description."""
        is_list = schema.get("type") == "array"
        added: Json = {}
        for keyword in keywords:
            value = literal(keyword.value)
            if value is None or keyword.arg is None:
                continue
            if keyword.arg in LENGTHS:
                added[LENGTHS[keyword.arg][is_list]] = value
            elif keyword.arg in FIELD_KEYS:
                added[FIELD_KEYS[keyword.arg]] = value
        if not added or "anyOf" not in schema:
            return {**schema, **added}
        words: Json = {key: added.pop(key) for key in ABOUT if key in added}
        parts = [part if part == {"type": "null"} else {**part, **added} for part in schema["anyOf"]]
        return {**schema, "anyOf": parts, **words}

    def definitions(self, make: Make) -> Json:
        """The schemas of all classes that annotations named, and of those that these name."""
        made: Json = {}
        while waiting := [name for name in self._wanted if name not in made]:
            for name in waiting:
                made[name] = make(self._classes[name], self)
        return made

    def find_class(self, name: str) -> ast.ClassDef | None:
        """The class of this name in the module."""
        return self._classes.get(name)

    def _named(self, name: str, place: str, depth: int) -> Json | None:
        if name in self._classes:
            self._wanted.append(name)
            return {"$ref": f"#/$defs/{name}"}
        if name in self._aliases and depth < DEPTH:
            return self.schema(self._aliases[name], place, depth + 1)
        if name in LISTS | SETS:
            return {"type": "array"}
        return dict(SIMPLE[name]) if name in SIMPLE else None

    def _generic(self, name: str, parts: list[ast.expr], place: str, depth: int) -> Json | None:
        """A type with others in brackets; None for one that is not known."""
        match name:
            case "Literal":
                return {"enum": [literal(part) for part in parts]}
            case "Union" | "Optional":
                null = [{"type": "null"}] if name == "Optional" else []
                return {"anyOf": [*(self.schema(part, place, depth) for part in parts), *null]}
            case "Annotated":
                return self._annotated(parts, place, depth)
        if name in WRAPPERS:
            return self.schema(parts[0], place, depth)
        if name in MAPPINGS:
            return {"type": "object", "additionalProperties": self.schema(parts[-1], place, depth)}
        return self._many(name, parts, place, depth) if name in LISTS | SETS else None

    def _many(self, name: str, parts: list[ast.expr], place: str, depth: int) -> Json:
        unique = {"uniqueItems": True} if name in SETS else {}
        return {"type": "array", "items": self.schema(parts[0], f"{place}[]", depth), **unique}

    def _annotated(self, parts: list[ast.expr], place: str, depth: int) -> Json:
        schema = self.schema(parts[0], place, depth)
        for part in parts[1:]:
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                schema = {**schema, "description": part.value}
            elif isinstance(part, ast.Call):
                is_doc = last_name(part.func) == "Doc" and bool(part.args)
                described = [ast.keyword("description", part.args[0])] if is_doc else []
                schema = self.constrained(schema, [*part.keywords, *described])
        return schema

    def _unreadable(self, node: ast.expr, place: str) -> Json:
        self.note(place, f"the type {ast.unparse(node)}")
        return {"type": "string"}


def last_name(node: ast.expr) -> str:
    """`typing.Literal` -> `Literal`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def literal(node: ast.expr | None) -> Any:
    """The plain JSON value that is written here, or None."""
    if node is None:
        return None
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return (
        list(value)
        if isinstance(value, tuple)
        else value
        if isinstance(value, str | int | float | bool | list)
        else None
    )


def _expression(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return ast.Constant(value=...)


def _aliases(module: ast.Module) -> dict[str, ast.expr]:
    """Names that stand for a type: `Tone = Literal["warm", "dry"]`."""
    aliases: dict[str, ast.expr] = {}
    for node in module.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            aliases[node.targets[0].id] = node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            aliases[node.target.id] = node.value
        elif type(node).__name__ == "TypeAlias":
            aliases[node.name.id] = node.value  # type: ignore[attr-defined] # Python 3.12
    return aliases
