"""The parameters of an action: typed in one by one, or read from code and schemas that exist. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pond_new.wizard.lists import Entries, edit_list
from pond_new.wizard.question import Choice, Conversation, Question
from pond_new.wizard.sections.reading import SOURCES, ask_source
from pond_new.wizard.sections.values import ask_value

INTRO = (
    "Parameters are values with a name and a type that Pond collects before it calls you, asking the user for"
    " those that are missing. Your code gets them checked. The user's wish as a text comes in any case."
)
OWN_KEYS = ("type", "properties", "required", "additionalProperties")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One named value: its schema, and whether Pond has to collect it."""

    name: str
    schema: Mapping[str, Any]
    is_required: bool


def ask_parameters(key: str, current: Mapping[str, Any] | None) -> Conversation[dict[str, Any] | None]:
    """Ask for the parameters of one action, or of a general agent; None if it takes none."""
    how = yield _how(key, current)
    if how == "none":
        return None
    if how in SOURCES:
        current = yield from ask_source(f"{key}.{how}", how)
    elif how == "type":
        current = None
    parameters = yield from edit_list(
        parameters_of(current or {}),
        Entries(f"{key}.properties", "parameter", done="These are all", topic="input_schema"),
        name_of=lambda parameter: parameter.name,
        ask_one=ask_parameter,
    )
    return object_schema(parameters, current or {}) if parameters else None


def ask_parameter(
    key: str, current: Parameter | None, others: Sequence[Parameter]
) -> Conversation[Parameter]:
    """Ask for one parameter beside `others`."""
    taken = {other.name for other in others}
    name = yield Question(
        f"{key}.name",
        "text",
        "What is the parameter called?",
        "Your code reads it by this name, so a short one without blanks is best, such as target_language.",
        "input_schema.properties",
        default=current.name if current else "",
        check=lambda text: _name_fault(text.strip(), taken),
    )
    name = name.strip()
    schema = yield from ask_value(key, name, current.schema if current else {}, ask_members=_ask_members)
    is_required = yield Question(
        f"{key}.required",
        "confirm",
        f"Is {name} required?",
        "Pond asks the user for a value that it must have, and simply leaves out the others.",
        "input_schema.required",
        default=current.is_required if current else True,
    )
    return Parameter(name, schema, is_required)


def parameters_of(schema: Mapping[str, Any]) -> list[Parameter]:
    """The parameters of an object schema."""
    required = schema.get("required", ())
    return [
        Parameter(name, member, name in required) for name, member in schema.get("properties", {}).items()
    ]


def object_schema(parameters: Sequence[Parameter], former: Mapping[str, Any]) -> dict[str, Any]:
    """The object schema of these parameters; further keywords of the former one stay."""
    required = [parameter.name for parameter in parameters if parameter.is_required]
    return {
        "type": "object",
        "properties": {parameter.name: parameter.schema for parameter in parameters},
        **({"required": required} if required else {}),
        "additionalProperties": False,
        **{key: value for key, value in former.items() if key not in OWN_KEYS and key != "description"},
    }


def describe_parameters(schema: Mapping[str, Any] | None) -> str:
    """The parameters in a few words."""
    found = parameters_of(schema or {})
    if not found:
        return "no parameters"
    return "with " + ", ".join(
        parameter.name + ("" if parameter.is_required else " (optional)") for parameter in found
    )


def _how(key: str, current: Mapping[str, Any] | None) -> Question:
    choices = [
        Choice("type", "Type them in", "name, type and meaning of each"),
        Choice("none", "None", "the user's wish as a text is enough"),
        *(Choice(name, source.title, source.meaning) for name, source in SOURCES.items()),
    ]
    if current and current.get("properties"):
        choices.insert(0, Choice("keep", "Keep or change these", describe_parameters(current)))
    return Question(
        f"{key}.how",
        "choice",
        "Which parameters does it need?",
        INTRO,
        "input_schema",
        default=choices[0].value,
        choices=choices,
    )


def _name_fault(name: str, taken: set[str]) -> str | None:
    if not name:
        return "A name is needed."
    return f"There is a parameter {name} already." if name in taken else None


def _ask_members(key: str, current: Mapping[str, Any]) -> Conversation[dict[str, Any]]:
    """Ask for the members of a group: parameters inside a parameter."""
    members = yield from edit_list(
        parameters_of(current),
        Entries(f"{key}.properties", "member", done="These are all its members", topic="input_schema"),
        name_of=lambda parameter: parameter.name,
        ask_one=ask_parameter,
    )
    return object_schema(members, {})
