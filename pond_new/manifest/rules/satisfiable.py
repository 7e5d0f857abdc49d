"""Input schemas that no value fits. Pure: tries to find one, and says so if it cannot."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pond_new.manifest.pattern_example import matching_text
from pond_new.manifest.pointer import join
from pond_new.manifest.problem import Problem, error, warning
from pond_new.manifest.values import Judge, example_parameters
from pond_new.manifest.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pond_new.manifest.walk import Subject

PATIENCE = 500

HARMLESS = frozenset(
    """
    type description title examples default format minLength maxLength minimum maximum items properties
    required additionalProperties minItems maxItems deprecated readOnly writeOnly $comment
    """.split()  # noqa: SIM905 -- a list of words reads best as words
)
"""Keywords that leave room for a value as long as the bounds are in order, which another rule sees to."""


def check_satisfiable(subject: Subject) -> Iterator[Problem]:
    """Parameters, and whole schemas, for which no value can be found (SCH-10).

    Only for a manifest without errors: a broken schema has no value either, and its fault is named elsewhere.
    """
    for pointer, schema in subject.input_schemas:
        hopeless = list(_check_properties(schema, pointer))
        yield from hopeless
        if not hopeless and not set(schema) - {"$schema"} <= HARMLESS and not _has_example(schema):
            yield _unsure(pointer, "No parameters were found that fit this schema as a whole.")


def _check_properties(schema: dict[str, Any], pointer: str) -> Iterator[Problem]:
    for name, property_schema in schema.get("properties", {}).items():
        if _is_harmless(property_schema):
            continue
        place = join(pointer, "properties", name)
        alone = {**schema, "properties": {name: property_schema}, "required": [name]}
        alone = {
            key: alone[key]
            for key in ("$defs", "definitions", "type", "properties", "required")
            if key in alone
        }
        if not _fitting_choices(property_schema, alone):
            listed = shown(property_schema.get("enum", [property_schema.get("const")]))
            message = f"None of the choices ({listed}) fits the other rules of {name}."
            yield error("SCH-10", place, message, fix="Change the choices or the rules beside them.")
        elif not _has_example(alone):
            yield _unsure(place, f"No value was found that fits the rules of {name}.")


def _is_harmless(schema: Any) -> bool:
    """Whether a value certainly exists, which is plain to see for nearly every real schema."""
    if not isinstance(schema, dict):
        return True
    if "pattern" in schema and not _has_matching_text(schema):
        return False
    if set(schema) <= HARMLESS | {"enum", "pattern"} and ("enum" not in schema or _has_free_choices(schema)):
        inner = [schema.get("items"), *schema.get("properties", {}).values()]
        return not _is_between_integers(schema) and all(_is_harmless(member) for member in inner)
    return False


def _has_matching_text(schema: dict[str, Any]) -> bool:
    """Whether a text for the pattern is found that keeps to the lengths too."""
    least, most = int(schema.get("minLength", 0)), schema.get("maxLength", math.inf)
    text = matching_text(schema["pattern"], least=least)
    return text is not None and len(text) <= most


def _has_free_choices(schema: dict[str, Any]) -> bool:
    return not set(schema) & {
        "pattern",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "minItems",
        "maxItems",
        "properties",
    }


def _is_between_integers(schema: dict[str, Any]) -> bool:
    bounds = (schema.get("minimum"), schema.get("maximum"))
    return schema.get("type") == "integer" and any(isinstance(bound, float) for bound in bounds)


def _fitting_choices(schema: dict[str, Any], root: dict[str, Any]) -> bool:
    """Whether some choice fits; True where there are no choices."""
    if "const" not in schema and "enum" not in schema:
        return True
    judge = Judge(root)
    return any(judge.accepts(schema, choice) for choice in schema.get("enum", [schema.get("const")]))


def _has_example(schema: dict[str, Any]) -> bool:
    try:
        example_parameters(schema, patience=PATIENCE)
    except LookupError:
        return False
    return True


def _unsure(pointer: str, message: str) -> Problem:
    return warning(
        "SCH-10",
        pointer,
        message,
        fix="Check that the rules do not exclude each other; a right value in examples ends the doubt.",
    )
