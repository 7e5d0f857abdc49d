"""What the specification's schema says about a manifest, one problem in plain words a fault. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pond_new.manifest.corrections import correct_missing, correct_unknown, correct_value, misspelt_as
from pond_new.manifest.fields import ANY, KINDS, MANIFEST, MISSING_KEY, UNKNOWN_KEY, WHOLE, Field
from pond_new.manifest.near import is_misspelling
from pond_new.manifest.pointer import join, pointer_to
from pond_new.manifest.problem import Correction, Problem, error
from pond_new.manifest.schema_check import find_failures, fingerprint
from pond_new.manifest.wording import shown, suggestion
from pond_new.protocol.facts import MODES
from pond_new.protocol.schemas import load_manifest_schema

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pond_new.manifest.schema_check import Failure, Path

WAYS = tuple(mode.capability for mode in MODES)


@dataclass(frozen=True, slots=True)
class Place:
    """What kind of object a path leads into, and the key in it (None for the object as a whole)."""

    kind: str
    key: str | None

    @property
    def field(self) -> Field:
        """What must stand here."""
        if self.key is None or self.key not in KINDS.get(self.kind, {}):
            return WHOLE[self.kind]
        return KINDS[self.kind][self.key]


def check_structure(manifest: Any) -> list[Problem]:
    """Every fault that the schema of the Appendix finds; empty exactly if the schema accepts the manifest."""
    schema = load_manifest_schema()
    failures = find_failures(manifest, schema, root=schema)
    return [problem for failure in failures for problem in _explain(failure)]


def place_of(path: Path) -> Place:
    """The place that a path of keys and indexes leads to, as far as the protocol knows places."""
    place = Place("manifest", None)
    for step in path:
        place = _step(place, str(step))
    return place


ENTRIES: Mapping[tuple[str, str], str] = {
    ("manifest", "actions"): "action",
    ("manifest", "input_modes"): "media_mode",
    ("manifest", "output_modes"): "media_mode",
    ("input_schema", "properties"): "value_schema",
    ("value_schema", "properties"): "value_schema",
    ("input_schema", "required"): "required_name",
    ("value_schema", "required"): "required_name",
}
"""What the entries of a member are, by kind and key; the step into an entry is an index or a free name."""

MEMBERS: Mapping[tuple[str, str], str] = {
    ("manifest", "capabilities"): "capabilities",
    ("manifest", "limits"): "limits",
    ("manifest", "input_schema"): "input_schema",
    ("action", "input_schema"): "input_schema",
    ("value_schema", "items"): "value_schema",
}
"""What kind of object a member is, by kind and key; the step into it is one of its keys."""


def _step(place: Place, step: str) -> Place:
    if place.key is None:
        return Place(place.kind, step)
    at = (place.kind, place.key)
    if at in ENTRIES:
        return Place(ENTRIES[at], None)
    return Place(MEMBERS[at], step) if at in MEMBERS else place


def _explain(failure: Failure) -> Iterator[Problem]:
    match failure.keyword:
        case "required":
            yield _missing(failure)
        case "additionalProperties":
            yield _unknown(failure)
        case "uniqueItems":
            yield from _repeated(failure)
        case "anyOf" if any(not isinstance(failure.instance.get(flag), bool) for flag in WAYS):
            pass  # what is wrong with that flag is said at its own place
        case "anyOf":
            yield _no_mode(failure)
        case "not" if isinstance(failure.instance, dict):
            yield _two_schemas()
        case "not":
            pass  # something that is not an object at all: its type is the one fault to name
        case _:
            yield _wrong(failure)


def _missing(failure: Failure) -> Problem:
    kind, name, pointer = _kind_of_object(failure.path), failure.rule, pointer_to(failure.path)
    field = KINDS[kind][name]
    return error(
        MISSING_KEY.get(kind, field.requirement),
        pointer,
        f"{_subject(failure.path)} lacks {name}.",
        fix=_how_to_add(name, field, misspelt_as(kind, name, failure.instance)),
        correction=correct_missing(kind, name, pointer=pointer, owner=failure.instance),
    )


def _how_to_add(name: str, field: Field, misspelt: str | None) -> str:
    if misspelt is not None and is_misspelling(misspelt, name):
        return f"Rename {misspelt}, which looks like it, to {name}."
    expected = "" if field.only is not ANY else f" It must be {field.expects}."
    return f'Add "{name}": {field.example}.{expected}'


def _unknown(failure: Failure) -> Problem:
    *above, name = failure.path
    kind, name, pointer = _kind_of_object(tuple(above)), str(name), pointer_to(failure.path)
    known = tuple(KINDS[kind])
    absent = tuple(key for key in known if key not in failure.instance)
    owner = "an action" if kind == "action" else kind
    has_place = kind == "action" and name in MANIFEST
    otherwise = f"Remove it; {name} stands at the top, for all actions." if has_place else "Remove it."
    return error(
        UNKNOWN_KEY[kind],
        pointer,
        f"{name} is not a key of {owner}; allowed are {', '.join(known)}.",
        fix=suggestion(name, absent) or suggestion(name, known) or otherwise,
        correction=correct_unknown(name, absent, pointer=pointer),
    )


def _repeated(failure: Failure) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, entry in enumerate(failure.instance):
        print_ = fingerprint(entry)
        if print_ in seen:
            pointer = join(pointer_to(failure.path), index)
            yield error(
                place_of(failure.path).field.requirement,
                pointer,
                f"{shown(entry)} is in {failure.path[-1]} twice.",
                fix="Remove one of them.",
                correction=Correction("drop", pointer),
            )
        seen.add(print_)


def _no_mode(failure: Failure) -> Problem:
    return error(
        "CAP-03",
        pointer_to(failure.path),
        "None of sync, streaming and async_tasks is true.",
        fix='Set at least one of them to true; "sync": true is the simplest.',
    )


def _two_schemas() -> Problem:
    return error(
        "MAN-08",
        "/input_schema",
        "The manifest has actions and an input_schema at the top; only one of the two may be there.",
        fix="Move input_schema into the action that it belongs to, or remove actions.",
    )


def _wrong(failure: Failure) -> Problem:
    place, value, pointer = place_of(failure.path), failure.instance, pointer_to(failure.path)
    field = place.field
    is_long = failure.keyword == "maxLength"
    found = f"has {len(value):,} characters" if is_long else f"is {shown(value)}"
    correction, hint = correct_value(place.kind, place.key, value, pointer=pointer)
    example = "Shorten it." if is_long else f"Write for example {field.example}."
    fix = f"Write {shown(correction.value)}." if correction else example
    return error(
        field.requirement,
        pointer,
        f"{_subject(failure.path)} {found}; it must be {field.expects}.",
        fix=f"{fix} {hint}".strip(),
        correction=correction,
    )


def _kind_of_object(path: Path) -> str:
    """The kind of the object that stands at this path."""
    return _step(place_of(path), "").kind


def _subject(path: Path) -> str:
    if not path:
        return "The manifest"
    return str(path[-1]) if isinstance(path[-1], str) else f"Entry {path[-1]} of {path[-2]}"
