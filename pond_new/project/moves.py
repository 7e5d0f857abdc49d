"""Files that change their place: the handler of a renamed action, what a newer template moved. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from pond_new.project.compare import Change, FileChange, State
from pond_new.project.digests import digest
from pond_new.project.lock import Lock
from pond_new.project.plan import Owner, owner_of
from pond_new.project.shape import like


@dataclass(frozen=True, slots=True)
class Move:
    """A file that goes from one path to another; `content` is what it holds there, None the same as here."""

    old: PurePosixPath
    new: PurePosixPath
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class Relocated:
    """The state as if the files lay in their new places; what is moved, and what cannot be, by new path."""

    state: State
    moved: Mapping[PurePosixPath, Move]
    refused: Mapping[PurePosixPath, Move]


def relocate(state: State, moves: Sequence[Move], rendered: Mapping[PurePosixPath, str]) -> Relocated:
    """Put every file that is there into its new place, unless something else that was written is there."""
    current, blocked = dict(state.current), dict(state.blocked)
    lock, moved, refused = state.lock, {}, {}
    for move in moves:
        content = current.get(move.old)
        if content is None or move.old in blocked or move.new in blocked:
            lock = _rekeyed(lock, move) if content is None and move.old not in blocked else lock
            continue
        if not _is_free(move, content, State(current, lock)):
            refused[move.new] = move
            continue
        is_untouched = lock.hashes.get(move.old) == digest(content)
        lock = _rekeyed(lock, move)
        if is_untouched and owner_of(move.new) is Owner.YOURS and move.new in rendered:
            lock = _without(lock, move.new)
            content = like(content, rendered[move.new])
        elif move.content is not None:
            content = move.content
        current[move.old], current[move.new] = None, content
        moved[move.new] = move
    return Relocated(State(current, lock, blocked), moved, refused)


def arrive(changes: Sequence[FileChange], relocated: Relocated) -> tuple[FileChange, ...]:
    """The changes with the moves among them."""
    by_path = {change.path: change for change in changes}
    for path, move in relocated.moved.items():
        by_path[path] = _arrive(by_path.get(path), move, relocated.state)
    for path, move in relocated.refused.items():
        reason = f"{move.old} should move here, but another file is here; bring them together by hand"
        by_path[path] = FileChange(path, owner_of(path), Change.REFUSED, reason)
        by_path.pop(move.old, None)
    return tuple(sorted(by_path.values(), key=lambda change: change.path))


def _arrive(change: FileChange | None, move: Move, state: State) -> FileChange:
    reason = f"it was {move.old}"
    content = state.current[move.new]
    match change:
        case FileChange(change=Change.REFUSED):
            return change
        case FileChange(change=Change.UPDATE | Change.MERGE | Change.CONFLICT):
            return replace(change, source=move.old, reason=f"{change.reason}; {reason}")
    return FileChange(move.new, owner_of(move.new), Change.MOVE, reason, content, content, source=move.old)


def _is_free(move: Move, content: bytes, state: State) -> bool:
    """Whether nothing that a person wrote is at the new place: no file, the same, or an untouched one."""
    there = state.current.get(move.new)
    return there is None or digest(there) in {digest(content), state.lock.hashes.get(move.new)}


def _rekeyed(lock: Lock, move: Move) -> Lock:
    return replace(
        lock,
        hashes=_renamed(lock.hashes, move),
        bases=_renamed(lock.bases, move),
        orphans=_renamed(lock.orphans, move),
    )


def _renamed(values: Mapping[PurePosixPath, str], move: Move) -> dict[PurePosixPath, str]:
    renamed = {path: value for path, value in values.items() if path != move.old}
    return renamed | {move.new: values[move.old]} if move.old in values else renamed


def _without(lock: Lock, path: PurePosixPath) -> Lock:
    return replace(lock, hashes={known: value for known, value in lock.hashes.items() if known != path})
