"""What the prompts themselves do: keys, help, faults as one types, narrow and plain terminals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pond_new.wizard.question import Choice, Conversation, Question
from tests.wizard.conftest import (
    BACK_KEY,
    CLEAR,
    DOWN,
    ENTER,
    HELP_KEY,
    MARK,
    REDRAW,
    Until,
    known,
    line,
    pick,
)

if TYPE_CHECKING:
    import pytest

    from tests.wizard.conftest import Type


def test_back_works_out_of_every_kind_of_prompt(type_keys: Type) -> None:
    outputs, text, price = (ENTER, BACK_KEY, DOWN, MARK, ENTER), (line("2 min"),), ("y", BACK_KEY, "n")
    into_the_summary = (BACK_KEY, "n", ENTER)

    talked = type_keys(
        *(*outputs, *text, ENTER, BACK_KEY, ENTER, *price, *into_the_summary),
        given=known("output_modes", "limits", "metadata", agent_version="1"),
        talk=None,
        replies=(),
    )

    assert talked.result is None or talked.manifest["limits"]["max_run_seconds"] == 120


def test_escape_goes_back_too(type_keys: Type) -> None:
    keys = (pick(1), Until("What is this action called"), "\x1b", Until("What does the agent do"))

    talked = type_keys(*keys, pick(2), given=known("actions"), columns=80)

    assert [reply.value for reply in talked.replies] == ["general"]


def test_a_long_list_is_filtered_by_typing(type_keys: Type) -> None:
    choices = [Choice(str(number), f"GET /pets/{number}") for number in range(100, 140)]

    def talk() -> Conversation[Any]:
        return (yield Question("k", "choice", "Which?", default="100", choices=choices))

    assert type_keys(f"s/137{ENTER}", talk=talk).result == "137"


def test_a_bad_answer_is_told_as_it_is_typed_in_the_words_of_validate(type_keys: Type) -> None:
    typed = (line("Measure text"), f"{CLEAR}Measure{REDRAW}")
    told = Until('! id is "Measure"; it must be lower-case letters')

    talked = type_keys(pick(1), *typed, told, ENTER, line("measure"), given=known("actions"), columns=80)

    assert told.text in talked.screen
    assert [reply.value for reply in talked.replies if reply.key == "actions.0.id"] == ["measure"]


def test_an_empty_answer_is_only_called_wrong_after_enter(type_keys: Type) -> None:
    start = (pick(1), Until("What is this action called?"))

    untouched = type_keys(*start, given=known("actions"), columns=80)
    refused = type_keys(*start, ENTER, REDRAW, Until("! name is"), given=known("actions"), columns=80)

    assert "! name is" not in untouched.screen
    assert '! name is ""' in refused.screen


def test_the_help_key_explains_the_field_and_keeps_what_was_typed(type_keys: Type) -> None:
    talked = type_keys(f"{CLEAR}My", HELP_KEY, f" Desk{ENTER}")

    assert "Help on metadata.name" in talked.said
    assert "255 bytes as UTF-8" in talked.said
    assert talked.replies[0].value == "My Desk"


def test_a_question_mark_explains_a_list(type_keys: Type) -> None:
    talked = type_keys("?", pick(1), given=known("actions"))

    assert "Help on actions" in talked.said


def test_a_narrow_terminal_gets_short_choices_and_wrapped_words(type_keys: Type) -> None:
    shown = Until("1) Several actions")

    talked = type_keys(shown, given=known("actions"), columns=40)

    assert "- Several actions: separate things" in talked.said
    assert shown.text in talked.screen


def test_without_colour_no_colour_is_sent(type_keys: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    shown = Until("Several actions")

    talked = type_keys(shown, given=known("actions"), columns=80)

    colours = re.findall(r"\x1b\[[0-9;]*\b(?:3[0-7]|9[0-7]|38)(?:;[0-9]+)*m", talked.screen)
    assert colours == []
