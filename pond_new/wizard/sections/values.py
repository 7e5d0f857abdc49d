"""One value of a schema: its type, its meaning, and what it may be. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pond_new.manifest.pointer import join
from pond_new.wizard.checks import advice_at, fault_at
from pond_new.wizard.question import Choice, Conversation, Question, Tell
from pond_new.wizard.units import parse_count, parse_integer, parse_number

Schema = Mapping[str, Any]
AskMembers = Callable[[str, Schema], Conversation[dict[str, Any]]]
Parse = Callable[[str], Any]

TYPES = (
    Choice("string", "Text"),
    Choice("integer", "Whole number"),
    Choice("number", "Number", "with decimals"),
    Choice("boolean", "Yes or no"),
    Choice("array", "List", "several values of one kind"),
    Choice("object", "Group", "several named values that belong together"),
)
MEANING = "Pond asks the user with this sentence, so say what to give and in which form, with an example."
FREE, CHOICES, BOUNDS = "free", "choices", "bounds"
PARSERS: Mapping[str, Parse] = {"string": str, "integer": parse_integer, "number": parse_number}
BOUND_KEYS: Mapping[str, tuple[str, str, Parse]] = {
    "string": ("minLength", "maxLength", parse_count),
    "integer": ("minimum", "maximum", parse_integer),
    "number": ("minimum", "maximum", parse_number),
    "array": ("minItems", "maxItems", parse_count),
}
BOUND_WORDS: Mapping[str, str] = {"string": "characters", "array": "entries"}


def ask_value(
    key: str, name: str, current: Schema, *, ask_members: AskMembers
) -> Conversation[dict[str, Any]]:
    """Ask for the schema of one value; `ask_members` asks for the members of a group."""
    kind = yield Question(
        f"{key}.type",
        "choice",
        f"What kind of value is {name}?",
        topic="property.type",
        default=current.get("type", "string"),
        choices=TYPES,
    )
    former = current if current.get("type") == kind else {"description": current.get("description", "")}
    description = yield _description(f"{key}.description", name, kind, former)
    schema = {"type": kind, "description": description.strip()}
    for advice in advice_at(_around(name, schema), _pointer(name)):
        yield Tell(f"Note: {advice}")
    if kind in PARSERS:
        schema |= yield from _ask_freedom(key, name, schema, former)
    elif kind == "array":
        items = former.get("items", {})
        schema["items"] = yield from ask_value(f"{key}.items", "each entry", items, ask_members=ask_members)
        schema |= yield from _ask_bounds(key, name, schema, former)
    elif kind == "object":
        schema |= yield from ask_members(key, former)
        schema["description"] = description.strip()
    return schema | _kept(schema, former)


def _description(key: str, name: str, kind: str, former: Schema) -> Question:
    def fault(text: str) -> str | None:
        schema = {"type": kind, "description": text.strip()}
        return fault_at(_around(name, schema), f"{_pointer(name)}/description")

    return Question(
        key,
        "text",
        f"What does {name} mean?",
        MEANING,
        "property.description",
        default=former.get("description", ""),
        check=fault,
    )


def _ask_freedom(key: str, name: str, schema: Schema, former: Schema) -> Conversation[dict[str, Any]]:
    """Ask what a text or number may be: anything, one of a few values, or within bounds."""
    low, high, _ = BOUND_KEYS[schema["type"]]
    has_bounds = low in former or high in former
    unit = BOUND_WORDS.get(schema["type"], "")
    how = yield Question(
        f"{key}.freedom",
        "choice",
        f"Which values may {name} have?",
        topic="property.enum",
        default=CHOICES if "enum" in former else BOUNDS if has_bounds else FREE,
        choices=(
            Choice(FREE, "Anything"),
            Choice(CHOICES, "One of a few values", "Pond offers them as choices"),
            Choice(BOUNDS, "Within limits", f"how many {unit}" if unit else "smallest and largest"),
        ),
    )
    if how == CHOICES:
        return {"enum": (yield from _ask_choices(key, name, schema, former))}
    return (yield from _ask_bounds(key, name, schema, former)) if how == BOUNDS else {}


def _ask_choices(key: str, name: str, schema: Schema, former: Schema) -> Conversation[list[Any]]:
    parse = PARSERS[schema["type"]]

    def fault(text: str) -> str | None:
        try:
            values = parse_values(text, parse)
        except ValueError as wrong:
            return str(wrong)
        return fault_at(_around(name, {**schema, "enum": values}), f"{_pointer(name)}/enum")

    reply = yield Question(
        f"{key}.enum",
        "text",
        "Which values, with commas between them?",
        'Such as: short, long. A value that holds a comma can be written as JSON: ["a, b", "c"].',
        "property.enum",
        default=format_values(former.get("enum", [])),
        check=fault,
    )
    return parse_values(reply, parse)


def parse_values(text: str, parse: Parse) -> list[Any]:
    """Values between commas, or a list as JSON. Raises ValueError with a sentence for a person."""
    if not text.lstrip().startswith("["):
        return [parse(part.strip()) for part in text.split(",") if part.strip()]
    try:
        values = json.loads(text)
    except ValueError:
        raise ValueError('This JSON list is not finished: ["a", "b"].') from None
    return values if isinstance(values, list) else [values]


def format_values(values: list[Any]) -> str:
    """The values as `parse_values` reads them."""
    texts = [value if isinstance(value, str) else json.dumps(value) for value in values]
    is_plain = all(text.strip() == text and text and "," not in text for text in texts)
    return (
        ", ".join(texts)
        if is_plain and not ", ".join(texts).startswith("[")
        else json.dumps(values, ensure_ascii=False)
    )


def _ask_bounds(key: str, name: str, schema: Schema, former: Schema) -> Conversation[dict[str, Any]]:
    """Ask for the least and the most; each may be left open."""
    low, high, parse = BOUND_KEYS[schema["type"]]
    unit = BOUND_WORDS.get(schema["type"], "")
    bounds: dict[str, Any] = {}
    for bound, words in ((low, "at least"), (high, "at most")):
        message = f"How many {unit} {words}?" if unit else f"{name} is {words}?"
        reply = yield Question(
            f"{key}.{bound}",
            "text",
            f"{message} (Enter for no limit)",
            topic="property.bounds",
            default=str(former.get(bound, "")),
            check=partial(_bound_fault, parse=parse, name=name, schema={**schema, **bounds}, bound=bound),
        )
        if reply.strip():
            bounds[bound] = parse(reply)
    return bounds


def _bound_fault(text: str, *, parse: Parse, name: str, schema: Schema, bound: str) -> str | None:
    if not text.strip():
        return None
    try:
        value = parse(text)
    except ValueError as wrong:
        return str(wrong)
    return fault_at(_around(name, {**schema, bound: value}), _pointer(name))


def _kept(schema: Schema, former: Schema) -> dict[str, Any]:
    """Further keywords of the former schema, such as a pattern: nothing asked about them, so they stay."""
    asked = {"type", "description", "enum", "items", "properties", "required", "additionalProperties"}
    asked |= {bound for low, high, _ in BOUND_KEYS.values() for bound in (low, high)}
    kept = {key: value for key, value in former.items() if key not in asked and key not in schema}
    if "enum" in schema and kept.get("default") not in schema["enum"]:
        kept.pop("default", None)
    return kept


def _around(name: str, schema: Schema) -> dict[str, Any]:
    """The parts of a manifest with one parameter, to be judged."""
    properties = {name: schema}
    return {"input_schema": {"type": "object", "properties": properties, "additionalProperties": False}}


def _pointer(name: str) -> str:
    return join("/input_schema/properties", name)
