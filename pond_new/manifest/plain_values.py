"""Texts and numbers that may fit a schema, the most natural first. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pond_new.manifest.pattern_example import matching_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LONGEST = 200_000
"""Longer texts are not built: no request could carry them."""

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


def texts(schema: Mapping[str, Any], name: str) -> Iterator[str]:
    """Texts for a parameter of this name, from the one a person might write to the shortest."""
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


def numbers(schema: Mapping[str, Any]) -> Iterator[int | float]:
    """Numbers at and between the bounds."""
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
