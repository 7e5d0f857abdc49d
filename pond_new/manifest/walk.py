"""Ways through a manifest that may be broken anywhere: what has the wrong shape is passed over. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pond_new.manifest.pointer import join

if TYPE_CHECKING:
    from collections.abc import Iterator

Found = tuple[str, dict[str, Any]]

LISTS_OF_SCHEMAS = ("allOf", "anyOf", "oneOf", "prefixItems")
MAPS_OF_SCHEMAS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
SCHEMAS = (
    "items",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "additionalProperties",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
)


def actions_of(manifest: dict[str, Any]) -> Iterator[Found]:
    """Every action that is an object, with its pointer."""
    actions = manifest.get("actions")
    for index, action in enumerate(actions if isinstance(actions, list) else []):
        if isinstance(action, dict):
            yield join("/actions", index), action


def input_schemas_of(manifest: dict[str, Any]) -> Iterator[Found]:
    """Every input schema, of the actions and of the agent itself."""
    owners = [*actions_of(manifest), ("", manifest)]
    for pointer, owner in owners:
        schema = owner.get("input_schema")
        if isinstance(schema, dict):
            yield join(pointer, "input_schema"), schema


def schemas_in(schema: dict[str, Any], pointer: str) -> Iterator[Found]:
    """A schema and all schemas inside it, the outer one first."""
    waiting = [(pointer, schema)]
    while waiting:
        place, current = waiting.pop()
        yield place, current
        waiting.extend(reversed([found for found in _children(current, place) if isinstance(found[1], dict)]))


def every_schema(manifest: dict[str, Any]) -> Iterator[Found]:
    """All schemas of all input schemas."""
    for pointer, schema in input_schemas_of(manifest):
        yield from schemas_in(schema, pointer)


def texts_in(value: Any, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Every text value with its pointer; keys are no values."""
    waiting: list[tuple[str, Any]] = [(pointer, value)]
    while waiting:
        place, current = waiting.pop()
        if isinstance(current, str):
            yield place, current
        elif isinstance(current, dict):
            waiting.extend((join(place, key), member) for key, member in reversed(current.items()))
        elif isinstance(current, list):
            waiting.extend((join(place, index), entry) for index, entry in reversed(list(enumerate(current))))


def _children(schema: dict[str, Any], pointer: str) -> Iterator[tuple[str, Any]]:
    for keyword in SCHEMAS:
        if keyword in schema:
            yield join(pointer, keyword), schema[keyword]
    for keyword in MAPS_OF_SCHEMAS:
        members = schema.get(keyword)
        for name, member in members.items() if isinstance(members, dict) else ():
            yield join(pointer, keyword, name), member
    for keyword in LISTS_OF_SCHEMAS:
        entries = schema.get(keyword)
        for index, entry in enumerate(entries if isinstance(entries, list) else []):
            yield join(pointer, keyword, index), entry
