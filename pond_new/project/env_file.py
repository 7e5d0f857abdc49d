"""The text of an `.env` file -> variables, as far as compose and shells agree on it. Pure."""

from __future__ import annotations

import re

ASSIGNMENT = re.compile(r"^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$")
MENTIONED = re.compile(r"^#?\s*([A-Z][A-Z0-9_]*)=", re.MULTILINE)
QUOTES = "\"'"


def parse_env(text: str) -> dict[str, str]:
    """The variables of a file; lines that are no assignment are passed over, as compose does."""
    found = (ASSIGNMENT.match(line) for line in text.splitlines())
    return {match[1]: _value(match[2]) for match in found if match}


def mentioned_names(text: str) -> frozenset[str]:
    """Every variable that an example file names, also where it is commented out."""
    return frozenset(MENTIONED.findall(text))


def _value(written: str) -> str:
    """A value without its quotes, or without the comment behind it."""
    if written[:1] in QUOTES and written[:1]:
        return written[1:].partition(written[0])[0]
    return re.split(r"\s#", f" {written}", maxsplit=1)[0].strip()
