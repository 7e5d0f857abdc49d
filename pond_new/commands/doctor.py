"""`pond-new doctor`: is this agent ready to be deployed? Looks at the repository and an environment."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath

from pond_new import console
from pond_new.commands.check_report import JSON_VERSION, shown
from pond_new.errors import PondError, UnreadableInput
from pond_new.project.disk import Disk
from pond_new.project.env_file import parse_env
from pond_new.project.environment_check import check_database, check_key, check_names, check_public_url
from pond_new.project.findings import Candidate, Environment, Finding
from pond_new.project.history import is_tracked
from pond_new.project.place_check import READ, check_domain, check_duration, check_image
from pond_new.project.regenerate import Regeneration, Request, plan_regeneration
from pond_new.project.repository import NoRepository
from pond_new.project.settings import POND
from pond_new.project.targets import TARGETS
from pond_new.project.tool_check import check_tool

ENV_FILE = ".env"
READ_ENV_FILE = frozenset({"docker", "vps"})  # the other places keep the variables themselves
CHECKS = (check_database, check_names, check_public_url, check_domain, check_duration, check_image)


@dataclass(frozen=True, slots=True)
class DoctorOptions:
    """What the command line says beside the directory."""

    env_file: str | None = None
    as_json: bool = False


def doctor(directory: str, options: DoctorOptions, *, environment: Mapping[str, str] = os.environ) -> int:
    """Examine and report; returns 1 when there is a problem, 0 when there are only notes.

    Raises `NoRepository` where there is no agent, `UnreadableInput` for an environment that cannot be read.
    """
    root = Path(directory)
    seen = load_environment(root, options.env_file, environment)
    planned, findings = examine(root, seen)
    _show(directory, planned, seen, findings, as_json=options.as_json)
    return int(any(finding.severity == "problem" for finding in findings))


def load_environment(root: Path, env_file: str | None, environment: Mapping[str, str]) -> Environment:
    """The file that was named, else the repository's own `.env`, else the environment of this process.

    Raises `UnreadableInput`.
    """
    path = Path(env_file) if env_file else root / ENV_FILE
    if not env_file and not path.is_file():
        return Environment(environment, "this shell", is_whole=False)
    try:
        return Environment(parse_env(path.read_text("utf-8-sig")), env_file or ENV_FILE)
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableInput(
            f"{path} cannot be read ({type(error).__name__}). Name a text file with --env."
        ) from error


def examine(root: Path, environment: Environment) -> tuple[Regeneration | None, list[Finding]]:
    """Every finding; with a contract or settings that cannot be used, that one and those on the key."""
    try:
        planned = plan_regeneration(root, Request())
    except NoRepository:
        raise
    except PondError as error:
        unusable = Finding(
            "unusable", "problem", "the repository", str(error), "Without that nothing else can be judged."
        )
        return None, [unusable, *check_key(environment)]
    settings = planned.repository.settings
    if settings.deploy in READ_ENV_FILE:
        environment = replace(environment, is_whole=True)
    candidate = Candidate(planned.manifest, settings, environment, files=_load_files(root))
    findings = [*check_key(environment)] if POND in settings.standards else []
    findings += _check_repository(root, planned)
    if planned.tool is not None:
        findings += check_tool(planned.tool)
    findings += [finding for check in CHECKS for finding in check(candidate)]
    return planned, sorted(findings, key=lambda finding: finding.severity != "problem")


def _check_repository(root: Path, planned: Regeneration) -> Iterator[Finding]:
    if not planned.is_in_step:
        message = "is not in step with its contract and settings."
        yield Finding("drift", "problem", "the repository", message, "Run pond-new regenerate.")
    if is_tracked(root, ENV_FILE):
        message = "is in version control, and secrets in it are known to everybody who reads that."
        fix = "git rm --cached .env, commit, and make new secrets: the old ones stay in the history."
        yield Finding("env-committed", "problem", ENV_FILE, message, fix)


def _load_files(root: Path) -> dict[str, str]:
    disk = Disk(root)
    contents = {name: disk.read(PurePosixPath(name)) for name in READ}
    return {name: content.decode("utf-8", "replace") for name, content in contents.items() if content}


def _show(
    directory: str,
    planned: Regeneration | None,
    environment: Environment,
    findings: list[Finding],
    *,
    as_json: bool,
) -> None:
    settings = planned.repository.settings.dump() if planned else {}
    problems = sum(finding.severity == "problem" for finding in findings)
    if as_json:
        console.show_json(
            {
                "version": JSON_VERSION,
                "command": "doctor",
                "directory": directory,
                "status": "problems" if problems else "ready",
                "settings": settings,
                "environment": environment.source,
                "findings": [asdict(finding) for finding in findings],
            }
        )
        return
    place = f"for {TARGETS[settings['deploy']].title} with {settings['database']}, " if settings else ""
    console.show(f"{shown(directory)}: examined {place}with the variables of {environment.source}.")
    for finding in findings:
        colour = "red" if finding.severity == "problem" else "yellow"
        severity = console.paint(f"{finding.severity:7}", colour)
        console.show(f"  {severity}  {finding.about} {finding.message}\n{'':11}{finding.fix}")
    notes = len(findings) - problems
    console.show(f"{_count(problems, 'problem')}, {_count(notes, 'note')}.")


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
