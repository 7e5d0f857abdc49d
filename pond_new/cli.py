"""Names and help of the commands. Each function hands plain values to its module in `commands/`."""

from __future__ import annotations

import traceback
from enum import StrEnum
from tempfile import NamedTemporaryFile
from typing import Annotated

import typer

from pond_new import __version__, console
from pond_new.errors import PondError
from pond_new.regenerate_cli import register as register_regenerate

app = typer.Typer(
    name="pond-new",
    help="Make an agent that speaks Pond Protocol V1, and keep it in step with its manifest.",
    epilog="pond-new DIR is short for pond-new new DIR. Start with: pond-new my-agent --example text-stats",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
)

Format = StrEnum("Format", ["text", "json", "github", "sarif"])
Bump = StrEnum("Bump", ["major", "minor", "patch"])

INTERRUPTED = 130
BUG = 3


def dispatch(arguments: list[str]) -> int:
    """Run a command line; the one place where errors become words and exit codes."""
    try:
        app(_with_command(arguments), prog_name="pond-new")
    except PondError as error:
        console.say(f"{console.paint('Error:', 'red')} {error}")
        return error.exit_code
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else BUG
    except KeyboardInterrupt:
        console.say("Interrupted.")
        return INTERRUPTED
    except Exception:  # noqa: BLE001 -- the edge of the program
        console.say(_describe_bug(traceback.format_exc()))
        return BUG
    return 0


def _with_command(arguments: list[str]) -> list[str]:
    """`pond-new DIR ...` means `pond-new new DIR ...`."""
    known = {command.name for command in app.registered_commands}
    if not arguments or arguments[0] in known | {"--help", "--version"}:
        return arguments
    return ["new", *arguments]


def _describe_bug(trace: str) -> str:
    """Keep the traceback in a file and say where: a terminal at night is no place for it."""
    with NamedTemporaryFile("w", prefix="pond-new-", suffix=".txt", delete=False, encoding="utf-8") as file:
        file.write(f"pond-new {__version__}\n\n{trace}")
    return f"This is a bug in pond-new, not your fault. Please report it with this file: {file.name}"


def _show_version(value: bool) -> None:
    if value:
        console.show(f"pond-new {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Make an agent that speaks Pond Protocol V1, and keep it in step with its manifest."""
    del version


@app.command("new")
def new_command(
    directory: Annotated[str, typer.Argument(help="Where the agent is made: empty, or not there yet.")],
    answers: Annotated[
        str | None,
        typer.Option(help="A file with manifest and settings, YAML or JSON; - for standard input."),
    ] = None,
    manifest: Annotated[
        str | None, typer.Option("--from", help="A Pond manifest that exists already.")
    ] = None,
    example: Annotated[
        str | None, typer.Option(help="A finished agent to start from; pond-new examples lists them.")
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting, such as python=3.12.")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Take the default for every answer that is missing.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be written, and write nothing.")
    ] = False,
    no_git: Annotated[bool, typer.Option("--no-git", help="Make no git repository and no commit.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was planned and done as JSON.")] = False,
    template: Annotated[
        str | None, typer.Option(help="Another copier template: a folder, a git URL or a bundle.")
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Let that template run its tasks and extensions.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the answers of an interrupted conversation.")
    ] = False,
    save_answers: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep the answers in a file, for --answers.")
    ] = None,
) -> None:
    """Make a new agent in a directory."""
    from pond_new.commands.new import NewOptions, new  # noqa: PLC0415 -- each command pays only for itself

    options = NewOptions(
        answers=answers,
        manifest=manifest,
        example=example,
        settings=settings or (),
        use_defaults=yes,
        is_dry_run=dry_run,
        use_git=not no_git,
        as_json=as_json,
        template=template,
        trust=trust,
        resume=resume,
        save_answers=save_answers,
    )
    raise typer.Exit(new(directory, options))


@app.command("examples")
def examples_command(
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """List the finished agents that --example knows."""
    from pond_new.commands.examples import examples  # noqa: PLC0415

    raise typer.Exit(examples(as_json=as_json))


@app.command("validate")
def validate_command(
    files: Annotated[
        list[str] | None,
        typer.Argument(help="Files, directories, a base URL, or - for stdin; none is this directory."),
    ] = None,
    form: Annotated[
        Format, typer.Option("--format", help="text, json, github (annotations) or sarif.")
    ] = Format["text"],
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings fail too.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Show and write what is certainly right.")] = False,
    changed_since: Annotated[
        str | None,
        typer.Option(metavar="GIT_REF", help="Say whether agent_version must change since then (or: lock)."),
    ] = None,
    key_env: Annotated[
        str | None, typer.Option(metavar="NAME", help="The variable that holds the access key, for a URL.")
    ] = None,
    endpoint: Annotated[
        bool,
        typer.Option("--endpoint", help="Call an agent manifest's endpoint, replay its examples."),
    ] = False,
    at: Annotated[
        str | None, typer.Option(metavar="URL", help="With --endpoint: call this address instead.")
    ] = None,
) -> None:
    """Say everything that is wrong with a manifest, and what Pond would import of it."""
    from pond_new.commands.validate import ValidateOptions, validate  # noqa: PLC0415

    options = ValidateOptions(
        format=form.value,
        is_strict=strict,
        fix=fix,
        changed_since=changed_since,
        key_env=key_env,
        calls_endpoint=endpoint or at is not None,
        other_endpoint=at,
    )
    raise typer.Exit(validate(files or (), options))


@app.command("release")
def release_command(
    directory: Annotated[str, typer.Argument(metavar="DIR", help="The directory of the agent.")] = ".",
    bump: Annotated[
        Bump | None, typer.Option(help="Which part of the version rises; the first release keeps it.")
    ] = None,
    version: Annotated[str | None, typer.Option(help="The version itself, such as 2.0.0.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be written, and write nothing.")
    ] = False,
    no_commit: Annotated[
        bool, typer.Option("--no-commit", help="Write, and leave the commit to you.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was done as JSON.")] = False,
) -> None:
    """Write version and commit into agent-manifest.json, for the second standard."""
    from pond_new.commands.release import ReleaseOptions, release  # noqa: PLC0415

    options = ReleaseOptions(
        bump=bump.value if bump else None,
        version=version,
        is_dry_run=dry_run,
        commits=not no_commit,
        as_json=as_json,
    )
    raise typer.Exit(release(directory, options))


@app.command("doctor")
def doctor_command(
    directory: Annotated[str, typer.Argument(metavar="DIR", help="The directory of the agent.")] = ".",
    env_file: Annotated[
        str | None,
        typer.Option(
            "--env", metavar="FILE", help="The variables to judge; without it .env, or this shell's."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Say what stands between an agent and its deployment."""
    from pond_new.commands.doctor import DoctorOptions, doctor  # noqa: PLC0415

    raise typer.Exit(doctor(directory, DoctorOptions(env_file=env_file, as_json=as_json)))


@app.command("explain")
def explain_command(
    topic: Annotated[
        str | None, typer.Argument(help="A requirement, an error code, a field; none lists all topics.")
    ] = None,
) -> None:
    """Teach one thing about Pond: what it is, why, an example, the usual mistake."""
    from pond_new.commands.explain import explain  # noqa: PLC0415

    raise typer.Exit(explain(topic))


@app.command("schema")
def schema_command(
    name: Annotated[str, typer.Argument(help="manifest, run-request or agent-manifest.")] = "manifest",
) -> None:
    """Print a JSON Schema, for editors and other tools."""
    from pond_new.commands.schema import schema  # noqa: PLC0415

    raise typer.Exit(schema(name))


register_regenerate(app)
