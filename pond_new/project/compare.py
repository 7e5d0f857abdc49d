"""What has to happen to each file, decided in memory. Pure.

Nothing that a person wrote is ever lost: an edited generated file is refused (or kept as a backup), a shared
one is merged, the others are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from pond_new.project.lock import LOCK_PATH, Lock, digest
from pond_new.project.merge import has_conflict, merge
from pond_new.project.plan import Owner, owner_of

Current = Mapping[PurePosixPath, bytes | None]


class Change(StrEnum):
    """What happens to a file."""

    CREATE = "create"
    UPDATE = "update"
    MERGE = "merge"
    CONFLICT = "conflict"
    DELETE = "delete"
    SAME = "same"
    KEEP = "keep"
    DELETED_BY_YOU = "deleted-by-you"
    ORPHAN = "orphan"
    REFUSED = "refused"


WRITES = frozenset({Change.CREATE, Change.UPDATE, Change.MERGE, Change.CONFLICT})
UNSOLVED = frozenset({Change.CONFLICT, Change.REFUSED})


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file: what happens to it and why; `content` is what will be in it, `backup` what must be kept."""

    path: PurePosixPath
    owner: Owner
    change: Change
    reason: str
    content: bytes | None = None
    backup: bytes | None = None


def compare(
    rendered: Mapping[PurePosixPath, str],
    current: Current,
    lock: Lock | None = None,
    *,
    force: bool = False,
    restore: frozenset[PurePosixPath] = frozenset(),
) -> tuple[FileChange, ...]:
    """The change of every file, sorted by path.

    `current` holds what is on disk for every rendered path and every path of the lock. `force` overwrites
    edited generated files; `restore` brings back files that were deleted by hand.
    """
    known = lock or Lock(version="")
    changes = list(_left_over(rendered, current, known))
    for path, text in rendered.items():
        content = current.get(path)
        changes.append(
            _compare_missing(path, text, known, restore=path in restore)
            if content is None
            else _compare_existing(path, text, content, known, force=force)
        )
    return tuple(sorted(changes, key=lambda change: change.path))


def next_lock(
    rendered: Mapping[PurePosixPath, str], lock: Lock | None, *, version: str, actions: Mapping[str, str]
) -> Lock:
    """The lock after a write. A file of yours keeps the hash of what was first written."""
    written = lock.hashes if lock else {}
    hashes = {
        path: written.get(path, digest(text)) if owner_of(path) is Owner.YOURS else digest(text)
        for path, text in rendered.items()
        if owner_of(path) is not Owner.CONTRACT
    }
    bases = {path: text for path, text in rendered.items() if owner_of(path) is Owner.SHARED}
    return Lock(version, hashes, bases, actions)


def _compare_missing(path: PurePosixPath, text: str, lock: Lock, *, restore: bool) -> FileChange:
    owner = owner_of(path)
    if path in lock.hashes and owner in {Owner.YOURS, Owner.SHARED} and not restore:
        return FileChange(path, owner, Change.DELETED_BY_YOU, "you deleted it; --restore brings it back")
    return FileChange(path, owner, Change.CREATE, "new", text.encode())


def _compare_existing(
    path: PurePosixPath, text: str, current: bytes, lock: Lock, *, force: bool
) -> FileChange:
    owner = owner_of(path)
    if digest(current) == digest(text):
        return FileChange(path, owner, Change.SAME, "up to date")
    if owner in {Owner.CONTRACT, Owner.YOURS}:
        return FileChange(path, owner, Change.KEEP, "yours")
    if lock.hashes.get(path) == digest(current):
        return FileChange(path, owner, Change.UPDATE, "its source changed", _like(current, text))
    if owner is Owner.SHARED:
        return _merge_file(path, text, current, lock)
    content = _like(current, text)
    if force:
        return FileChange(path, owner, Change.UPDATE, "edited by hand; a backup is kept", content, current)
    return FileChange(
        path, owner, Change.REFUSED, "edited by hand; --force overwrites it, with a backup", content
    )


def _merge_file(path: PurePosixPath, text: str, current: bytes, lock: Lock) -> FileChange:
    base = lock.bases.get(path, "")
    yours = current.replace(b"\r\n", b"\n").decode(errors="surrogateescape")
    if base == text:
        return FileChange(path, Owner.SHARED, Change.KEEP, "edited by you; nothing new to merge")
    if has_conflict(yours):
        return FileChange(path, Owner.SHARED, Change.REFUSED, "an earlier conflict in it is not resolved yet")
    merged = merge(base, yours, text)
    content = _like(current, merged.text)
    if merged.conflicts:
        reason = f"{merged.conflicts} conflict(s) to resolve between the <<<<<<< and >>>>>>> markers"
        return FileChange(path, Owner.SHARED, Change.CONFLICT, reason, content, current)
    if digest(content) == digest(current):
        return FileChange(path, Owner.SHARED, Change.KEEP, "has the new lines already")
    return FileChange(path, Owner.SHARED, Change.MERGE, "merged with your edits", content)


def _left_over(rendered: Mapping[PurePosixPath, str], current: Current, lock: Lock) -> Iterator[FileChange]:
    """The files that were written once and have no source any more."""
    for path in lock.hashes.keys() - rendered.keys() - {LOCK_PATH}:
        content = current.get(path)
        if content is None:
            continue
        owner = owner_of(path)
        if lock.hashes[path] == digest(content):
            yield FileChange(path, owner, Change.DELETE, "no longer needed, and never edited")
        else:
            yield FileChange(path, owner, Change.ORPHAN, "no longer used; it was edited, so it stays")


def _like(current: bytes, text: str) -> bytes:
    """The text with the line ends that the file has now."""
    raw = text.encode(errors="surrogateescape")
    return raw.replace(b"\n", b"\r\n") if b"\r\n" in current else raw
