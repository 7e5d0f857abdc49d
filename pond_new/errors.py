"""The one tree of exceptions: each is named for the fact it states and knows the exit code it leads to."""

from __future__ import annotations

from typing import ClassVar


class PondError(Exception):
    """Something the user can fix. The text says what is wrong, where, and what to do about it."""

    exit_code: ClassVar[int] = 1


class WrongUsage(PondError):
    """The command line itself does not make sense, or an answer is missing that nobody can be asked for."""

    exit_code: ClassVar[int] = 2


class UnreadableInput(PondError):
    """A file that the user named cannot be read or is not what its name says."""

    exit_code: ClassVar[int] = 2


class UnwritableOutput(PondError):
    """A file that the user named as a place for results cannot be written."""

    exit_code: ClassVar[int] = 2
