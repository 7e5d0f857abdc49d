"""Two processes of one agent on one Postgres: killed, started at once, cut off from the database."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from pond_new.project.settings import Settings
from tests.server.agents import HEADERS, Served, request, serving, write_agent
from tests.server.clusters import Cluster
from tests.server.streams import HANDLER as STREAMING_HANDLER
from tests.server.streams import STREAMING, stream_request, wire
from tests.server.test_process import wait_for

POSTGRES = Settings(database="postgres")
IDS, DUPLICATES = 50, 1000


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_agent(tmp_path_factory.mktemp("replicas") / "agent", settings=POSTGRES)


@contextmanager
def replicas(agent: Path, database: str, *, number: int = 2) -> Iterator[Sequence[Served]]:
    """So many processes of an agent, started at the same time."""
    with ExitStack() as stack, ThreadPoolExecutor(number) as threads:
        starting = [
            threads.submit(stack.enter_context, serving(agent, DATABASE_URL=database)) for _ in range(number)
        ]
        yield [each.result() for each in starting]


def eventually(look: Callable[[], bool], *, seconds: float = 30) -> None:
    """Wait for something that the servers do by themselves."""
    give_up = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < give_up
        time.sleep(0.05)


def call(agent: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`python -m ARGUMENTS` in the agent's folder."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=agent, env={**inherited, **environment}, capture_output=True, text=True, encoding="utf-8",
        timeout=300, check=False,
    )  # fmt: skip


def code(answer: httpx2.Response) -> str:
    return str(answer.json()["error"]["code"])


async def post_all(served: Sequence[Served], runs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Send all these runs at once, to one replica after the other; their answers."""
    limits = httpx2.Limits(max_connections=len(runs), max_keepalive_connections=0)
    async with httpx2.AsyncClient(limits=limits, timeout=60) as client:

        async def post(number: int, run: dict[str, Any]) -> dict[str, Any]:
            url = served[number % len(served)].url
            headers = HEADERS | {"Idempotency-Key": run["run_id"]}
            body: dict[str, Any] = (await client.post(f"{url}/runs", json=run, headers=headers)).json()
            return body

        return await asyncio.gather(*(post(*each) for each in enumerate(runs)))


