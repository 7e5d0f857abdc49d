"""What pond-new wrote last: `.pond/lock.json`, the memory that later merges and checks rely on. Pure.

Hashes are of text with LF line ends, so a checkout with CRLF is not taken for an edit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from pond_new.errors import PondError

LOCK_PATH = PurePosixPath(".pond/lock.json")
FORMAT = 1


class UnreadableLock(PondError):
    """`.pond/lock.json` is damaged, or was written by a newer pond-new."""


@dataclass(frozen=True, slots=True)
class Lock:
    """The state of the last write.

    `hashes` has every file that was written; `bases` the text of the shared ones, which the next merge starts
    from; `actions` a digest of each action's input schema, by which a rename is recognised.
    """

    version: str
    hashes: Mapping[PurePosixPath, str] = field(default_factory=dict)
    bases: Mapping[PurePosixPath, str] = field(default_factory=dict)
    actions: Mapping[str, str] = field(default_factory=dict)

    def dump(self) -> str:
        """The same bytes on every machine: sorted, LF, no time."""
        document = {
            "about": "Written by pond-new and read by it. Keep it in version control; do not edit it.",
            "format": FORMAT,
            "pond_new": self.version,
            "actions": dict(sorted(self.actions.items())),
            "files": {str(path): self.hashes[path] for path in sorted(self.hashes)},
            "bases": {str(path): self.bases[path] for path in sorted(self.bases)},
        }
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def parse_lock(content: bytes) -> Lock:
    """The lock file's bytes -> `Lock`. Raises `UnreadableLock`."""
    try:
        document: Any = json.loads(content.decode())
        if document["format"] > FORMAT:
            raise UnreadableLock(
                f"{LOCK_PATH} was written by pond-new {document['pond_new']}, which is newer than this one."
                " Update with: pip install --upgrade pond-new"
            )
        return Lock(
            version=str(document["pond_new"]),
            hashes={PurePosixPath(path): str(digest) for path, digest in document["files"].items()},
            bases={PurePosixPath(path): str(text) for path, text in document["bases"].items()},
            actions={str(action): str(digest) for action, digest in document["actions"].items()},
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableLock(
            f"{LOCK_PATH} is damaged. Restore it from version control: without it, edits cannot be told"
            " from what pond-new wrote."
        ) from error


def digest(content: bytes | str) -> str:
    """SHA-256 of a text, whatever its line ends."""
    raw = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(raw.replace(b"\r\n", b"\n")).hexdigest()


def schema_digest(schema: Any) -> str:
    """SHA-256 of an input schema, whatever the order of its keys."""
    return digest(json.dumps(schema, sort_keys=True))
