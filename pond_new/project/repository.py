"""A generated repository as it lies on disk: its contract, settings and lock, read and parsed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pond_new import __version__
from pond_new.errors import PondError
from pond_new.manifest import Document, parse_document
from pond_new.project.disk import Disk, load_lock
from pond_new.project.layout import AGENT_CONTRACT, CONTRACT, PROJECT_FILE
from pond_new.project.lock import DamagedLock, Lock
from pond_new.project.merge import has_conflict
from pond_new.project.migrations import refuse_newer
from pond_new.project.project_file import project_settings
from pond_new.project.settings import MCP, POND, Settings
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


class MissingContract(PondError):
    """The settings name a standard whose contract is not there."""


class NoActions(PondError):
    """The repository serves only the second standard, where an agent is exactly one tool."""


class UnresolvedConflict(PondError):
    """A merge left its markers in the contract."""


@dataclass(frozen=True, slots=True)
class Repository:
    """What is read before anything is planned. `lock` is None where there is none; `note` says so.

    `document` is Pond's manifest, `tool` the agent manifest of the second standard; one of them is there.
    """

    root: Path
    document: Document | None
    lock: Lock | None
    settings: Settings
    note: str = ""
    tool: Document | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """What takes the place of a repository's own contracts and settings where it is not None."""

    manifest: bytes | None = None
    agent_manifest: bytes | None = None
    settings: Settings | None = None


def load_repository(root: Path, given: Given | None = None, *, version: str = __version__) -> Repository:
    """Read everything, as the pond-new of this version.

    Raises `NoRepository`, `MissingContract`, `InvalidManifest`, `InvalidSettings`, `MadeByNewerVersion`.
    """
    given = given or Given()
    if not root.is_dir() and given.manifest is None and given.agent_manifest is None:
        raise NoRepository(f"{root} is no directory. Name the directory of an agent, or run this inside it.")
    lock, note = _load_lock(root)
    if lock:  # before the settings, of which a newer version may know more
        refuse_newer(lock, version)
    disk = Disk(root)
    settings = given.settings or project_settings(disk.read(PROJECT_FILE), lock)
    contents = {
        POND: given.manifest or disk.read(CONTRACT),
        MCP: given.agent_manifest or disk.read(AGENT_CONTRACT),
    }
    if contents[POND] is None and (lock is None or contents[MCP] is None) and POND in settings.standards:
        _refuse_absent(root)
    documents = {standard: _contract(root, standard, contents[standard]) for standard in settings.standards}
    return Repository(root, documents.get(POND), lock, settings, note, documents.get(MCP))


def load_contract(root: Path) -> Document:
    """Pond's manifest of a repository with its places.

    Raises `NoRepository`, `InvalidManifest`, and `NoActions` where Pond is not served.
    """
    if not root.is_dir():
        raise NoRepository(f"{root} is no directory. Name the directory of an agent, or run this inside it.")
    disk = Disk(root)
    if disk.read(AGENT_CONTRACT) is not None:
        lock, _ = _load_lock(root)
        if POND not in project_settings(disk.read(PROJECT_FILE), lock).standards:
            raise NoActions(
                f"{root / AGENT_CONTRACT} is exactly one tool: this agent serves the mcp standard alone and"
                " has no actions. Edit /interface in it, then run pond-new regenerate."
            )
    content = disk.read(CONTRACT)
    if content is None:
        _refuse_absent(root)
    assert content is not None
    return parse_contract(content, root)


def load_tool_contract(root: Path) -> Document | None:
    """The agent manifest of a repository with its places; None where the second standard is not served."""
    disk = Disk(root)
    lock, _ = _load_lock(root)
    content = disk.read(AGENT_CONTRACT)
    if content is None or MCP not in project_settings(disk.read(PROJECT_FILE), lock).standards:
        return None
    return parse_contract(content, root, path=AGENT_CONTRACT)


def parse_contract(content: bytes, root: Path, *, path: PurePosixPath = CONTRACT) -> Document:
    """Bytes of a contract -> its document.

    Raises `InvalidManifest` with places, `UnresolvedConflict`, and `NoRepository` for what is no object.
    """
    if has_conflict(plain_text(content)):  # no line of valid JSON begins like that
        raise UnresolvedConflict(
            f"{root / path} has a conflict that is not resolved yet: edit the lines between the <<<<<<<"
            " and >>>>>>> markers, remove the markers, then run this again."
        )
    document = parse_document(content, name=str(root / path))
    if not isinstance(document.value, dict):
        raise NoRepository(f"{document.name} holds no manifest: expected a JSON object.")
    return document


def _contract(root: Path, standard: str, content: bytes | None) -> Document:
    path = CONTRACT if standard == POND else AGENT_CONTRACT
    if content is None:
        raise MissingContract(
            f"The settings name the standard {standard}, and its contract {root / path} does not exist. Make"
            f" one with pond-new DRAFT --from {AGENT_CONTRACT if standard == POND else CONTRACT}"
            f" --set standards=pond,mcp --yes, where DRAFT is a new directory, and copy its {path} here;"
            f" or take {standard} out of standards in {PROJECT_FILE}."
        )
    return parse_contract(content, root, path=path)


def _refuse_absent(root: Path) -> None:
    raise NoRepository(
        f"{root / CONTRACT} does not exist, so there is no agent to bring in step. Run this in the"
        " directory of the agent, or name it; pond-new new makes a new one."
    )


def _load_lock(root: Path) -> tuple[Lock | None, str]:
    try:
        lock = load_lock(root)
    except DamagedLock:
        return None, DAMAGED_LOCK
    return lock, "" if lock else MISSING_LOCK
