"""`add-action`, `rename-action`, `remove-action`: edit the contract, then bring the repository in step."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pond_new import console
from pond_new.commands.action_answers import ActionAnswers, action_from, ask_for_action, missing_parts
from pond_new.commands.bring_in_step import run
from pond_new.commands.regenerate import RegenerateOptions
from pond_new.errors import PondError, WrongUsage
from pond_new.manifest import Document, edits
from pond_new.manifest.near import nearest
from pond_new.project.regenerate import Request
from pond_new.project.repository import load_contract, load_tool_contract


class ActionExists(PondError):
    """The contract has an action of this id already."""


class NoSuchAction(PondError):
    """The contract has no action of this id."""


def add_action(
    directory: str, action_id: str | None, answers: ActionAnswers, options: RegenerateOptions
) -> int:
    """Put a new action into the contract and its stub into the repository. Exit codes as `regenerate`."""
    root = Path(directory)
    document = load_contract(root)  # before anything is asked: there may be no actions to add to
    if missing_parts(action_id, answers) and console.is_interactive() and not options.as_json:
        return add(root, ask_for_action(document.value, action_id, answers), options)
    action = action_from(action_id, answers)
    return add(root, action, options)


def add(root: Path, action: Mapping[str, Any], options: RegenerateOptions) -> int:
    """The same for an action that is complete already. Raises `ActionExists`."""
    document = load_contract(root)
    if action["id"] in _ids(document):
        raise ActionExists(f"{document.name} has an action {action['id']} already: choose another id.")
    request = Request(
        manifest=edits.add_action(document, action), reason=f"the action {action['id']} is added"
    )
    return run(root, request, options, command="add-action")


def rename_action(directory: str, old: str, new: str, options: RegenerateOptions) -> int:
    """Give an action another id; its handler and examples go along. Exit codes as `regenerate`.

    When the id was changed in the contract already, only the files follow. Raises `NoSuchAction`,
    `ActionExists`, and `WrongUsage` where both ids are the same.
    """
    root = Path(directory)
    document = load_contract(root)
    known = _ids(document)
    if old == new:
        raise WrongUsage(f"{old} is its id already: name the new one.")
    if old in known and new in known:
        raise ActionExists(f"{document.name} has both {old} and {new}: choose an id that is free.")
    if old not in known and new not in known:
        raise _no_such_action(document, old)
    request = Request(
        manifest=edits.rename_action(document, old, new) if old in known else None,
        agent_manifest=_renamed_tool(root, old, new) if len(known) > 1 else None,
        reason=f"the action {old} is called {new} now",
        rename=(old, new),
    )
    return run(root, request, options, command="rename-action")


def remove_action(directory: str, action_id: str, options: RegenerateOptions) -> int:
    """Take an action out of the contract; an edited handler stays. Exit codes as `regenerate`."""
    root = Path(directory)
    document = load_contract(root)
    if action_id not in _ids(document):
        raise _no_such_action(document, action_id)
    request = Request(
        manifest=edits.remove_action(document, action_id), reason=f"the action {action_id} is removed"
    )
    return run(root, request, options, command="remove-action")


def _renamed_tool(root: Path, old: str, new: str) -> bytes | None:
    """The agent manifest whose tool has the action's name: among several actions that is how it is found."""
    tool = load_tool_contract(root)
    runtime = tool.value.get("runtime") if tool else None
    if tool is None or not isinstance(runtime, dict) or runtime.get("tool") != old:
        return None
    return edits.set_texts(tool, {"/runtime/tool": new})


def _ids(document: Document) -> list[str]:
    return [str(action.get("id")) for action in edits.action_list(document)]


def _no_such_action(document: Document, action_id: str) -> NoSuchAction:
    known = _ids(document)
    meant = nearest(action_id, tuple(known))
    hint = f" Did you mean {meant}?" if meant else f" There are: {', '.join(known) or 'none'}."
    return NoSuchAction(f"{document.name} has no action {action_id}.{hint}")
