"""Disks that fail, to stop a write at any of its steps."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from pond_new.project.disk import Disk


class Killed(BaseException):
    """The process dies: nothing of it runs after this."""


class Failing(Disk):
    """A disk whose effect number `at` fails, before it is done or (with `late`) after it."""

    def __init__(self, root: Path, at: int, error: BaseException, *, late: bool = False) -> None:
        super().__init__(root)
        self.at_effect, self.error, self.late = at, error, late
        self.effects = 0

    def _effect(self, name: str, *arguments: object) -> None:
        self.effects += 1
        fails = self.effects == self.at_effect
        if fails and not self.late:
            raise self.error
        getattr(super(), name)(*arguments)
        if fails:
            raise self.error

    def stage(self, path: PurePosixPath, content: bytes) -> None:
        self._effect("stage", path, content)

    def place(self, path: PurePosixPath) -> None:
        self._effect("place", path)

    def rename(self, old: PurePosixPath, new: PurePosixPath) -> None:
        self._effect("rename", old, new)

    def delete(self, path: PurePosixPath) -> None:
        self._effect("delete", path)

    def discard(self, path: PurePosixPath) -> None:
        self._effect("discard", path)
