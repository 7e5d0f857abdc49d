"""Keys that Pond passes over without a word: misspelt, misplaced, or never taken from a manifest. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pond_new.manifest.fields import MANIFEST
from pond_new.manifest.near import is_misspelling, nearest
from pond_new.manifest.pointer import join
from pond_new.manifest.problem import Correction, Problem, warning
from pond_new.manifest.rules.listing import FIELDS, LISTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pond_new.manifest.walk import Subject

LISTING_KEYS = (*(field.name for field in FIELDS), *LISTS)
OWN_EXTENSIONS = ("$", "x-", "x_", "_")

PONDS_OWN = {
    "access_key": "the access key",
    "api_key": "the access key",
    "server_base_url": "the base URL",
    "base_url": "the base URL",
    "server_url": "the base URL",
    "endpoint": "the base URL",
    "review_state": "the review state",
    "review_status": "the review state",
    "approved": "the review state",
    "verified": "the review state",
    "published": "the review state",
    "compliance": "the compliance confirmations",
    "statistics": "statistics",
    "stats": "statistics",
    "rating": "statistics",
    "ratings": "statistics",
    "reviews": "statistics",
    "run_count": "statistics",
    "total_runs": "statistics",
    "downloads": "statistics",
}
"""Names that try to set what only Pond's own pages set, and what that is."""


def check_top_keys(subject: Subject) -> Iterator[Problem]:
    """Unknown keys at the top that look like a known one or belong into metadata (MAN-10)."""
    for key in subject.manifest:
        if key in MANIFEST or key.startswith(OWN_EXTENSIONS):
            continue
        if key in LISTING_KEYS:
            yield _misplaced(key, has_own=key in subject.metadata)
        else:
            yield from _near(
                key, join("", key), "MAN-10", _absent(MANIFEST, subject.manifest), tuple(MANIFEST)
            )


def check_listing_keys(subject: Subject) -> Iterator[Problem]:
    """Unknown keys of metadata that look like a known one (META-01) or are Pond's own (META-10)."""
    for key in subject.metadata:
        pointer = join("/metadata", key)
        if (own := _ponds_own(key)) is not None:
            message = f"{key} sets nothing: Pond takes {own} from its own pages."
            yield warning(
                "META-10", pointer, message, fix="Remove it.", correction=Correction("drop", pointer)
            )
        elif key in MANIFEST:
            yield warning(
                "MAN-10", pointer, f"{key} is read at the top only, not here.", fix="Move it one level up."
            )
        elif key not in LISTING_KEYS and not key.startswith(OWN_EXTENSIONS):
            yield from _near(key, pointer, "META-01", _absent(LISTING_KEYS, subject.metadata), LISTING_KEYS)


def _ponds_own(key: str) -> str | None:
    """What only Pond's own pages set, in any spelling: `access_key`, `accessKey`, `Access-Key`."""
    plain = _letters(key)
    return next((what for name, what in PONDS_OWN.items() if _letters(name) == plain), None)


def _letters(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _absent(known: Iterable[str], owner: dict[str, Any]) -> list[str]:
    return [name for name in known if name not in owner]


def _near(
    key: str, pointer: str, requirement: str, absent: list[str], known: tuple[str, ...]
) -> Iterator[Problem]:
    meant = nearest(key, absent)
    if meant is None:
        other = nearest(key, known)
        if other is not None and is_misspelling(key, other):
            message = f"{key} is ignored; {other} is here as well."
            yield warning(requirement, pointer, message, fix=f"Remove it, if {other} says the same.")
        return
    yield warning(
        requirement,
        pointer,
        f"Pond does not know {key} and ignores it. Did you mean {meant}?",
        fix=f"Rename it to {meant}.",
        correction=Correction("rename", pointer, meant) if is_misspelling(key, meant) else None,
    )


def _misplaced(key: str, *, has_own: bool) -> Problem:
    return warning(
        "MAN-10",
        join("", key),
        f"{key} is part of the listing; Pond reads it inside metadata only.",
        fix="Remove it here; metadata has it." if has_own else "Move it into metadata.",
    )
