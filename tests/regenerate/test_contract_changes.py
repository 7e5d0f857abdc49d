"""The contract is edited; the repository follows, and nothing written by hand is lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pond_new.manifest import InvalidManifest
from pond_new.project.compare import Change
from pond_new.project.glance import is_clearly_in_step
from pond_new.project.work import WorkKind
from tests.regenerate.conftest import HANDLER, Agent, parameters

Fresh = Callable[[Mapping[str, Any]], Agent]


def test_an_unchanged_repository_is_in_step_and_nothing_is_written(agent: Agent) -> None:
    before = {path: path.stat().st_mtime_ns for path in agent.root.rglob("*")}

    outcome = agent.regenerate()

    assert outcome.planned.is_in_step
    assert {path: path.stat().st_mtime_ns for path in agent.root.rglob("*")} == before


def test_changed_parameters_are_the_reason_that_actions_py_is_updated(agent: Agent) -> None:
    agent.edit_manifest(
        lambda document: document["actions"][0].update(input_schema=parameters(text="string"))
    )

    outcome = agent.regenerate()

    assert outcome.changes == {"agent/actions.py": Change.UPDATE}
    assert outcome.of("agent/actions.py").reason == "the parameters of translate_text changed"


def test_changed_limits_are_the_reason_that_files_with_limits_are_updated(agent: Agent) -> None:
    agent.edit_manifest(lambda document: document["limits"].update(max_run_seconds=90))

    outcome = agent.regenerate()

    assert outcome.of("compose.yaml").reason == "the limits changed"


def test_a_dry_run_tells_exactly_what_a_run_does(agent: Agent) -> None:
    agent.edit_manifest(lambda document: document["actions"].pop(1))
    before = agent.tree()

    dry = agent.regenerate(write=False)

    assert agent.tree() == before
    assert agent.regenerate().planned.changes == dry.planned.changes


def test_a_second_run_changes_nothing(agent: Agent) -> None:
    agent.edit_manifest(lambda document: document["actions"].pop(0))
    agent.regenerate()
    before = agent.tree()

    outcome = agent.regenerate()

    assert outcome.planned.is_in_step
    assert agent.tree() == before


def test_a_new_action_gets_a_stub_and_a_first_example(agent: Agent) -> None:
    action = {**agent.manifest["actions"][0], "id": "explain"}
    agent.edit_manifest(lambda document: document["actions"].append(action))

    outcome = agent.regenerate()

    assert outcome.changes == {
        "agent/actions.py": Change.UPDATE,
        "agent/handlers/explain.py": Change.CREATE,
        "examples/explain/first.json": Change.CREATE,
    }
    assert outcome.of("agent/actions.py").reason == "explain is new"


def test_the_untouched_stub_of_an_action_that_left_is_deleted(agent: Agent) -> None:
    agent.edit_manifest(lambda document: document["actions"].pop(1))

    outcome = agent.regenerate()

    assert outcome.changes == {
        "agent/actions.py": Change.UPDATE,
        "agent/handlers/sum_up.py": Change.DELETE,
        "examples/sum_up/first.json": Change.DELETE,
    }
    assert not agent.exists("examples/sum_up")


def test_the_edited_handler_of_an_action_that_left_stays_and_is_listed_every_time(agent: Agent) -> None:
    agent.write("examples/translate_text/mine.json", "{}")
    agent.edit_manifest(lambda document: document["actions"].pop(0))

    first, second = agent.regenerate(), agent.regenerate()

    assert agent.read("agent/handlers/translate_text.py") == HANDLER
    orphans = [path for path, _, _ in first.work_of(WorkKind.ORPHAN)]
    assert orphans == ["agent/handlers/translate_text.py", "examples/translate_text/mine.json"]
    assert "agent/handlers/translate_text.py" in [path for path, _, _ in second.work_of(WorkKind.ORPHAN)]
    assert second.planned.is_in_step


def test_an_orphan_whose_action_comes_back_is_its_handler_again(agent: Agent) -> None:
    action = agent.manifest["actions"][0]
    agent.edit_manifest(lambda document: document["actions"].pop(0))
    agent.regenerate()
    agent.edit_manifest(lambda document: document["actions"].insert(0, action))

    outcome = agent.regenerate()

    assert agent.read("agent/handlers/translate_text.py") == HANDLER
    assert not outcome.work_of(WorkKind.ORPHAN)


def test_without_any_action_the_agent_becomes_a_general_one(agent: Agent) -> None:
    agent.edit_manifest(lambda document: document.pop("actions"))

    outcome = agent.regenerate()

    assert outcome.changes["agent/handlers/general.py"] is Change.CREATE
    assert outcome.changes["agent/handlers/translate_text.py"] is Change.ORPHAN


def test_an_invalid_contract_changes_nothing_and_shows_every_finding(agent: Agent) -> None:
    agent.edit_manifest(lambda document: document["limits"].clear())
    before = agent.tree()

    with pytest.raises(InvalidManifest) as invalid:
        agent.regenerate()

    assert len(invalid.value.problems) == 3
    assert agent.tree() == before


def test_a_changed_setting_changes_the_files_that_depend_on_it(agent: Agent) -> None:
    agent.replace("pyproject.toml", 'python = "3.13"', 'python = "3.12"')

    outcome = agent.regenerate()

    assert outcome.changes["Dockerfile"] is Change.UPDATE
    assert outcome.of("Dockerfile").reason == "python is now 3.12"
    assert "python:3.12" in agent.read("Dockerfile")


def test_what_is_generated_equals_a_fresh_generation(agent: Agent, fresh: Fresh) -> None:
    agent.edit_manifest(lambda document: document["actions"].pop(1))
    agent.edit_manifest(
        lambda document: document["actions"][0].update(input_schema=parameters(text="string"))
    )
    agent.regenerate()

    other = fresh(agent.manifest)

    generated = [
        path for path in other.tree() if path.startswith(("agent/pond", "agent/actions", "tests/gen"))
    ]
    assert {path: agent.read(path) for path in generated} == {path: other.read(path) for path in generated}


def test_a_new_repository_is_seen_to_be_in_step_without_rendering_it(agent: Agent) -> None:
    assert is_clearly_in_step(agent.root)


def test_a_capability_that_is_switched_on_and_off_brings_its_files_and_takes_them_away(agent: Agent) -> None:
    before = agent.tree()
    agent.edit_manifest(lambda document: document["capabilities"].update(streaming=True))
    on = agent.regenerate()
    agent.edit_manifest(lambda document: document["capabilities"].update(streaming=False))
    off = agent.regenerate()

    assert on.of("agent/pond/events.py").reason == "new; the capabilities changed"
    assert off.changes["agent/pond/events.py"] is Change.DELETE
    assert agent.tree() == before


def test_a_handler_that_gives_its_answer_in_one_piece_is_told_when_streaming_is_switched_on(
    agent: Agent,
) -> None:
    agent.edit_manifest(lambda document: document["capabilities"].update(streaming=True))

    work = agent.regenerate().work_of(WorkKind.MODE)

    assert ("agent/handlers/translate_text.py", 7) in [(path, line) for path, line, _ in work]
