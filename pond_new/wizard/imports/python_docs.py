"""What a docstring says of each parameter: Google's, NumPy's and Sphinx's way of writing it. Pure."""

from __future__ import annotations

import re

SPHINX = re.compile(r"^:param(?:\s+[^:]+?)??\s+(?P<name>\w+)\s*:\s*(?P<text>.*)$")
GOOGLE_START = re.compile(r"^(?:Args|Arguments|Parameters|Params|Attributes)\s*:\s*$")
GOOGLE = re.compile(r"^\*{0,2}(?P<name>\w+)\s*(?:\([^)]*\))?\s*:\s*(?P<text>.*)$")
NUMPY = re.compile(r"^(?P<name>\w+)\s*(?::.*)?$")
NUMPY_TITLES = frozenset({"Parameters", "Attributes"})


def parse_docstring(text: str) -> dict[str, str]:
    """The description of each parameter that has one."""
    lines = text.splitlines()
    found = _google(lines) | _numpy(lines) | _sphinx(lines)
    return {name: " ".join(words.split()) for name, words in found.items() if words.strip()}


def _sphinx(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    name = ""
    for line in lines:
        if match := SPHINX.match(line.strip()):
            name = match["name"]
            found[name] = match["text"]
        elif name and line.strip() and not line.strip().startswith(":"):
            found[name] += f" {line.strip()}"
        else:
            name = ""
    return found


def _google(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for start, line in enumerate(lines):
        if GOOGLE_START.match(line.strip()):
            found |= _indented(lines[start + 1 :], _depth(line))
    return found


def _indented(lines: list[str], outer: int) -> dict[str, str]:
    """Entries `name: text` one level deeper than `outer`, with their continuation lines."""
    found: dict[str, str] = {}
    name, level = "", -1
    for line in lines:
        if not line.strip():
            continue
        depth = _depth(line)
        if depth <= outer:
            break
        level = depth if level < 0 else level
        match = GOOGLE.match(line.strip())
        if depth == level and match:
            name = match["name"]
            found[name] = match["text"]
        elif name:
            found[name] += f" {line.strip()}"
    return found


def _numpy(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    starts = [
        index + 2
        for index, line in enumerate(lines[:-1])
        if line.strip() in NUMPY_TITLES and set(lines[index + 1].strip()) == {"-"}
    ]
    for start in starts:
        name, outer = "", _depth(lines[start - 2])
        for index, line in enumerate(lines[start:], start=start):
            following = lines[index + 1].strip() if index + 1 < len(lines) else ""
            if following and set(following) == {"-"}:
                break
            if _depth(line) == outer and (match := NUMPY.match(line.strip())):
                name = match["name"]
                found[name] = ""
            elif name and line.strip():
                found[name] += f" {line.strip()}"
    return found


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
