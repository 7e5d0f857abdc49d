"""Bring a repository in step with its contract and settings: one plan drives dry run, check and write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from pond_new import __version__
from pond_new.agent_manifest.model import AgentManifest
from pond_new.agent_manifest.parse import parse_agent_manifest
from pond_new.errors import PondError
from pond_new.manifest import Manifest, parse_manifest
from pond_new.project import names
from pond_new.project.build import Build, build
from pond_new.project.compare import UNSOLVED, WRITES, Change, Choices, FileChange, State, compare
from pond_new.project.contracts import refuse_disagreement, stand_in
from pond_new.project.digests import digest
from pond_new.project.disk import Disk, load_what_can_be
from pond_new.project.hand_written import load_hand_written
from pond_new.project.layout import AGENT_CONTRACT, CONTRACT
from pond_new.project.lock import Hashes, Lock, next_lock
from pond_new.project.migrations import MIGRATIONS, Migration, plan_migrations
from pond_new.project.moves import Move, arrive, relocate
from pond_new.project.plan import Owner
from pond_new.project.reasons import Shift, explain
from pond_new.project.rename import rename_moves
from pond_new.project.repository import Given, Repository, load_repository
from pond_new.project.settings import MCP, POND, Settings
from pond_new.project.write import finish_interrupted, is_interrupted, write_changes

DONE = frozenset({Change.DELETE}) | WRITES


class NothingToRestore(PondError):
    """`--restore` names no file that pond-new makes, or one that is there."""


class Interrupted(PondError):
    """A write was killed in this repository, and a look is not the moment to finish it."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to do beside following the contract.

    `manifest` and `agent_manifest` take the place of the contracts' bytes, for `reason`; `settings` of those
    in `pyproject.toml`.
    `rename` is the old and the new id of an action whose files follow. `has_exact_lock` writes the lock also
    where only the version or the template's digest in it would change. `templates`, `version` and
    `migrations` are those of the running pond-new where they are not given.
    """

    choices: Choices = field(default_factory=Choices)
    manifest: bytes | None = None
    agent_manifest: bytes | None = None
    reason: str = "edited by pond-new"
    settings: Settings | None = None
    rename: tuple[str, str] | None = None
    has_exact_lock: bool = False
    templates: Mapping[str, str] | None = None
    version: str = __version__
    migrations: Sequence[Migration] = MIGRATIONS


@dataclass(frozen=True, slots=True)
class Regeneration:
    """What has to happen, and what was there before: everything that a report tells."""

    repository: Repository
    manifest: Manifest
    built: Build
    changes: tuple[FileChange, ...]
    lock: Lock
    rename: tuple[str, str] | None = None
    tool: AgentManifest | None = None

    @property
    def is_refused(self) -> bool:
        """Whether a file has to be decided by a person first; nothing is written then."""
        return any(change.change is Change.REFUSED for change in self.changes)

    @property
    def is_unsolved(self) -> bool:
        """Whether a refusal or a conflict is left for a person."""
        return any(change.change in UNSOLVED for change in self.changes)

    @property
    def is_lock_due(self) -> bool:
        """Whether the lock itself has to be written."""
        return self.repository.lock != self.lock

    @property
    def is_in_step(self) -> bool:
        """Whether there is nothing to do."""
        return not self.is_lock_due and not any(change.change in DONE | UNSOLVED for change in self.changes)


def regenerate_repository(
    root: Path, request: Request | None = None, *, write: bool = True, disk: Disk | None = None
) -> Regeneration:
    """Plan, and carry the plan out unless `write` is false or a file is refused.

    Raises `PondError` for everything that the user can fix, and `Interrupted` where it may not write and a
    killed write has to be finished first; nothing is changed then.
    """
    if write:
        finish_interrupted(root, disk=disk)
    elif is_interrupted(root):
        raise Interrupted(f"A run of pond-new was interrupted in {root}. pond-new regenerate finishes it.")
    planned = plan_regeneration(root, request or Request())
    if write and not planned.is_refused and not planned.is_in_step:
        write_changes(root, planned.changes, planned.lock, disk=disk)
    return planned


def plan_regeneration(root: Path, request: Request) -> Regeneration:
    """Everything that would happen, in memory. Raises `PondError`."""
    given = Given(request.manifest, request.agent_manifest, request.settings)
    repository = load_repository(root, given, version=request.version)
    tool = parse_agent_manifest(repository.tool) if repository.tool else None
    manifest = _manifest(repository, tool)
    built = build(
        manifest,
        repository.settings,
        tool,
        contracts={
            standard: document.text
            for standard, document in ((POND, repository.document), (MCP, repository.tool))
            if document
        },
        templates=request.templates,
        version=request.version,
    )
    moves = (
        *plan_migrations(repository.lock or Lock(version=""), request.migrations),
        *(_rename_moves(repository, manifest, tool, built, request.rename) if request.rename else ()),
    )
    changes, lock = _compare(repository, built, moves, request)
    return Regeneration(repository, manifest, built, changes, lock, request.rename, tool)


def _manifest(repository: Repository, tool: AgentManifest | None) -> Manifest:
    """Pond's manifest, or what stands for it; with both contracts they have to agree."""
    if repository.document is None:
        assert tool is not None
        return stand_in(tool)
    manifest = parse_manifest(repository.document)
    if tool is not None:
        refuse_disagreement(manifest, tool)
    return manifest


