"""A mode that is offered later, or no longer, or another place: an edit and `regenerate`."""

from __future__ import annotations

import re

from pond_new.project.plan import CONDITIONS
from tests.conftest import PondNew
from tests.regenerate.conftest import Agent


def offer_streaming(agent: Agent, *, streaming: bool) -> None:
    offer(agent, streaming=streaming)


def offer(agent: Agent, **capabilities: bool) -> None:
    agent.edit_manifest(lambda document: document["capabilities"].update(capabilities))


def test_attachments_come_and_go(pond_new: PondNew, agent: Agent) -> None:
    before = agent.tree()

    offer(agent, attachments=True)
    assert pond_new("regenerate", agent.root).code == 0
    assert all(agent.root.glob(path) for path in CONDITIONS["attachments"])
    assert '"h11' in agent.read("pyproject.toml")
    assert pond_new("regenerate", agent.root, "--check").code == 0

    offer(agent, attachments=False)
    assert pond_new("regenerate", agent.root).code == 0
    assert agent.tree().keys() == before.keys()
    assert agent.read("pyproject.toml").encode() == before["pyproject.toml"]


def test_async_tasks_come_and_go(pond_new: PondNew, agent: Agent) -> None:
    before = agent.tree()
    elsewhere = {*CONDITIONS["postgres"], *CONDITIONS["telemetry"]}
    on_sqlite = set(CONDITIONS["async_tasks"]) - elsewhere

    offer(agent, async_tasks=True)
    assert pond_new("regenerate", agent.root).code == 0
    assert all(agent.exists(path) for path in on_sqlite)
    assert not agent.exists("agent/pond/task_replicas.py")
    assert '"dbos' in agent.read("pyproject.toml")
    assert '"async": answer_with_task' in agent.read("agent/modes.py")
    assert pond_new("regenerate", agent.root, "--check").code == 0

    offer(agent, async_tasks=False)
    assert pond_new("regenerate", agent.root).code == 0
    assert agent.tree().keys() == before.keys()
    assert agent.read("pyproject.toml").encode() == before["pyproject.toml"]


def test_telemetry_comes_and_goes(pond_new: PondNew, agent: Agent) -> None:
    before = agent.tree()

    agent.replace("pyproject.toml", 'telemetry = "off"', 'telemetry = "on"')
    assert pond_new("regenerate", agent.root).code == 0
    assert all(agent.exists(path) for path in set(CONDITIONS["telemetry"]) - set(CONDITIONS["async_tasks"]))
    assert '"prometheus-client' in agent.read("pyproject.toml")
    assert "POND_METRICS_TOKEN=" in agent.read(".env.example")
    assert pond_new("regenerate", agent.root, "--check").code == 0

    agent.replace("pyproject.toml", 'telemetry = "on"', 'telemetry = "off"')
    assert pond_new("regenerate", agent.root).code == 0
    after = agent.tree()
    assert after.keys() == before.keys()
    assert {path for path in after if after[path] != before[path]} <= {".pond/lock.json"}


def test_postgres_comes_and_goes(pond_new: PondNew, agent: Agent) -> None:
    before = agent.tree()

    agent.replace("pyproject.toml", 'database = "sqlite"', 'database = "postgres"')
    assert pond_new("regenerate", agent.root).code == 0
    with_others = {*CONDITIONS["artifacts"], *CONDITIONS["async_tasks"]}
    assert all(agent.exists(path) for path in {*CONDITIONS["postgres"]} - with_others)
    assert '"psycopg[binary]' in agent.read("pyproject.toml")
    assert '"postgresql": open_database' in agent.read("agent/modes.py")
    assert "image: postgres" in agent.read("compose.yaml")
    assert "POSTGRES_PASSWORD=" in agent.read(".env.example")
    assert pond_new("regenerate", agent.root, "--check").code == 0

    agent.replace("pyproject.toml", 'database = "postgres"', 'database = "sqlite"')
    assert pond_new("regenerate", agent.root).code == 0
    after = agent.tree()
    assert after.keys() == before.keys()
    assert {path for path in after if after[path] != before[path]} <= {".pond/lock.json"}


