"""The flow alone, without a terminal: going back, playing again, and what can never come out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pond_new.manifest import parse_manifest
from pond_new.wizard.draft import Draft, Offer
from pond_new.wizard.guide import NOTHING, help_for
from pond_new.wizard.question import BACK, Choice, Conversation, Load, Question, Reply, Tell
from pond_new.wizard.resolve import resolve
from pond_new.wizard.wizard import interview, interview_for_action
from tests.wizard.conftest import EVERYTHING, ONE_PLACE, SMALL, Listed, known

TEXTS = (
    *(
        "",
        "text",
        "A text.",
        "Use when the user wants a number.",
        "5",
        "12",
        "$1.50",
        "1 MB",
        "2 min",
        "page",
    ),
    *("https://example.com/a.png", "https://github.com/you/agent", "a, b", "text/html", "0", "x" * 300, "é"),
)
DULL = ("Fill it in.", "7", "$2", "text/html", "b", "c", "https://example.com", "https://github.com/a/b")
ENOUGH = 70  # questions after which the person only wants to be done


def test_a_conversation_returns_what_its_generator_returns() -> None:
    host = Listed({"name": "Ada"})

    assert resolve(_greet, (), host) == "Hello Ada, once"


def test_replies_are_played_before_anyone_is_asked() -> None:
    host = Listed()

    assert resolve(_greet, [Reply("name", "Bob"), Reply("often", "twice")], host) == "Hello Bob, twice"
    assert host.asked == []


def test_a_kept_reply_that_no_longer_fits_is_forgotten_with_all_after_it() -> None:
    host = Listed({"often": "once"})

    assert resolve(_greet, [Reply("name", "Bob"), Reply("often", "thrice")], host) == "Hello Bob, once"
    assert [question.key for question in host.asked] == ["often"]


def test_back_asks_the_question_before_with_its_answer_as_default() -> None:
    host = Listed({"name": ("Ada", "Eve"), "often": (BACK, "twice")})

    assert resolve(_greet, (), host) == "Hello Eve, twice"
    assert [question.default for question in host.asked if question.key == "name"] == ["you", "Ada"]


def test_back_at_the_first_question_stays_there() -> None:
    host = Listed({"name": (BACK, BACK, "Ada")})

    assert resolve(_greet, (), host) == "Hello Ada, once"
    assert sum("first question" in text for text in host.told) == 2


def test_sentences_are_said_once_and_again_after_going_back_before_them() -> None:
    host = Listed({"often": (BACK, "once")})

    resolve(_greet, (), host)

    assert host.told.count("A name at last.") == 2


def test_what_was_loaded_is_not_loaded_again_when_played() -> None:
    def talk() -> Conversation[Any]:
        found = yield Load("load", "schema", "a.json")
        answer = yield Question("more", "text", "More?")
        return found["value"], answer

    host = Listed({"more": "yes"})
    replies = [Reply("load", {"value": 7}, is_loaded=True)]

    assert resolve(talk, replies, host) == (7, "yes")


def test_every_question_has_a_page_of_explain() -> None:
    host = Listed(_every_branch())

    resolve(lambda: interview(Draft(), EVERYTHING), (), host)

    without = {question.key for question in host.asked if help_for(question.topic) == NOTHING}
    assert without == set()


def test_another_action_is_asked_for_beside_those_that_are_there() -> None:
    answers = {
        "actions.1.name": "Measure text",
        "actions.1.description": "Use when an essay is to be judged.",
    }
    host = Listed({**answers, "actions.1.input_schema.how": "none"})

    action = resolve(lambda: interview_for_action(SMALL), (), host)

    assert action == {
        "id": "measure_text_2",
        "name": "Measure text",
        "description": "Use when an essay is to be judged.",
    }


def test_parts_of_an_action_that_are_known_are_offered() -> None:
    parts = {"id": "judge", "description": "Use when an essay is to be judged."}
    host = Listed({"actions.1.name": "Judge", "actions.1.input_schema.how": "none"})

    action = resolve(lambda: interview_for_action(SMALL, parts), (), host)

    assert action == {**parts, "name": "Judge"}


def test_a_given_list_of_anything_breaks_no_question() -> None:
    odd: dict[str, Any] = {
        "name": 5,
        "faqs": "none",
        "demo_materials": [3, {}],
        "pricing_plans": [{"name": 1}],
    }
    host = Listed({"review": ("identity", "pricing", "write"), "metadata.more": []})

    result = resolve(lambda: interview(known(metadata=odd), ONE_PLACE), (), host)

    parse_manifest(result.finished())


@pytest.mark.parametrize("offer", [ONE_PLACE, EVERYTHING])
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
@given(data=st.data())
def test_whatever_is_answered_the_result_is_a_valid_manifest(offer: Offer, data: st.DataObject) -> None:
    host = _Anyone(data.draw)

    result = resolve(lambda: interview(Draft(suggested_name="My Agent"), offer), (), host)

    parse_manifest(result.finished())
    again = resolve(lambda: interview(Draft(suggested_name="My Agent"), offer), host.kept, Listed())
    assert again.finished() == result.finished()


def _greet() -> Conversation[str]:
    name = yield Question(
        "name", "text", "Who?", default="you", check=lambda text: None if text else "Empty."
    )
    yield Tell("A name at last.")
    often = yield Question(
        "often",
        "choice",
        "How often?",
        default="once",
        choices=(Choice("once", "Once"), Choice("twice", "Twice")),
    )
    return f"Hello {name}, {often}"


class _Anyone:
    """A person who answers anything that is allowed, goes back now and then, and tires in the end."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw
        self.kept: Sequence[Reply] = ()
        self.count = 0

    def ask(self, question: Question) -> Any:
        self.count += 1
        if self.count > ENOUGH:
            return self._shortest(question)
        if self.draw(st.integers(0, 14)) == 0:
            return BACK
        reply = self.draw(_reply_to(question))
        return reply if question.fault(reply) is None else self._shortest(question)

    def say(self, tell: Tell) -> None:
        assert tell.text

    def load(self, request: Load) -> Any:
        return {"error": f"{request.path} cannot be read."}

    def keep(self, replies: Sequence[Reply]) -> None:
        self.kept = replies

    def _shortest(self, question: Question) -> Any:
        """A reply that leads to the end."""
        marked = [[choice.value] for choice in question.choices]
        likely = ["write", "done", "none", "string", question.default, *DULL, True, [], *marked]
        if question.key.endswith(".path"):
            return BACK
        return next(reply for reply in likely if question.fault(reply) is None)


