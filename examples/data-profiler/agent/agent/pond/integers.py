"""Whole numbers as `int`: JSON Schema calls `5.0` an integer, a handler was promised an `int`. Pure."""

from collections.abc import Callable, Mapping
from typing import Any

Restore = Callable[[Any], Any]


def restorer(schema: Mapping[str, Any]) -> Restore:
    """For a schema: a function that gives a valid value back with its integers as `int`."""
    return _restorer(schema) or _same


def _restorer(schema: Any) -> Restore | None:
    """As `restorer`, or None where no integer can be: most schemas then cost nothing."""
    if not isinstance(schema, Mapping):  # `true` is a schema too
        return None
    match schema.get("type"):
        case "integer":
            return _whole
        case "array":
            return _for_items(schema)
        case "object":
            return _for_properties(schema)
    return None


def _for_items(schema: Mapping[str, Any]) -> Restore | None:
    inner = _restorer(schema.get("items", {}))
    return inner and (lambda values: [inner(value) for value in values])


def _for_properties(schema: Mapping[str, Any]) -> Restore | None:
    properties = {name: _restorer(inner) for name, inner in schema.get("properties", {}).items()}
    known = {name: restore for name, restore in properties.items() if restore}
    if not known:
        return None
    return lambda value: {name: known.get(name, _same)(inner) for name, inner in value.items()}


def _whole(value: float) -> int:
    return int(value)


def _same(value: Any) -> Any:
    return value
