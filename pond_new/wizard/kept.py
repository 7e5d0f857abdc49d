"""Answers of an interrupted conversation, kept on this machine until the agent is written.

They lie in the user's own state folder, one file for each directory that an agent was to be made in.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pond_new.wizard.question import Reply

VERSION = 1
OWNER_ONLY = 0o700


@dataclass(frozen=True, slots=True)
class Kept:
    """The replies so far, and what had been given on the command line before the first question."""

    replies: Sequence[Reply] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    agent_manifest: Mapping[str, Any] = field(default_factory=dict)


class Keeper:
    """Where the answers for one directory are kept."""

    def __init__(self, directory: Path, *, state: Path | None = None) -> None:
        """`state` is the folder for all of them; by default that of the user."""
        name = hashlib.sha256(str(directory.resolve()).encode()).hexdigest()[:16]
        self.path = (state or state_folder()) / f"answers-{name}.json"

    def load(self) -> Kept | None:
        """What is kept, or None; a file that cannot be understood counts as none."""
        try:
            value = json.loads(self.path.read_text(encoding="utf-8"))
            if value["version"] != VERSION:
                return None
            replies = tuple(
                Reply(str(key), reply, bool(is_loaded)) for key, reply, is_loaded in value["replies"]
            )
            tool = dict(value.get("agent_manifest", {}))
            return Kept(replies, dict(value["manifest"]), dict(value["settings"]), tool)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def save(self, kept: Kept) -> None:
        """Write it all or nothing; a folder that cannot be written is no reason to stop a conversation."""
        value = {
            "version": VERSION,
            "manifest": kept.manifest,
            "settings": kept.settings,
            "agent_manifest": kept.agent_manifest,
            "replies": [[reply.key, reply.value, reply.is_loaded] for reply in kept.replies],
        }
        beside = self.path.with_suffix(".tmp")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=OWNER_ONLY)
            beside.write_text(json.dumps(value, ensure_ascii=True), encoding="utf-8")
            beside.replace(self.path)
        except OSError:
            return

    def forget(self) -> None:
        """Drop what is kept."""
        self.path.unlink(missing_ok=True)


def state_folder() -> Path:
    """`$XDG_STATE_HOME/pond-new` or what stands for it: on Windows below `%LOCALAPPDATA%`."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    else:
        base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(base) / "pond-new"
