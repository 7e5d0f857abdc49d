"""Questions line by line: for screen readers and simple consoles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pond_new.wizard.plain import ask_in_lines
from pond_new.wizard.question import BACK, Choice, Question

CHOICES = (Choice("a", "First", "the one"), Choice("b", "Second"))
TEXT = Question(
    "k",
    "text",
    "Name?",
    topic="metadata.name",
    default="Ada",
    check=lambda text: "Empty." * (not text) or None,
)
CONFIRM = Question("k", "confirm", "Sure?", default=True)
CHOICE = Question("k", "choice", "Which?", "Choose well.", default="b", choices=CHOICES)
SEVERAL = Question("k", "choices", "Which?", default=["b"], choices=CHOICES)


@pytest.mark.parametrize(
    ("question", "lines", "reply"),
    [
        (TEXT, ["Bob"], "Bob"),
        (TEXT, [""], "Ada"),
        (TEXT, ["-", "Eve"], "Eve"),
        (TEXT, ["<"], BACK),
        (CONFIRM, [""], True),
        (CONFIRM, ["perhaps", "n"], False),
        (CONFIRM, ["YES"], True),
        (CHOICE, [""], "b"),
        (CHOICE, ["3", "0", "x", "1"], "a"),
        (SEVERAL, [""], ["b"]),
        (SEVERAL, ["-"], []),
        (SEVERAL, ["1, 2"], ["a", "b"]),
        (SEVERAL, ["1 2", "2"], ["b"]),
    ],
)
def test_a_line_is_understood_or_asked_for_again(question: Question, lines: list[str], reply: Any) -> None:
    assert _answer(question, *lines)[0] == reply


def test_everything_to_know_is_read_out_before_the_line_is_typed() -> None:
    _, said, prompts = _answer(CHOICE, "1")

    assert said == ["1. First: the one", "2. Second"]
    assert prompts == ["Which? [2] "]


def test_what_is_wrong_is_said_in_words() -> None:
    _, said, _ = _answer(TEXT, "-", "Eve")

    assert said == ["! Empty."]


def test_a_question_mark_explains() -> None:
    _, said, _ = _answer(TEXT, "?", "Eve")

    assert said == ["Help on metadata.name"]


def _answer(question: Question, *lines: str) -> tuple[Any, list[str], list[str]]:
    """The reply, what was said, and the prompts."""
    said: list[str] = []
    prompts: list[str] = []
    typed: Iterator[str] = iter(lines)

    def read(prompt: str) -> str:
        prompts.append(prompt)
        return next(typed)

    reply = ask_in_lines(question, said.append, lambda: f"Help on {question.topic}", read)
    return reply, said, prompts
