"""Values of a schema, the most natural first: proposes candidates and lets a judge decide. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from pond_new.manifest.pattern_example import matching_text
from pond_new.manifest.schema_check import fingerprint
from pond_new.manifest.walk import schemas_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

BREADTH = 24
"""How many candidates of an inner schema are looked at."""

LONGEST = 200_000
MOST_ITEMS = 10_000
"""Longer texts and arrays are not built: no request could carry them."""

DEPTH = 12
"""How deep references are followed."""

FORMATS: Mapping[str, str] = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "PT15M",
    "email": "ada@example.com",
    "uri": "https://example.com/page",
    "url": "https://example.com/page",
    "uri-reference": "/page",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
}
WORDS: Mapping[str, str] = {
    "email": "ada@example.com",
    "url": "https://example.com/page",
    "link": "https://example.com/page",
    "date": "2026-01-31",
    "language": "English",
    "country": "France",
    "city": "Paris",
    "currency": "EUR",
    "timezone": "Europe/Paris",
    "name": "Ada Lovelace",
    "title": "A title",
    "query": "weather in Paris",
    "question": "What is the capital of France?",
}
TEXT = "Hello world"
FILLER = "Lorem ipsum dolor sit amet "

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
            yield from _texts(schema, name)
        case "integer" | "number":
            yield from _numbers(schema)
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


def _texts(schema: Schema, name: str) -> Iterator[str]:
    least, most = schema.get("minLength", 0), schema.get("maxLength", math.inf)
    if least > LONGEST:
        return
    if schema.get("format") in FORMATS:
        yield FORMATS[schema["format"]]
    if isinstance(schema.get("pattern"), str):
        found = matching_text(schema["pattern"], least=int(least))
        if found is not None:
            yield found
    natural = next((word for hint, word in WORDS.items() if hint in name.casefold()), TEXT)
    for text in (natural, TEXT, "a", "1", "2026-01-31", "abc-123", ""):
        filled = (
            text
            if len(text) >= least
            else (text + " " + FILLER * (int(least) // len(FILLER) + 1))[: int(least)]
        )
        yield filled if len(filled) <= most else filled[: int(most)]
    yield "a" * int(least)


def _numbers(schema: Schema) -> Iterator[int | float]:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    step = schema.get("multipleOf", 1)
    tries: list[Any] = [step, 1, 0]
    if low is not None:
        tries = [low, math.floor(low) + 1, math.ceil(low / step) * step, low + step, *tries]
    if high is not None:
        tries += [high, math.ceil(high) - 1, math.floor(high / step) * step, high - step]
    if low is not None and high is not None:
        tries += [(low + high) / 2]
    for value in tries:
        is_whole = isinstance(value, float) and value.is_integer()
        yield int(value) if is_whole or schema["type"] == "integer" else value


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
