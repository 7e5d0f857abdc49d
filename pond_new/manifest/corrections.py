"""Which change to a faulty key is certainly right. Pure: a guess is never a correction."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pond_new.manifest.fields import ANY, KINDS
from pond_new.manifest.near import is_misspelling, nearest
from pond_new.manifest.pointer import join
from pond_new.manifest.problem import Correction
from pond_new.protocol.facts import ACTION_ID_LENGTH, PROTOCOL, VALUE_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

VERSION_ONE = re.compile(r"v?1(\.0)*", re.IGNORECASE)
DIGITS = 16

Right = tuple[Any, str]
"""The right value (ANY where it is not certain) and a sentence that helps."""


def correct_missing(kind: str, name: str, *, pointer: str, owner: Mapping[str, Any]) -> Correction | None:
    """The value to add for a missing key: only if no other one is legal and no misspelt twin is there."""
    only = KINDS[kind][name].only
    if kind == "input_schema" and name == "properties" and not owner.get("required"):
        only = {}
    if only is ANY or misspelt_as(kind, name, owner) is not None:
        return None
    return Correction("set", join(pointer, name), only)


def misspelt_as(kind: str, name: str, owner: Mapping[str, Any]) -> str | None:
    """The unknown key of an object that was probably meant to be this missing one."""
    return next((key for key in owner if key not in KINDS[kind] and nearest(key, [name])), None)


def correct_unknown(name: str, absent: tuple[str, ...], *, pointer: str) -> Correction | None:
    """The new name of a misspelt key: only if the right one is not there."""
    meant = nearest(name, absent)
    return Correction("rename", pointer, meant) if meant and is_misspelling(name, meant) else None


def correct_value(kind: str, key: str | None, value: Any, *, pointer: str) -> tuple[Correction | None, str]:
    """The right value for a wrong one where it is certain, and a sentence that helps where it is not."""
    right, hint = _right_value(kind, key, value)
    return (None if right is ANY else Correction("set", pointer, right)), hint


def _right_value(kind: str, key: str | None, value: Any) -> Right:
    if (kind, key) in BY_KEY:
        return BY_KEY[kind, str(key)](value)
    only = KINDS[kind][str(key)].only if key in KINDS.get(kind, {}) else ANY
    if only is not ANY:
        return only, ""
    return BY_KIND[kind](value) if kind in BY_KIND else (ANY, "")


def _protocol(value: Any) -> Right:
    is_slip = isinstance(value, str) and is_misspelling(value, PROTOCOL)
    return (PROTOCOL if is_slip else ANY), ""


def _release(value: Any) -> Right:
    if isinstance(value, float):
        return ANY, "Put it in quotes: a number loses its zeros, and YAML reads 1.10 as 1.1."
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return (str(value) if is_whole else ANY), ""


def _version(value: Any) -> Right:
    if isinstance(value, int | float) and not isinstance(value, bool) and value == 1:
        return "1.0", "Without quotes it is a number, in YAML too."
    if isinstance(value, str) and VERSION_ONE.fullmatch(value.strip()):
        return "1.0", ""
    return ANY, "This tool knows version 1.0 only."


def _boolean(value: Any) -> Right:
    known = {"true": True, "false": False}
    return (known.get(value.casefold(), ANY) if isinstance(value, str) else ANY), ""


def _integer(value: Any) -> Right:
    is_digits = isinstance(value, str) and value.isascii() and value.isdigit() and 0 < len(value) < DIGITS
    return (int(value) if is_digits and int(value) > 0 else ANY), ""


def _value_type(value: Any) -> Right:
    if isinstance(value, str) and value.casefold() in VALUE_TYPES:
        return value.casefold(), ""
    real = [name for name in value if name != "null"] if isinstance(value, list) else []
    if len(real) == 1 and real[0] in VALUE_TYPES:
        return real[0], "A value that may be absent is simply not in required; null is never sent."
    meant = nearest(value, VALUE_TYPES) if isinstance(value, str) else None
    return ANY, f"Did you mean {meant}?" if meant else ""


def _action_id(value: Any) -> Right:
    if not isinstance(value, str):
        return ANY, ""
    split_words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", value)
    snake = (
        re.sub(r"[^a-z0-9]+", "_", split_words.casefold()).strip("_").lstrip("0123456789_")[:ACTION_ID_LENGTH]
    )
    return ANY, f"Perhaps {snake}?" if snake else ""


BY_KEY: Mapping[tuple[str, str], Callable[[Any], Right]] = {
    ("manifest", "protocol"): _protocol,
    ("manifest", "protocol_version"): _version,
    ("manifest", "agent_version"): _release,
    ("action", "id"): _action_id,
    ("value_schema", "type"): _value_type,
    ("value_schema", "minLength"): _integer,
    ("value_schema", "maxLength"): _integer,
    ("value_schema", "additionalProperties"): _boolean,
}
BY_KIND: Mapping[str, Callable[[Any], Right]] = {"capabilities": _boolean, "limits": _integer}
"""How the right value is found, by key or else by kind of object; where nothing is listed it is unknown."""
