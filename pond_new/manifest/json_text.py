"""Strict JSON: duplicate keys, NaN and too large numbers, which Python lets pass, are refused. Pure."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

from pond_new.manifest.json_spans import Scan, scan
from pond_new.manifest.json_syntax import explain_syntax
from pond_new.manifest.place import place
from pond_new.manifest.problem import InvalidManifest, Problem, error

if TYPE_CHECKING:
    from collections.abc import Iterator

DEPTH = 64
"""How deep objects and arrays may be nested: our own limit, far above any real manifest."""

DIGITS = 308
"""The most digits of an integer: a longer one is infinite for every reader that uses doubles."""

BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[{]|[\]}]', re.DOTALL)
SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def parse_json(text: str, *, name: str) -> Any:
    """The value of a JSON text; raises InvalidManifest for what a strict reader would refuse."""
    if (deep := _too_deep(text)) is not None:
        raise InvalidManifest([nested_too_deep(text, deep)], name=name)
    try:
        value, is_odd = _load(text)
    except json.JSONDecodeError as failure:
        raise InvalidManifest([explain_syntax(text, failure)], name=name) from failure
    if is_odd or SURROGATE.search(text):
        problems = list(_oddities(text, scan(text)))
        if problems:
            raise InvalidManifest(problems, name=name)
    return value


def nested_too_deep(text: str, offset: int) -> Problem:
    """The problem of a text nested deeper than `DEPTH`."""
    return place(
        error(
            "MAN-03",
            "",
            f"Objects and arrays are nested more than {DEPTH} deep here.",
            fix=f"Flatten it. {DEPTH} levels is the limit of this tool; a real manifest needs about ten.",
        ),
        text,
        offset,
    )


def _load(text: str) -> tuple[Any, bool]:
    odd: list[str] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            odd.append("duplicate")
        return value

    def integer(token: str) -> int:
        if len(token) > DIGITS:
            odd.append(token)
            return 0
        return int(token)

    def number(token: str) -> float:
        value = float(token)
        if math.isinf(value):
            odd.append(token)
        return value

    value = json.loads(
        text, object_pairs_hook=members, parse_constant=odd.append, parse_int=integer, parse_float=number
    )
    return value, bool(odd)


def _too_deep(text: str) -> int | None:
    depth = 0
    for match in BRACKET.finditer(text):
        if match[0] in "[{":
            depth += 1
            if depth > DEPTH:
                return match.start()
        elif match[0] in "]}":
            depth -= 1
    return None


def _oddities(text: str, found: Scan) -> Iterator[Problem]:
    for pointer, first, second in found.duplicates:
        line = text.count("\n", 0, first) + 1
        yield place(
            error(
                "MAN-03",
                pointer,
                f"This key is here a second time; the first is in line {line}.",
                fix="Keep one of the two. Readers disagree about which one counts.",
            ),
            text,
            second,
        )
    for pointer, token, start in found.scalars:
        problem = _odd_string(pointer, token) if token.startswith('"') else _odd_number(pointer, token)
        if problem is not None:
            yield place(problem, text, start)


def _odd_number(pointer: str, token: str) -> Problem | None:
    if token.lstrip("-") in {"NaN", "Infinity"}:
        return error(
            "MAN-03",
            pointer,
            f"{token} is not JSON. Python and JavaScript write it; strict readers refuse it.",
            fix="Write a number, or leave the key out.",
        )
    is_large = len(token) > DIGITS if token.lstrip("-").isdigit() else _is_infinite(token)
    if is_large:
        return error(
            "MAN-03",
            pointer,
            "This number is too large: most readers turn it into infinity.",
            fix="Write a number that a computer can hold (below 1.8e308).",
        )
    return None


def _is_infinite(token: str) -> bool:
    return token not in {"true", "false", "null"} and math.isinf(float(token))


def _odd_string(pointer: str, token: str) -> Problem | None:
    try:
        json.loads(token).encode("utf-8")
    except UnicodeEncodeError:
        return error(
            "MAN-03",
            pointer,
            "This string holds half a character: a \\ud800 to \\udfff escape without its other half.",
            fix="Write the character itself (UTF-8), or both escapes of the pair.",
        )
    return None
