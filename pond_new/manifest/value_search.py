"""Values of a schema, the most natural first: proposes candidates and lets a judge decide. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from pond_new.manifest.plain_values import numbers, texts
from pond_new.manifest.schema_check import fingerprint
from pond_new.manifest.walk import schemas_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BREADTH = 24
"""How many candidates of an inner schema are looked at."""

MOST_ITEMS = 10_000
"""Longer arrays are not built: no request could carry them."""

DEPTH = 12
"""How deep references are followed."""

Schema = dict[str, Any]


class NoValue(LookupError):
    """No value was found for a schema; there may be one all the same."""


@dataclass(slots=True)
class Search:
    """One search: `root` holds the definitions, `accepts` judges a value by a schema.

    `patience` is how many schemas and values may still be looked at: a hopeless search ends, too.
    """

    root: Schema
    accepts: Callable[[Schema, Any], bool]
    patience: int

    def best(self, schema: Schema, *, name: str = "", depth: int = 0) -> Any:
        """The first candidate that the judge accepts; raises NoValue."""
        return next(self.fitting(schema, name=name, depth=depth))

    def fitting(self, schema: Schema, *, name: str = "", depth: int = 0) -> Iterator[Any]:
        """The candidates that the judge accepts; raises NoValue if there is none."""
        found, weight = False, sum(1 for _ in schemas_in(schema, ""))
        for value in candidates(schema, self, name=name, depth=depth):
            self.spend(weight)
            if self.accepts(schema, value):
                found = True
                yield value
        if not found:
            raise NoValue(name)

    def spend(self, weight: int = 1) -> None:
        """Look at something of so many schemas; raises NoValue when patience is at its end."""
        if self.patience < weight:
            raise NoValue("the search took too long")
        self.patience -= weight


def candidates(schema: Any, search: Search, *, name: str = "", depth: int = 0) -> Iterator[Any]:
    """Values that may fit, in a fixed order; `name` is the name of the parameter."""
    if not isinstance(schema, dict) or depth > DEPTH:
        return
    search.spend()
    yield from _given(schema)
    for merged in _branches(schema, search.root):
        yield from candidates(merged, search, name=name, depth=depth + 1)
    match schema.get("type"):
        case "string":
            yield from texts(schema, name)
        case "integer" | "number":
            yield from numbers(schema)
        case "boolean":
            yield from (True, False)
        case "array":
            yield from _arrays(schema, search, name=name, depth=depth + 1)
        case "object":
            yield from _objects(schema, search, depth=depth + 1)


def _given(schema: Schema) -> Iterator[Any]:
    """The values that the schema itself names."""
    for keyword in ("const", "default"):
        if keyword in schema:
            yield schema[keyword]
    for keyword in ("examples", "enum"):
        yield from schema[keyword] if isinstance(schema.get(keyword), list) else ()


def _branches(schema: Schema, root: Schema) -> Iterator[Schema]:
    """The schema with one of its alternatives, all of its parts, or its reference written into it."""
    for keyword in ("anyOf", "oneOf"):
        rest = {key: value for key, value in schema.items() if key != keyword}
        for branch in schema.get(keyword, ()):
            if isinstance(branch, dict):
                yield _merge(rest, branch)
    if schema.get("allOf"):
        merged = {key: value for key, value in schema.items() if key != "allOf"}
        for part in schema["allOf"]:
            merged = _merge(merged, part) if isinstance(part, dict) else merged
        yield merged
    target = _definition(schema.get("$ref"), root)
    if target is not None:
        yield _merge({key: value for key, value in schema.items() if key != "$ref"}, target)


def _merge(one: Schema, other: Schema) -> Schema:
    merged = {**one, **other}
    if isinstance(one.get("properties"), dict) and isinstance(other.get("properties"), dict):
        names = {**one["properties"], **other["properties"]}
        merged["properties"] = {
            key: _merge(one["properties"].get(key, {}), other["properties"].get(key, {})) for key in names
        }
    if "required" in one and "required" in other:
        merged["required"] = [
            *one["required"],
            *(key for key in other["required"] if key not in one["required"]),
        ]
    return merged


def _definition(reference: Any, root: Schema) -> Schema | None:
    if not isinstance(reference, str):
        return None
    for keyword in ("$defs", "definitions"):
        prefix = f"#/{keyword}/"
        if reference.startswith(prefix):
            found = root.get(keyword, {}).get(reference.removeprefix(prefix))
            return found if isinstance(found, dict) else None
    return None


def _arrays(schema: Schema, search: Search, *, name: str, depth: int) -> Iterator[list[Any]]:
    least, most = int(schema.get("minItems", 0)), schema.get("maxItems", math.inf)
    if least > MOST_ITEMS:
        return
    front = [search.best(entry, name=name, depth=depth) for entry in schema.get("prefixItems", [])]
    if isinstance(schema.get("contains"), dict):
        times = max(1, int(schema.get("minContains", 1)), least)
        yield [search.best(schema["contains"], name=name, depth=depth)] * times
    values = _entries(schema, search, name=name, depth=depth)
    for count in (max(least, 1), least, 0):
        if count <= most:
            yield [*front, *values[: count - len(front)]] if count >= len(front) else front[:count]
    for value in values:
        yield [value] * max(least, 1)


def _entries(schema: Schema, search: Search, *, name: str, depth: int) -> list[Any]:
    """Distinct values for the entries of an array."""
    wanted: Any = schema["items"] if isinstance(schema.get("items"), dict) else {"type": "string"}
    distinct: dict[str, Any] = {}
    try:
        for value in islice(search.fitting(wanted, name=name, depth=depth), BREADTH):
            distinct.setdefault(fingerprint(value), value)
    except NoValue:
        return []
    return list(distinct.values())


def _objects(schema: Schema, search: Search, *, depth: int) -> Iterator[Schema]:
    properties = schema.get("properties", {})
    required = [name for name in schema.get("required", []) if isinstance(name, str)]
    for names in (required or list(properties), list(properties), required, []):
        try:
            choices = {
                name: _choices(properties.get(name, {"type": "string"}), search, name, depth)
                for name in names
            }
        except NoValue:
            continue
        yield {name: found[0] for name, found in choices.items()}
        yield from _variations(choices)


def _choices(schema: Any, search: Search, name: str, depth: int) -> list[Any]:
    return list(islice(search.fitting(schema, name=name, depth=depth), BREADTH))


def _variations(choices: dict[str, list[Any]]) -> Iterator[Schema]:
    """The first choices with one member changed at a time."""
    for name, found in choices.items():
        for other in found[1:]:
            yield {**{key: values[0] for key, values in choices.items()}, name: other}
