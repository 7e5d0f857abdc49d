"""`add-action`, `rename-action`, `remove-action`: edit the contract, then bring the repository in step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pond_new import console
from pond_new.commands.bring_in_step import run
from pond_new.commands.gather import load_document
from pond_new.commands.regenerate import RegenerateOptions
from pond_new.errors import PondError, UnreadableInput, WrongUsage
from pond_new.manifest import Document, edits
from pond_new.manifest.near import nearest
from pond_new.project.regenerate import Request
from pond_new.project.repository import load_contract
from pond_new.protocol.facts import VALUE_TYPES

PARTS = 3  # of NAME:TYPE:DESCRIPTION


class ActionExists(PondError):
    """The contract has an action of this id already."""


class NoSuchAction(PondError):
    """The contract has no action of this id."""


@dataclass(frozen=True, slots=True)
class ActionAnswers:
    """What was given of a new action; None or empty where it was not."""

    name: str | None = None
    description: str | None = None
    input_schema: str | None = None
    parameters: Sequence[str] = ()


def add_action(
    directory: str, action_id: str | None, answers: ActionAnswers, options: RegenerateOptions
) -> int:
    """Put a new action into the contract and its stub into the repository. Exit codes as `regenerate`."""
    root = Path(directory)
    if missing_parts(action_id, answers) and console.is_interactive() and not options.as_json:
        return add(root, _asked(root, action_id, answers), options)
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
    `ActionExists`.
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
    manifest = edits.rename_action(document, old, new) if old in known else None
    request = Request(manifest=manifest, reason=f"the action {old} is called {new} now", rename=(old, new))
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


def missing_parts(action_id: str | None, answers: ActionAnswers) -> list[str]:
    """What an action needs and nobody gave, with the option that gives it."""
    missing = []
    if not action_id:
        missing.append("ID: lower case, digits and underscores, such as translate_text")
    if not answers.description:
        missing.append("--description: what it does and when to choose it; Pond routes by this text")
    if not answers.input_schema and not answers.parameters:
        missing.append(
            "--parameter NAME:TYPE:DESCRIPTION (once for each; NAME? where it may be left out),"
            " or --input-schema FILE"
        )
    return missing


def action_from(action_id: str | None, answers: ActionAnswers) -> dict[str, Any]:
    """The action as the contract has it. Raises `WrongUsage` with everything that is missing, at once."""
    if missing := missing_parts(action_id, answers):
        lines = "\n".join(f"  - {each}" for each in missing)
        raise WrongUsage(f"These answers are missing, and nobody is asked here:\n{lines}")
    assert action_id is not None
    return {
        "id": action_id,
        "name": answers.name or _name(action_id),
        "description": answers.description,
        "input_schema": _schema(answers),
    }


def _asked(root: Path, action_id: str | None, answers: ActionAnswers) -> dict[str, Any]:
    """The action as a person completes it, with what was given offered as answers."""
    from pond_new.commands.ask import ask_action  # noqa: PLC0415 -- only who is asked pays for the wizard

    has_schema = answers.input_schema or answers.parameters
    known = {
        "id": action_id,
        "name": answers.name or (_name(action_id) if action_id else None),
        "description": answers.description,
        "input_schema": _schema(answers) if has_schema else None,
    }
    return ask_action(load_contract(root).value, {key: part for key, part in known.items() if part})


def _schema(answers: ActionAnswers) -> Any:
    if not answers.input_schema:
        return schema_from_parameters(answers.parameters)
    if answers.parameters:
        raise WrongUsage("--parameter and --input-schema exclude each other: give one of them.")
    value = load_document(answers.input_schema).value
    if not isinstance(value, dict):
        raise UnreadableInput(f"{answers.input_schema} is no input schema: expected a JSON object.")
    return value


def schema_from_parameters(parameters: Sequence[str]) -> dict[str, Any]:
    """`NAME:TYPE:DESCRIPTION` of the command line -> an input schema. Raises `WrongUsage`."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in parameters:
        name, kind, description = _parts(parameter)
        plain = name.removesuffix("?")
        properties[plain] = {"type": kind, "description": description}
        if kind == "array":
            properties[plain]["items"] = {"type": "string", "description": "One entry."}
        if kind == "object":
            properties[plain] |= {"properties": {}, "additionalProperties": True}
        if plain == name:
            required.append(name)
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _parts(parameter: str) -> tuple[str, str, str]:
    parts = [part.strip() for part in parameter.split(":", PARTS - 1)]
    if len(parts) < PARTS or not all(parts) or not parts[0].removesuffix("?"):
        raise WrongUsage(
            "--parameter takes NAME:TYPE:DESCRIPTION, such as 'text:string:The text to translate';"
            f" this is none: {parameter}"
        )
    name, kind, description = parts
    if kind not in VALUE_TYPES:
        close = get_close_matches(kind, VALUE_TYPES, n=1)
        hint = f" Did you mean {close[0]}?" if close else f" Known: {', '.join(VALUE_TYPES)}."
        raise WrongUsage(f"--parameter {name}: there is no type {kind}.{hint}")
    return name, kind, description


def _ids(document: Document) -> list[str]:
    return [str(action.get("id")) for action in edits.action_list(document)]


def _no_such_action(document: Document, action_id: str) -> NoSuchAction:
    known = _ids(document)
    meant = nearest(action_id, tuple(known))
    hint = f" Did you mean {meant}?" if meant else f" There are: {', '.join(known) or 'none'}."
    return NoSuchAction(f"{document.name} has no action {action_id}.{hint}")


def _name(action_id: str) -> str:
    """`translate_text` -> `Translate text`."""
    words = action_id.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
