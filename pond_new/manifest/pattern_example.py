"""A text that a regular expression accepts, found by walking the expression. Pure."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pond_new.manifest.patterns import compile_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

REPEAT_LIMIT = 200
"""A pattern that wants more repetitions is given up; no sensible parameter has one."""

FRIENDLY = "aA1x0 -_.@z9"


SAFE_LENGTH = 16
"""Up to here even a pattern that backtracks exponentially answers at once."""

REPEATS = {"MAX_REPEAT", "MIN_REPEAT"}


def matching_text(pattern: str, *, least: int = 0) -> str | None:
    """A text that the pattern matches, grown to `least` characters if it can be; or None."""
    try:
        tree = _parse(pattern)
        for extra in (0, 1, least):
            text = _spell(tree, extra)
            if len(text) >= least and is_matching(pattern, text):
                return text
    except (LookupError, ValueError, OverflowError, RecursionError, StopIteration):
        return None
    return None


def is_matching(pattern: str, text: str) -> bool:
    """Whether a text matches; raises ValueError where finding out could take for ever."""
    if len(text) > SAFE_LENGTH and _backtracks(pattern):
        raise ValueError(pattern)
    return compile_pattern(pattern).search(text) is not None


@cache
def _parse(pattern: str) -> Any:
    return import_module("re._parser").parse(compile_pattern(pattern).pattern)


@cache
def _backtracks(pattern: str) -> bool:
    """Whether a repetition stands inside another, which can take exponential time."""
    return _has_nested_repeat(_parse(pattern), inside=False)


def _has_nested_repeat(tree: Any, *, inside: bool) -> bool:
    for name, argument in tree:
        is_repeat = str(name) in REPEATS and argument[1] > 1
        if inside and (is_repeat or str(name) == "BRANCH"):
            return True
        if any(_has_nested_repeat(part, inside=inside or is_repeat) for part in _parts(str(name), argument)):
            return True
    return False


def _parts(name: str, argument: Any) -> list[Any]:
    """The expressions inside one part of an expression."""
    if name in REPEATS:
        return [argument[2]]
    if name == "SUBPATTERN":
        return [argument[3]]
    if name == "BRANCH":
        return list(argument[1])
    return [argument[1]] if name in {"ASSERT", "ASSERT_NOT"} else []


def _spell(tree: Any, extra: int) -> str:
    return "".join(SPELLERS[str(name)](argument, extra) for name, argument in tree)


def _repeat(argument: Any, extra: int) -> str:
    least, most, tree = argument
    times = min(int(least) + extra, int(most))
    if times > REPEAT_LIMIT:
        raise LookupError(times)
    return _spell(tree, 0) * times


def _one_of(items: Any, _: int) -> str:
    if items and str(items[0][0]) == "NEGATE":
        return next(sign for sign in FRIENDLY if not any(_covers(item, sign) for item in items[1:]))
    return next((sign for sign in FRIENDLY if any(_covers(item, sign) for item in items)), "") or _first(
        items[0]
    )


def _covers(item: Any, sign: str) -> bool:
    name, argument = str(item[0]), item[1]
    match name:
        case "LITERAL":
            return bool(ord(sign) == argument)
        case "RANGE":
            return bool(argument[0] <= ord(sign) <= argument[1])
    return _in_category(str(argument), sign)


def _in_category(name: str, sign: str) -> bool:
    positive = name.replace("_NOT", "")
    of = {"CATEGORY_DIGIT": sign.isdigit(), "CATEGORY_SPACE": sign.isspace()}
    return of.get(positive, sign.isalnum() or sign == "_") is (positive == name)


def _first(item: Any) -> str:
    name, argument = str(item[0]), item[1]
    return chr(argument) if name == "LITERAL" else chr(argument[0])


def _nothing(_: Any, __: int) -> str:
    return ""


SPELLERS: Mapping[str, Callable[[Any, int], str]] = {
    "LITERAL": lambda code, _: chr(code),
    "NOT_LITERAL": lambda code, _: "a" if code != ord("a") else "b",
    "ANY": lambda _, __: "a",
    "IN": _one_of,
    "BRANCH": lambda argument, extra: _spell(argument[1][0], extra),
    "SUBPATTERN": lambda argument, extra: _spell(argument[3], extra),
    "MAX_REPEAT": _repeat,
    "MIN_REPEAT": _repeat,
    "AT": _nothing,
    "ASSERT": _nothing,
    "ASSERT_NOT": _nothing,
}
"""How each part of a parsed expression is written out; what is missing here is given up."""
