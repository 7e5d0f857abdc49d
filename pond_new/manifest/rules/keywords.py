"""Keywords of JSON Schema that Pond's own schema does not look at: right, and with an effect. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pond_new.manifest.near import is_misspelling, nearest
from pond_new.manifest.patterns import python_only
from pond_new.manifest.pointer import join
from pond_new.manifest.problem import Correction, Problem, error, warning
from pond_new.manifest.schema_check import fingerprint, is_type
from pond_new.manifest.wording import shown
from pond_new.protocol.facts import VALUE_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pond_new.manifest.walk import Subject

Shape = tuple[str, "Callable[[Any], bool]"]


def _is_schema(value: Any) -> bool:
    return isinstance(value, dict | bool)


def _is_count(value: Any) -> bool:
    return is_type(value, "integer") and value >= 0


def _is_list_of_schemas(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(_is_schema(entry) for entry in value)


def _is_map_of_schemas(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_schema(member) for member in value.values())


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value) and _is_distinct(value)


def _is_distinct(value: list[Any]) -> bool:
    return len({fingerprint(entry) for entry in value}) == len(value)


def _is_type(value: Any) -> bool:
    names = value if isinstance(value, list) else [value]
    return _are_names(names) and bool(names) and set(names) <= {*VALUE_TYPES, "null"}


TEXT: Shape = ("a string", lambda value: isinstance(value, str))
NUMBER: Shape = ("a number", lambda value: is_type(value, "number"))
COUNT: Shape = ("an integer from 0 up", _is_count)
FLAG: Shape = ("true or false", lambda value: isinstance(value, bool))
SCHEMA: Shape = ("a schema", _is_schema)
SCHEMAS: Shape = ("a list of at least one schema", _is_list_of_schemas)
NAMED: Shape = ("an object of schemas", _is_map_of_schemas)
LIST: Shape = ("a list", lambda value: isinstance(value, list))

SHAPES: Mapping[str, Shape] = {
    "$ref": TEXT,
    "$defs": NAMED,
    "$comment": TEXT,
    "title": TEXT,
    "format": TEXT,
    "pattern": TEXT,
    "contentEncoding": TEXT,
    "contentMediaType": TEXT,
    "examples": LIST,
    "deprecated": FLAG,
    "readOnly": FLAG,
    "writeOnly": FLAG,
    "uniqueItems": FLAG,
    "multipleOf": ("a number above 0", lambda value: is_type(value, "number") and value > 0),
    "exclusiveMinimum": NUMBER,
    "exclusiveMaximum": NUMBER,
    "minItems": COUNT,
    "maxItems": COUNT,
    "minContains": COUNT,
    "maxContains": COUNT,
    "minProperties": COUNT,
    "maxProperties": COUNT,
    "items": SCHEMA,
    "contains": SCHEMA,
    "additionalProperties": SCHEMA,
    "propertyNames": SCHEMA,
    "unevaluatedItems": SCHEMA,
    "unevaluatedProperties": SCHEMA,
    "not": SCHEMA,
    "if": SCHEMA,
    "then": SCHEMA,
    "else": SCHEMA,
    "allOf": SCHEMAS,
    "anyOf": SCHEMAS,
    "oneOf": SCHEMAS,
    "prefixItems": SCHEMAS,
    "patternProperties": NAMED,
    "dependentSchemas": NAMED,
    "dependentRequired": (
        "an object of lists of names",
        lambda value: isinstance(value, dict) and all(_are_names(member) for member in value.values()),
    ),
    "type": ("a type of JSON, or a list of them", _is_type),
    "enum": LIST,
    "required": ("a list of names, each only once", _are_names),
    "properties": NAMED,
    "minLength": COUNT,
    "maxLength": COUNT,
    "minimum": NUMBER,
    "maximum": NUMBER,
    "description": TEXT,
}
"""What the value of each keyword must be, in words and as a test (JSON Schema, Draft 2020-12)."""

OF_TYPE: Mapping[str, tuple[str, ...]] = {
    "string": ("minLength", "maxLength", "pattern", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "array": ("items", "minItems", "maxItems", "uniqueItems", "contains", "prefixItems"),
    "object": ("properties", "required", "additionalProperties", "minProperties", "maxProperties"),
}
"""The keywords that do something for one type only; integer counts as number."""

SHORTEST = 4
"""Shorter words are too like each other for a guess."""

COVERED = frozenset(
    """
    type description enum minLength maxLength minimum maximum items properties required additionalProperties
    """.split()  # noqa: SIM905 -- a list of words reads best as words
)
"""What Pond's own schema judges where it looks: at parameters, their members and entries."""


