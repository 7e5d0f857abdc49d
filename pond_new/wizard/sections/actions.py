"""What the agent does: one thing, or several actions that Pond chooses from. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pond_new.protocol.facts import ACTION_ID_LENGTH
from pond_new.wizard.checks import advice_at, fault_at
from pond_new.wizard.draft import Draft, Offer, Section
from pond_new.wizard.lists import Entries, edit_list
from pond_new.wizard.question import Choice, Conversation, Question, Tell
from pond_new.wizard.sections.parameters import ask_parameters, describe_parameters

Action = Mapping[str, Any]

KINDS = (
    Choice("actions", "Several actions", "separate things it can do; Pond chooses one for each run"),
    Choice("general", "One general task", "every run goes to the same code"),
)
INTRO = (
    "Pond reads what a user wants and calls your agent once for it. With actions Pond first chooses the one"
    " that fits, by what you write about it here, and asks the user for its parameters."
)


@dataclass(frozen=True, slots=True)
class Line:
    """One text of an action: its field, the question, and what to know before it."""

    field: str
    message: str
    intro: str


NAME = Line("name", "What is this action called?", "A short name for people, such as Translate text.")
ID = Line(
    "id",
    "Its id?",
    "The id stands in every request and names the file of its code. Choose it once and keep it.",
)
DESCRIPTION = Line(
    "description",
    "When should Pond choose it?",
    "Pond chooses the action by this text. Say when to choose it and what comes out, starting with"
    ' "Use when the user wants ...". If two actions are close, say in each what the other one is not for.',
)


def ask_actions(draft: Draft, _offer: Offer) -> Conversation[Draft]:
    """Ask whether there are actions, and for each of them; a general agent may have parameters of its own."""
    kind = yield Question(
        "actions.kind",
        "choice",
        "What does the agent do?",
        INTRO,
        "actions",
        default="general" if "input_schema" in draft.manifest else "actions",
        choices=KINDS,
    )
    if kind == "general":
        schema = yield from ask_parameters("input_schema", draft.manifest.get("input_schema"))
        return draft.with_parts(actions=None, input_schema=schema)
    actions = yield from edit_list(
        draft.manifest.get("actions", []),
        Entries("actions", "action", done="That is all it does", topic="actions", least=1),
        name_of=lambda action: str(action["name"]),
        ask_one=ask_action,
    )
    return draft.with_parts(actions=actions, input_schema=None)


def ask_action(key: str, current: Action | None, others: Sequence[Action]) -> Conversation[Action]:
    """Ask for one action beside `others`; the result is an action of the manifest."""
    known = dict(current or {})
    yield from _ask_line(NAME, key, known, others)
    known.setdefault("id", free_id(known["name"], others))
    yield from _ask_line(ID, key, known, others)
    yield from _ask_line(DESCRIPTION, key, known, others)
    for advice in _advice(known, others):
        yield Tell(f"Note: {advice}")
    schema = yield from ask_parameters(f"{key}.input_schema", known.get("input_schema"))
    action = {"id": known["id"], "name": known["name"], "description": known["description"]}
    return action if schema is None else action | {"input_schema": schema}


def free_id(name: str, others: Sequence[Action]) -> str:
    """An id for an action with this name that no other has: `Translate text` -> `translate_text`."""
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    wanted = re.sub(r"[^a-z0-9]+", "_", ascii_only).strip("_").lstrip("0123456789_") or "action"
    taken = {other.get("id") for other in others}
    wanted = wanted[: ACTION_ID_LENGTH - 3].rstrip("_")
    numbered = (f"{wanted}_{number}" for number in range(2, len(taken) + 3))
    return next(each for each in (wanted, *numbered) if each not in taken)


def show_actions(draft: Draft) -> list[tuple[str, str]]:
    """Each action with its parameters."""
    actions = draft.manifest.get("actions")
    if not actions:
        return [("General", f"one task, {describe_parameters(draft.manifest.get('input_schema'))}")]
    return [
        (action["name"], f"{action['id']}, {describe_parameters(action.get('input_schema'))}")
        for action in actions
    ]


def _ask_line(line: Line, key: str, known: dict[str, Any], others: Sequence[Action]) -> Conversation[None]:
    """Ask for one text of the action and put it into `known`."""
    reply = yield Question(
        f"{key}.{line.field}",
        "text",
        line.message,
        line.intro,
        f"action.{line.field}",
        default=known.get(line.field, ""),
        check=lambda text: _fault(known | {line.field: text.strip()}, others, line.field),
    )
    known[line.field] = reply.strip()


def _fault(action: Action, others: Sequence[Action], field: str) -> str | None:
    return fault_at({"actions": [*others, action]}, f"/actions/{len(others)}/{field}")


def _advice(action: Action, others: Sequence[Action]) -> list[str]:
    return advice_at({"actions": [*others, action]}, f"/actions/{len(others)}/description")


ACTIONS = Section("actions", "What it does", ("actions",), (), ask_actions, show_actions)
