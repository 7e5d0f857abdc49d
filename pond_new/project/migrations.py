"""What newer versions moved or renamed in the repositories that they make. Pure.

A migration is a function from the lock of an older repository to moves; the comparison then works as if the
files had always lain in their new places, so that edits travel with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pond_new.project.lock import Lock, made_by_newer_version
from pond_new.project.moves import Move

STAGES = ("dev", "a", "b", "rc", "", "post")


@dataclass(frozen=True, slots=True)
class Migration:
    """The moves that bring a repository made before `version` into its layout."""

    version: str
    moves: Callable[[Lock], Sequence[Move]]


# In the order of versions; each has a frozen repository of the layout before it (tests/regenerate/layouts).
MIGRATIONS: tuple[Migration, ...] = ()


def plan_migrations(lock: Lock, migrations: Sequence[Migration] = MIGRATIONS) -> tuple[Move, ...]:
    """The moves of every migration that is newer than the lock; a file that moves twice moves once."""
    moves: list[Move] = []
    for migration in migrations:
        if not lock.version or not is_newer(migration.version, lock.version):
            continue
        for move in migration.moves(lock):
            earlier = next((each for each in moves if each.new == move.old), None)
            if earlier:
                moves.remove(earlier)
            moves.append(Move(earlier.old, move.new) if earlier else move)
    return tuple(moves)


def refuse_newer(lock: Lock, running: str) -> None:
    """Raise `MadeByNewerVersion` when a newer pond-new than the running one wrote the repository."""
    if lock.version and is_newer(lock.version, running):
        raise made_by_newer_version(lock.version)


def is_newer(version: str, than: str) -> bool:
    """Whether a version of ours comes after another; `0.2.0.dev1` and `0.2.0rc1` come before `0.2.0`."""
    return _order(version) > _order(than)


def _order(version: str) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    """Release numbers, the stage (a finished release is the last but one), and the numbers behind that."""
    release, rest = re.fullmatch(r"v?(\d+(?:\.\d+)*)?(.*)", version.strip()).groups()  # type: ignore[union-attr]
    numbers = [int(part) for part in (release or "0").split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    stage = re.match(r"[.-]?([a-z]+)", rest)
    rank = STAGES.index(stage[1]) if stage and stage[1] in STAGES else STAGES.index("")
    return tuple(numbers), rank, tuple(int(digits) for digits in re.findall(r"\d+", rest))
