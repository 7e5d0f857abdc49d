"""References inside input schemas, and words of other dialects. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pond_new.manifest.pointer import join, look_up
from pond_new.manifest.problem import Problem, error, warning
from pond_new.manifest.walk import schemas_in
from pond_new.manifest.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pond_new.manifest.walk import Subject

DIALECT = "https://json-schema.org/draft/2020-12/schema"

FOREIGN: Mapping[str, str] = {
    "nullable": "OpenAPI; null is never sent, a value that may be absent is left out of required",
    "optional": "none; a value that may be absent is left out of required",
    "example": "OpenAPI; write examples with a list",
    "discriminator": "OpenAPI; write oneOf with a const in each branch",
    "dependencies": "an older draft; write dependentRequired or dependentSchemas",
    "additionalItems": "an older draft; write items beside prefixItems",
    "divisibleBy": "an older draft; write multipleOf",
    "extends": "an older draft; write allOf",
    "label": "none; write title",
    "placeholder": "none; write examples with a list",
    "choices": "none; write enum",
    "options": "none; write enum",
    "min": "none; write minimum",
    "max": "none; write maximum",
    "regex": "none; write pattern",
}
"""Keywords that people bring from elsewhere: where they belong, and what to write."""


def check_references(subject: Subject) -> Iterator[Problem]:
    """Each $ref leads to something inside the same input schema (SCH-10)."""
    for root_pointer, root in subject.input_schemas:
        for pointer, schema in schemas_in(root, root_pointer):
            reference = schema.get("$ref")
            if not isinstance(reference, str) or _is_resolvable(reference, root):
                continue
            place = join(pointer, "$ref")
            if reference.startswith("#"):
                message = f"{shown(reference)} leads nowhere in this input schema."
                yield error("SCH-10", place, message, fix="Put what is meant into its $defs.")
            else:
                message = f"{shown(reference)} is another document, which neither Pond nor the agent fetches."
                yield error("SCH-10", place, message, fix='Copy it into $defs and write "#/$defs/NAME".')


def check_dialect_words(subject: Subject) -> Iterator[Problem]:
    """Keywords of OpenAPI and older drafts, which do nothing here (SCH-10)."""
    for pointer, schema in subject.schemas:
        for keyword in FOREIGN.keys() & schema.keys():
            origin, _, advice = FOREIGN[keyword].partition("; ")
            belongs = "is not a keyword of JSON Schema" if origin == "none" else f"is a keyword of {origin}"
            message = f"{keyword} {belongs} and does nothing here."
            yield warning("SCH-10", join(pointer, keyword), message, fix=f"{advice[0].upper()}{advice[1:]}.")
        named = schema.get("$schema")
        if isinstance(named, str) and named.rstrip("#") != DIALECT:
            message = f"$schema names {shown(named)}; Pond reads every input schema as Draft 2020-12."
            yield warning(
                "SCH-10", join(pointer, "$schema"), message, fix="Remove it, and check the keywords."
            )


def _is_resolvable(reference: str, root: dict[str, Any]) -> bool:
    if not reference.startswith("#"):
        return False
    fragment = unquote(reference[1:])
    if fragment and not fragment.startswith("/"):
        return any(schema.get("$anchor") == fragment for _, schema in schemas_in(root, ""))
    try:
        return isinstance(look_up(root, fragment), dict | bool)
    except (LookupError, ValueError):
        return False
