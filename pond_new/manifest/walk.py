"""Ways through a manifest that may be broken anywhere: what has the wrong shape is passed over. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pond_new.manifest.pointer import join

if TYPE_CHECKING:
    from collections.abc import Iterator

Found = tuple[str, dict[str, Any]]

LISTS_OF_SCHEMAS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
MAPS_OF_SCHEMAS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
SCHEMAS = frozenset(
    {
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
    }
)


@dataclass(frozen=True, slots=True)
class Subject:
    """A manifest under the rules, with the parts that have the right shape, each walked once."""

    manifest: dict[str, Any]
    actions: tuple[Found, ...]
    input_schemas: tuple[Found, ...]
    schemas: tuple[Found, ...]
    metadata: dict[str, Any]
    plans: tuple[tuple[int, dict[str, Any]], ...]


def look_at(manifest: dict[str, Any]) -> Subject:
    """The parts of a manifest; `schemas` are all schemas inside the input schemas too, outer ones first."""
    actions = tuple(_actions(manifest))
    input_schemas = tuple(_input_schemas(manifest, actions))
    metadata = manifest.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    plans = metadata.get("pricing_plans")
    return Subject(
        manifest=manifest,
        actions=actions,
        input_schemas=input_schemas,
        schemas=tuple(found for pointer, schema in input_schemas for found in schemas_in(schema, pointer)),
        metadata=metadata,
        plans=tuple(
            (index, plan)
            for index, plan in enumerate(plans if isinstance(plans, list) else [])
            if isinstance(plan, dict)
        ),
    )


def _actions(manifest: dict[str, Any]) -> Iterator[Found]:
    actions = manifest.get("actions")
    for index, action in enumerate(actions if isinstance(actions, list) else []):
        if isinstance(action, dict):
            yield join("/actions", index), action


def _input_schemas(manifest: dict[str, Any], actions: tuple[Found, ...]) -> Iterator[Found]:
    for pointer, owner in (*actions, ("", manifest)):
        schema = owner.get("input_schema")
        if isinstance(schema, dict):
            yield join(pointer, "input_schema"), schema


def schemas_in(schema: dict[str, Any], pointer: str) -> Iterator[Found]:
    """A schema and all schemas inside it, the outer one first."""
    waiting = [(pointer, schema)]
    while waiting:
        place, current = waiting.pop()
        yield place, current
        waiting.extend(reversed(list(_children(current, place))))


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


def _children(schema: dict[str, Any], pointer: str) -> Iterator[Found]:
    for keyword, value in schema.items():
        if isinstance(value, dict):
            if keyword in SCHEMAS:
                yield join(pointer, keyword), value
            elif keyword in MAPS_OF_SCHEMAS:
                yield from (
                    (join(pointer, keyword, name), member)
                    for name, member in value.items()
                    if isinstance(member, dict)
                )
        elif isinstance(value, list) and keyword in LISTS_OF_SCHEMAS:
            yield from (
                (join(pointer, keyword, index), entry)
                for index, entry in enumerate(value)
                if isinstance(entry, dict)
            )
