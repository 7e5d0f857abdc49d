"""Whether two JSON Schemas ask for the same, whatever they say about it. Pure.

Titles, descriptions, defaults, examples and the name of the dialect are words for people: they may differ.
The order of `required`, of `enum` and of properties means nothing either.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pond_new.agent_manifest.difference import first_difference
from pond_new.manifest.pointer import join

ANNOTATIONS = frozenset(
    {
        "$schema",
        "$id",
        "$comment",
        "title",
        "description",
        "default",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
    }
)
BY_NAME = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
UNORDERED = frozenset({"required", "enum", "type"})


def find_difference(one: Any, other: Any) -> tuple[str, str] | None:
    """Where two schemas differ first: a JSON pointer, and what is different there; None if they agree."""
    return next(_differences(_plain(one), _plain(other), ""), None)


def _plain(schema: Any) -> Any:
    """A schema without its annotations, in one order."""
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        keyword: _plain_value(keyword, value)
        for keyword, value in sorted(schema.items())
        if keyword not in ANNOTATIONS
    }


def _plain_value(keyword: str, value: Any) -> Any:
    if keyword in BY_NAME and isinstance(value, dict):
        return {name: _plain(inner) for name, inner in sorted(value.items())}
    if keyword in UNORDERED and isinstance(value, list):
        return sorted(value, key=lambda each: json.dumps(each, sort_keys=True))
    return value if keyword in {"const", "enum"} else _plain(value)


def _differences(one: Any, other: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in sorted({*one, *other}):
            where = join(pointer, key)
            if key not in one:
                yield where, f"only the second has it ({_shown(other[key])})"
            elif key not in other:
                yield where, f"only the first has it ({_shown(one[key])})"
            else:
                yield from _differences(one[key], other[key], where)
    elif first_difference(one, other) is not None:
        yield pointer, f"{_shown(one)} in the first, {_shown(other)} in the second"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004 -- a line
