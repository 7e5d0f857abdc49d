"""A change that a server's accepted runs would not survive is told before it is deployed."""

from __future__ import annotations

import pytest

from pond_new.agent_manifest.draft import draft_agent_manifest
from pond_new.manifest import dump_manifest
from pond_new.project.work import WorkKind
from tests.conftest import PondNew
from tests.regenerate.conftest import Agent


def offer_tasks(agent: Agent, *, is_on: bool) -> None:
    agent.edit_manifest(lambda document: document["capabilities"].update(async_tasks=is_on))


def choose_database(agent: Agent, database: str) -> None:
    other = {"sqlite": "postgres", "postgres": "sqlite"}[database]
    agent.replace("pyproject.toml", f'database = "{other}"', f'database = "{database}"')


@pytest.fixture
def with_tasks(agent: Agent) -> Agent:
    offer_tasks(agent, is_on=True)
    agent.regenerate()
    return agent


def test_switching_async_tasks_off_tells_what_becomes_of_open_tasks(with_tasks: Agent) -> None:
    offer_tasks(with_tasks, is_on=False)

    ((path, line, text),) = with_tasks.regenerate().work_of(WorkKind.RUNS)

    assert path == "manifest.json"
    assert '"async_tasks": false' in with_tasks.read(path).splitlines()[line - 1]
    assert "404" in text
    assert "Deploy it when no task is open" in text


@pytest.mark.parametrize("look", ["--check", "--dry-run", "--diff"])
def test_a_look_tells_it_too(pond_new: PondNew, with_tasks: Agent, look: str) -> None:
    offer_tasks(with_tasks, is_on=False)

    outcome = pond_new("regenerate", with_tasks.root, look)

    assert outcome.out.count("async tasks are off now") == 1


def test_json_tells_it_with_a_kind_of_its_own(pond_new: PondNew, with_tasks: Agent) -> None:
    offer_tasks(with_tasks, is_on=False)

    outcome = pond_new("regenerate", with_tasks.root, "--json")

    assert [work["kind"] for work in outcome.json["work"]].count("runs") == 1


def test_it_is_told_once(with_tasks: Agent) -> None:
    offer_tasks(with_tasks, is_on=False)
    with_tasks.regenerate()

    assert not with_tasks.regenerate().work_of(WorkKind.RUNS)


def test_an_edited_file_of_the_tasks_that_stays_does_not_tell_it_again(with_tasks: Agent) -> None:
    with_tasks.write("agent/pond/tasks.py", "# mine\n")
    offer_tasks(with_tasks, is_on=False)

    first = with_tasks.regenerate().work_of(WorkKind.RUNS)
    second = with_tasks.regenerate().work_of(WorkKind.RUNS)

    assert len(first) == 1
    assert not second


def test_leaving_pond_with_async_tasks_tells_it_at_the_setting(with_tasks: Agent) -> None:
    contract = draft_agent_manifest("Language", with_tasks.manifest)
    with_tasks.write("agent-manifest.json", dump_manifest(contract))
    with_tasks.replace("pyproject.toml", 'standards = ["pond"]', 'standards = ["mcp"]')

    ((path, line, text),) = with_tasks.regenerate().work_of(WorkKind.RUNS)

    assert path == "pyproject.toml"
    assert with_tasks.read(path).splitlines()[line - 1] == 'standards = ["mcp"]'
    assert "Deploy it when no task is open" in text


def test_switching_async_tasks_on_tells_nothing_about_runs(agent: Agent) -> None:
    offer_tasks(agent, is_on=True)

    assert not agent.regenerate().work_of(WorkKind.RUNS)


@pytest.mark.parametrize("change", ["streaming", "attachments"])
def test_other_capabilities_may_go_without_a_word_about_runs(with_tasks: Agent, change: str) -> None:
    with_tasks.edit_manifest(lambda document: document["capabilities"].update({change: True}))
    with_tasks.regenerate()
    with_tasks.edit_manifest(lambda document: document["capabilities"].update({change: False}))

    assert not with_tasks.regenerate().work_of(WorkKind.RUNS)


def test_another_database_tells_that_kept_runs_stay_behind(agent: Agent) -> None:
    choose_database(agent, "postgres")

    ((path, line, text),) = agent.regenerate().work_of(WorkKind.RUNS)

    assert path == "pyproject.toml"
    assert agent.read(path).splitlines()[line - 1] == 'database = "postgres"'
    assert "stay in sqlite" in text
    assert "executed again" in text
    assert "task" not in text


def test_another_database_of_an_agent_with_tasks_speaks_of_them(with_tasks: Agent) -> None:
    choose_database(with_tasks, "postgres")
    with_tasks.regenerate()
    choose_database(with_tasks, "sqlite")

    ((_, _, text),) = with_tasks.regenerate().work_of(WorkKind.RUNS)

    assert "stay in postgres" in text
    assert "every task of before is answered with 404" in text


def test_another_place_with_the_same_database_tells_nothing_about_runs(agent: Agent) -> None:
    agent.replace("pyproject.toml", 'deploy = "docker"', 'deploy = "vps"')

    assert not agent.regenerate().work_of(WorkKind.RUNS)
