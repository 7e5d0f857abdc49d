"""Where large artifacts are kept: what every store promises, and the one that has files beside the ledger.

An artifact is found by its id and the second in which it expires, both of which its URL says. Everything here
may be called in any thread and waits for the disk.
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from agent.pond.artifacts import Content
from agent.pond.whole_file import whole_file

HOUR = 3600


@dataclass(frozen=True, slots=True)
class Label:
    """What an artifact is called, what it is and how many bytes it has."""

    name: str
    media_type: str
    size: int


@dataclass(frozen=True, slots=True)
class Stored:
    """An artifact that is there. `read` gives so many bytes from a place on, and raises `OSError`."""

    label: Label
    read: Callable[[int, int], bytes]


class ArtifactStore(Protocol):
    """Keeps artifacts until they expire."""

    def put(self, identifier: str, expires: int, label: Label, content: Content) -> None:
        """Keep an artifact, wholly or not at all; the same id again takes its place. Raises `OSError`."""

    def open(self, identifier: str, expires: int) -> Stored | None:
        """The artifact, or None where there is none."""

    def purge(self, now: float) -> int:
        """Delete what expired an hour ago or earlier; how many artifacts that were."""


class FolderStore:
    """Files in a folder: the label as JSON on a line of its own, then the content.

    Those that expire in the same hour lie together, so that forgetting them needs no look at the others.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def put(self, identifier: str, expires: int, label: Label, content: Content) -> None:
        """As promised above."""
        path = self._path(identifier, expires)
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            file.write(json.dumps(asdict(label)).encode() + b"\n")
            if isinstance(content, bytes):
                file.write(content)
            else:
                with content.open("rb") as source:
                    shutil.copyfileobj(source, file)

    def open(self, identifier: str, expires: int) -> Stored | None:
        """As promised above."""
        path = self._path(identifier, expires)
        if not path.is_file():
            return None
        with path.open("rb") as file:
            head = file.readline()
        return Stored(Label(**json.loads(head)), _reader(path, len(head)))

    def purge(self, now: float) -> int:
        """As promised above."""
        count = 0
        for folder in self._root.glob("[0-9]*") if self._root.is_dir() else ():
            if (int(folder.name) + 1) * HOUR < now:
                count += sum(1 for _ in folder.iterdir())
                shutil.rmtree(folder, ignore_errors=True)
        return count

    def _path(self, identifier: str, expires: int) -> Path:
        return self._root / str(expires // HOUR) / identifier


def _reader(path: Path, begin: int) -> Callable[[int, int], bytes]:
    def read(place: int, length: int) -> bytes:
        with path.open("rb") as file:
            file.seek(begin + place)
            return file.read(length)

    return read
