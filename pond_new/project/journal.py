"""What a write is about to do, so that one that was killed can be finished. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from pond_new.errors import PondError

JOURNAL_PATH = PurePosixPath(".pond/.journal.pond-new")


class DamagedJournal(PondError):
    """The journal of a write that was killed cannot be read."""


@dataclass(frozen=True, slots=True)
class Put:
    """One file to write or delete: digests of what was there and of what will be (empty: no file)."""

    path: PurePosixPath
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Journal:
    """The steps of one write, in their order.

    `recased` are files that change only the case of their names: on some disks old and new are one file.
    Until `is_complete`, files are still being staged and nothing has changed.
    """

    puts: tuple[Put, ...]
    drops: tuple[Put, ...] = ()
    recased: tuple[tuple[PurePosixPath, PurePosixPath], ...] = ()
    is_complete: bool = False

    def as_complete(self) -> Journal:
        """The same steps, with everything staged."""
        return replace(self, is_complete=True)

    def dump(self) -> str:
        """One line of JSON that `parse_journal` reads back."""
        return json.dumps(
            {
                "about": "pond-new was interrupted here: run pond-new regenerate to finish.",
                "complete": self.is_complete,
                "puts": [[str(put.path), put.before, put.after] for put in self.puts],
                "drops": [[str(put.path), put.before, put.after] for put in self.drops],
                "recased": [[str(old), str(new)] for old, new in self.recased],
            }
        )


def parse_journal(content: bytes) -> Journal:
    """The bytes of `Journal.dump` -> the journal. Raises `DamagedJournal`."""
    try:
        document: Any = json.loads(content)
        return Journal(
            puts=_puts(document["puts"]),
            drops=_puts(document["drops"]),
            recased=tuple((_path(old), _path(new)) for old, new in document["recased"]),
            is_complete=bool(document["complete"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedJournal(
            f"{JOURNAL_PATH} is damaged. It is left over from an interrupted run: delete it and run"
            " pond-new regenerate again."
        ) from error


def _puts(rows: Any) -> tuple[Put, ...]:
    return tuple(Put(_path(path), str(before), str(after)) for path, before, after in rows)


def _path(text: str) -> PurePosixPath:
    path = PurePosixPath(text)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError("a path leads out of the repository")
    return path
