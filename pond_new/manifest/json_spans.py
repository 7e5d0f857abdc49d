"""Where each value of a JSON text stands. Pure.

Reads only text that `json` has already accepted, and only when a place or an oddity has to be found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from json import loads

from pond_new.manifest.pointer import join

PIECE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Span:
    """Offsets of a value, and of its key (with its quotes) where it is a member of an object."""

    start: int
    end: int
    key: tuple[int, int] | None = None

    @property
    def anchor(self) -> int:
        """Where a person should look: at the key if there is one."""
        return self.key[0] if self.key else self.start


@dataclass(slots=True)
class Scan:
    """The spans of a text by JSON pointer, every scalar piece, and the keys written more than once."""

    spans: dict[str, Span] = field(default_factory=dict)
    scalars: list[tuple[str, str, int]] = field(default_factory=list)
    duplicates: list[tuple[str, int, int]] = field(default_factory=list)


@dataclass(slots=True)
class _Open:
    pointer: str
    start: int
    key: tuple[int, int] | None
    is_object: bool
    index: int = 0
    name: str | None = None
    name_at: tuple[int, int] | None = None


@lru_cache(maxsize=4)
def scan(text: str) -> Scan:
    """The places in a JSON text; the last of several equal keys wins, as in `json`."""
    found = Scan()
    stack: list[_Open] = []
    for match in PIECE.finditer(text):
        piece, start, end = match[0], match.start(), match.end()
        if piece in "{[":
            pointer, key = _place(stack)
            stack.append(_Open(pointer, start, key, piece == "{"))
        elif piece in "}]":
            closed = stack.pop()
            found.spans[closed.pointer] = Span(closed.start, end, closed.key)
        elif piece == ",":
            stack[-1].index += 1
            stack[-1].name = None
        elif piece != ":":
            _take_scalar(found, stack, piece, start)
    return found


def _take_scalar(found: Scan, stack: list[_Open], piece: str, start: int) -> None:
    end = start + len(piece)
    if stack and stack[-1].is_object and stack[-1].name is None:
        _take_key(found, stack[-1], piece, (start, end))
        return
    pointer, key = _place(stack)
    found.spans[pointer] = Span(start, end, key)
    found.scalars.append((pointer, piece, start))


def _take_key(found: Scan, current: _Open, piece: str, at: tuple[int, int]) -> None:
    current.name = loads(piece)
    current.name_at = at
    pointer = join(current.pointer, str(current.name))
    found.scalars.append((pointer, piece, at[0]))
    earlier = found.spans.get(pointer)
    if earlier is not None:
        found.duplicates.append((pointer, earlier.anchor, at[0]))


def _place(stack: list[_Open]) -> tuple[str, tuple[int, int] | None]:
    if not stack:
        return "", None
    current = stack[-1]
    if current.is_object:
        return join(current.pointer, str(current.name)), current.name_at
    return join(current.pointer, current.index), None
