"""Regular expressions of a JSON Schema (ECMA-262) in Python's terms. Pure."""

from __future__ import annotations

import re
from functools import cache

ECMA_ONLY = re.compile(r"\\(?P<escape>.)|\(\?<(?P<group>[A-Za-z_$][\w$]*)>|(?P<end>\$)", re.DOTALL)
PROPERTY = re.compile(r"\\[pP]\{[^}]*\}")
PYTHON_ONLY = (
    (re.compile(r"\(\?P[<=>]"), "(?P…)"),
    (re.compile(r"\(\?[aiLmsux]+[:)]"), "(?i)"),
    (re.compile(r"(?<!\\)(?:\\\\)*\\[AZz]"), "\\A and \\Z"),
    (re.compile(r"\(\?>"), "(?>…)"),
    (re.compile(r"\(\?#"), "(?#…)"),
)


class BrokenPattern(ValueError):
    """Neither JavaScript nor Python could compile this pattern."""


@cache
def compile_pattern(written: str) -> re.Pattern[str]:
    """The pattern for Python; raises BrokenPattern with the reason if neither dialect can read it.

    Named groups and the end sign are translated. A Unicode property stands for any letter here: good enough
    to find a value, not to judge one.
    """
    try:
        return _compile(ECMA_ONLY.sub(_translate, PROPERTY.sub(r"\\w", written)))
    except BrokenPattern:
        return _compile(written)


def _compile(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as failure:
        at = "" if failure.pos is None else f" at character {failure.pos + 1}"
        raise BrokenPattern(f"{failure.msg}{at}") from failure
    except (OverflowError, RecursionError) as failure:
        raise BrokenPattern("it is too complex") from failure


def fault_of(written: str) -> str | None:
    """Why no reader can compile this pattern, or None."""
    try:
        compile_pattern(written)
    except BrokenPattern as failure:
        return str(failure)
    return None


def python_only(written: str) -> str | None:
    """A construct of this pattern that only Python knows, or None."""
    return next((name for sign, name in PYTHON_ONLY if sign.search(written)), None)


def _translate(match: re.Match[str]) -> str:
    if match["group"]:
        return f"(?P<{match['group'].replace('$', '_')}>"
    return r"\Z" if match["end"] else match[0]
