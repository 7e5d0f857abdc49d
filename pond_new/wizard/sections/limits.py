"""How large and how long a run may be, in units that people use. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pond_new.protocol import facts
from pond_new.wizard.checks import advice_at, fault_at
from pond_new.wizard.draft import Draft, Offer, Section
from pond_new.wizard.question import Conversation, Question, Tell
from pond_new.wizard.units import MIB, format_size, format_time, parse_size, parse_time


@dataclass(frozen=True, slots=True)
class LimitQuestion:
    """One limit: how it is asked for, read and shown, and what is sensible."""

    name: str
    title: str
    message: str
    intro: str
    default: int
    parse: Callable[[str], int]
    show: Callable[[int], str]


QUESTIONS = (
    LimitQuestion(
        "max_run_seconds",
        "Longest run",
        "How long may a run take?",
        "Pond gives up after this time, and the generated server stops the run. Take the longest time that"
        " you have seen, and some more.",
        60,
        parse_time,
        format_time,
    ),
    LimitQuestion(
        "max_request_bytes",
        "Largest request",
        "How large may a request be?",
        "This is about texts and parameters; files do not count. 1 MB is a book of 300 pages.",
        MIB,
        parse_size,
        format_size,
    ),
)
ATTACHMENT = LimitQuestion(
    "max_attachment_bytes",
    "Largest file",
    "How large may a file of a user be?",
    "Each file counts by itself.",
    10 * MIB,
    parse_size,
    format_size,
)


def ask_limits(draft: Draft, _offer: Offer) -> Conversation[Draft]:
    """Ask for the limits; the one of files only where files are taken (it must be there in any case)."""
    limits = {ATTACHMENT.name: ATTACHMENT.default} | dict(draft.manifest.get("limits", {}))
    asked = [*QUESTIONS, ATTACHMENT] if draft.capabilities.get("attachments") else QUESTIONS
    for question in asked:
        limits[question.name] = yield from _ask_limit(question, limits, draft.capabilities)
    return draft.with_parts(limits={row.name: limits[row.name] for row in facts.LIMITS})


def show_limits(draft: Draft) -> list[tuple[str, str]]:
    """The limits that mean something for this agent."""
    limits = draft.manifest.get("limits", {})
    shown = [*QUESTIONS, ATTACHMENT] if draft.capabilities.get("attachments") else QUESTIONS
    return [(each.title, each.show(int(limits[each.name]))) for each in shown if each.name in limits]


def _ask_limit(
    question: LimitQuestion, limits: Mapping[str, int], capabilities: Mapping[str, bool]
) -> Conversation[int]:
    def around(value: Any) -> dict[str, Any]:
        flags = {"capabilities": dict(capabilities)} if capabilities else {}
        return {"limits": {**limits, question.name: value}, **flags}

    def fault(text: str) -> str | None:
        try:
            value = question.parse(text)
        except ValueError as wrong:
            return str(wrong)
        return fault_at(around(value), f"/limits/{question.name}")

    reply = yield Question(
        f"limits.{question.name}",
        "text",
        question.message,
        question.intro,
        f"limits.{question.name}",
        default=question.show(int(limits.get(question.name, question.default))),
        check=fault,
    )
    value = question.parse(reply)
    for advice in advice_at(around(value), f"/limits/{question.name}"):
        yield Tell(f"Note: {advice}")
    return value


LIMITS = Section("limits", "Limits", ("limits",), (), ask_limits, show_limits)
