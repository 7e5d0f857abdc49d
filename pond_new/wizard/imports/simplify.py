"""One schema without references, combinations and null: the step before Pond's form. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from pond_new.manifest.pointer import look_up
from pond_new.manifest.rules.keywords import SHAPES
from pond_new.wizard.imports.carried import Losses

MOST_STEPS = 32
COMBINATIONS = ("anyOf", "oneOf")


@dataclass(frozen=True, slots=True)
class Simple:
    """A schema with at most one type, and whether null was allowed too."""

    schema: Mapping[str, Any]
    may_be_null: bool = False


def simplify(schema: Any, document: Any, place: str, losses: Losses) -> Simple:
    """Follow references, merge `allOf`, choose among alternatives, and take null out."""
    current = _resolve(schema, document, place, losses)
    may_be_null = current.pop("nullable", None) is True
    for _ in range(MOST_STEPS):
        key = next((key for key in ("allOf", *COMBINATIONS) if isinstance(current.get(key), list)), None)
        if key is None:
            break
        parts = [_resolve(part, document, place, losses) for part in current.pop(key)]
        if key == "allOf":
            current = _merged([current, *parts])
        else:
            chosen, has_null = _choose(parts, place, losses)
            may_be_null |= has_null
            current = _merged([chosen, current])
        may_be_null |= current.pop("nullable", None) is True
    current, has_null = _without_null(current, place, losses)
    return Simple(_modern(current), may_be_null or has_null)


def _resolve(schema: Any, document: Any, place: str, losses: Losses) -> dict[str, Any]:
    """The schema behind a reference, with what stands beside it; one that leads to itself is cut."""
    seen: list[str] = []
    current = _well_formed(schema, place, losses)
    trail = current.pop(TRAIL, ())
    while isinstance(reference := current.pop("$ref", None), str):
        if reference in seen or reference in trail:
            return {"type": "object", "$recursive": True, **_described(current)}
        seen.append(reference)
        found = _look_up(document, reference)
        if found is None:
            losses.add(place, f"the reference {reference} leads out of the file; it is not followed")
            break
        current = {**_well_formed(found, place, losses), **current}
    return _with_trail(current, (*trail, *seen)) if seen or trail else current


def _well_formed(schema: Any, place: str, losses: Losses) -> dict[str, Any]:
    """The schema without keywords whose value is no such thing; anything but an object says nothing."""
    formed: dict[str, Any] = {}
    for key, value in schema.items() if isinstance(schema, dict) else ():
        words, is_right = SHAPES.get(key, ("", _anything))
        if is_right(value) or (key in FLAGS_ONCE and isinstance(value, bool)):
            formed[key] = value
        else:
            losses.add(place, f"{key} is left out, because it is not {words}")
    return formed


def _anything(_value: Any) -> bool:
    return True


FLAGS_ONCE = frozenset({"exclusiveMinimum", "exclusiveMaximum"})  # true or false in draft 4
TRAIL = "$recursive_trail"


def _with_trail(schema: dict[str, Any], trail: tuple[str, ...]) -> dict[str, Any]:
    """The schema, whose parts know which references led to them, so that a circle is seen."""
    marked = dict(schema)
    for key in ("items",):
        if isinstance(schema.get(key), dict):
            marked[key] = {**schema[key], TRAIL: trail}
    if isinstance(schema.get("properties"), dict):
        marked["properties"] = {
            name: {**member, TRAIL: trail} if isinstance(member, dict) else member
            for name, member in schema["properties"].items()
        }
    for key in ("allOf", *COMBINATIONS):
        if isinstance(schema.get(key), list):
            marked[key] = [{**part, TRAIL: trail} if isinstance(part, dict) else part for part in schema[key]]
    return marked


def _look_up(document: Any, reference: str) -> dict[str, Any] | None:
    if not reference.startswith("#"):
        return None
    try:
        found = look_up(document, unquote(reference[1:]))
    except (LookupError, ValueError):
        return None
    return dict(found) if isinstance(found, dict) else None


def _merged(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """One schema for all of `allOf`: members and required names together, later keywords win."""
    whole: dict[str, Any] = {}
    for part in parts:
        for key, value in part.items():
            if key == "properties" and isinstance(whole.get(key), dict) and isinstance(value, dict):
                whole[key] = {**whole[key], **value}
            elif key == "required" and isinstance(whole.get(key), list) and isinstance(value, list):
                whole[key] = list(dict.fromkeys([*whole[key], *value]))
            else:
                whole[key] = value
    return whole


def _choose(parts: list[dict[str, Any]], place: str, losses: Losses) -> tuple[dict[str, Any], bool]:
    """One of several alternatives: all constants together, or the first, which is said."""
    real = [part for part in parts if part.get("type") != "null" and part.get("const", "") is not None]
    has_null = len(real) < len(parts)
    if real and all("const" in part for part in real):
        return {"enum": [part["const"] for part in real]}, has_null
    if len(real) > 1 and not _same_but_for_title(real):
        kinds = " or ".join(str(part.get("type", "something else")) for part in real)
        losses.add(place, f"it may be {kinds}; only the first is kept, because Pond wants one type")
    return (real[0] if real else {}), has_null


def _same_but_for_title(parts: list[dict[str, Any]]) -> bool:
    bare = [
        {key: value for key, value in part.items() if key not in {"title", "description"}} for part in parts
    ]
    return all(part == bare[0] for part in bare)


def _without_null(schema: dict[str, Any], place: str, losses: Losses) -> tuple[dict[str, Any], bool]:
    kinds = schema.get("type")
    has_null = kinds == "null" or (isinstance(kinds, list) and "null" in kinds)
    if isinstance(kinds, list):
        real = [kind for kind in kinds if kind != "null"]
        if len(real) > 1:
            losses.add(
                place, f"it may be {' or '.join(map(str, real))}; Pond wants one type, the first is kept"
            )
        schema = {**schema, "type": real[0]} if real else {k: v for k, v in schema.items() if k != "type"}
    if isinstance(schema.get("enum"), list) and None in schema["enum"]:
        schema = {**schema, "enum": [choice for choice in schema["enum"] if choice is not None]}
        has_null = True
    if schema.get("default", "") is None:
        schema = {key: value for key, value in schema.items() if key != "default"}
    return schema, has_null


def _modern(schema: dict[str, Any]) -> dict[str, Any]:
    """Older spellings as Draft 2020-12 writes them: `const`, exclusive bounds as flags, one example."""
    modern = dict(schema)
    if "const" in modern:
        modern["enum"] = [modern.pop("const")]
    for flag, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(modern.get(flag), bool):
            is_exclusive = modern.pop(flag)
            if is_exclusive and bound in modern:
                modern[flag] = modern.pop(bound)
    return modern


def _described(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": schema["description"]} if "description" in schema else {}
