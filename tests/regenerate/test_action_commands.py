"""The commands that edit actions, as a user types them: what they print and leave, and their exit codes."""

from __future__ import annotations

import json

import pytest

from tests.conftest import PondNew
from tests.regenerate.conftest import HANDLER, Agent

ADD = ("add-action", "explain", "--description", "Explains a text to a child.")
PARAMETER = ("--parameter", "text:string:The text to explain")


def test_an_action_is_added_with_its_stub(pond_new: PondNew, here: Agent) -> None:
    outcome = pond_new(*ADD, *PARAMETER, "--parameter", "age?:integer:The child's age", "--bump")

    assert outcome.code == 0
    action = here.manifest["actions"][2]
    assert (action["id"], action["name"]) == ("explain", "Explain")
    assert action["input_schema"]["required"] == ["text"]
    assert here.exists("agent/handlers/explain.py")
    assert here.manifest["agent_version"] == "1.4.3"
    assert pond_new("regenerate", "--check").code == 0


def test_every_type_can_be_given_on_the_command_line(pond_new: PondNew, here: Agent) -> None:
    types = ("string", "integer", "number", "boolean", "array", "object")
    options = [word for kind in types for word in ("--parameter", f"the_{kind}:{kind}:One {kind} of many")]

    outcome = pond_new(*ADD, *options)

    assert outcome.code == 0
    assert here.exists("agent/handlers/explain.py")


def test_everything_that_is_missing_for_a_new_action_is_listed_at_once(
    pond_new: PondNew, here: Agent
) -> None:
    outcome = pond_new("add-action")

    assert outcome.code == 2
    for flag in ("ID", "--description", "--parameter", "--input-schema"):
        assert flag in outcome.err


def test_an_input_schema_can_be_given_as_a_file(pond_new: PondNew, here: Agent) -> None:
    here.write("schema.json", json.dumps(here.manifest["actions"][0]["input_schema"]))

    outcome = pond_new(*ADD, "--input-schema", "schema.json")

    assert outcome.code == 0
    actions = here.manifest["actions"]
    assert actions[2]["input_schema"] == actions[0]["input_schema"]


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        ((*ADD, "--parameter", "text"), 2, "NAME:TYPE:DESCRIPTION"),
        ((*ADD, "--parameter", "text:strin:A text"), 2, "Did you mean string?"),
        ((*ADD, *PARAMETER, "--input-schema", "x.json"), 2, "exclude each other"),
        ((*ADD, *PARAMETER, *PARAMETER), 2, "given twice"),
        ((*ADD, "--input-schema", "nothing.json"), 2, "cannot be read"),
        (("add-action", "sum_up", *ADD[2:], *PARAMETER), 1, "already"),
        (("add-action", "Sum-Up", *ADD[2:], *PARAMETER), 1, "/actions/2/id"),
        (("remove-action", "sum_pu"), 1, "Did you mean sum_up?"),
        (("rename-action", "nothing", "else"), 1, "no action nothing"),
        (("rename-action", "sum_up", "translate_text"), 1, "free"),
        (("rename-action", "sum_up", "sum_up"), 2, "already"),
        (("rename-action", "sum_up", "Sum-Up"), 1, "/actions/1/id"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(
    pond_new: PondNew, here: Agent, arguments: tuple[str, ...], code: int, text: str
) -> None:
    before = here.tree()

    outcome = pond_new(*arguments)

    assert outcome.code == code
    assert text in outcome.err
    assert here.tree() == before


def test_a_rename_takes_handler_and_examples_along(pond_new: PondNew, here: Agent) -> None:
    here.write("examples/translate_text/more.json", "{}")
    here.write("tests/test_mine.py", "from agent.handlers import translate_text\n")

    outcome = pond_new("rename-action", "translate_text", "translate")

    assert outcome.code == 0
    assert here.manifest["actions"][0]["id"] == "translate"
    assert here.read("agent/handlers/translate.py") == HANDLER.replace("TranslateText", "Translate")
    assert here.read("examples/translate/more.json") == "{}"
    assert not here.exists("agent/handlers/translate_text.py")
    assert not here.exists("examples/translate_text")
    assert "tests/test_mine.py:1" in outcome.out
    assert pond_new("regenerate", "--check").code == 0


def test_a_renamed_stub_is_the_stub_of_the_new_name(pond_new: PondNew, here: Agent) -> None:
    outcome = pond_new("rename-action", "sum_up", "shorten")

    assert outcome.code == 0
    assert "sum_up" not in here.read("agent/handlers/shorten.py")
    pond_new("remove-action", "shorten")
    assert not here.exists("agent/handlers/shorten.py")


def test_a_rename_after_the_contract_was_edited_and_regenerated_still_brings_the_handler(
    pond_new: PondNew, here: Agent
) -> None:
    here.replace("manifest.json", '"id": "translate_text"', '"id": "translate"')
    proposed = pond_new("regenerate")

    outcome = pond_new("rename-action", "translate_text", "translate")

    assert "pond-new rename-action translate_text translate" in proposed.out
    assert outcome.code == 0
    assert here.read("agent/handlers/translate.py") == HANDLER.replace("TranslateText", "Translate")
    assert not here.exists("agent/handlers/translate_text.py")
    assert pond_new("regenerate", "--check").code == 0


def test_a_rename_onto_a_handler_that_was_written_is_refused(pond_new: PondNew, here: Agent) -> None:
    here.write("agent/handlers/translate.py", "mine\n")
    before = here.tree()

    outcome = pond_new("rename-action", "translate_text", "translate")

    assert outcome.code == 1
    assert "by hand" in outcome.out
    assert here.tree() == before


def test_removing_an_action_keeps_a_handler_that_was_edited(pond_new: PondNew, here: Agent) -> None:
    outcome = pond_new("remove-action", "translate_text", "--json")

    assert outcome.code == 0
    assert [action["id"] for action in here.manifest["actions"]] == ["sum_up"]
    assert here.read("agent/handlers/translate_text.py") == HANDLER
    assert "orphan" in [work["kind"] for work in outcome.json["work"]]


@pytest.mark.parametrize(
    "arguments", [(*ADD, *PARAMETER), ("rename-action", "sum_up", "shorten"), ("remove-action", "sum_up")]
)
@pytest.mark.parametrize("look", ["--dry-run", "--diff"])
def test_a_look_at_an_edit_of_the_contract_writes_nothing(
    pond_new: PondNew, here: Agent, arguments: tuple[str, ...], look: str
) -> None:
    before = here.tree()

    outcome = pond_new(*arguments, look)

    assert outcome.code == 0
    assert "manifest.json" in outcome.out
    assert here.tree() == before
