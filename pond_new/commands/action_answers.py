"""A new action from the options of the command line, and from a person where one is at the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pond_new.commands.gather import load_document
from pond_new.errors import UnreadableInput, WrongUsage
from pond_new.protocol.facts import VALUE_TYPES

PARTS = 3  # of NAME:TYPE:DESCRIPTION


@dataclass(frozen=True, slots=True)
class ActionAnswers:
    """What was given of a new action; None or empty where it was not."""

    name: str | None = None
    description: str | None = None
    input_schema: str | None = None
    parameters: Sequence[str] = ()


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


def ask_for_action(
    manifest: Mapping[str, Any], action_id: str | None, answers: ActionAnswers
) -> dict[str, Any]:
    """The action as a person completes it, with what was given offered as answers."""
    from pond_new.commands.ask import ask_action  # noqa: PLC0415 -- only who is asked pays for the wizard

    has_schema = answers.input_schema or answers.parameters
    known = {
        "id": action_id,
        "name": answers.name or (_name(action_id) if action_id else None),
        "description": answers.description,
        "input_schema": _schema(answers) if has_schema else None,
    }
    return ask_action(manifest, {key: part for key, part in known.items() if part})


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
        if plain in properties:
            raise WrongUsage(f"--parameter {plain} is given twice: give it once.")
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


def _name(action_id: str) -> str:
    """`translate_text` -> `Translate text`."""
    words = action_id.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
