"""What `new` tells at its end: the tree with its owners and the next three commands, or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from pond_new import console
from pond_new.project.build import Build
from pond_new.project.compare import WRITES, FileChange
from pond_new.project.git import GitOutcome
from pond_new.project.lock import LOCK_PATH
from pond_new.project.plan import PURPOSES, Owner

JSON_VERSION = 1
ALWAYS_SHOWN = 12  # files of one folder up to which each has its own line

GIT_WORDS = {
    GitOutcome.COMMITTED: "Committed to a new git repository.",
    GitOutcome.INSIDE_REPOSITORY: "It lies inside a git repository: commit it there yourself.",
    GitOutcome.NO_GIT: "There is no git on this machine: nothing was committed.",
    GitOutcome.FAILED: "git could not make the first commit: do it yourself.",
    GitOutcome.SKIPPED: "",
}


@dataclass(frozen=True, slots=True)
class NewReport:
    """What was planned, and done unless `is_dry_run`."""

    directory: str
    built: Build
    changes: Sequence[FileChange]
    git: GitOutcome
    is_dry_run: bool


def show_new(report: NewReport, *, as_json: bool) -> None:
    """Print the report: results on stdout."""
    if as_json:
        console.show_json(_as_json(report))
        return
    verb = "Would write" if report.is_dry_run else "Wrote"
    written = sum(change.change in WRITES for change in report.changes)
    console.show(f"{verb} {console.paint(report.directory, 'bold')}: {written} files.\n")
    for line in _tree(report.changes):
        console.show(line)
    if words := GIT_WORDS[report.git]:
        console.show(f"\n{words}")
    if not report.is_dry_run:
        console.show("\nNext:")
        for command in next_commands(report.directory, is_keyed=_is_keyed(report)):
            console.show(f"  {console.paint(command, 'cyan')}")


def _is_keyed(report: NewReport) -> bool:
    return bool(report.built.data["features"]["pond"])


def next_commands(directory: str, *, is_keyed: bool = True) -> tuple[str, ...]:
    """The three commands to type after a repository was made; Pond is served with a key."""
    place = f'"{directory}"' if " " in directory else directory
    return (
        f"cd {place}",
        "python -m venv .venv && . .venv/bin/activate && pip install -e '.[dev]' && pytest",
        f"{'POND_ACCESS_KEY=choose-a-long-secret ' if is_keyed else ''}python -m agent",
    )


def _as_json(report: NewReport) -> dict[str, Any]:
    return {
        "version": JSON_VERSION,
        "command": "new",
        "directory": report.directory,
        "dry_run": report.is_dry_run,
        "files": [
            {
                "path": str(change.path),
                "owner": change.owner,
                "change": change.change,
                "reason": change.reason,
            }
            for change in report.changes
        ],
        "git": report.git,
        "next": list(next_commands(report.directory, is_keyed=_is_keyed(report))),
        "data": dict(report.built.data),
    }


def _tree(changes: Sequence[FileChange]) -> Iterator[str]:
    """The files, owner by owner; a folder with many files of one owner is one line."""
    paths = {change.path: change.owner for change in changes} | {LOCK_PATH: Owner.STATE}
    for owner in Owner:
        own = sorted(path for path, whose in paths.items() if whose is owner)
        if own:
            yield f"{console.paint(owner.value, 'bold')} ({PURPOSES[owner]})"
            yield from (f"  {line}" for line in _folded(own))


def _folded(paths: Sequence[PurePosixPath]) -> Iterator[str]:
    """A line for each file at the top, and one for each folder."""
    folders: dict[PurePosixPath, list[str]] = {}
    for path in paths:
        folders.setdefault(path.parent, []).append(path.name)
    for folder, names in folders.items():
        if str(folder) == ".":
            yield "  ".join(names)
        elif len(names) > ALWAYS_SHOWN:
            yield f"{folder}/  {len(names)} files"
        else:
            yield f"{folder}/  {'  '.join(names)}"