def _reply_to(question: Question) -> st.SearchStrategy[Any]:
    values = [choice.value for choice in question.choices]
    match question.kind:
        case "confirm":
            return st.booleans()
        case "choice":
            return st.sampled_from(values)
        case "choices":
            return st.lists(st.sampled_from(values), unique=True, max_size=3)
    return st.sampled_from(TEXTS)


def _every_branch() -> dict[str, Any]:
    """Answers that reach each question once."""
    return {
        "metadata.more": [
            *("key_features", "use_cases", "setup_instructions", "logo_url", "github_url"),
            *("developer_x_url", "developer_linkedin_url", "faqs", "demo_materials"),
        ],
        "metadata.faqs.0.question": "Is it kept?",
        "metadata.faqs.0.answer": "No.",
        "metadata.demo_materials.0.url": "https://example.com/demo.png",
        "actions.0.name": "Do it",
        "actions.0.description": "Use when the user wants it done.",
        "actions.0.input_schema.properties.0.name": "parts",
        "actions.0.input_schema.properties.0.type": "array",
        "actions.0.input_schema.properties.0.description": "The parts in their order.",
        "actions.0.input_schema.properties.0.items.type": "object",
        "actions.0.input_schema.properties.0.items.description": "One part of it.",
        "actions.0.input_schema.properties.0.items.properties.0.name": "size",
        "actions.0.input_schema.properties.0.items.properties.0.type": "integer",
        "actions.0.input_schema.properties.0.items.properties.0.description": "How large the part is.",
        "actions.0.input_schema.properties.0.items.properties.0.freedom": "choices",
        "actions.0.input_schema.properties.0.items.properties.0.enum": "1, 2",
        "capabilities.attachments": True,
        "input_modes": ["application/pdf"],
        "output_modes": ["text/markdown", "other"],
        "output_modes.other": "text/html",
        "pricing.now": True,
        "pricing.unit": "other",
        "pricing.custom_unit": "page",
        "pricing.plans.0.model": "subscription",
        "pricing.plans.0.amount_minor": "$2",
        "pricing.plans.1.model": "free",
        "pricing.plans.2.model": "pay_as_you_go",
        "pricing.plans.2.amount_minor": "$1",
        "pricing.plans.menu": ("add", "add", "done"),
    }
