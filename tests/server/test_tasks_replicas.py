"""Async tasks of two processes of one agent on one Postgres: shared, executed once, taken over."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest

from tests.server.agents import Served, serving
from tests.server.clusters import Cluster
from tests.server.task_agents import (
    accept,
    follow,
    repeated_steps,
    steps_of,
    task_request,
    write_task_agent,
)
from tests.server.test_process import wait_for
from tests.server.test_replicas import POSTGRES, eventually, replicas

ROUND, KILLS = 25, 8  # so many tasks for each kill
MANY = ROUND * KILLS
LOCK = 0x506F6E66  # the advisory lock of agent/pond/task_replicas.py

SILENT, AFTERWARDS = 17, 5  # seconds; a replica counts as alive for 15


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_task_agent(tmp_path_factory.mktemp("task-replicas") / "agent", POSTGRES)


def test_a_task_of_a_dead_replica_is_finished_by_another(agent: Path, database: str, tmp_path: Path) -> None:
    with replicas(agent, database) as both:
        launch_engines(both, tmp_path)
        task_id = accept(both[0], f"wait {tmp_path}")
        holder, other = who_has_the_task(both, tmp_path)
        assert other.get(f"/tasks/{task_id}").json()["status"] == "running"
        holder.kill()
        wait_for(tmp_path, "began-2")
        (tmp_path / "go").touch()
        ended = follow(other, task_id)

    assert (ended["status"], ended["output"][0]["text"]) == ("completed", "wait 2")
    assert steps_of(tmp_path, "run_k7") == [0]


def launch_engines(both: Sequence[Served], folder: Path) -> None:
    """Let each of the replicas have a task, as all do that serve for a while."""
    for number, each in enumerate(both):
        follow(each, accept(each, f"steps {folder}", run_id=f"run_before_{number}"))


def who_has_the_task(both: Sequence[Served], folder: Path) -> tuple[Served, Served]:
    """The replica where the task that waits goes on, and the other: who finds it first may begin it."""
    wait_for(folder, "began-1")
    process = int((folder / "began-1").read_text("utf-8"))
    first, second = both
    return (first, second) if first.process.pid == process else (second, first)


def test_duplicates_at_any_replica_are_one_task(agent: Path, database: str, tmp_path: Path) -> None:
    """IDM-01, IDM-03: also when the very first tasks come to both at once."""
    wanted = [task_request(f"steps {tmp_path}", run_id=f"run_{number % 10}") for number in range(100)]

    with replicas(agent, database) as served, ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(lambda each: served[each[0] % 2].post(each[1]), enumerate(wanted)))
        ids = {answer.json()["task_id"] for answer in answers}
        ended = [follow(served[0], task_id) for task_id in ids]

    assert {answer.status_code for answer in answers} <= {200, 202}
    assert len(ids) == 10
    assert {state["status"] for state in ended} == {"completed"}
    assert all(steps_of(tmp_path, f"run_{number}") == [0, 1, 2, 3] for number in range(10))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM that a process can handle")
def test_a_replica_that_stops_in_good_order_hands_its_tasks_over(
    agent: Path, database: str, tmp_path: Path
) -> None:
    with replicas(agent, database) as both:
        launch_engines(both, tmp_path)
        task_id = accept(both[0], f"wait {tmp_path}")
        holder, other = who_has_the_task(both, tmp_path)
        (tmp_path / "began-1").unlink()
        for _ in range(2):
            holder.process.send_signal(signal.SIGTERM)
        wait_for(tmp_path, "began-1")  # a stop in good order is no attempt
        (tmp_path / "go").touch()

        assert follow(other, task_id)["output"][0]["text"] == "wait 1"


def test_live_replicas_keep_their_tasks_also_when_the_database_was_away(
    agent: Path, cluster: Cluster, database: str, tmp_path: Path
) -> None:
    """Longer than a replica counts as alive that says nothing: nobody takes it for dead when it is back."""
    folders = [tmp_path / "first", tmp_path / "second"]
    with replicas(agent, database) as both:
        launch_engines(both, tmp_path)
        for folder in folders:
            folder.mkdir()
        ids = [
            accept(each, f"wait {folder}", run_id=f"run_{folder.name}")
            for each, folder in zip(both, folders, strict=True)
        ]
        for folder in folders:
            wait_for(folder, "began-1")
        cluster.stop()
        time.sleep(SILENT)
        cluster.start()
        time.sleep(AFTERWARDS)
        eventually(lambda: all("is back" in str(told_of_the_database(each)) for each in both))
        for folder in folders:
            (folder / "go").touch()
        ended = [follow(both[0], task_id) for task_id in ids]

    assert [task["output"][0]["text"] for task in ended] == ["wait 1", "wait 1"]
    for lines in map(told_of_the_database, both):
        assert ["cannot be used" in line for line in lines] == [True, False], lines


def test_a_step_that_begins_while_the_database_cannot_even_be_found_waits_for_it(
    agent: Path, cluster: Cluster, database: str, tmp_path: Path
) -> None:
    """A database that is stopped takes its socket with it, as a container takes its name."""
    with serving(agent, DATABASE_URL=database) as served:
        task_id = accept(served, f"pause {tmp_path}")
        wait_for(tmp_path, "paused")
        cluster.stop()
        (tmp_path / "go").touch()
        eventually(lambda: "the database of the tasks cannot be used" in served.log.read_text("utf-8"))
        wait_for(tmp_path, "goes-on")
        cluster.start()
        ended = follow(served, task_id)

    assert (ended["status"], ended["output"][0]["text"]) == ("completed", "pause 1")
    assert steps_of(tmp_path, "run_k7") == [0]


def test_a_replica_answers_while_its_durable_engine_is_launched(
    agent: Path, cluster: Cluster, database: str, tmp_path: Path
) -> None:
    """The first tasks wait for it, and nobody else."""
    with serving(agent, DATABASE_URL=database) as served, cluster.connect(database) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
        ids = [accept(served, f"steps {tmp_path}", run_id=f"run_{number}") for number in range(3)]
        eventually(lambda: waiting_for_a_lock(connection) == 1)
        health = served.get("/healthz").status_code
        states = [served.get(f"/tasks/{task_id}").json()["status"] for task_id in ids]
        connection.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))
        ended = [follow(served, task_id)["status"] for task_id in ids]

    assert health == 200
    assert states == ["queued"] * 3
    assert ended == ["completed"] * 3


def waiting_for_a_lock(connection: psycopg.Connection) -> int:
    """How many connections wait for an advisory lock."""
    asked = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    found = connection.execute(asked).fetchone()
    assert found
    return int(found[0])


def told_of_the_database(served: Served) -> list[str]:
    """What the durable engine of a process has logged about its database."""
    return [
        line for line in served.log.read_text("utf-8").splitlines() if "the database of the tasks" in line
    ]


def test_200_accepted_tasks_end_although_one_or_the_other_replica_is_killed_all_the_time(
    agent: Path, database: str, cluster: Cluster, tmp_path: Path
) -> None:
    """IDM-01, IDM-03: sent to both, each is completed once, and no step that was finished is done again."""
    environment = {"DATABASE_URL": database, "POND_MAX_RUNS": "16"}
    runs = [task_request(f"steps {tmp_path}", run_id=f"run_{n}", deadline_ms=600_000) for n in range(MANY)]

    with ExitStack() as stack, ThreadPoolExecutor(8) as clients, cluster.connect(database) as connection:
        both = [stack.enter_context(serving(agent, **environment)) for _ in range(2)]
        sent: list[Future[set[str]]] = []
        for kill in range(KILLS):
            sent += [clients.submit(insist, both, run) for run in runs[kill * ROUND : (kill + 1) * ROUND]]
            wait_for_runs(tmp_path, kill * ROUND + ROUND // 2)  # in the midst of the work
            both[kill % 2].kill()
            both[kill % 2] = stack.enter_context(serving(agent, **environment))
        answers = [each.result() for each in sent]
        eventually(lambda: unfinished(connection) == 0, seconds=120)
        states = [follow(both[0], task_id) for ids in answers for task_id in ids]
        recorded = connection.execute(
            "SELECT count(*) FROM dbos.operation_outputs GROUP BY workflow_uuid"
        ).fetchall()

    assert len(states) == MANY  # one id for each, whoever was asked
    assert {state["status"] for state in states} == {"completed"}
    assert {state["output"][0]["text"] for state in states} > {"steps 1"}  # some were taken up
    assert recorded == [(4,)] * MANY
    for run in runs:
        assert set(steps_of(tmp_path, run["run_id"])) == {0, 1, 2, 3}
        assert repeated_steps(tmp_path, run["run_id"]) == []


def wait_for_runs(folder: Path, number: int) -> None:
    """Until so many runs have begun their first step."""
    eventually(lambda: len(list(folder.glob("run_*"))) >= number, seconds=120)


def insist(both: Sequence[Served], run: dict[str, Any]) -> set[str]:
    """Send a run to both replicas until each has accepted it, whoever dies meanwhile; the ids of its task."""
    ids: set[str] = set()
    for number in range(2):
        give_up = time.monotonic() + 60
        while True:
            with suppress(httpx2.TransportError):
                answer = both[number].post(run)
                assert answer.status_code in {200, 202}, answer.text
                ids.add(answer.json()["task_id"])
                break
            assert time.monotonic() < give_up
            time.sleep(0.05)
    return ids


def unfinished(connection: psycopg.Connection) -> int:
    """How many runs have no result yet, looked up without the agent."""
    found = connection.execute("SELECT count(*) FROM pond_runs WHERE result IS NULL").fetchone()
    assert found
    return int(found[0])
