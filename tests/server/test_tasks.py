"""Async tasks of a generated agent as a process: killed, restarted, stopped, and what becomes of them."""

from __future__ import annotations

import signal
import sqlite3
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.server.agents import Served, serving
from tests.server.task_agents import accept, follow, repeated_steps, steps_of, task_request, write_task_agent
from tests.server.test_process import wait_for

MANY = 200
SECONDS_BETWEEN_KILLS = 1.0
KILLS = 10  # at most; then the rest may end in peace


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_task_agent(tmp_path_factory.mktemp("tasks") / "agent")


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    """A database of its own for each test."""
    return f"sqlite:///{tmp_path}/ledger.sqlite"


def test_a_task_goes_on_after_kill_9_without_its_finished_steps(
    agent: Path, ledger: str, tmp_path: Path
) -> None:
    """ASY-02, ASY-05, ASY-07, ASY-10, IDM-03: the id, the progress and the attempt outlive the process."""
    with serving(agent, DATABASE_URL=ledger) as first:
        task_id = accept(first, f"wait {tmp_path}")
        wait_for(tmp_path, "began-1")
        before = first.get(f"/tasks/{task_id}").json()
        first.kill()

    with serving(agent, DATABASE_URL=ledger) as second:
        wait_for(tmp_path, "began-2")
        again = second.post(task_request(f"wait {tmp_path}"))
        (tmp_path / "go").touch()
        ended = follow(second, task_id)
        afterwards = second.post(task_request(f"wait {tmp_path}"))

    assert before["status"] == "running"
    assert (again.status_code, again.json()["task_id"]) == (202, task_id)
    assert (ended["status"], ended["output"][0]["text"]) == ("completed", "wait 2")
    assert ended["usage"] == {"unit_of_measurement": "result", "quantity": 2}
    assert before["updated_at"] < ended["updated_at"]
    assert (afterwards.status_code, afterwards.json()) == (200, ended)
    assert steps_of(tmp_path, "run_k7") == [0]


def test_a_task_whose_process_died_between_claim_and_start_is_begun(
    agent: Path, ledger: str, tmp_path: Path
) -> None:
    with serving(agent, DATABASE_URL=ledger) as first:
        task_id = accept(first, f"wait {tmp_path}")
        wait_for(tmp_path, "began-1")
        first.kill()
    for path in tmp_path.glob("ledger.tasks.sqlite*"):  # as if the durable start had never been written
        path.unlink()
    (tmp_path / "go").touch()

    with serving(agent, DATABASE_URL=ledger) as second:
        ended = follow(second, task_id)

    assert (ended["status"], ended["output"][0]["text"]) == ("completed", "wait 2")


def test_a_task_that_kills_its_process_is_given_up_and_takes_no_other_with_it(
    agent: Path, ledger: str, tmp_path: Path
) -> None:
    killer, starts = None, 0
    while killer is None:
        starts += 1
        assert starts < 10
        if starts == 3:
            (tmp_path / "go").touch()  # from the third attempt on, each of the two goes on alone
        with serving(agent, DATABASE_URL=ledger) as served:
            if starts == 1:
                innocent = accept(served, f"wait {tmp_path}", run_id="run_innocent")
                wait_for(tmp_path, "began-1")
            killer = _end_unless_the_process_dies(served, f"die {tmp_path}")
            other = follow(served, innocent) if killer else {}

    assert (killer["status"], killer["error"]["code"]) == ("failed", "internal_error")
    assert killer["usage"]["quantity"] == 0
    assert len(list(tmp_path.glob("died-*"))) == 4
    assert other["status"] == "completed"


def _end_unless_the_process_dies(served: Served, harbour: str) -> dict[str, Any] | None:
    try:
        answer = served.post(task_request(harbour, run_id="run_killer"))
        return follow(served, answer.json()["task_id"])
    except httpx2.HTTPError:
        return None


def test_a_task_expires_while_nobody_serves_it(agent: Path, ledger: str, tmp_path: Path) -> None:
    """ASY-09, ASY-13: the first thing that Pond hears after the deadline is the end."""
    with serving(agent, DATABASE_URL=ledger) as first:
        task_id = accept(first, f"wait {tmp_path}", deadline_ms=1500)
        wait_for(tmp_path, "began-1")
        first.kill()
    time.sleep(1.6)  # the deadline passes

    with serving(agent, DATABASE_URL=ledger) as second:
        states = {second.get(f"/tasks/{task_id}").json()["status"] for _ in range(3)}
        ended = follow(second, task_id)

    assert states <= {"expired", "running"}
    assert (ended["status"], ended["error"]["code"]) == ("expired", "internal_error")
    assert ended["usage"]["quantity"] == 0


