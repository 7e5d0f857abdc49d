"""Which schemas of users our own evaluator may judge: the ones that use only what it knows. Pure.

Most input schemas do, and then nobody waits for jsonschema. A test wants the same verdict from both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pond_new.manifest.schema_check import PYTHON_TYPES

TYPES = {"integer", *PYTHON_TYPES}


def is_plain(schema: Any) -> bool:
    """Whether a schema has only keywords, in their usual forms, that `schema_check` evaluates."""
    return isinstance(schema, dict) and all(
        keyword in FORMS and FORMS[keyword](rule) for keyword, rule in schema.items()
    )


def _is_anything(_: Any) -> bool:
    return True


def _is_type(rule: Any) -> bool:
    return isinstance(rule, str) and rule in TYPES


def _is_list_of_names(rule: Any) -> bool:
    return isinstance(rule, list) and all(isinstance(name, str) for name in rule)


def _are_plain(rule: Any) -> bool:
    return isinstance(rule, dict) and all(map(is_plain, rule.values()))


def _is_plain_or_bool(rule: Any) -> bool:
    return isinstance(rule, bool) or is_plain(rule)


def _is_count(rule: Any) -> bool:
    return isinstance(rule, int) and not isinstance(rule, bool)


def _is_number(rule: Any) -> bool:
    return isinstance(rule, int | float) and not isinstance(rule, bool)


# The form in which each keyword is plain.
FORMS: Mapping[str, Callable[[Any], bool]] = {
    "type": _is_type,
    "enum": lambda rule: isinstance(rule, list),
    "required": _is_list_of_names,
    "properties": _are_plain,
    "additionalProperties": _is_plain_or_bool,
    "items": is_plain,
    "uniqueItems": lambda rule: isinstance(rule, bool),
    **dict.fromkeys(("minItems", "maxItems", "minLength", "maxLength"), _is_count),
    **dict.fromkeys(("minimum", "maximum"), _is_number),
    **dict.fromkeys(("const", "title", "description", "default", "examples"), _is_anything),
}