def check_keywords(subject: Subject) -> Iterator[Problem]:
    """Keywords whose value is not what JSON Schema asks for (SCH-10)."""
    for pointer, schema in subject.schemas:
        is_judged = _is_judged(pointer)
        for keyword, value in schema.items():
            if keyword not in SHAPES or (is_judged and keyword in COVERED):
                continue
            words, is_right = SHAPES[keyword]
            if not is_right(value):
                message = f"{keyword} is {shown(value)}; JSON Schema wants {words}."
                yield error("SCH-10", join(pointer, keyword), message, fix=f"Write {words}, or leave it out.")


def _is_judged(pointer: str) -> bool:
    """Whether Pond's schema has looked at this one: every step of the way is properties or items."""
    steps = pointer.rpartition("/input_schema")[2].split("/")[1:]
    while steps:
        if steps[0] == "items":
            steps = steps[1:]
        elif steps[0] == "properties" and len(steps) > 1:
            steps = steps[2:]
        else:
            return False
    return True


def check_effects(subject: Subject) -> Iterator[Problem]:
    """Keywords that do nothing for the type they stand with (SCH-09), or are misspelt (SCH-10)."""
    for pointer, schema in subject.schemas:
        declared = "number" if schema.get("type") == "integer" else schema.get("type")
        for keyword in schema:
            owner = next((name for name, keywords in OF_TYPE.items() if keyword in keywords), None)
            if (
                owner is not None
                and isinstance(declared, str)
                and declared in {*OF_TYPE, "boolean"} - {owner}
            ):
                message = f"{keyword} does nothing for a value of type {schema['type']}."
                yield warning(
                    "SCH-09", join(pointer, keyword), message, fix=f"Remove it; it belongs to type {owner}."
                )
            elif keyword not in SHAPES and (meant := nearest(keyword, SHAPES)) is not None:
                yield from _misspelt(pointer, keyword, meant, schema)


def _misspelt(pointer: str, keyword: str, meant: str, schema: dict[str, Any]) -> Iterator[Problem]:
    if len(keyword) < SHORTEST or not is_misspelling(keyword, meant) or not SHAPES[meant][1](schema[keyword]):
        return
    place = join(pointer, keyword)
    correction = Correction("rename", place, meant) if meant not in schema else None
    message = f"{keyword} is not a keyword of JSON Schema and does nothing. Did you mean {meant}?"
    yield warning("SCH-10", place, message, fix=f"Rename it to {meant}.", correction=correction)


def check_entries_described(subject: Subject) -> Iterator[Problem]:
    """Arrays that do not say what their entries are (SCH-04)."""
    for pointer, schema in subject.schemas:
        if schema.get("type") == "array" and "items" not in schema and "prefixItems" not in schema:
            fix = 'Add "items": {"type": "string", "description": "…"}.'
            yield warning("SCH-04", pointer, "This array does not say what its entries are.", fix=fix)


def check_dialect(subject: Subject) -> Iterator[Problem]:
    """Patterns with constructs that only Python knows; JSON Schema means JavaScript's (SCH-10)."""
    for pointer, schema in subject.schemas:
        written = schema.get("pattern")
        construct = python_only(written) if isinstance(written, str) else None
        if construct is not None:
            message = (
                f"The pattern uses {construct}, which only Python knows; JSON Schema speaks JavaScript's."
            )
            yield warning(
                "SCH-10", join(pointer, "pattern"), message, fix="Write it without; ^ and $ mark the ends."
            )