def test_a_task_that_waited_for_another_is_no_part_of_it(agent: Path, ledger: str, tmp_path: Path) -> None:
    with serving(agent, DATABASE_URL=ledger, POND_MAX_RUNS="1") as served:
        ids = [accept(served, f"steps {tmp_path}", run_id=f"run_{number}") for number in range(6)]
        states = [follow(served, task_id)["status"] for task_id in ids]

    with sqlite3.connect(tmp_path / "ledger.tasks.sqlite") as database:
        parents = database.execute("SELECT DISTINCT parent_workflow_id FROM workflow_status").fetchall()
    database.close()
    assert states == ["completed"] * 6
    assert parents == [(None,)]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM that a process can handle")
def test_a_stop_waits_a_little_and_leaves_the_task_to_the_next_process(
    agent: Path, ledger: str, tmp_path: Path
) -> None:
    with serving(agent, DATABASE_URL=ledger) as first:
        task_id = accept(first, f"wait {tmp_path}")
        wait_for(tmp_path, "began-1")
        first.process.send_signal(signal.SIGTERM)
        _wait_until_draining(first)
        first.process.send_signal(signal.SIGTERM)
        assert first.process.wait(timeout=30) in {0, -signal.SIGTERM}
    (tmp_path / "began-1").unlink()

    with serving(agent, DATABASE_URL=ledger) as second:
        wait_for(tmp_path, "began-1")  # a stop in good order is no attempt
        (tmp_path / "go").touch()
        assert follow(second, task_id)["status"] == "completed"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM that a process can handle")
def test_a_task_that_ends_soon_ends_before_the_stop(agent: Path, ledger: str, tmp_path: Path) -> None:
    with serving(agent, DATABASE_URL=ledger) as first:
        task_id = accept(first, f"wait {tmp_path}")
        wait_for(tmp_path, "began-1")
        first.process.send_signal(signal.SIGTERM)
        _wait_until_draining(first)
        (tmp_path / "go").touch()
        assert first.process.wait(timeout=30) == 0

    with sqlite3.connect(tmp_path / "ledger.sqlite") as database:
        saved = database.execute("SELECT result FROM runs WHERE task_id = ?", (task_id,)).fetchone()[0]
    database.close()
    assert b'"completed"' in saved


def _wait_until_draining(served: Served) -> None:
    give_up = time.monotonic() + 20
    while served.get("/healthz").status_code != 503:
        assert time.monotonic() < give_up


def test_200_accepted_tasks_end_although_the_process_is_killed_every_second(
    agent: Path, ledger: str, tmp_path: Path
) -> None:
    """Every task reaches an end, and no step that was finished is done again."""
    environment = {"DATABASE_URL": ledger, "POND_MAX_RUNS": "16"}
    ids: dict[str, str] = {}
    kills = 0
    while len(ids) < MANY or (kills < KILLS and _unfinished(tmp_path)):
        with serving(agent, **environment) as served:
            until = time.monotonic() + SECONDS_BETWEEN_KILLS
            while time.monotonic() < until and len(ids) < MANY:
                run_id = f"run_{len(ids)}"
                ids[run_id] = accept(served, f"steps {tmp_path}", run_id=run_id, deadline_ms=90_000)
            time.sleep(max(0.0, until - time.monotonic()))
        kills += 1

    with serving(agent, **environment) as served:
        states = {run_id: follow(served, task_id, seconds=95) for run_id, task_id in ids.items()}
    statuses = Counter(state["status"] for state in states.values())
    assert sum(statuses.values()) == MANY
    assert statuses["completed"] > MANY / 2, statuses
    assert kills > 3
    for run_id, state in states.items():
        steps = steps_of(tmp_path, run_id) if (tmp_path / run_id).exists() else []
        assert steps == sorted(steps), (run_id, steps)  # a step begins when all before it are finished
        assert not steps or not repeated_steps(tmp_path, run_id), run_id
        assert state["status"] != "completed" or set(steps) == {0, 1, 2, 3}


def _unfinished(folder: Path) -> int:
    """How many runs have no result yet, looked up without the agent."""
    database = sqlite3.connect(f"file:{folder}/ledger.sqlite?mode=ro", uri=True)
    (number,) = database.execute("SELECT count(*) FROM runs WHERE result IS NULL").fetchone()
    database.close()
    return int(number)
