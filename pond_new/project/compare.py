"""What has to happen to each file, decided in memory. Pure.

Nothing that a person wrote is ever lost: an edited generated file is refused (or kept as a backup), a shared
one is merged, the others are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePosixPath

from pond_new.project.digests import digest
from pond_new.project.lock import LOCK_PATH, Lock
from pond_new.project.merge import has_conflict, merge
from pond_new.project.plan import Owner, owner_of
from pond_new.project.shape import like, plain_text

Current = Mapping[PurePosixPath, bytes | None]


class Change(StrEnum):
    """What happens to a file."""

    CREATE = "create"
    UPDATE = "update"
    MERGE = "merge"
    CONFLICT = "conflict"
    MOVE = "move"
    DELETE = "delete"
    SAME = "same"
    KEEP = "keep"
    DELETED_BY_YOU = "deleted-by-you"
    ORPHAN = "orphan"
    REFUSED = "refused"


WRITES = frozenset({Change.CREATE, Change.UPDATE, Change.MERGE, Change.CONFLICT, Change.MOVE})
UNSOLVED = frozenset({Change.CONFLICT, Change.REFUSED})
EDITED = "edited by hand; --force overwrites it and keeps a backup"
UNRECORDED = "differs, and nothing tells what was written there; --force overwrites it and keeps a backup"
ADOPTABLE = "differs, and nothing tells what was written there; --adopt keeps yours, --force takes ours"


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file: what happens to it and why.

    `before` is what stands there now, `content` what will (or, for a refused one, would) stand there.
    `source` is where a moved file lies now. `keeps_backup` asks for a copy of `before`.
    """

    path: PurePosixPath
    owner: Owner
    change: Change
    reason: str
    content: bytes | None = None
    before: bytes | None = None
    source: PurePosixPath | None = None
    keeps_backup: bool = False


@dataclass(frozen=True, slots=True)
class Choices:
    """What the user decided beforehand.

    `force` overwrites edited generated files, and what nothing is recorded of; `adopt` takes shared files
    that nothing is recorded of as edited by the user; `restore` brings back files deleted by hand.
    """

    force: bool = False
    adopt: bool = False
    restore: frozenset[PurePosixPath] = frozenset()


@dataclass(frozen=True, slots=True)
class State:
    """What is there: the lock, the bytes at every path of the rendering and the lock (None: no file).

    `blocked` says of a path why it can be neither read nor written: a symbolic link, a directory.
    """

    current: Current
    lock: Lock = field(default_factory=lambda: Lock(version=""))
    blocked: Mapping[PurePosixPath, str] = field(default_factory=dict)


def compare(
    rendered: Mapping[PurePosixPath, str], state: State, choices: Choices | None = None
) -> tuple[FileChange, ...]:
    """The change of every file, sorted by path."""
    chosen = choices or Choices()
    changes = [*_left_over(rendered, state)]
    changes += [_compare(path, text, state, chosen) for path, text in rendered.items()]
    return tuple(sorted(changes, key=lambda change: change.path))


def _compare(path: PurePosixPath, text: str, state: State, choices: Choices) -> FileChange:
    content = state.current.get(path)
    if path in state.blocked:
        return _compare_blocked(path, state.blocked[path])
    if content is None:
        return _compare_missing(path, text, state.lock, is_restored=path in choices.restore)
    return _compare_existing(path, text, content, state.lock, choices)


def _compare_blocked(path: PurePosixPath, why: str) -> FileChange:
    owner = owner_of(path)
    if owner in {Owner.CONTRACT, Owner.YOURS}:
        return FileChange(path, owner, Change.KEEP, f"yours; {why}")
    return FileChange(path, owner, Change.REFUSED, f"{why}; put a real file there or remove it")


def _compare_missing(path: PurePosixPath, text: str, lock: Lock, *, is_restored: bool) -> FileChange:
    owner = owner_of(path)
    if path in lock.hashes and owner in {Owner.YOURS, Owner.SHARED} and not is_restored:
        return FileChange(path, owner, Change.DELETED_BY_YOU, "you deleted it; --restore brings it back")
    reason = "it was missing" if path in lock.hashes else "new"
    if is_restored:
        reason = "restored"
    return FileChange(path, owner, Change.CREATE, reason, text.encode())


