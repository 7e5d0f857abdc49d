"""`pond-new new`: make a repository from answers."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from pond_new import __version__, console
from pond_new.agent_manifest.draft import NO_COMMIT
from pond_new.agent_manifest.model import AgentManifest
from pond_new.agent_manifest.release import https_address
from pond_new.commands.answers_file import same_again, save_answers
from pond_new.commands.gather import Source, complete, load_source
from pond_new.commands.report import NewReport, show_new
from pond_new.errors import PondError, WrongUsage
from pond_new.manifest import Manifest
from pond_new.project.answers import Answers, missing_answers, with_defaults
from pond_new.project.build import Build, build
from pond_new.project.compare import Change, FileChange, State, compare
from pond_new.project.disk import list_files, load_tree
from pond_new.project.examples import Example, overlay
from pond_new.project.git import GitOutcome, commit_first
from pond_new.project.history import find_remote
from pond_new.project.lock import LOCK_PATH, next_lock
from pond_new.project.settings import MCP, POND, Settings, parse_assignments
from pond_new.project.write import write_changes

SHOWN_FILES = 5
SAME_AGAIN = "The same agent without questions:"


class DestinationNotEmpty(PondError):
    """The directory has files that the new repository would not have."""


@dataclass(frozen=True, slots=True)
class NewOptions:
    """What the command line says beside the directory."""

    answers: str | None = None
    manifest: str | None = None
    example: str | None = None
    settings: Sequence[str] = ()
    use_defaults: bool = False
    is_dry_run: bool = False
    use_git: bool = True
    as_json: bool = False
    template: str | None = None
    trust: bool = False
    resume: bool = False
    save_answers: str | None = None


def new(directory: str, options: NewOptions) -> int:
    """Make the repository; returns 0. Raises `PondError` for everything that the user can fix."""
    root = Path(directory)
    source, example = load_source(answers=options.answers, manifest=options.manifest, example=options.example)
    given = parse_assignments(options.settings)
    source = _with_remote(source, root, given)
    is_asked = _is_wizard_wanted(source.answers, given, options)
    if is_asked:
        source, given = _ask(root, source, given, options), {}
    use_defaults = options.use_defaults or is_asked  # of an agent manifest the wizard asks for the essentials
    manifest, settings, tool = complete(
        source, settings=given, use_defaults=use_defaults, agent_name=_agent_name(root)
    )
    built = build(manifest, settings, tool)
    if options.template:
        return _new_from_other_template(root, built, options)
    changes = plan_new(root, _overlaid(built, source, example, is_as_it_is=not given))
    outcome = GitOutcome.SKIPPED
    if not options.is_dry_run:
        if options.save_answers:
            save_answers(options.save_answers, _contracts(manifest, tool, settings), settings)
        lock = next_lock(built.texts, None, version=__version__, origin=built.origin)
        write_changes(root, changes, lock)
        outcome = commit_first(root) if options.use_git else GitOutcome.SKIPPED
    show_new(NewReport(directory, built, changes, outcome, options.is_dry_run), as_json=options.as_json)
    if is_asked:
        _say_goodbye(directory, settings, options)
    return 0


def _contracts(
    manifest: Manifest, tool: AgentManifest | None, settings: Settings
) -> dict[str, Mapping[str, Any]]:
    """The contracts as parts of an answers file."""
    parts = {"manifest": manifest.document} if POND in settings.standards else {}
    return parts | ({"agent_manifest": tool.document} if tool else {})


def _with_remote(source: Source, root: Path, given: Mapping[str, str]) -> Source:
    """The source with the address of the git repository that the agent is made in, where it needs one.

    The commit is another matter: none has the agent yet, and `pond-new release` writes it.
    """
    answers = source.answers
    if MCP not in answers.parse_settings(given).standards or "source" in answers.agent_manifest:
        return source
    inside = next(folder for folder in (root.absolute(), *root.absolute().parents) if folder.is_dir())
    address = https_address(find_remote(inside) or "") if shutil.which("git") else None
    if address is None:
        return source
    known = {**answers.agent_manifest, "source": {"repository": address, "ref": NO_COMMIT}}
    return Source(replace(answers, agent_manifest=known), source.places)


def _is_wizard_wanted(answers: Answers, given: Mapping[str, str], options: NewOptions) -> bool:
    """Whether a person is to be asked. Raises `WrongUsage` for --resume where nobody can be."""
    can_ask = console.is_interactive() and not options.as_json and not options.use_defaults
    if options.resume and not can_ask:
        raise WrongUsage("--resume goes on asking, and nobody can be asked here: it needs a terminal.")
    if not can_ask:
        return False
    return options.resume or bool(missing_answers(answers, answers.parse_settings(given).standards))


def _ask(root: Path, source: Source, given: Mapping[str, str], options: NewOptions) -> Source:
    """Ask a person for what is missing, and for nothing if it could not be written anyway."""
    from pond_new.commands.ask import ask_answers  # noqa: PLC0415 -- only who is asked pays for the wizard

    name = _agent_name(root)
    _refuse_occupied(root)
    if POND in source.answers.parse_settings(given).standards:
        source.parse(with_defaults(source.answers, agent_name=name).manifest)
    return Source(ask_answers(root, source.answers, given, suggested_name=name, resume=options.resume))


def _say_goodbye(directory: str, settings: Settings, options: NewOptions) -> None:
    """Drop the kept answers, and say how to make the same agent without a question."""
    from pond_new.commands.ask import forget_kept  # noqa: PLC0415

    if options.is_dry_run:
        console.say(
            "\nYour answers are kept. The same command with --resume in place of --dry-run writes it."
        )
        return
    forget_kept(Path(directory))
    console.show(f"\n{SAME_AGAIN}\n  {same_again(directory, settings, answers=options.save_answers)}")


def _overlaid(
    built: Build, source: Source, example: Example | None, *, is_as_it_is: bool
) -> Mapping[PurePosixPath, str]:
    """The rendered files, with what was written by hand in the example they start from, if there is one.

    `is_as_it_is` says that they were rendered with the example's own settings.
    """
    if example is None:
        return built.texts
    own = built
    if not is_as_it_is:
        own = build(*complete(source, settings={}, use_defaults=False, agent_name=example.name))
    return overlay(built.texts, example, own.texts)


def plan_new(root: Path, texts: Mapping[PurePosixPath, str]) -> tuple[FileChange, ...]:
    """What a new repository would write. Raises `DestinationNotEmpty` unless all there would be the same."""
    present = list_files(root) if root.exists() else set()
    if root.exists() and not root.is_dir():
        raise DestinationNotEmpty(f"{root} is a file: name a directory that is empty or does not exist yet.")
    current = load_tree(root, [*texts, *present])
    changes = compare(texts, State(current))
    _refuse_others(root, present, changes)
    return changes


def _refuse_occupied(root: Path) -> None:
    """Say it before the first question, not after the last. Raises `DestinationNotEmpty`."""
    if root.is_dir():
        _refuse_others(root, list_files(root), ())


def _refuse_others(root: Path, present: set[PurePosixPath], changes: Sequence[FileChange]) -> None:
    same = {change.path for change in changes if change.change is Change.SAME} | {LOCK_PATH}
    others = sorted(str(path) for path in present - same)
    if not others:
        return
    shown = ", ".join(others[:SHOWN_FILES]) + (", ..." if len(others) > SHOWN_FILES else "")
    raise DestinationNotEmpty(
        f"{root} is not empty: {shown}. Nothing was written."
        " Name a directory that is empty or does not exist yet; to bring an agent in step with an edited"
        " manifest, run pond-new regenerate in it."
    )


def _new_from_other_template(root: Path, built: Build, options: NewOptions) -> int:
    from pond_new.project.copier_template import run_template  # noqa: PLC0415 -- copier costs half a second

    if options.is_dry_run or options.as_json:
        raise WrongUsage("--template runs copier itself: it has no --dry-run and no --json.")
    assert options.template is not None
    run_template(options.template, root, built.data, trust=options.trust)
    console.show(f"Made {root} with the template {options.template}.")
    return 0


def _agent_name(root: Path) -> str:
    """`my-agent` -> `My Agent`: a name for the listing, from the directory."""
    words = root.resolve().name.replace("_", " ").replace("-", " ").split()
    return " ".join(word[:1].upper() + word[1:] for word in words) or "My Agent"
