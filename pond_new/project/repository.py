"""A generated repository as it lies on disk: its contract, settings and lock, read and parsed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pond_new import __version__
from pond_new.errors import PondError
from pond_new.manifest import Document, parse_document
from pond_new.project.disk import Disk, load_lock
from pond_new.project.layout import CONTRACT, PROJECT_FILE
from pond_new.project.lock import DamagedLock, Lock
from pond_new.project.merge import has_conflict
from pond_new.project.migrations import refuse_newer
from pond_new.project.project_file import project_settings
from pond_new.project.settings import Settings
from pond_new.project.shape import plain_text

MISSING_LOCK = (
    "There is no .pond/lock.json: what is identical is taken over, whatever differs has to be decided."
)
DAMAGED_LOCK = (
    ".pond/lock.json cannot be read: what is identical is taken over, whatever differs has to be decided."
    " Better: restore it from version control (after a merge, take either side) and run this again."
)


class NoRepository(PondError):
    """The directory has no contract, so there is nothing to regenerate from."""


class UnresolvedConflict(PondError):
    """A merge left its markers in the contract."""


@dataclass(frozen=True, slots=True)
class Repository:
    """What is read before anything is planned. `lock` is None where there is none; `note` says so."""

    root: Path
    document: Document
    lock: Lock | None
    settings: Settings
    note: str = ""


def load_repository(root: Path, *, manifest: bytes | None = None, version: str = __version__) -> Repository:
    """Read all three, as the pond-new of this version; `manifest` takes the place of the contract's bytes.

    Raises `NoRepository`, `InvalidManifest`, `InvalidSettings`, `MadeByNewerVersion`.
    """
    document = load_contract(root) if manifest is None else parse_contract(manifest, root)
    lock, note = _load_lock(root)
    if lock:  # before the settings, of which a newer version may know more
        refuse_newer(lock, version)
    content = Disk(root).read(PROJECT_FILE)
    return Repository(root, document, lock, project_settings(content, lock), note)


def load_contract(root: Path) -> Document:
    """The manifest of a repository with its places. Raises `NoRepository` and `InvalidManifest`."""
    if not root.is_dir():
        raise NoRepository(f"{root} is no directory. Name the directory of an agent, or run this inside it.")
    content = Disk(root).read(CONTRACT)
    if content is None:
        raise NoRepository(
            f"{root / CONTRACT} does not exist, so there is no agent to bring in step. Run this in the"
            " directory of the agent, or name it; pond-new new makes a new one."
        )
    return parse_contract(content, root)


def parse_contract(content: bytes, root: Path) -> Document:
    """Bytes of the contract -> its document. Raises `InvalidManifest` with places, `UnresolvedConflict`."""
    if has_conflict(plain_text(content)):  # no line of valid JSON begins like that
        raise UnresolvedConflict(
            f"{root / CONTRACT} has a conflict that is not resolved yet: edit the lines between the <<<<<<<"
            " and >>>>>>> markers, remove the markers, then run this again."
        )
    document = parse_document(content, name=str(root / CONTRACT))
    if not isinstance(document.value, dict):
        raise NoRepository(f"{document.name} holds no manifest: expected a JSON object.")
    return document


def _load_lock(root: Path) -> tuple[Lock | None, str]:
    try:
        lock = load_lock(root)
    except DamagedLock:
        return None, DAMAGED_LOCK
    return lock, "" if lock else MISSING_LOCK
