"""Valid and invalid parameters for an input schema, always the same ones, and proven. Pure.

Plain schemas are judged by our own evaluator, all others by jsonschema, which is imported for them alone.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from pond_new.manifest.pattern_example import is_matching
from pond_new.manifest.plain_schema import is_plain
from pond_new.manifest.plain_values import LONGEST
from pond_new.manifest.schema_check import find_failures
from pond_new.manifest.value_search import MOST_ITEMS, NoValue, Search

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

UNDECLARED = "undeclared_parameter"
PATIENCE = 5000
WRONG_TYPE: Mapping[str, Any] = {
    "string": 7,
    "integer": 1.5,
    "number": "1",
    "boolean": "true",
    "array": {},
    "object": [],
}


@dataclass(frozen=True, slots=True)
class BrokenParameters:
    """Parameters that break their schema by one keyword, at one place such as `parameters.text`."""

    keyword: str
    place: str
    parameters: dict[str, Any]


def example_parameters(schema: Mapping[str, Any], *, patience: int = PATIENCE) -> dict[str, Any]:
    """A value that satisfies the schema and reads like a person's; only its required members, if it has any.

    Raises LookupError when none is found: the schema is broken, contradicts itself or is beyond this search,
    which looks at `patience` schemas and values.
    """
    root = dict(schema)
    judge = Judge(root)
    try:
        found = Search(root, judge.accepts, patience).best(root)
    except (TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as broken:
        raise NoValue("the schema itself is broken") from broken
    if not isinstance(found, dict):
        raise NoValue("the schema is not one of an object")
    return copy.deepcopy(found)


def broken_parameters(schema: Mapping[str, Any], base: Mapping[str, Any]) -> tuple[BrokenParameters, ...]:
    """Changes of a valid `base` that the schema refuses for exactly the keyword named."""
    judge = Judge(dict(schema))
    return tuple(
        broken for broken in _attempts(schema, base) if broken.keyword in judge.complaints(broken.parameters)
    )


@dataclass(frozen=True, slots=True)
class Judge:
    """jsonschema with the patterns of JSON Schema, the definitions of `root` and no way to the network."""

    root: dict[str, Any]

    def accepts(self, schema: Mapping[str, Any], value: Any) -> bool:
        """Whether a value fits; a schema that cannot be evaluated fits nothing."""
        if is_plain(schema):
            return not find_failures(value, schema, root=self.root)
        return not self._faults(schema, value)

    def complaints(self, value: Any) -> set[str]:
        """The keywords that a value of the whole schema breaks."""
        return self._faults(self.root, value)

    def _faults(self, schema: Mapping[str, Any], value: Any) -> set[str]:
        from jsonschema.exceptions import UnknownType  # noqa: PLC0415 -- heavy, and only needed here
        from referencing.exceptions import Unresolvable  # noqa: PLC0415 -- heavy, and only needed here

        definitions: dict[str, Any] = {
            key: self.root[key] for key in ("$defs", "definitions") if key in self.root
        }
        validator = _validator_class()({**definitions, **schema}, registry=_no_registry())
        try:
            return {str(fault.validator) for fault in validator.iter_errors(value)}
        except (TypeError, ValueError, AttributeError, KeyError, RecursionError, Unresolvable, UnknownType):
            return {"unusable"}


def _attempts(schema: Mapping[str, Any], base: Mapping[str, Any]) -> Iterator[BrokenParameters]:
    for name in schema.get("required", ()):
        rest = {key: value for key, value in base.items() if key != name}
        yield BrokenParameters("required", f"parameters.{name}", rest)
    yield BrokenParameters("additionalProperties", "parameters", {**base, UNDECLARED: 1})
    for name, property_schema in schema.get("properties", {}).items():
        for keyword, value in _broken_values(property_schema, base.get(name)):
            yield BrokenParameters(keyword, f"parameters.{name}", {**base, name: value})


def _broken_values(schema: Mapping[str, Any], now: Any) -> Iterator[tuple[str, Any]]:
    yield "type", WRONG_TYPE[schema["type"]]
    yield "type", None
    match schema["type"]:
        case "string":
            yield from _broken_texts(schema)
        case "integer" | "number":
            yield from _broken_numbers(schema, now)
        case "array":
            yield from _broken_arrays(schema, now)
        case "object":
            yield from _broken_objects(schema, now)


def _broken_texts(schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for keyword in ("enum", "const"):
        if keyword in schema:
            yield keyword, "not one of the choices"
    if schema.get("minLength"):
        yield "minLength", "a" * (int(schema["minLength"]) - 1)
    if schema.get("maxLength", LONGEST) < LONGEST:
        yield "maxLength", "a" * (int(schema["maxLength"]) + 1)
    if "pattern" in schema:
        yield "pattern", "\u00a4!! no match"


def _broken_numbers(schema: Mapping[str, Any], now: Any) -> Iterator[tuple[str, Any]]:
    for keyword in ("enum", "const"):
        if keyword in schema:
            yield keyword, 1_000_000_007
    if "minimum" in schema:
        yield "minimum", schema["minimum"] - 1
    if "maximum" in schema:
        yield "maximum", schema["maximum"] + 1
    for keyword in ("exclusiveMinimum", "exclusiveMaximum"):
        if keyword in schema:
            yield keyword, schema[keyword]
    step = schema.get("multipleOf")
    if step:
        yield "multipleOf", (now or step) + (1 if schema["type"] == "integer" else step / 2)


def _broken_arrays(schema: Mapping[str, Any], now: Any) -> Iterator[tuple[str, Any]]:
    entry = now[0] if isinstance(now, list) and now else None
    items = schema.get("items")
    if isinstance(items, dict) and items.get("type") in WRONG_TYPE:
        yield "type", [WRONG_TYPE[items["type"]]]
    if schema.get("minItems"):
        yield "minItems", []
    if schema.get("maxItems", MOST_ITEMS) < MOST_ITEMS and entry is not None:
        yield "maxItems", [entry] * (int(schema["maxItems"]) + 1)
    if schema.get("uniqueItems") and entry is not None:
        yield "uniqueItems", [entry, entry]


def _broken_objects(schema: Mapping[str, Any], now: Any) -> Iterator[tuple[str, Any]]:
    inner = now if isinstance(now, dict) else {}
    for name in schema.get("required", ()):
        yield "required", {key: value for key, value in inner.items() if key != name}
    if schema.get("additionalProperties") is False:
        yield "additionalProperties", {**inner, UNDECLARED: 1}


@cache
def _validator_class() -> Any:
    from jsonschema import Draft202012Validator, ValidationError  # noqa: PLC0415 -- heavy, and only needed here
    from jsonschema.validators import extend  # noqa: PLC0415 -- heavy, and only needed here

    def pattern(_: Any, written: str, value: Any, __: Any) -> Iterator[ValidationError]:
        if isinstance(value, str) and not is_matching(written, value):
            yield ValidationError(f"{value!r} does not match {written!r}")

    return extend(Draft202012Validator, {"pattern": pattern})  # type: ignore[no-untyped-call]


@cache
def _no_registry() -> Any:
    from referencing import Registry  # noqa: PLC0415 -- heavy, and only needed here

    return Registry()
