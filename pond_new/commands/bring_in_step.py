"""Plan, carry out and report: what `regenerate` and the commands that edit actions share."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path, PurePosixPath

from pond_new.agent_manifest.release import next_version as next_tool_version
from pond_new.commands.regenerate import RegenerateOptions
from pond_new.commands.regenerate_report import Report, show_regeneration
from pond_new.manifest.edits import set_agent_version, set_texts
from pond_new.manifest.versions import next_version
from pond_new.project.compare import Choices
from pond_new.project.regenerate import Regeneration, Request, regenerate_repository
from pond_new.project.situation import work_after
from pond_new.project.work import needs_new_tool_version, needs_new_version


def run(root: Path, request: Request, options: RegenerateOptions, *, command: str) -> int:
    """Returns 0 when everything is in step (afterwards), 1 for drift, a conflict or a refusal."""
    today = options.today or date.today()  # noqa: DTZ011 -- a release is dated in its author's calendar
    asked = replace(request, choices=_choices(root, options))
    if options.bump:
        asked = _with_bump(root, asked, today)
    planned = regenerate_repository(root, asked, write=options.writes)
    work = work_after(planned, today=today)
    report = Report(
        command=command,
        directory=str(root),
        planned=planned,
        work=work,
        is_written=options.writes and not planned.is_refused,
        shows_diff=options.shows_diff,
        is_check=options.is_check,
    )
    show_regeneration(report, as_json=options.as_json)
    return _exit_code(planned, options)


def _exit_code(planned: Regeneration, options: RegenerateOptions) -> int:
    is_drift = options.is_check and not planned.is_in_step
    return 1 if planned.is_unsolved or is_drift else 0


def _choices(root: Path, options: RegenerateOptions) -> Choices:
    restore = frozenset(_inside(root, path) for path in options.restore)
    return Choices(force=options.force, adopt=options.adopt, restore=restore)


def _inside(root: Path, path: str) -> PurePosixPath:
    """A path that was typed, as one in the repository: relative to it, or to where the user is."""
    typed = Path(path)
    below = typed if typed.is_absolute() else Path.cwd() / typed
    if below.is_relative_to(root.absolute()):
        return PurePosixPath(below.relative_to(root.absolute()).as_posix())
    return PurePosixPath(typed.as_posix())


def _with_bump(root: Path, request: Request, today: date) -> Request:
    """The request with the next version in each contract, where it has to rise."""
    planned = regenerate_repository(root, request, write=False)
    repository = planned.repository  # its documents are the request's where it brings some
    before = repository.lock.origin if repository.lock else None
    reasons = [request.reason] if request.manifest or request.agent_manifest else []
    bumped = request
    if repository.document and needs_new_version(before, planned.manifest):
        version = next_version(planned.manifest.agent_version, today)
        bumped = replace(bumped, manifest=set_agent_version(repository.document, version))
        reasons.append(f"agent_version is {version} now")
    if repository.tool and needs_new_tool_version(before, planned.built.origin):
        version = next_tool_version(repository.tool.value["version"])
        bumped = replace(bumped, agent_manifest=set_texts(repository.tool, {"/version": version}))
        reasons.append(f"version is {version} now")
    return replace(bumped, reason="; ".join(reasons)) if bumped is not request else request