def test_offering_streams_later_brings_their_files(pond_new: PondNew, agent: Agent) -> None:
    offer_streaming(agent, streaming=True)

    assert pond_new("regenerate", agent.root).code == 0

    assert all(agent.exists(path) for path in CONDITIONS["streaming"])
    assert '"stream": answer_with_events' in agent.read("agent/modes.py")
    assert pond_new("regenerate", agent.root, "--check").code == 0


def test_offering_streams_no_longer_takes_their_files_away(pond_new: PondNew, agent: Agent) -> None:
    before = agent.tree()
    offer_streaming(agent, streaming=True)
    pond_new("regenerate", agent.root)

    offer_streaming(agent, streaming=False)
    assert pond_new("regenerate", agent.root).code == 0

    after = agent.tree()
    state = {path for path in before if path.startswith(".pond/")}
    assert after.keys() == before.keys()
    assert {path for path in after if after[path] != before[path]} <= state | {"manifest.json"}


def test_a_streaming_file_that_was_edited_is_not_deleted_in_silence(pond_new: PondNew, agent: Agent) -> None:
    offer_streaming(agent, streaming=True)
    pond_new("regenerate", agent.root)
    agent.write("agent/pond/streaming.py", "# mine\n")

    offer_streaming(agent, streaming=False)
    outcome = pond_new("regenerate", agent.root)

    assert "agent/pond/streaming.py" in outcome.out + outcome.err
    assert agent.read("agent/pond/streaming.py") == "# mine\n"


def deploy_to(agent: Agent, target: str) -> None:
    project = agent.read("pyproject.toml")
    agent.write("pyproject.toml", re.sub('deploy = ".*"', f'deploy = "{target}"', project))


def test_another_place_brings_its_files_and_takes_those_of_the_first_away(
    pond_new: PondNew, agent: Agent
) -> None:
    deploy_to(agent, "render")
    assert pond_new("regenerate", agent.root).code == 0
    assert agent.exists("render.yaml")

    deploy_to(agent, "fly")
    outcome = pond_new("regenerate", agent.root)

    assert outcome.code == 0
    assert agent.exists("fly.toml")
    assert not agent.exists("render.yaml")
    assert "Fly.io" in agent.read("DEPLOY.md")
    assert "deploy is now fly" in outcome.out
    assert pond_new("regenerate", agent.root, "--check").code == 0


def test_going_back_to_the_first_place_leaves_nothing_behind(pond_new: PondNew, agent: Agent) -> None:
    before = agent.tree()
    for target in ("kubernetes", "vps", "docker"):
        deploy_to(agent, target)
        assert pond_new("regenerate", agent.root).code == 0

    after = agent.tree()
    state = {path for path in before if path.startswith(".pond/")}
    assert after.keys() == before.keys()
    assert {path for path in after if after[path] != before[path]} <= state


def test_an_edited_file_of_a_place_is_merged_and_stays_when_the_place_changes(
    pond_new: PondNew, agent: Agent
) -> None:
    deploy_to(agent, "render")
    pond_new("regenerate", agent.root)
    edited = agent.read("render.yaml").replace("# region: frankfurt ", "region: frankfurt   ")
    agent.write("render.yaml", edited)

    agent.edit_manifest(lambda document: document["limits"].update(max_run_seconds=100))
    pond_new("regenerate", agent.root)
    merged = agent.read("render.yaml")
    deploy_to(agent, "vps")
    outcome = pond_new("regenerate", agent.root)

    assert "    region: frankfurt" in merged
    assert "maxShutdownDelaySeconds: 110" in merged
    assert agent.read("render.yaml") == merged
    assert "render.yaml" in outcome.out


def test_a_place_that_would_lose_the_runs_is_refused_and_nothing_is_written(
    pond_new: PondNew, agent: Agent
) -> None:
    deploy_to(agent, "cloud-run")
    before = agent.tree()

    outcome = pond_new("regenerate", agent.root)

    assert outcome.code == 1
    assert "cloud-run has no disk that outlives a restart" in outcome.err
    assert agent.tree() == before
