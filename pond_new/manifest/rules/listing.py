"""What Pond takes from `metadata` for the publishing page, field by field, and what it skips. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pond_new.manifest.near import nearest
from pond_new.manifest.pointer import join
from pond_new.manifest.problem import Correction, Problem, warning
from pond_new.manifest.wording import shown
from pond_new.protocol.facts import CATEGORIES, DEMO_FILE_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pond_new.manifest.walk import Subject

Fault = tuple[str, str]
"""What is wrong with a value, and the fix."""


@dataclass(frozen=True, slots=True)
class ListingField:
    """One scalar field of the listing: its requirement, its title for people, and what Pond cannot take."""

    name: str
    requirement: str
    title: str
    fault: Callable[[Any], Fault | None]


def _text(limit: int | None = None) -> Callable[[Any], Fault | None]:
    def fault(value: Any) -> Fault | None:
        if not isinstance(value, str):
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            return (
                f"is {shown(value)} and not a string",
                "Put it in quotes." if is_number else "Write a string.",
            )
        if not value:
            return "is empty", "Fill it."
        characters, size = len(value), len(value.encode("utf-8", "surrogatepass"))
        if limit is None or size <= limit:
            return None
        counted = (
            f"{characters:,} characters"
            if characters > limit
            else f"{characters:,} characters, but {size:,} bytes"
        )
        return (
            f"has {counted}; {limit} of both is the most",
            "Shorten it. Letters beyond ASCII take 2 to 4 bytes each.",
        )

    return fault


def _address(pattern: str, example: str, *, limit: int | None = None) -> Callable[[Any], Fault | None]:
    allowed = re.compile(pattern)
    text = _text(limit)

    def fault(value: Any) -> Fault | None:
        if (of_text := text(value)) is not None:
            return of_text
        if allowed.match(value) and _has_host(value):
            return None
        return f"is {shown(value)} and not an address such as {example}", "Correct it."

    return fault


def _has_host(value: str) -> bool:
    try:
        return bool(urlsplit(value).hostname) and not re.search(r"\s", value)
    except ValueError:
        return False


def _category(value: Any) -> Fault | None:
    names = [row.name for row in CATEGORIES if row.standing != "drifted"]
    if isinstance(value, str) and value in names:
        return None
    drifted = next((row for row in CATEGORIES if row.name == value), None)
    if drifted is not None:
        return (
            f"is {value}, which only another revision of the specification knows",
            f"Use {drifted.replacement}, or one that both know: {_safe_categories()}.",
        )
    meant = nearest(value, names) if isinstance(value, str) else None
    choice = meant or f"one of {', '.join(names)}"
    return f"is {shown(value)}, which Pond does not know", f"Use {choice}."


def _safe_categories() -> str:
    return ", ".join(row.name for row in CATEGORIES if row.standing == "safe")


WEB = r"https?://"
FIELDS = (
    ListingField("name", "META-02", "Name", _text(255)),
    ListingField("logo_url", "META-03", "Logo", _address(WEB, "https://example.com/logo.png", limit=2000)),
    ListingField("short_description", "META-04", "Short description", _text(500)),
    ListingField("description", "META-07", "Description", _text()),
    ListingField("category", "META-05", "Category", _category),
    ListingField("key_features", "META-07", "Key features", _text()),
    ListingField("use_cases", "META-07", "Use cases", _text()),
    ListingField("setup_instructions", "META-07", "Setup", _text()),
    ListingField(
        "developer_x_url",
        "META-08",
        "X profile",
        _address(r"https://(www\.)?(x\.com|twitter\.com)/", "https://x.com/you"),
    ),
    ListingField(
        "developer_linkedin_url",
        "META-08",
        "LinkedIn profile",
        _address(r"https://(www\.)?linkedin\.com/", "https://www.linkedin.com/in/you"),
    ),
    ListingField(
        "github_url",
        "META-08",
        "Repository",
        _address(r"https://github\.com/[^/]+/[^/]+/?\Z", "https://github.com/you/agent"),
    ),
)

LISTS: Mapping[str, tuple[str, str]] = {
    "demo_materials": ("META-06", "Demo materials"),
    "faqs": ("META-09", "Questions"),
    "pricing_plans": ("PRC-01", "Pricing"),
}
"""The list fields: the requirement and the title for people."""

ENTRIES: Mapping[str, Mapping[str, Callable[[Any], Fault | None]]] = {
    "demo_materials": {
        "url": _address(WEB, "https://example.com/demo.png"),
        "file_type": lambda value: (
            None
            if isinstance(value, str) and value in DEMO_FILE_TYPES
            else (f"is {shown(value)}", f"Use one of {', '.join(DEMO_FILE_TYPES)}; a PNG is an image.")
        ),
        "file_name": _text(),
    },
    "faqs": {"question": _text(), "answer": _text()},
}
"""The keys of an entry, all of them needed and no other allowed."""


def check_listing(subject: Subject) -> Iterator[Problem]:
    """Each value of the listing that Pond would skip (META-02 to META-09)."""
    metadata = subject.metadata
    for field in FIELDS:
        if field.name in metadata and (problem := check_field(field, metadata[field.name])) is not None:
            yield problem
    for name in ENTRIES:
        if name in metadata:
            yield from check_entries(name, metadata[name])


def check_field(field: ListingField, value: Any) -> Problem | None:
    """The reason why Pond would skip this scalar value, or None."""
    fault = field.fault(value)
    if fault is None:
        return None
    pointer = join("/metadata", field.name)
    correction = Correction("drop", pointer) if value == "" else _right_category(field, value, pointer)
    return warning(
        field.requirement,
        pointer,
        f"{field.name} {fault[0]}. Pond skips it.",
        fix="Leave the key out as long as you have no value." if value == "" else fault[1],
        correction=correction,
    )


def check_entries(name: str, entries: Any) -> Iterator[Problem]:
    """The entries of a list that Pond would skip, each at its own place."""
    requirement, pointer = LISTS[name][0], join("/metadata", name)
    if not isinstance(entries, list):
        yield warning(
            requirement,
            pointer,
            f"{name} is {shown(entries)} and not a list. Pond skips it.",
            fix="Write a list: […].",
        )
        return
    for index, entry in enumerate(entries):
        yield from check_entry(name, entry, join(pointer, index))


def check_entry(name: str, entry: Any, pointer: str) -> Iterator[Problem]:
    """Why Pond would skip this entry; nothing if it takes it."""
    requirement, keys = LISTS[name][0], ENTRIES[name]
    if not isinstance(entry, dict):
        fix = f"Write an object with {', '.join(keys)}."
        yield warning(requirement, pointer, f"This entry is {shown(entry)}. Pond skips it.", fix=fix)
        return
    for key, fault_of in keys.items():
        if key not in entry:
            yield warning(requirement, pointer, f"This entry lacks {key}. Pond skips it.", fix=f"Add {key}.")
        elif (fault := fault_of(entry[key])) is not None:
            yield warning(
                requirement, join(pointer, key), f"{key} {fault[0]}. Pond skips this entry.", fix=fault[1]
            )
    for key in entry:
        if key not in keys:
            meant = nearest(key, [known for known in keys if known not in entry])
            fix = f"Did you mean {meant}?" if meant else "Remove it."
            yield warning(
                requirement, join(pointer, key), f"{key} is not a key here. Pond skips this entry.", fix=fix
            )


def _right_category(field: ListingField, value: Any, pointer: str) -> Correction | None:
    if field.name != "category" or not isinstance(value, str):
        return None
    plain = re.sub(r"[^a-z]+", "_", value.casefold()).strip("_")
    is_known = any(row.name == plain and row.standing != "drifted" for row in CATEGORIES)
    return Correction("set", pointer, plain) if is_known else None