def _compare(
    repository: Repository, built: Build, moves: Sequence[Move], request: Request
) -> tuple[tuple[FileChange, ...], Lock]:
    """The changes with their reasons, and the lock after them."""
    known = repository.lock or Lock(version="")
    paths = {*built.texts, *known.hashes, *known.orphans}
    paths |= {path for move in moves for path in (move.old, move.new)}
    current, blocked = load_what_can_be(repository.root, paths)
    relocated = relocate(State(current, known, blocked), moves, built.texts)
    choices = _with_restored(request.choices, relocated.state, built)
    changes = arrive(compare(built.texts, relocated.state, choices), relocated)
    templates = {planned.path: built.templates[planned.template] for planned in built.files}
    shift = Shift(known.origin, built.origin, request.rename)
    changes = explain(changes, shift, templates=templates, version=request.version)
    changes = _with_contract(changes, request)
    lock = next_lock(
        built.texts,
        relocated.state.lock,
        version=request.version,
        origin=built.origin,
        orphans=_orphans(changes, relocated.state.lock),
    )
    before = repository.lock
    is_kept = before is not None and before.says_the_same(lock) and not request.has_exact_lock
    return changes, before if before is not None and is_kept else lock


def _rename_moves(
    repository: Repository,
    manifest: Manifest,
    tool: AgentManifest | None,
    built: Build,
    rename: tuple[str, str],
) -> Sequence[Move]:
    modules = [names.module_name(action) for action in rename]
    return rename_moves(manifest, built, rename, load_hand_written(repository.root, modules), tool)


def _with_contract(changes: Sequence[FileChange], request: Request) -> tuple[FileChange, ...]:
    """The changes with the contracts that were given, byte for byte, in place of those that are rendered."""
    given = {CONTRACT: request.manifest, AGENT_CONTRACT: request.agent_manifest}
    return tuple(
        change
        if (content := given.get(change.path)) is None
        else _given_contract(change, content, request.reason)
        for change in changes
    )


def _given_contract(change: FileChange, manifest: bytes, reason: str) -> FileChange:
    if change.before is None:
        return replace(change, content=manifest)
    if digest(change.before) == digest(manifest):
        return FileChange(change.path, Owner.CONTRACT, Change.SAME, "up to date", before=change.before)
    return FileChange(change.path, Owner.CONTRACT, Change.UPDATE, reason, manifest, change.before)


def _with_restored(choices: Choices, state: State, built: Build) -> Choices:
    """The choices with every missing file at or below the paths to restore. Raises `NothingToRestore`."""
    found: set[PurePosixPath] = set()
    for asked in choices.restore:
        made = {path for path in built.texts if path.is_relative_to(asked)}
        if not made:
            raise NothingToRestore(f"{asked} is no file that pond-new makes for this agent.")
        missing = {path for path in made if state.current.get(path) is None}
        if not missing:
            raise NothingToRestore(f"{asked} is there. To get a fresh one, move or delete it first.")
        found |= missing
    return replace(choices, restore=frozenset(found))


def _orphans(changes: Sequence[FileChange], lock: Lock) -> Hashes:
    """The hashes of files that stay without a source, so that the next run still knows them."""
    written = {**lock.orphans, **lock.hashes}
    return {change.path: written[change.path] for change in changes if change.change is Change.ORPHAN}
