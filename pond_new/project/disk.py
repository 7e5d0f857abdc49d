"""Reading and writing a repository's files: the module that touches them.

Symlinks are never followed and nothing outside the directory is written. A write is all or nothing: every
file is staged beside its place, moved into place, deletes come after that and the lock last; after a kill at
any point, running the same command again finishes the work.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from pond_new.errors import PondError
from pond_new.project.compare import WRITES, Change, FileChange
from pond_new.project.lock import LOCK_PATH, Lock, parse_lock

STAGED_SUFFIX = ".pond-new"
BACKUPS = PurePosixPath(".pond/backup")


class SymlinkInTheWay(PondError):
    """A path that should be written leads through a symbolic link."""


class NotWritable(PondError):
    """The disk refused a write; nothing was changed."""


def load_tree(root: Path, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, bytes | None]:
    """The bytes of each path, or None where there is no file. Raises `SymlinkInTheWay`."""
    return {path: _load_file(root, path) for path in paths}


def load_lock(root: Path) -> Lock | None:
    """The repository's lock, or None where there is none. Raises `UnreadableLock`."""
    content = _load_file(root, LOCK_PATH)
    return None if content is None else parse_lock(content)


def list_files(root: Path) -> set[PurePosixPath]:
    """Every file and link below a directory, staged leftovers and `.git` aside."""
    found: set[PurePosixPath] = set()
    for folder, folders, names in os.walk(root):
        below = Path(folder)
        if below == root and ".git" in folders:
            folders.remove(".git")
        links = [name for name in folders if (below / name).is_symlink()]
        found |= {PurePosixPath((below / name).relative_to(root).as_posix()) for name in [*names, *links]}
    return {path for path in found if not path.name.endswith(STAGED_SUFFIX)}


def write_changes(root: Path, changes: Sequence[FileChange], lock: Lock) -> None:
    """Carry out planned changes. Raises `NotWritable` and `SymlinkInTheWay` before anything is in place."""
    contents = {change.path: change.content for change in changes if change.change in WRITES}
    contents |= {BACKUPS / change.path: change.backup for change in changes if change.backup is not None}
    staged = _stage(root, {path: content for path, content in contents.items() if content is not None})
    for path, file in staged.items():
        os.replace(file, root / path)  # noqa: PTH105 -- the name says that it replaces
    for change in changes:
        if change.change is Change.DELETE:
            _delete(root, change.path)
    text = lock.dump().encode()
    if _load_file(root, LOCK_PATH) != text:
        os.replace(_stage(root, {LOCK_PATH: text})[LOCK_PATH], root / LOCK_PATH)  # noqa: PTH105


def _stage(root: Path, contents: dict[PurePosixPath, bytes]) -> dict[PurePosixPath, Path]:
    """Write every file beside its place; when one fails, none stays."""
    staged: dict[PurePosixPath, Path] = {}
    try:
        for path, content in contents.items():
            _refuse_symlinks(root, path)
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            staged[path] = target.with_name(f".{target.name}{STAGED_SUFFIX}")
            staged[path].write_bytes(content)
            if target.exists():
                staged[path].chmod(target.stat().st_mode)
    except OSError as error:
        for file in staged.values():
            file.unlink(missing_ok=True)
        where = error.filename or root
        raise NotWritable(f"{where} cannot be written: {error.strerror}. Nothing was changed.") from error
    return staged


def _delete(root: Path, path: PurePosixPath) -> None:
    """Delete a file, and the directories that are empty without it."""
    _refuse_symlinks(root, path)
    (root / path).unlink(missing_ok=True)
    for folder in path.parents[:-1]:
        try:
            (root / folder).rmdir()
        except OSError:
            return


def _load_file(root: Path, path: PurePosixPath) -> bytes | None:
    _refuse_symlinks(root, path)
    file = root / path
    return file.read_bytes() if file.is_file() else None


def _refuse_symlinks(root: Path, path: PurePosixPath) -> None:
    for part in (path, *path.parents[:-1]):
        if (root / part).is_symlink():
            raise SymlinkInTheWay(
                f"{part} is a symbolic link: pond-new writes only real files inside the directory."
                " Replace the link with a file, or remove it."
            )
