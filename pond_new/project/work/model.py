"""One thing to do by hand, and what the list of them is made from. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from pond_new.manifest import Document, Manifest
from pond_new.project.compare import Change, FileChange
from pond_new.project.origin import Origin


class WorkKind(StrEnum):
    """What kind of work it is."""

    STUB = "stub"
    HANDLER = "handler"
    PARAMETER = "parameter"
    MODE = "mode"
    EXAMPLE = "example"
    ORPHAN = "orphan"
    IMPORT = "import"
    RENAME = "rename"
    VERSION = "version"
    RUNS = "runs"


@dataclass(frozen=True, slots=True)
class Work:
    """One thing to do by hand. `line` counts from 1."""

    kind: WorkKind
    path: PurePosixPath
    line: int
    text: str


@dataclass(frozen=True)
class Situation:
    """What the list is made from: the contract as it is, what was there before, and the files afterwards.

    `actions` are the template's: id, module and type of each handler; `files` the handlers and examples.
    `bumped` is what --bump would make of the version; `is_rename` that an action is just being renamed.
    `tool` is the agent manifest where the second standard is served, `document` the manifest where Pond is.
    """

    document: Document | None
    manifest: Manifest
    before: Origin | None
    after: Origin
    actions: Sequence[Mapping[str, Any]]
    changes: Sequence[FileChange]
    files: Mapping[PurePosixPath, bytes]
    bumped: str
    is_rename: bool = False
    tool: Document | None = None

    @cached_property
    def created(self) -> frozenset[PurePosixPath]:
        """The files that did not exist before."""
        return frozenset(change.path for change in self.changes if change.change is Change.CREATE)

    @cached_property
    def examples(self) -> Mapping[PurePosixPath, Mapping[PurePosixPath, bytes]]:
        """The examples in each folder."""
        found: dict[PurePosixPath, dict[PurePosixPath, bytes]] = {}
        for path, content in self.files.items():
            if path.suffix == ".json":
                found.setdefault(path.parent, {})[path] = content
        return found

    @cached_property
    def schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """The input schema of each action; that of the whole agent has no id."""
        actions = {action.id: action.input_schema or {} for action in self.manifest.actions}
        return actions or {"": self.manifest.input_schema or {}}