def test_a_thousand_duplicates_over_two_replicas_execute_each_run_once(
    agent: Path, database: str, tmp_path: Path
) -> None:
    """IDM-01, IDM-02."""
    runs = [request(f"wait {tmp_path}", run_id=f"run_{number % IDS}") for number in range(DUPLICATES)]
    with replicas(agent, database) as both, ThreadPoolExecutor(1) as clients:
        # Each id goes to both: the ids change their replica with every round.
        shifted = [runs[(number + number // IDS) % DUPLICATES] for number in range(DUPLICATES)]
        answers = clients.submit(asyncio.run, post_all(both, shifted))
        eventually(lambda: len(list(tmp_path.glob("began-*"))) >= IDS)
        (tmp_path / "go").touch()
        bodies = answers.result()

    results: dict[str, set[str]] = {}
    for body in bodies:
        results.setdefault(body["run_id"], set()).add(body["output"][0]["text"])
    assert len(bodies) == DUPLICATES
    assert {run_id: len(texts) for run_id, texts in results.items()} == {f"run_{n}": 1 for n in range(IDS)}
    assert len(list(tmp_path.glob("began-*"))) == IDS


def test_a_run_of_another_replica_is_known_when_it_is_done_and_when_it_differs(
    agent: Path, database: str
) -> None:
    """IDM-02, IDM-04, IDM-08."""
    with replicas(agent, database) as (first, second):
        saved = first.post(request()).json()

        assert second.post(request()).json() == saved
        assert second.post(request("Brest 2")).status_code == 409


def test_a_run_whose_replica_was_killed_fails_at_its_deadline_and_not_before(
    agent: Path, database: str, tmp_path: Path
) -> None:
    """IDM-06."""
    run = request(f"wait {tmp_path}", deadline_ms=4000)
    with replicas(agent, database) as (first, second), ThreadPoolExecutor() as clients:
        began = time.monotonic()
        lost = clients.submit(first.post, run)
        wait_for(tmp_path, "began-*")
        first.kill()
        answer = second.post(run)
        seconds = time.monotonic() - began
        again = second.post(run)

    assert lost.exception() is not None
    assert (answer.status_code, answer.json()["status"]) == (200, "failed")
    assert answer.json()["usage"] == {"unit_of_measurement": "result", "quantity": 0}
    assert 3.5 < seconds < 15
    assert again.json() == answer.json()
    assert len(list(tmp_path.glob("began-*"))) == 1


def test_a_replica_that_starts_leaves_the_runs_of_the_others_alone(
    agent: Path, database: str, tmp_path: Path
) -> None:
    run = request(f"wait {tmp_path}")
    with serving(agent, DATABASE_URL=database) as first, ThreadPoolExecutor() as clients:
        answer = clients.submit(first.post, run)
        wait_for(tmp_path, "began-*")
        with serving(agent, DATABASE_URL=database) as second:
            duplicate = clients.submit(second.post, run)
            (tmp_path / "go").touch()

            assert answer.result().json()["status"] == "completed"
            assert duplicate.result().json() == answer.result().json()


def test_four_replicas_that_start_at_once_make_the_table_together(agent: Path, database: str) -> None:
    with replicas(agent, database, number=4) as four:
        bodies = asyncio.run(post_all(four, [request() for _ in range(16)]))

    assert len({body["output"][0]["text"] for body in bodies}) == 1


def test_connections_that_are_cut_come_back_unseen(agent: Path, cluster: Cluster, database: str) -> None:
    with replicas(agent, database) as both, cluster.connect() as operator:
        for number in range(8):
            run = request(run_id=f"run_{number}")
            answers = [served.post(run) for served in both]
            operator.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            )

            assert {answer.status_code for answer in answers} == {200}
            assert answers[0].json() == answers[1].json()


def test_without_the_database_new_runs_are_refused_until_it_is_back(
    agent: Path, cluster: Cluster, database: str, tmp_path: Path
) -> None:
    """ERR: 503 temporarily_unavailable with Retry-After; nothing that was accepted is lost."""
    going_on = request(f"wait {tmp_path}", run_id="run_going_on")
    with replicas(agent, database) as (first, second), ThreadPoolExecutor() as clients:
        answer = clients.submit(first.post, going_on)
        wait_for(tmp_path, "began-*")
        cluster.stop()
        refused = second.post(request(run_id="run_new"))
        (tmp_path / "go").touch()
        finished = answer.result().json()
        cluster.start()

        assert (refused.status_code, code(refused)) == (503, "temporarily_unavailable")
        assert int(refused.headers["retry-after"]) > 0
        assert finished["status"] == "completed"
        assert second.post(request(run_id="run_new")).json()["status"] == "completed"
        assert second.post(going_on).json() == finished  # once the first has saved it


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to wait for")
def test_a_stop_does_not_wait_for_a_database_that_is_away(
    agent: Path, cluster: Cluster, database: str
) -> None:
    with serving(agent, DATABASE_URL=database) as served:
        cluster.stop()
        assert served.post(request()).status_code == 503
        served.process.send_signal(signal.SIGTERM)

        assert served.process.wait(timeout=10) in {0, -signal.SIGTERM}


def test_a_server_starts_without_its_database_and_serves_when_it_comes(
    agent: Path, cluster: Cluster, database: str
) -> None:
    cluster.stop()
    with serving(agent, DATABASE_URL=database) as served:
        assert served.get("/manifest").status_code == 200
        assert served.post(request()).status_code == 503
        cluster.start()

        assert served.post(request()).json()["status"] == "completed"


def test_a_locked_table_is_waited_for_and_then_refused(agent: Path, cluster: Cluster, database: str) -> None:
    with serving(agent, DATABASE_URL=database) as served:
        assert served.post(request(run_id="run_before")).status_code == 200
        with cluster.connect(database) as other, other.transaction():
            other.execute("LOCK TABLE pond_runs")
            refused = served.post(request())

        assert (refused.status_code, code(refused)) == (503, "temporarily_unavailable")
        assert served.post(request()).json()["status"] == "completed"


def test_a_streaming_duplicate_at_another_replica_hears_the_saved_result(
    tmp_path: Path, database: str
) -> None:
    """IDM-07."""
    agent = write_agent(tmp_path / "agent", manifest=STREAMING, handler=STREAMING_HANDLER, settings=POSTGRES)
    run = stream_request(f"wait {tmp_path}")
    with replicas(agent, database) as (first, second), ExitStack() as connections:
        original = connections.enter_context(wire(first, run))
        wait_for(tmp_path, "began-*")
        duplicate = connections.enter_context(wire(second, run))
        assert duplicate.event()[0] == original.event()[0] == "run.started"
        (tmp_path / "go").touch()
        heard, replayed = list(original.events()), list(duplicate.events())

    def text(events: list[tuple[str, dict[str, Any]]]) -> str:
        return "".join(data.get("delta", "") for _, data in events)

    assert text(heard) == text(replayed) == "Tides for wait"
    assert heard[-1] == replayed[-1]
    assert len(list(tmp_path.glob("began-*"))) == 1


def test_the_tests_of_an_agent_are_green_with_its_ledger_on_postgres(tmp_path: Path, database: str) -> None:
    agent = write_agent(tmp_path / "agent", manifest=STREAMING, settings=POSTGRES, handler=None)

    tests = call(agent, "pytest", "-q", "-p", "no:cacheprovider", TEST_DATABASE_URL=database)
    checks = [call(agent, "mypy"), call(agent, "ruff", "check"), call(agent, "ruff", "format", "--check")]

    assert tests.returncode == 0, tests.stdout
    assert [check.stdout for check in checks if check.returncode] == []


@pytest.mark.parametrize("wrong", ["postgresql://", "mysql://host/db", "nonsense"])
def test_an_address_that_is_no_database_is_refused_in_words(agent: Path, wrong: str) -> None:
    done = call(agent, "agent", DATABASE_URL=wrong)

    assert done.returncode == 2
    assert "DATABASE_URL: is no address: give sqlite:///PATH" in done.stderr
    assert "postgresql://USER:PASSWORD@HOST/DATABASE" in done.stderr
