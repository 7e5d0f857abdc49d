"""Input schemas that the protocol's schema lets pass although no run could start with them. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pond_new.manifest.near import is_misspelling, nearest
from pond_new.manifest.patterns import fault_of
from pond_new.manifest.pointer import join
from pond_new.manifest.problem import Correction, Problem, error
from pond_new.manifest.schema_check import is_type
from pond_new.manifest.wording import shown
from pond_new.protocol.facts import VALUE_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pond_new.manifest.walk import Subject

BOUNDS = (
    ("minLength", "maxLength"),
    ("minimum", "maximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
)
STRICT_BOUNDS = (
    ("exclusiveMinimum", "maximum"),
    ("minimum", "exclusiveMaximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
)


def check_required_names(subject: Subject) -> Iterator[Problem]:
    """Each required name is declared where undeclared ones are barred (SCH-08)."""
    for pointer, schema in subject.schemas:
        properties, required = schema.get("properties"), schema.get("required")
        if schema.get("additionalProperties") is not False or not isinstance(required, list):
            continue
        declared = properties if isinstance(properties, dict) else {}
        for index, name in enumerate(required):
            if isinstance(name, str) and name not in declared and not schema.get("patternProperties"):
                yield _undeclared(join(pointer, "required", index), name, list(declared), required)


def _undeclared(pointer: str, name: str, declared: list[str], required: list[Any]) -> Problem:
    free = [other for other in declared if other not in required]
    meant = nearest(name, free)
    is_certain = meant is not None and is_misspelling(name, meant)
    return error(
        "SCH-08",
        pointer,
        f"{name} is required, but properties does not declare it.",
        fix=f"Did you mean {meant}?" if meant else "Declare it in properties, or take it out of required.",
        correction=Correction("set", pointer, meant) if is_certain else None,
    )


def check_choices(subject: Subject) -> Iterator[Problem]:
    """Each value of an enum, and a const, has the declared type (SCH-06)."""
    for pointer, schema in subject.schemas:
        declared = schema.get("type")
        if not isinstance(declared, str) or declared not in VALUE_TYPES:
            continue
        choices = schema.get("enum")
        for index, choice in enumerate(choices if isinstance(choices, list) else []):
            if not is_type(choice, declared):
                yield _wrong_choice(join(pointer, "enum", index), choice, declared)
        if "const" in schema and not is_type(schema["const"], declared):
            yield _wrong_choice(join(pointer, "const"), schema["const"], declared)


def _wrong_choice(pointer: str, choice: Any, declared: str) -> Problem:
    return error(
        "SCH-06",
        pointer,
        f"The choice {shown(choice)} is not of type {declared}, so it can never be taken.",
        fix=f"Write it as {declared}, or change the type.",
    )


def check_bounds(subject: Subject) -> Iterator[Problem]:
    """The lower bound is not above the upper one (SCH-10)."""
    for pointer, schema in subject.schemas:
        for low, high in BOUNDS:
            if _exceeds(schema.get(low), schema.get(high)):
                yield _crossed(pointer, schema, low, high)
        for low, high in STRICT_BOUNDS:
            if _is_number(schema.get(low)) and schema.get(low) == schema.get(high):
                yield _crossed(pointer, schema, low, high)


def _exceeds(low: Any, high: Any) -> bool:
    return _is_number(low) and _is_number(high) and bool(low > high)


def _is_number(value: Any) -> bool:
    return is_type(value, "number")


def _crossed(pointer: str, schema: dict[str, Any], low: str, high: str) -> Problem:
    return error(
        "SCH-10",
        join(pointer, low),
        f"{low} is {schema[low]} and {high} is {schema[high]}: nothing lies between them.",
        fix=f"Raise {high} or lower {low}.",
    )


def check_patterns(subject: Subject) -> Iterator[Problem]:
    """Every pattern compiles (SCH-10), in the dialect of JSON Schema or in Python's."""
    for pointer, schema in subject.schemas:
        written = schema.get("pattern")
        fault = fault_of(written) if isinstance(written, str) else None
        if fault is not None:
            yield _broken(join(pointer, "pattern"), fault)
        named = schema.get("patternProperties")
        for name in named if isinstance(named, dict) else ():
            if (fault := fault_of(name)) is not None:
                yield _broken(join(pointer, "patternProperties", name), fault)


def _broken(pointer: str, fault: str) -> Problem:
    return error(
        "SCH-10",
        pointer,
        f"This regular expression does not compile: {fault}.",
        fix="Correct it. A sign that stands for itself, such as ( or +, needs \\\\ before it in JSON.",
    )
