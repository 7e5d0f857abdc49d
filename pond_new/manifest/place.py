"""From an offset in a text to the line and column that an editor shows. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pond_new.manifest.problem import Problem


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column of an offset, both from 1; a column counts characters."""
    line = text.count("\n", 0, offset) + 1
    return line, offset - text.rfind("\n", 0, offset)


def place(problem: Problem, text: str, offset: int) -> Problem:
    """The problem with the line and column of this offset."""
    line, column = line_and_column(text, offset)
    return replace(problem, line=line, column=column)