def _compare_existing(
    path: PurePosixPath, text: str, current: bytes, lock: Lock, choices: Choices
) -> FileChange:
    owner = owner_of(path)
    if digest(current) == digest(text):
        return FileChange(path, owner, Change.SAME, "up to date", before=current)
    if owner in {Owner.CONTRACT, Owner.YOURS}:
        return FileChange(path, owner, Change.KEEP, "yours", before=current)
    content = like(current, text)
    if lock.hashes.get(path) == digest(current):
        return FileChange(path, owner, Change.UPDATE, "its source changed", content, current)
    if owner is Owner.SHARED:
        return _compare_shared(path, text, current, lock, choices)
    if choices.force:
        return _overwrite(path, owner, content, current)
    reason = EDITED if path in lock.hashes else UNRECORDED
    return FileChange(path, owner, Change.REFUSED, reason, content, current)


def _compare_shared(
    path: PurePosixPath, text: str, current: bytes, lock: Lock, choices: Choices
) -> FileChange:
    yours = plain_text(current)
    if has_conflict(yours):
        reason = "a conflict in it is not resolved yet; edit the lines between the markers"
        return FileChange(path, Owner.SHARED, Change.REFUSED, reason, before=current)
    base = lock.bases.get(path)
    if base is None:
        return _adopt(path, text, current, choices)
    if base == text:
        return FileChange(path, Owner.SHARED, Change.KEEP, "edited by you; nothing new", before=current)
    return _merge_file(path, text, current, base)


def _adopt(path: PurePosixPath, text: str, current: bytes, choices: Choices) -> FileChange:
    """A shared file that we have no memory of."""
    if choices.adopt:
        return FileChange(path, Owner.SHARED, Change.KEEP, "taken as edited by you", before=current)
    content = like(current, text)
    if choices.force:
        return _overwrite(path, Owner.SHARED, content, current)
    return FileChange(path, Owner.SHARED, Change.REFUSED, ADOPTABLE, content, current)


def _merge_file(path: PurePosixPath, text: str, current: bytes, base: str) -> FileChange:
    merged = merge(base, plain_text(current), text)
    content = like(current, merged.text)
    if merged.conflicts:
        count = f"{merged.conflicts} conflicts" if merged.conflicts > 1 else "a conflict"
        reason = f"{count} to resolve between the <<<<<<< and >>>>>>> markers; a backup is in .pond/backup"
        return FileChange(path, Owner.SHARED, Change.CONFLICT, reason, content, current, keeps_backup=True)
    if digest(content) == digest(current):
        return FileChange(path, Owner.SHARED, Change.KEEP, "has the new lines already", before=current)
    return FileChange(path, Owner.SHARED, Change.MERGE, "merged with your edits", content, current)


def _overwrite(path: PurePosixPath, owner: Owner, content: bytes, current: bytes) -> FileChange:
    reason = "yours is overwritten; a backup is in .pond/backup"
    return FileChange(path, owner, Change.UPDATE, reason, content, current, keeps_backup=True)


def _left_over(rendered: Mapping[PurePosixPath, str], state: State) -> Iterator[FileChange]:
    """The files that were written once and have no source any more."""
    written = {**state.lock.orphans, **state.lock.hashes}
    for path in written.keys() - rendered.keys() - {LOCK_PATH}:
        content = state.current.get(path)
        if content is None or path in state.blocked:
            continue
        owner = owner_of(path)
        if owner is not Owner.CONTRACT and written[path] == digest(content):
            reason = "no longer needed, and never edited"
            yield FileChange(path, owner, Change.DELETE, reason, before=content)
        else:
            reason = "no longer used; it was edited, so it stays"
            yield FileChange(path, owner, Change.ORPHAN, reason, before=content)
