"""Async tasks of two processes of one agent on one Postgres: shared, executed once, taken over."""

from __future__ import annotations

import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.server.clusters import Cluster
from tests.server.task_agents import accept, follow, steps_of, task_request, write_task_agent
from tests.server.test_process import wait_for
from tests.server.test_replicas import POSTGRES, replicas

SILENT, AFTERWARDS = 17, 5  # seconds; a replica counts as alive for 15


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_task_agent(tmp_path_factory.mktemp("task-replicas") / "agent", POSTGRES)


def test_a_task_of_a_dead_replica_is_finished_by_another(agent: Path, database: str, tmp_path: Path) -> None:
    with replicas(agent, database) as (first, second):
        task_id = accept(first, f"wait {tmp_path}")
        wait_for(tmp_path, "began-1")
        assert second.get(f"/tasks/{task_id}").json()["status"] == "running"
        first.kill()
        wait_for(tmp_path, "began-2")
        (tmp_path / "go").touch()
        ended = follow(second, task_id)

    assert (ended["status"], ended["output"][0]["text"]) == ("completed", "wait 2")
    assert steps_of(tmp_path, "run_k7") == [0]


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
    with replicas(agent, database) as (first, second):
        accept(second, f"steps {tmp_path}", run_id="run_before")  # the second one has tasks too
        task_id = accept(first, f"wait {tmp_path}")
        wait_for(tmp_path, "began-1")
        (tmp_path / "began-1").unlink()
        for _ in range(2):
            first.process.send_signal(signal.SIGTERM)
        wait_for(tmp_path, "began-1")  # a stop in good order is no attempt
        (tmp_path / "go").touch()

        assert follow(second, task_id)["output"][0]["text"] == "wait 1"


def test_live_replicas_keep_their_tasks_also_when_the_database_was_away(
    agent: Path, cluster: Cluster, database: str, tmp_path: Path
) -> None:
    """Longer than a replica counts as alive that says nothing: nobody takes it for dead when it is back."""
    with ThreadPoolExecutor() as readers, replicas(agent, database) as both:
        for each in both:
            assert each.process.stderr
            readers.submit(each.process.stderr.read)  # the engine logs more than a pipe takes
        ids = [accept(each, f"wait {tmp_path}", run_id=f"run_{n}") for n, each in enumerate(both)]
        wait_for(tmp_path, "began-1")
        cluster.stop()
        time.sleep(SILENT)
        cluster.start()
        time.sleep(AFTERWARDS)
        (tmp_path / "go").touch()
        ended = [follow(both[0], task_id) for task_id in ids]

    assert [task["output"][0]["text"] for task in ended] == ["wait 1", "wait 1"]
