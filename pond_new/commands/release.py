"""`pond-new release`: write into the agent manifest which commit is published, and under which version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pond_new.agent_manifest import check_manifest
from pond_new.agent_manifest.parse import parse_agent_manifest
from pond_new.agent_manifest.release import https_address, is_placeholder, next_version
from pond_new.commands.release_report import Release, show_release
from pond_new.commands.sources import write_text
from pond_new.errors import PondError, UnreadableInput, WrongUsage
from pond_new.manifest.document import Document, parse_document
from pond_new.manifest.edits import set_texts
from pond_new.manifest.problem import InvalidManifest
from pond_new.project import history
from pond_new.project.layout import AGENT_CONTRACT
from pond_new.project.lock import LOCK_PATH

AGENT_MANIFEST = str(AGENT_CONTRACT)
LOCK = str(LOCK_PATH)
SHOWN_FILES = 8


class DirtyTree(PondError):
    """There are changes that no commit has: the commit that a release names would be other code."""


class OutOfStep(PondError):
    """The generated files are not what the contract asks for."""


class NoPublicSource(PondError):
    """Neither git nor the manifest knows an https address of the source."""


class NothingToRelease(PondError):
    """The code that is checked out has its release already."""


@dataclass(frozen=True, slots=True)
class ReleaseOptions:
    """What the command line says beside the directory."""

    bump: str | None = None
    version: str | None = None
    is_dry_run: bool = False
    commits: bool = True
    as_json: bool = False


def release(directory: str, options: ReleaseOptions) -> int:
    """Write version, source.repository and source.ref, and commit that; returns 1 where git does not commit.

    Raises `DirtyTree`, `NoHistory`, `NoPublicSource`, `NothingToRelease`, `OutOfStep` and `InvalidManifest`;
    then nothing is written.
    """
    root = Path(directory)
    document = _load(root)
    ref = history.load_head(root)
    _refuse_uncommitted(root)
    _refuse_out_of_step(root)
    changes = _plan(root, document, ref, options)
    content = set_texts(document, {pointer: new for pointer, (_, new) in changes.items()})
    _refuse_invalid(root, content)
    planned = Release(document.value["id"], changes, ref, options.is_dry_run)
    if not options.is_dry_run:
        write_text(root / AGENT_MANIFEST, content.decode())
        planned = _bring_in_step_and_commit(root, planned, options)
    show_release(planned, as_json=options.as_json)
    return 1 if planned.complaint else 0


def _load(root: Path) -> Document:
    path = root / AGENT_MANIFEST
    try:
        document = parse_document(path.read_bytes(), name=path.as_posix())
    except OSError:
        raise UnreadableInput(
            f"There is no {path.as_posix()}: release is for agents of the second standard. For Pond, raise"
            " agent_version in manifest.json (pond-new regenerate --bump)."
        ) from None
    missing = [
        pointer
        for pointer in ("/version", "/source/repository", "/source/ref", "/id")
        if pointer not in document.spans
    ]
    if missing:
        raise InvalidManifest(map(document.locate, check_manifest(document.value)), name=document.name)
    return document


def _refuse_uncommitted(root: Path) -> None:
    if changed := history.list_uncommitted(root):
        shown = "\n".join(f"  - {name}" for name in changed[:SHOWN_FILES])
        more = f"\n  and {len(changed) - SHOWN_FILES} more" if len(changed) > SHOWN_FILES else ""
        raise DirtyTree(
            f"A release names the commit that runs, and these files are in no commit:\n{shown}{more}\n"
            "Commit them (or leave them out with .gitignore), then run this again. Nothing was written."
        )


def _refuse_out_of_step(root: Path) -> None:
    if changed := _bring_in_step(root, write=False):
        raise OutOfStep(
            f"{', '.join(changed[:SHOWN_FILES])} would change when this repository is brought in step. Run"
            " pond-new regenerate, test, commit, then run this again. Nothing was written."
        )


def _plan(root: Path, document: Document, ref: str, options: ReleaseOptions) -> dict[str, tuple[str, str]]:
    value = document.value
    old = {
        "/version": value["version"],
        **{f"/source/{name}": value["source"][name] for name in ("repository", "ref")},
    }
    is_first = not history.is_commit(root, str(old["/source/ref"]))
    if not is_first and not options.version:
        _refuse_same_code(root, document)
    new = {
        "/version": _version(str(old["/version"]), options, is_first=is_first),
        "/source/repository": _repository(root, str(old["/source/repository"])),
        "/source/ref": ref,
    }
    return {pointer: (str(old[pointer]), new[pointer]) for pointer in new}


def _version(old: str, options: ReleaseOptions, *, is_first: bool) -> str:
    """The version to release: the one asked for; the first time the one that stands there; else the next."""
    if options.version and options.bump:
        raise WrongUsage("--version and --bump exclude each other: give one of them.")
    if options.version:
        return options.version
    if is_first and options.bump is None:
        return old
    try:
        return next_version(old, options.bump or "patch")
    except ValueError as error:
        raise WrongUsage(f"{error}: name the next one with --version.") from None


def _repository(root: Path, old: str) -> str:
    remote = history.find_remote(root)
    if remote is None and not is_placeholder(old):
        return old
    address = https_address(remote or "")
    if address is None:
        raise NoPublicSource(
            "source.repository needs the public https address of the code, and git has no remote with one"
            f"{f' ({remote} is on a disk)' if remote else ''}. Add it, such as:"
            " git remote add origin https://github.com/YOU/AGENT"
        )
    return address


def _refuse_same_code(root: Path, document: Document) -> None:
    """Raise `NothingToRelease` when only an earlier release happened since the released commit."""
    ref = document.value["source"]["ref"]
    if set(history.list_changes(root, ref)) - {AGENT_MANIFEST, LOCK}:
        return
    before = history.read_committed(root, ref, AGENT_MANIFEST)
    if before is not None and _promises(json.loads(before)) == _promises(document.value):
        raise NothingToRelease(
            f"Nothing has changed since {document.value['version']}, the release of {ref[:12]}."
            " Publish that one, or name another version with --version."
        )


def _promises(manifest: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in manifest.items() if name not in {"version", "source"}}


def _refuse_invalid(root: Path, content: bytes) -> None:
    parse_agent_manifest(parse_document(content, name=(root / AGENT_MANIFEST).as_posix()))


def _bring_in_step_and_commit(root: Path, planned: Release, options: ReleaseOptions) -> Release:
    written = [AGENT_MANIFEST, *_bring_in_step(root)]
    if not options.commits:
        return planned
    complaint = history.commit_files(root, written, f"Release {planned.version}")
    return replace(planned, committed=complaint is None, complaint=complaint or "")


def _bring_in_step(root: Path, *, write: bool = True) -> list[str]:
    """Regenerate, where pond-new made this repository; the files that changed."""
    if not (root / LOCK).is_file():
        return []
    from pond_new.project.regenerate import DONE, regenerate_repository  # noqa: PLC0415 -- the generator

    regeneration = regenerate_repository(root, write=write)
    if regeneration.is_in_step:
        return []
    changed = [str(change.path) for change in regeneration.changes if change.change in DONE]
    return [*changed, LOCK]
