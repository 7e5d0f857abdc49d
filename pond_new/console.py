"""The one place that prints: results go to stdout, talk goes to stderr.

Colour is decoration only: no meaning is carried by it alone, and it is off without a terminal,
with `NO_COLOR`, and with `TERM=dumb` (https://no-color.org).
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any, TextIO

STYLES: Mapping[str, str] = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "cyan": "36",
}


def show(text: str) -> None:
    """Print a result to stdout."""
    _write(sys.stdout, text)


def show_json(value: Mapping[str, Any]) -> None:
    """Print a machine-readable result to stdout: one JSON document, UTF-8, keys in the given order."""
    show(json.dumps(value, ensure_ascii=False, indent=2))


def say(text: str) -> None:
    """Tell the person at the terminal something that is no result: stderr."""
    _write(sys.stderr, text)


def paint(text: str, *styles: str, stream: TextIO | None = None) -> str:
    """`text` in the given styles (keys of `STYLES`), or plain where the stream shows no colour."""
    if not has_colour(stream or sys.stdout):
        return text
    codes = ";".join(STYLES[style] for style in styles)
    return f"\x1b[{codes}m{text}\x1b[0m"


def has_colour(stream: TextIO) -> bool:
    """Whether the stream is a terminal whose user did not turn colour off."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def is_interactive() -> bool:
    """Whether a person can be asked: a terminal on both ends, and no CI."""
    return (
        sys.stdin.isatty() and sys.stderr.isatty() and os.environ.get("CI", "").lower() not in {"1", "true"}
    )


def _write(stream: TextIO, text: str) -> None:
    """Write a line; a console that lacks a character gets it escaped instead of a crash."""
    try:
        stream.write(text + "\n")
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    stream.flush()
