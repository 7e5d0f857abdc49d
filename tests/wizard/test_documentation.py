"""The conversation in the documentation is one that can be had."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pond_new.commands.ask import OFFER
from pond_new.wizard.draft import Draft
from pond_new.wizard.question import Question
from pond_new.wizard.resolve import resolve
from pond_new.wizard.wizard import interview
from tests.wizard.conftest import Listed

DOCUMENT = Path(__file__).parents[2] / "docs" / "wizard.md"


def test_the_recorded_conversation_asks_and_says_what_is_documented() -> None:
    recorded = DOCUMENT.read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    lines = [line[2:] for line in recorded.splitlines() if line.startswith("? ")]
    reader = _Reader(lines)

    result = resolve(lambda: interview(Draft(suggested_name="Language Desk"), OFFER), (), reader)

    assert reader.place == len(lines)
    assert [action["id"] for action in result.manifest["actions"]] == ["translate_text", "detect_language"]
    said = _words(recorded)
    assert [text for text in reader.told if _words(text) not in said] == []


class _Reader(Listed):
    """Answers with what stands behind the question in the record."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.lines = lines
        self.place = 0

    def ask(self, question: Question) -> Any:
        line = self.lines[self.place]
        self.place += 1
        assert line.startswith(question.message), (line, question.message)
        written = line.removeprefix(question.message).strip()
        reply = _reply(question, written)
        assert question.fault(reply) is None, (question.key, written)
        return reply


def _reply(question: Question, written: str) -> Any:
    chosen = [choice.value for choice in question.choices if choice.title == written]
    match question.kind:
        case "text":
            return written
        case "confirm":
            return written == "Yes"
        case "choices":
            return chosen
    return chosen[0]


def _words(text: str) -> str:
    return re.sub(r"\s+", "", text)
