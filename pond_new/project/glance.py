"""Tell that a repository is in step without rendering anything: what makes `regenerate --check` fast.

The same contract, settings and template give the same files, so the hashes in the lock can be trusted. Where
anything is in doubt, the answer is no, and the whole comparison has to judge.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from pond_new import __version__
from pond_new.project.digests import digest, template_digest
from pond_new.project.disk import Disk, load_lock, load_what_can_be
from pond_new.project.journal import JOURNAL_PATH
from pond_new.project.layout import AGENT_CONTRACT, CONTRACT, PROJECT_FILE
from pond_new.project.lock import DamagedLock, Lock
from pond_new.project.merge import has_conflict
from pond_new.project.plan import Owner, owner_of
from pond_new.project.project_file import project_settings
from pond_new.project.settings import MCP, POND
from pond_new.project.shape import plain_text
from pond_new.project.template_folder import load_templates


def is_clearly_in_step(root: Path) -> bool:
    """Whether nothing is to be done; false also where that cannot be told so quickly. Raises `PondError`."""
    disk = Disk(root)
    try:
        lock = load_lock(root)
    except DamagedLock:
        return False
    if lock is None or disk.exists(JOURNAL_PATH) or not _has_same_sources(disk, lock):
        return False
    current, blocked = load_what_can_be(root, {**lock.hashes, **lock.orphans})
    return not blocked and has_expected_files(lock, current)


def has_expected_files(lock: Lock, current: Mapping[PurePosixPath, bytes | None]) -> bool:
    """Whether every file is as the lock says, or as its owner may leave it. Pure."""
    is_expected = all(_is_expected(path, current.get(path), written) for path, written in lock.hashes.items())
    return is_expected and all(
        (content := current.get(path)) is not None and digest(content) != written
        for path, written in lock.orphans.items()
    )


def _is_expected(path: PurePosixPath, content: bytes | None, written: str) -> bool:
    match owner_of(path):
        case Owner.YOURS:
            return True
        case Owner.SHARED:
            is_as_written = content is None or digest(content) == written
            return is_as_written or not has_conflict(plain_text(content or b""))
        case _:
            return content is not None and digest(content) == written


def _has_same_sources(disk: Disk, lock: Lock) -> bool:
    origin = lock.origin
    if origin is None or origin.template != template_digest(load_templates(), version=__version__):
        return False
    settings = project_settings(disk.read(PROJECT_FILE), lock)
    written = {POND: origin.manifest, MCP: origin.tool.manifest if origin.tool else ""}
    paths = {POND: CONTRACT, MCP: AGENT_CONTRACT}
    contracts = {standard: disk.read(paths[standard]) for standard in settings.standards}
    is_same = all(
        content is not None and digest(content) == written[standard]
        for standard, content in contracts.items()
    )
    return is_same and origin.settings == settings.dump()
