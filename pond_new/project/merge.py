"""Merge two edits of one text, line by line (diff3). Pure.

Regions that only one side changed, or both in the same way, merge; the others become a conflict that shows
all three versions between the markers that git and editors know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

YOURS_MARKER = "<<<<<<< yours"
BASE_MARKER = "||||||| last written by pond-new"
MIDDLE_MARKER = "======="
THEIRS_MARKER = ">>>>>>> pond-new"
# Git's own markers count too: a file with half a merge in it is no file to merge into.
MARKER = re.compile(r"^(<{7}|\|{7}|>{7})( |$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Merged:
    """A merged text, and how many conflicts stand in it."""

    text: str
    conflicts: int


@dataclass(frozen=True, slots=True)
class Anchor:
    """A run of lines that all three texts share: where it begins in each, and where it ends in the base."""

    base: int
    base_end: int
    yours: int
    theirs: int


def merge(base: str, yours: str, theirs: str) -> Merged:
    """`yours` and `theirs` both came from `base`; texts have LF line ends.

    Every line that only one side wrote is in the result, and so is every line of a conflict.
    """
    lines = [split_lines(text) for text in (base, yours, theirs)]
    merged: list[str] = []
    conflicts = base_at = yours_at = theirs_at = 0
    for anchor in _anchors(*lines):
        regions = (
            lines[0][base_at : anchor.base],
            lines[1][yours_at : anchor.yours],
            lines[2][theirs_at : anchor.theirs],
        )
        resolved = _resolve(*regions)
        conflicts += resolved is None
        merged += _conflict(*regions) if resolved is None else resolved
        merged += lines[0][anchor.base : anchor.base_end]
        length = anchor.base_end - anchor.base
        base_at, yours_at, theirs_at = anchor.base_end, anchor.yours + length, anchor.theirs + length
    return Merged("".join(merged), conflicts)


def has_conflict(text: str) -> bool:
    """Whether a marker of an unresolved conflict, ours or git's, stands in a text."""
    return MARKER.search(text) is not None


def split_lines(text: str) -> list[str]:
    """The lines of a text with their ends; only LF ends one, whatever else Python takes for a line end."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _resolve(base: list[str], yours: list[str], theirs: list[str]) -> list[str] | None:
    """The region's lines, or None when both sides changed it differently."""
    if theirs in (yours, base):
        return yours
    return theirs if yours == base else None


def _conflict(base: list[str], yours: list[str], theirs: list[str]) -> list[str]:
    return [
        f"{YOURS_MARKER}\n",
        *_terminated(yours),
        f"{BASE_MARKER}\n",
        *_terminated(base),
        f"{MIDDLE_MARKER}\n",
        *_terminated(theirs),
        f"{THEIRS_MARKER}\n",
    ]


def _terminated(lines: list[str]) -> list[str]:
    """The lines with a line end behind the last one too, so that a marker never shares its line."""
    return [line if line.endswith("\n") else line + "\n" for line in lines]


def _anchors(base: Sequence[str], yours: Sequence[str], theirs: Sequence[str]) -> Iterator[Anchor]:
    """The runs of lines common to all three texts, in order; an empty one closes the last region."""
    mine = SequenceMatcher(None, base, yours, autojunk=False).get_matching_blocks()
    other = SequenceMatcher(None, base, theirs, autojunk=False).get_matching_blocks()
    left = right = 0
    while left < len(mine) and right < len(other):
        one, two = mine[left], other[right]
        start, end = max(one.a, two.a), min(one.a + one.size, two.a + two.size)
        if start < end:
            yield Anchor(start, end, one.b + start - one.a, two.b + start - two.a)
        if one.a + one.size < two.a + two.size:
            left += 1
        else:
            right += 1
    yield Anchor(len(base), len(base), len(yours), len(theirs))
