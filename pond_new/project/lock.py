"""What pond-new wrote last: `.pond/lock.json`, the memory that later merges and checks rely on. Pure.

Hashes are of text with LF line ends, so a checkout with CRLF is not taken for an edit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from pond_new.errors import PondError
from pond_new.project.digests import digest
from pond_new.project.origin import Origin, dump_origin, following, parse_origin
from pond_new.project.plan import Owner, owner_of

LOCK_PATH = PurePosixPath(".pond/lock.json")
FORMAT = 1
UPDATE_COMMAND = "pip install --upgrade pond-new"

Hashes = Mapping[PurePosixPath, str]


class DamagedLock(PondError):
    """`.pond/lock.json` is no lock any more, for instance after a merge with conflicts."""


class MadeByNewerVersion(PondError):
    """The repository was written by a pond-new that knows more than this one."""


@dataclass(frozen=True, slots=True)
class Lock:
    """The state of the last write, by the pond-new of `version`.

    `hashes` has every file that was written; `bases` the text of the shared ones, which the next merge starts
    from; `orphans` the hashes of files whose source is gone and that stayed because they were edited;
    `origin` what everything was made from (None only where that is unknown).
    """

    version: str
    hashes: Hashes = field(default_factory=dict)
    bases: Mapping[PurePosixPath, str] = field(default_factory=dict)
    orphans: Hashes = field(default_factory=dict)
    origin: Origin | None = None

    def dump(self) -> str:
        """The same bytes on every machine: sorted, LF, no time."""
        document = {
            "about": "Written by pond-new and read by it. Keep it in version control; do not edit it.",
            "format": FORMAT,
            "pond_new": self.version,
            "origin": dump_origin(self.origin) if self.origin else None,
            "files": _by_path(self.hashes),
            "orphans": _by_path(self.orphans),
            "bases": {path: text.split("\n") for path, text in _by_path(self.bases).items()},
        }
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"

    def says_the_same(self, other: Lock) -> bool:
        """Whether both remember the same, whichever version wrote it and whatever the template's digest."""
        return _comparable(self) == _comparable(other)


def parse_lock(content: bytes) -> Lock:
    """The lock file's bytes -> `Lock`. Raises `DamagedLock`, or `MadeByNewerVersion` for a later format."""
    try:
        document: Any = json.loads(content.decode())
        if document["format"] > FORMAT:
            raise made_by_newer_version(str(document["pond_new"]))
        origin = document["origin"]
        return Lock(
            version=str(document["pond_new"]),
            hashes=_parse_hashes(document["files"]),
            bases={path: "\n".join(lines) for path, lines in _parse_paths(document["bases"]).items()},
            orphans=_parse_hashes(document["orphans"]),
            origin=None if origin is None else parse_origin(origin),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DamagedLock(
            f"{LOCK_PATH} is damaged. Restore it from version control: without it, edits cannot be told"
            " from what pond-new wrote."
        ) from error


def next_lock(
    rendered: Mapping[PurePosixPath, str],
    lock: Lock | None,
    *,
    version: str,
    origin: Origin,
    orphans: Hashes | None = None,
) -> Lock:
    """The lock after a write. A file of yours keeps the hash of what was first written."""
    written = lock.hashes if lock else {}
    hashes = {
        path: written.get(path, digest(text)) if owner_of(path) is Owner.YOURS else digest(text)
        for path, text in rendered.items()
        if owner_of(path) is not Owner.CONTRACT
    }
    bases = {path: text for path, text in rendered.items() if owner_of(path) is Owner.SHARED}
    earlier = lock.origin if lock else None
    return Lock(version, hashes, bases, orphans or {}, following(origin, earlier))


def made_by_newer_version(version: str) -> MadeByNewerVersion:
    """The refusal of a repository of a newer version, with the command that updates."""
    return MadeByNewerVersion(
        f"{LOCK_PATH} was written by pond-new {version}, which is newer than this one. Nothing was changed."
        f" Update with: {UPDATE_COMMAND}"
    )


def _by_path(values: Mapping[PurePosixPath, str]) -> dict[str, str]:
    return {str(path): values[path] for path in sorted(values)}


def _parse_hashes(value: Any) -> dict[PurePosixPath, str]:
    return {path: str(each) for path, each in _parse_paths(value).items()}


def _parse_paths(value: Any) -> dict[PurePosixPath, Any]:
    """Paths below the repository only: a lock is a file like any other and may have been tampered with."""
    paths = {PurePosixPath(path): each for path, each in value.items()}
    if any(_leads_out(path) for path in paths):
        raise ValueError("a path leads out of the repository")
    return paths


def _leads_out(path: PurePosixPath) -> bool:
    is_windows_path = ":" in str(path) or "\\" in str(path)
    return path.is_absolute() or ".." in path.parts or not path.parts or is_windows_path


def _comparable(lock: Lock) -> Lock:
    origin = replace(lock.origin, template="", manifest="") if lock.origin else None
    if origin and origin.tool:
        origin = replace(origin, tool=replace(origin.tool, manifest=""))
    return replace(lock, version="", origin=origin)
