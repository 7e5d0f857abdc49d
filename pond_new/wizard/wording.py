"""Texts in the width of a terminal, and choices as lines. Pure."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from pond_new.wizard.question import Choice

NARROWEST, WIDEST = 24, 100
MARGIN = 10  # pointer, number and indicator before a choice


def wrap(text: str, width: int) -> str:
    """Each line of the text broken at blanks; what is indented or listed stays so."""
    return "\n".join(_wrap_line(line, max(NARROWEST, min(width, WIDEST) - 1)) for line in text.splitlines())


def titles(choices: Sequence[Choice], width: int) -> tuple[list[str], str]:
    """A line for each choice, and what has to be said above them because the lines are too narrow for it."""
    whole = [f"{each.title}: {each.meaning}" if each.meaning else each.title for each in choices]
    if all(len(line) <= width - MARGIN for line in whole):
        return whole, ""
    above = [f"- {each.title}: {each.meaning}" for each in choices if each.meaning]
    return [shorten(each.title, width - MARGIN) for each in choices], "\n".join(above)


def shorten(text: str, width: int) -> str:
    """The text, cut where it is too long."""
    width = max(width, NARROWEST - MARGIN)
    return text if len(text) <= width else f"{text[: width - 3]}..."


def table(rows: Sequence[tuple[str, str]], *, indent: str = "  ") -> str:
    """Labels and values in two columns."""
    label_width = max((len(label) for label, _ in rows), default=0)
    return "\n".join(f"{indent}{label.ljust(label_width)}  {value}" for label, value in rows)


def _wrap_line(line: str, width: int) -> str:
    body = line.lstrip()
    indent = " " * (len(line) - len(body))
    hanging = indent + ("  " if body.startswith("- ") else "")
    return textwrap.fill(
        body,
        width,
        initial_indent=indent,
        subsequent_indent=hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
