"""Any JSON Schema of an object -> Pond's form of parameters. Pure.

Pond wants one direct type and a description for every value, and nothing that is not declared (SCH-01 to
SCH-05). References are written out, an optional value that may be null becomes one that may be absent, and
what has no place in that form is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pond_new.manifest.pointer import look_up
from pond_new.manifest.schema_check import is_type
from pond_new.protocol.facts import VALUE_TYPES
from pond_new.wizard.imports.accepted import accepted
from pond_new.wizard.imports.carried import Carried, Losses, NotReadable
from pond_new.wizard.imports.simplify import simplify

DEPTH = 16
PLAIN = frozenset(
    [
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minItems",
        "maxItems",
        "uniqueItems",
        "minProperties",
        "maxProperties",
        "default",
        "examples",
    ]
)
"""Keywords that stay as they are."""

SILENT = frozenset(
    [
        "$schema",
        "$id",
        "$anchor",
        "$defs",
        "definitions",
        "$comment",
        "title",
        "type",
        "description",
        "enum",
        "properties",
        "required",
        "items",
        "additionalProperties",
        "deprecated",
        "writeOnly",
        "readOnly",
        "example",
        "xml",
        "externalDocs",
        "discriminator",
    ]
)
"""Keywords that are used or say nothing about values: no loss."""

NUMERIC = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
BY_TYPE: Mapping[str, tuple[str, ...]] = {
    "string": ("minLength", "maxLength", "pattern", "format"),
    "integer": NUMERIC,
    "number": NUMERIC,
    "boolean": (),
    "array": ("minItems", "maxItems", "uniqueItems"),
    "object": ("minProperties", "maxProperties"),
}
ANNOTATIONS = ("default", "examples")


def to_pond_form(schema: Any, document: Any = None) -> Carried:
    """Turn the schema of an object into Pond's form; `document` is where its references point into.

    Raises `NotReadable` if it is no schema of an object.
    """
    turn = _Turn(schema if document is None else document)
    root = simplify(schema, turn.document, "", turn.losses)
    if root.schema.get("type") != "object" and "properties" not in root.schema:
        raise NotReadable("this is no schema of an object with properties: parameters are named values")
    if _is_open(root.schema) or "patternProperties" in root.schema:
        turn.losses.add("", "names that are not declared were allowed; Pond sends declared ones only")
    turned = {"type": "object", **turn.members(root.schema, "", 0), "additionalProperties": False}
    return Carried(accepted(turned, turn.losses), losses=tuple(turn.losses.found))


@dataclass(slots=True)
class _Turn:
    document: Any
    losses: Losses = field(default_factory=Losses)

    def members(self, schema: Mapping[str, Any], place: str, depth: int) -> dict[str, Any]:
        """`properties` and `required` of an object; a member that may be null is not required."""
        turned: dict[str, Any] = {}
        required = [name for name in schema.get("required", []) if isinstance(name, str)]
        properties = schema.get("properties", {})
        for name, member in properties.items() if isinstance(properties, dict) else ():
            where = f"{place}.{name}" if place else name
            simple = simplify(member, self.document, where, self.losses)
            if simple.schema.get("readOnly") is True:
                self.losses.add(where, "it is read-only, so it is no parameter")
                required = [each for each in required if each != name]
                continue
            if simple.may_be_null and name in required:
                self.losses.add(where, "null is never sent; it is optional instead")
                required.remove(name)
            turned[name] = self.value(simple.schema, where, depth + 1)
        declared = [name for name in required if name in turned]
        return {"properties": turned} | ({"required": declared} if declared else {})

    def value(self, schema: Mapping[str, Any], place: str, depth: int) -> dict[str, Any]:
        """One value with a direct type and a description."""
        kind = self._kind(schema, place)
        turned: dict[str, Any] = {"type": kind, "description": self._description(schema, place)}
        if "enum" in schema:
            choices = [choice for choice in schema["enum"] if is_type(choice, kind)]
            if len(choices) < len([choice for choice in schema["enum"] if choice is not None]):
                self.losses.add(place, f"choices that are no {kind} are left out")
            turned |= {"enum": choices} if choices else {}
        turned |= {key: schema[key] for key in (*BY_TYPE[kind], *ANNOTATIONS) if key in schema}
        self._note_unknown(schema, place)
        if kind == "array":
            turned["items"] = self._items(schema, place, depth)
        if kind == "object":
            turned |= self._object(schema, place, depth)
        return turned

    def _kind(self, schema: Mapping[str, Any], place: str) -> str:
        kind = schema.get("type")
        if kind in VALUE_TYPES:
            return str(kind)
        guess = next((name for key, name in SIGNS.items() if key in schema), None)
        if guess is None and schema.get("enum"):
            guess = next(
                (name for name in VALUE_TYPES if all(is_type(c, name) for c in schema["enum"])), None
            )
        if guess is None:
            self.losses.add(place, "it has no type; it is a text now")
        return guess or "string"

    def _description(self, schema: Mapping[str, Any], place: str) -> str:
        name = place.rpartition(".")[2]
        description, title = schema.get("description"), schema.get("title")
        if isinstance(description, str) and description.strip():
            return " ".join(description.split())
        if isinstance(title, str) and not _is_made_up(title, name):
            return " ".join(title.split())
        self.losses.add(place, "it had no description; write one, because Pond asks the user with it")
        words = name.replace("_", " ").replace("[]", " entry").strip()
        return f"The {words}."

    def _items(self, schema: Mapping[str, Any], place: str, depth: int) -> dict[str, Any]:
        where = f"{place}[]"
        items = schema.get("items")
        if depth > DEPTH or not isinstance(items, dict):
            self.losses.add(place, "what its entries are is not said; they are texts now")
            return {"type": "string", "description": "One entry."}
        simple = simplify(items, self.document, where, self.losses)
        if simple.may_be_null:
            self.losses.add(where, "null is never sent as an entry")
        return self.value(simple.schema, where, depth + 1)

    def _object(self, schema: Mapping[str, Any], place: str, depth: int) -> dict[str, Any]:
        if depth > DEPTH or schema.get("$recursive"):
            self.losses.add(place, "it contains itself; inside, any members are allowed")
            return {"properties": {}, "additionalProperties": True}
        is_open = _is_open(schema) or not schema.get("properties")
        if isinstance(schema.get("additionalProperties"), dict):
            self.losses.add(place, "the schema of its further members is not carried over")
        return {**self.members(schema, place, depth), "additionalProperties": is_open}

    def _note_unknown(self, schema: Mapping[str, Any], place: str) -> None:
        foreign = [
            key
            for key in schema
            if key not in PLAIN and key not in SILENT and not key.startswith(("x-", "$rec"))
        ]
        for key in foreign:
            self.losses.add(place, f"{key} is not carried over")


def _is_made_up(title: str, name: str) -> bool:
    """Whether a title is empty, a single word, or the name again, as those that pydantic makes up are."""
    letters = [sign for sign in title.casefold() if sign.isalnum()]
    return len(title.split()) <= 1 or letters == [sign for sign in name.casefold() if sign.isalnum()]


def _is_open(schema: Mapping[str, Any]) -> bool:
    """Whether an object may have members that are not declared, and says so."""
    further = schema.get("additionalProperties")
    return further is not None and further is not False


SIGNS: Mapping[str, str] = {
    "properties": "object",
    "items": "array",
    "minLength": "string",
    "maxLength": "string",
    "pattern": "string",
    "minimum": "number",
    "maximum": "number",
}
"""Keywords that give a missing type away."""


def find_part(document: Any, pointer: str) -> Any:
    """The schema at a JSON pointer inside a document. Raises `NotReadable`."""
    try:
        return look_up(document, pointer)
    except (LookupError, ValueError):
        raise NotReadable(f"there is nothing at {pointer}") from None
