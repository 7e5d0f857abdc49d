"""What is left to do by hand is listed with its file and line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

import pytest

from pond_new.project.example_check import check_example
from pond_new.project.work import Situation, WorkKind, find_work
from tests.regenerate.conftest import HANDLER, Agent, parameters

TRANSLATE = "agent/handlers/translate_text.py"


def with_parameters(agent: Agent, schema: dict[str, Any], index: int = 0) -> None:
    agent.edit_manifest(lambda document: document["actions"][index].update(input_schema=schema))


def example(**given: object) -> str:
    return json.dumps({"request": {"text": "Try it", "parameters": given}, "result": {}}, indent=2)


def test_a_new_stub_has_to_be_written(agent: Agent) -> None:
    action = {**agent.manifest["actions"][0], "id": "explain"}
    agent.edit_manifest(lambda document: document["actions"].append(action))

    work = agent.regenerate().work_of(WorkKind.STUB)

    ((path, line, text),) = work
    assert path == "agent/handlers/explain.py"
    assert agent.read(path).splitlines()[line - 1].startswith("async def handle")
    assert "explain" in text


def test_a_parameter_that_is_gone_is_found_where_the_handler_reads_it(agent: Agent) -> None:
    with_parameters(agent, parameters(text="string"))

    work = agent.regenerate().work_of(WorkKind.PARAMETER)

    assert work == [(TRANSLATE, 9, "the parameter language is gone")]


def test_a_parameter_of_another_type_is_found(agent: Agent) -> None:
    with_parameters(agent, parameters(text="string", language="integer"))

    work = agent.regenerate().work_of(WorkKind.PARAMETER)

    assert work == [(TRANSLATE, 9, "the parameter language is of type integer now, it was string")]


def test_a_parameter_that_may_be_left_out_now_is_found_where_it_is_taken_for_granted(agent: Agent) -> None:
    with_parameters(agent, {**parameters(text="string", language="string"), "required": ["text"]})

    work = agent.regenerate().work_of(WorkKind.PARAMETER)

    assert work == [(TRANSLATE, 9, "the parameter language may be left out now: read it with .get")]


def test_a_parameter_that_is_asked_for_may_be_left_out(agent: Agent) -> None:
    agent.write(TRANSLATE, HANDLER.replace('parameters["language"]', 'parameters.get("language", "")'))
    with_parameters(agent, {**parameters(text="string", language="string"), "required": ["text"]})

    assert not agent.regenerate().work_of(WorkKind.PARAMETER)


def test_a_parameter_that_is_gone_is_told_again_until_the_handler_is_changed(agent: Agent) -> None:
    with_parameters(agent, parameters(text="string"))
    agent.regenerate()

    work = agent.regenerate().work_of(WorkKind.PARAMETER)
    agent.write(TRANSLATE, HANDLER.replace(' + parameters["language"]', ""))

    assert work == [(TRANSLATE, 9, "the parameter language is not in the input schema")]
    assert not agent.regenerate().work_of(WorkKind.PARAMETER)


@pytest.mark.parametrize(
    ("source", "line", "text"),
    [
        ("import this\n", 1, "no function named handle"),
        ("\n\ndef handle(parameters):\n    return ''\n", 3, "two arguments"),
        ("async def handle(parameters, run)\n", 1, "no Python"),
    ],
)
def test_a_handler_that_cannot_be_called_is_told_with_its_line(
    agent: Agent, source: str, line: int, text: str
) -> None:
    agent.write(TRANSLATE, source)

    ((path, at, told),) = agent.regenerate().work_of(WorkKind.HANDLER)

    assert (path, at) == (TRANSLATE, line)
    assert text in told


def test_a_deleted_handler_is_told(agent: Agent) -> None:
    agent.delete(TRANSLATE)

    ((path, _, told),) = agent.regenerate().work_of(WorkKind.HANDLER)

    assert path == TRANSLATE
    assert f"--restore {TRANSLATE}" in told


def test_an_example_that_breaks_the_new_schema_is_told_with_its_line(agent: Agent) -> None:
    agent.write("examples/translate_text/first.json", example(text="a", language="fr"))
    with_parameters(agent, parameters(text="string", tone="string"))

    work = agent.regenerate().work_of(WorkKind.EXAMPLE)

    assert work == [
        ("examples/translate_text/first.json", 4, "the parameter tone is required and not in it"),
        ("examples/translate_text/first.json", 6, "the parameter language is not in the input schema"),
    ]


def test_an_example_that_breaks_a_bound_is_told_when_the_bound_changes(agent: Agent) -> None:
    agent.write("examples/sum_up/first.json", example(text="a", sentences=9))
    schema = parameters(text="string", sentences="integer")
    schema["properties"]["sentences"]["maximum"] = 5
    with_parameters(agent, schema, index=1)

    ((path, _, text),) = agent.regenerate().work_of(WorkKind.EXAMPLE)

    assert path == "examples/sum_up/first.json"
    assert "maximum" in text


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"request": 1}', b'{"request": {"parameters": []}}'])
def test_an_example_that_is_none_is_told_and_never_an_error(content: bytes) -> None:
    faults = check_example(content, parameters(), is_thorough=True)

    assert len(faults) == 1


def test_agent_version_has_to_rise_until_it_does(agent: Agent) -> None:
    with_parameters(agent, parameters(text="string", language="string", tone="string"))

    first = agent.regenerate().work_of(WorkKind.VERSION)
    second = agent.regenerate().work_of(WorkKind.VERSION)
    agent.edit_manifest(lambda document: document.update(agent_version="1.5"))
    third = agent.regenerate().work_of(WorkKind.VERSION)

    assert first == second
    ((path, line, text),) = first
    assert (path, line) == ("manifest.json", 4)
    assert "--bump makes it 1.4.3" in text
    assert not third


@pytest.mark.parametrize("part", ["name", "short_description"])
def test_agent_version_may_stay_when_only_the_listing_changes(agent: Agent, part: str) -> None:
    agent.edit_manifest(lambda document: document["metadata"].update({part: "Another one"}))

    assert not agent.regenerate().work_of(WorkKind.VERSION)


def test_a_change_that_is_taken_back_needs_no_new_version(agent: Agent) -> None:
    before = agent.manifest["actions"][0]["input_schema"]
    with_parameters(agent, parameters(text="string"))
    agent.regenerate()
    with_parameters(agent, before)

    assert not agent.regenerate().work_of(WorkKind.VERSION)


def rename_in_contract(agent: Agent, *renames: tuple[int, str]) -> None:
    def edit(document: dict[str, Any]) -> None:
        for index, new in renames:
            document["actions"][index]["id"] = new

    agent.edit_manifest(edit)


def test_a_rename_is_proposed_when_one_left_and_one_came_with_the_same_schema(agent: Agent) -> None:
    rename_in_contract(agent, (0, "translate"))

    ((path, _, text),) = agent.regenerate(write=False).work_of(WorkKind.RENAME)

    assert path == TRANSLATE
    assert "pond-new rename-action translate_text translate" in text


def test_no_rename_is_guessed_when_two_left_and_two_came(agent: Agent) -> None:
    rename_in_contract(agent, (0, "translate"), (1, "shorten"))

    assert not agent.regenerate(write=False).work_of(WorkKind.RENAME)


def test_no_rename_is_guessed_when_the_schema_changed_too(agent: Agent) -> None:
    rename_in_contract(agent, (0, "translate"))
    with_parameters(agent, parameters(text="string"))

    assert not agent.regenerate(write=False).work_of(WorkKind.RENAME)


def test_the_work_is_the_same_before_and_after_writing(agent: Agent) -> None:
    rename_in_contract(agent, (0, "translate"))
    with_parameters(agent, parameters(text="string"), index=1)

    before = agent.regenerate(write=False).work

    assert agent.regenerate().work == before


def test_the_parameters_of_an_agent_without_actions_are_followed_too(agent: Agent) -> None:
    def general(document: dict[str, Any]) -> None:
        document.pop("actions", None)
        document["input_schema"] = parameters(text="string", language="string")

    agent.edit_manifest(general)
    agent.regenerate()
    agent.write("agent/handlers/general.py", HANDLER.replace("TranslateText", "Parameters"))
    agent.edit_manifest(lambda document: document.update(input_schema=parameters(text="string")))

    outcome = agent.regenerate()

    assert outcome.work_of(WorkKind.PARAMETER) == [
        ("agent/handlers/general.py", 9, "the parameter language is gone")
    ]
    assert outcome.of("agent/actions.py").reason == "the input schema changed"


def test_examples_of_an_agent_that_got_its_first_action_are_listed(agent: Agent) -> None:
    actions = agent.manifest["actions"]
    agent.edit_manifest(lambda document: document.pop("actions"))
    agent.regenerate()
    agent.write("examples/general/mine.json", "{}")
    agent.edit_manifest(lambda document: document.update(actions=actions))

    work = agent.regenerate().work_of(WorkKind.ORPHAN)

    assert [path for path, _, _ in work] == ["examples/general/mine.json"]


@pytest.mark.parametrize(
    ("capability", "source", "expected"),
    [
        ("streaming", "async def handle(p, run):\n    return ''\n", True),
        ("streaming", "def handle(p, run):\n    return ''\n", True),
        ("streaming", "async def handle(p, run):\n    yield ''\n", False),
        ("async_tasks", "def handle(p, run):\n    yield ''\n", True),
        ("async_tasks", "async def handle(p, run):\n    return ''\n", False),
        ("attachments", "def handle(p, run):\n    return ''\n", False),
    ],
)
def test_a_mode_that_the_kind_of_a_handler_does_not_suit_is_told(
    agent: Agent, capability: str, source: str, expected: bool
) -> None:
    agent.write(TRANSLATE, source)
    planned = agent.regenerate(write=False).planned
    assert planned.repository.lock is not None
    assert planned.repository.lock.origin is not None
    before = planned.repository.lock.origin
    offered = replace(planned.manifest.capabilities, **{capability: True})
    situation = Situation(
        document=planned.repository.document,
        manifest=replace(planned.manifest, capabilities=offered),
        before=before,
        after=replace(before, parts={**before.parts, "capabilities": "another digest"}),
        actions=planned.built.data["actions"][:1],
        changes=(),
        files={PurePosixPath(TRANSLATE): source.encode()},
        bumped="2",
    )

    work = [each for each in find_work(situation) if each.kind is WorkKind.MODE]

    assert [(str(each.path), each.line) for each in work] == ([(TRANSLATE, 1)] if expected else [])
