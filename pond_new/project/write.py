"""Carry out planned changes: all or nothing.

Every file is staged beside its place; then a journal names what is to be done; then the files are moved into
place, deletes come after that, the lock last. Killed before the journal is complete, nothing has changed;
killed after it, the next run finishes from the journal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from pond_new.errors import PondError
from pond_new.project.compare import WRITES, Change, FileChange
from pond_new.project.digests import digest
from pond_new.project.disk import Disk
from pond_new.project.journal import JOURNAL_PATH, Journal, Put, parse_journal
from pond_new.project.lock import LOCK_PATH, Lock
from pond_new.project.shape import like

BACKUPS = PurePosixPath(".pond/backup")


class NotWritable(PondError):
    """The disk refused a write; nothing was changed."""


class NotFinished(PondError):
    """The disk refused a step after writing had begun; the next run goes on from there."""


def write_changes(root: Path, changes: Sequence[FileChange], lock: Lock, *, disk: Disk | None = None) -> None:
    """Carry out the changes and save the lock.

    Raises `NotWritable` and `SymlinkInTheWay` before anything is in place, `NotFinished` after that.
    """
    files = disk or Disk(root)
    finish_interrupted(root, disk=files)
    contents = _contents(files, changes, lock)
    journal = _journal(files, changes, contents)
    if not journal.puts and not journal.drops:
        return
    _stage(files, journal, contents)
    _carry_out(files, journal)


def is_interrupted(root: Path) -> bool:
    """Whether a write was killed here and has not been finished yet."""
    return Disk(root).exists(JOURNAL_PATH)


def finish_interrupted(root: Path, *, disk: Disk | None = None) -> bool:
    """Finish a write that was killed, or undo one that had not begun; whether there was one."""
    files = disk or Disk(root)
    content = files.read(JOURNAL_PATH)
    if content is None:
        return False
    journal = parse_journal(content)
    if journal.is_complete:
        _carry_out(files, journal)
    else:
        _undo(files, journal)
    return True


def _contents(disk: Disk, changes: Sequence[FileChange], lock: Lock) -> dict[PurePosixPath, bytes]:
    """What every file that has to be written will hold: backups first, the lock last."""
    written = [change for change in changes if change.change in WRITES]
    contents: dict[PurePosixPath, bytes] = {}
    for change in written:
        if change.keeps_backup and change.before is not None:
            contents |= _backup(disk, change.path, change.before)
    contents |= {change.path: change.content for change in written if change.content is not None}
    saved, text = disk.read(LOCK_PATH), lock.dump()
    if saved is None or digest(saved) != digest(text):
        contents[LOCK_PATH] = like(saved or b"", text)
    return contents


def _backup(disk: Disk, path: PurePosixPath, content: bytes) -> dict[PurePosixPath, bytes]:
    """The place of a backup, with a number where an earlier one with other content is."""
    number, place = 1, BACKUPS / path
    while (existing := disk.read(place)) not in {None, content}:
        number += 1
        place = (BACKUPS / path).with_name(f"{path.name}.{number}")
    return {} if existing == content else {place: content}


def _journal(disk: Disk, changes: Sequence[FileChange], contents: Mapping[PurePosixPath, bytes]) -> Journal:
    """The steps, each with the digest of what the plan was made for: what came in between is rescued."""
    drops = {change.path: change.before for change in changes if change.change is Change.DELETE}
    moving = [change for change in changes if change.change in WRITES and change.source is not None]
    drops |= {change.source: disk.read(change.source) for change in moving if change.source is not None}
    folded = {str(path).casefold(): path for path in contents}
    recased = {path: folded[str(path).casefold()] for path in drops if str(path).casefold() in folded}
    planned = {change.path: change.before for change in changes if change.source is None}
    planned |= {new: disk.read(old) for old, new in recased.items()}
    return Journal(
        puts=tuple(
            Put(path, _digest_of(planned.get(path, disk.read(path))), digest(content))
            for path, content in contents.items()
        ),
        drops=tuple(
            Put(path, _digest_of(before), "") for path, before in drops.items() if path not in recased
        ),
        recased=tuple(recased.items()),
    )


def _stage(disk: Disk, journal: Journal, contents: Mapping[PurePosixPath, bytes]) -> None:
    """Write every file beside its place, then say so in the journal; when one fails, none stays."""
    try:
        _save(disk, journal)
        for path, content in contents.items():
            disk.stage(path, content)
        _save(disk, journal.as_complete())
    except OSError as error:
        with suppress(OSError):  # what cannot be undone now, the next run undoes
            _undo(disk, journal)
        where = error.filename or disk.root
        raise NotWritable(f"{where} cannot be written: {error.strerror}. Nothing was changed.") from error


def _save(disk: Disk, journal: Journal) -> None:
    disk.stage(JOURNAL_PATH, journal.dump().encode())
    disk.place(JOURNAL_PATH)


def _undo(disk: Disk, journal: Journal) -> None:
    """Forget what was staged, and the directories that were made for it."""
    for put in journal.puts:
        disk.discard(put.path)
        disk.prune(put.path.parent)
    _close(disk)


def _carry_out(disk: Disk, journal: Journal) -> None:
    """Every step that is not done yet. Whoever edited a file after the kill finds the edit in a backup."""
    try:
        for old, new in journal.recased:
            if disk.exists(old):
                disk.rename(old, new)
        for put in journal.puts:
            if disk.is_staged(put.path):
                _rescue(disk, put)
                disk.place(put.path)
        for drop in journal.drops:
            if _digest_of(disk.read(drop.path)) == drop.before:
                disk.delete(drop.path)
                disk.prune(drop.path.parent)
        _close(disk)
    except OSError as error:
        where = error.filename or disk.root
        raise NotFinished(
            f"{where} cannot be changed: {error.strerror}. Part of the files are written already; close what"
            " has this one open, then run pond-new regenerate: it goes on from here."
        ) from error


def _rescue(disk: Disk, put: Put) -> None:
    """Keep a backup of what is neither the file that was planned for nor the one that will be."""
    content = disk.read(put.path)
    if content is None or digest(content) in {put.before, put.after}:
        return
    for path, kept in _backup(disk, put.path, content).items():
        disk.stage(path, kept)
        disk.place(path)


def _close(disk: Disk) -> None:
    disk.discard(JOURNAL_PATH)
    disk.delete(JOURNAL_PATH)
    disk.prune(JOURNAL_PATH.parent)


def _digest_of(content: bytes | None) -> str:
    return "" if content is None else digest(content)
