"""Reading a repository's files, and the single effects that a write consists of.

Symlinks are never followed and nothing outside the directory is touched.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from pond_new.errors import PondError
from pond_new.project.lock import LOCK_PATH, Lock, parse_lock

STAGED_SUFFIX = ".pond-new"


class SymlinkInTheWay(PondError):
    """A path that should be read or written leads through a symbolic link."""


def load_tree(root: Path, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, bytes | None]:
    """The bytes of each path, or None where there is no file. Raises `SymlinkInTheWay`."""
    disk = Disk(root)
    return {path: disk.read(path) for path in paths}


def load_what_can_be(
    root: Path, paths: Iterable[PurePosixPath]
) -> tuple[dict[PurePosixPath, bytes | None], dict[PurePosixPath, str]]:
    """The bytes of each path, and why a path can be neither read nor written (a link, a directory)."""
    contents: dict[PurePosixPath, bytes | None] = {}
    blocked: dict[PurePosixPath, str] = {}
    folders: dict[PurePosixPath, str | None] = {PurePosixPath(): None}
    for path in paths:
        contents[path] = None
        why = _folder_obstacle(root, path.parent, folders) or _file_obstacle(root / path)
        try:
            contents[path] = None if why else _read(root / path)
        except OSError as error:
            why = f"it cannot be read: {error.strerror}"
        if why:
            blocked[path] = why
    return contents, blocked


def load_lock(root: Path) -> Lock | None:
    """The repository's lock, or None where there is none. Raises `DamagedLock`, `MadeByNewerVersion`."""
    content = Disk(root).read(LOCK_PATH)
    return None if content is None else parse_lock(content)


def list_files(root: Path) -> set[PurePosixPath]:
    """Every file and link below a directory, staged leftovers and `.git` aside."""
    found: set[PurePosixPath] = set()
    for folder, folders, names in os.walk(root):
        below = PurePosixPath(Path(folder).relative_to(root).as_posix())
        if below == PurePosixPath() and ".git" in folders:
            folders.remove(".git")
        links = [name for name in folders if Path(folder, name).is_symlink()]
        found |= {below / name for name in (*names, *links) if not name.endswith(STAGED_SUFFIX)}
    return found


class Disk:
    """The files below a root. Each method is one effect, done or not done; tests let any of them fail."""

    def __init__(self, root: Path) -> None:
        """`root` itself may be reached through a symbolic link; nothing below it is."""
        self.root = root

    def at(self, path: PurePosixPath) -> Path:
        """The real path. Raises `SymlinkInTheWay`."""
        for part in (path, *path.parents[:-1]):
            if (self.root / part).is_symlink():
                raise SymlinkInTheWay(
                    f"{part} is a symbolic link: pond-new writes only real files inside the directory."
                    " Replace the link with a file, or remove it."
                )
        return self.root / path

    def read(self, path: PurePosixPath) -> bytes | None:
        """The bytes of a file, or None where there is none."""
        file = self.at(path)
        return file.read_bytes() if file.is_file() else None

    def exists(self, path: PurePosixPath) -> bool:
        """Whether a file stands there."""
        return self.at(path).is_file()

    def stage(self, path: PurePosixPath, content: bytes) -> None:
        """Write a file beside its place, with the permissions of the one that is there."""
        target = self.at(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        staged = self._staged(path)
        staged.unlink(missing_ok=True)
        staged.write_bytes(content)
        if target.exists():
            staged.chmod(stat.S_IMODE(target.stat().st_mode))

    def is_staged(self, path: PurePosixPath) -> bool:
        """Whether a file waits beside this place."""
        return self._staged(path).is_file()

    def place(self, path: PurePosixPath) -> None:
        """Move a staged file into its place."""
        _replace(self._staged(path), self.at(path))

    def discard(self, path: PurePosixPath) -> None:
        """Forget a staged file."""
        self._staged(path).unlink(missing_ok=True)

    def rename(self, old: PurePosixPath, new: PurePosixPath) -> None:
        """Move a file; a directory for it is made."""
        self.at(new).parent.mkdir(parents=True, exist_ok=True)
        _replace(self.at(old), self.at(new))

    def delete(self, path: PurePosixPath) -> None:
        """Delete a file."""
        file = self.at(path)
        try:
            file.unlink(missing_ok=True)
        except PermissionError:  # Windows deletes no read-only file
            file.chmod(stat.S_IWRITE)
            file.unlink()

    def prune(self, folder: PurePosixPath) -> None:
        """Delete a directory and the ones above it, as far as they are empty."""
        for each in (folder, *folder.parents):
            if each == PurePosixPath():
                return
            try:
                self.at(each).rmdir()
            except OSError:
                return

    def _staged(self, path: PurePosixPath) -> Path:
        return self.at(path.with_name(f".{path.name}{STAGED_SUFFIX}"))


def _replace(source: Path, target: Path) -> None:
    try:
        os.replace(source, target)  # noqa: PTH105 -- the name says that it replaces
    except PermissionError:  # Windows replaces no read-only file
        if not target.exists():
            raise
        target.chmod(stat.S_IWRITE)
        os.replace(source, target)  # noqa: PTH105


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _folder_obstacle(root: Path, folder: PurePosixPath, known: dict[PurePosixPath, str | None]) -> str | None:
    """Why no file can be in this folder, or None; each folder is looked at once."""
    if folder not in known:
        mode = _mode(root / folder)
        why = _folder_obstacle(root, folder.parent, known)
        if why is None and stat.S_ISLNK(mode):
            why = f"{folder} is a symbolic link"
        elif why is None and mode and not stat.S_ISDIR(mode):
            why = f"{folder} is no directory"
        known[folder] = why
    return known[folder]


def _file_obstacle(file: Path) -> str | None:
    """Why this is no plain file, or None; nothing at all is no obstacle."""
    mode = _mode(file)
    if stat.S_ISLNK(mode):
        return "it is a symbolic link"
    if stat.S_ISDIR(mode):
        return "it is a directory"
    return "it is no plain file" if mode and not stat.S_ISREG(mode) else None


def _mode(place: Path) -> int:
    """The mode of what is there, links not followed; 0 where nothing is."""
    try:
        return place.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0
