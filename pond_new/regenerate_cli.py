"""Names and help of `regenerate` and of the commands that edit actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pond_new.commands.regenerate import RegenerateOptions

Directory = Annotated[str, typer.Option("--dir", metavar="DIR", help="The directory of the agent.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would happen, and write nothing.")]
Diff = Annotated[bool, typer.Option("--diff", help="Show it line by line, and write nothing.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print what was planned and done as JSON.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite edited generated files, keeping a backup.")]
Bump = Annotated[bool, typer.Option("--bump", help="Raise agent_version in its own style where it must.")]
ActionId = Annotated[str, typer.Argument(metavar="ID", help="The id of the action.")]


def register(app: typer.Typer) -> None:
    """Add the commands to an application."""
    app.command("regenerate")(regenerate_command)
    app.command("add-action")(add_action_command)
    app.command("rename-action")(rename_action_command)
    app.command("remove-action")(remove_action_command)


def regenerate_command(
    directory: Annotated[str, typer.Argument(metavar="DIR", help="The directory of the agent.")] = ".",
    check: Annotated[bool, typer.Option("--check", help="Exit with 1 on drift, and write nothing.")] = False,
    diff: Diff = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    restore: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="Bring back a file that you deleted.")
    ] = None,
    force: Force = False,
    adopt: Annotated[
        bool, typer.Option("--adopt", help="Without a lock: take shared files as edited by you.")
    ] = False,
    bump: Bump = False,
) -> None:
    """Bring a repository in step with its manifest and settings; nothing written by hand is lost."""
    from pond_new.commands.regenerate import RegenerateOptions, regenerate  # noqa: PLC0415

    options = RegenerateOptions(
        is_check=check,
        is_dry_run=dry_run,
        shows_diff=diff,
        as_json=as_json,
        force=force,
        adopt=adopt,
        bump=bump,
        restore=restore or (),
    )
    raise typer.Exit(regenerate(directory, options))


def add_action_command(
    action_id: Annotated[
        str | None, typer.Argument(metavar="ID", help="The id, such as translate_text.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="The name that users see; made from the id.")] = None,
    description: Annotated[
        str | None, typer.Option(help="What it does and when to choose it: Pond routes by this.")
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:TYPE:DESCRIPTION", help="A parameter; NAME? may be left out."),
    ] = None,
    input_schema: Annotated[
        str | None, typer.Option(metavar="FILE", help="The whole input schema, JSON or YAML; - for stdin.")
    ] = None,
    directory: Directory = ".",
    dry_run: DryRun = False,
    diff: Diff = False,
    as_json: AsJson = False,
    force: Force = False,
    bump: Bump = False,
) -> None:
    """Put a new action into the manifest and a stub for it into the repository."""
    from pond_new.commands.action_answers import ActionAnswers  # noqa: PLC0415
    from pond_new.commands.actions import add_action  # noqa: PLC0415

    answers = ActionAnswers(name, description, input_schema, parameter or ())
    options = _options(dry_run=dry_run, diff=diff, as_json=as_json, force=force, bump=bump)
    raise typer.Exit(add_action(directory, action_id, answers, options))


def rename_action_command(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The id that it has, or had.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The id that it gets, or has already.")],
    directory: Directory = ".",
    dry_run: DryRun = False,
    diff: Diff = False,
    as_json: AsJson = False,
    force: Force = False,
    bump: Bump = False,
) -> None:
    """Give an action another id; its handler and its examples go along."""
    from pond_new.commands.actions import rename_action  # noqa: PLC0415

    options = _options(dry_run=dry_run, diff=diff, as_json=as_json, force=force, bump=bump)
    raise typer.Exit(rename_action(directory, old, new, options))


def remove_action_command(
    action_id: ActionId,
    directory: Directory = ".",
    dry_run: DryRun = False,
    diff: Diff = False,
    as_json: AsJson = False,
    force: Force = False,
    bump: Bump = False,
) -> None:
    """Take an action out of the manifest; a handler that you edited stays."""
    from pond_new.commands.actions import remove_action  # noqa: PLC0415

    options = _options(dry_run=dry_run, diff=diff, as_json=as_json, force=force, bump=bump)
    raise typer.Exit(remove_action(directory, action_id, options))


def _options(*, dry_run: bool, diff: bool, as_json: bool, force: bool, bump: bool) -> RegenerateOptions:
    from pond_new.commands.regenerate import RegenerateOptions  # noqa: PLC0415

    return RegenerateOptions(is_dry_run=dry_run, shows_diff=diff, as_json=as_json, force=force, bump=bump)
