"""Asks one question line by line, without moving the cursor: for screen readers and simple consoles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pond_new.wizard.question import BACK, Question

KEYS = "Type < to go back, ? for help. Enter alone takes what stands in brackets."
NOTHING = "-"
WORDS = {"y": True, "yes": True, "n": False, "no": False}

Say = Callable[[str], None]


class NotUnderstood(ValueError):
    """A line that is no reply; the text says what to type."""


def ask_in_lines(
    question: Question, say: Say, help_text: Callable[[], str], read: Callable[[str], str]
) -> Any:
    """The reply to one question, or BACK. `read` shows a prompt and returns a line without its end."""
    for text in _listed(question):
        say(text)
    while True:
        line = read(f"{question.message}{_offered(question)} ").strip()
        if line == "<":
            return BACK
        if line == "?":
            say(help_text())
            continue
        try:
            reply = _understood(question, line)
        except NotUnderstood as fault:
            say(f"! {fault}")
            continue
        wrong = question.fault(reply)
        if wrong is None:
            return reply
        say(f"! {wrong}")


def _listed(question: Question) -> list[str]:
    """The choices, numbered."""
    return [
        f"{number}. {choice.title}{f': {choice.meaning}' if choice.meaning else ''}"
        for number, choice in enumerate(question.choices, start=1)
    ]


def _offered(question: Question) -> str:
    """What Enter alone takes."""
    values = [choice.value for choice in question.choices]
    match question.kind:
        case "confirm":
            return " [yes]" if question.default else " [no]"
        case "choice" if question.default in values:
            return f" [{values.index(question.default) + 1}]"
        case "choices":
            numbers = ", ".join(str(values.index(each) + 1) for each in question.default or ())
            return f" (numbers with commas, or - for none) [{numbers or NOTHING}]"
        case "text" if question.default:
            return f" [{question.default}]"
    return ""


def _understood(question: Question, line: str) -> Any:
    """The reply that a line means. Raises `NotUnderstood`."""
    if not line:
        return _of_enter(question)
    match question.kind:
        case "text":
            return "" if line == NOTHING and question.default else line
        case "confirm":
            if line.lower() not in WORDS:
                raise NotUnderstood("Type yes or no.")
            return WORDS[line.lower()]
        case "choice":
            return _choice(question, line)
    return [_choice(question, part.strip()) for part in line.split(",") if part.strip() not in {"", NOTHING}]


def _of_enter(question: Question) -> Any:
    """What an empty line means: the default, in the form of a reply."""
    match question.kind:
        case "text":
            return question.default or ""
        case "confirm":
            return bool(question.default)
        case "choices":
            return list(question.default or ())
    return question.default


def _choice(question: Question, text: str) -> str:
    if not text.isdigit() or not 1 <= int(text) <= len(question.choices):
        raise NotUnderstood(f"Type a number from 1 to {len(question.choices)}.")
    return question.choices[int(text) - 1].value
