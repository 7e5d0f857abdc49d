"""The generated server as a process: killed, restarted, stopped, doubled."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.benchmarks.load import post
from tests.server.agents import HEADERS, KEY, request, serving, start, write_agent

CASES = Path(__file__).parent / "cases"


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    return write_agent(tmp_path / "agent")


def wait_for(folder: Path, pattern: str) -> None:
    """Until a file is there: an event of the server, not a guess about time."""
    give_up = time.monotonic() + 60
    while not list(folder.glob(pattern)):
        assert time.monotonic() < give_up, f"no {pattern} in {folder}"
        time.sleep(0.01)


def test_a_saved_result_survives_kill_9(agent: Path) -> None:
    with serving(agent) as first:
        saved = first.post(request()).json()
        first.kill()

    with serving(agent) as second:
        assert second.post(request()).json() == saved
        assert second.post(request("Brest 2")).status_code == 409
        assert second.get("/manifest", Authorization="Bearer nothing").status_code == 401


def test_white_space_around_a_header_is_no_part_of_it(agent: Path) -> None:
    padded = {name: f" {value} \t" for name, value in HEADERS.items()}
    with serving(agent) as served:
        connection = HTTPConnection(served.url.removeprefix("http://"), timeout=20)
        connection.request("GET", "/manifest", headers=padded)
        status = connection.getresponse().status
        connection.close()

    assert status == 200


def test_a_run_whose_process_died_is_failed_after_the_restart(agent: Path, tmp_path: Path) -> None:
    run = request(f"wait {tmp_path}")
    with serving(agent) as first, ThreadPoolExecutor() as clients:
        lost = clients.submit(first.post, run)
        wait_for(tmp_path, "began-*")
        first.kill()
        assert lost.exception() is not None

    with serving(agent) as second:
        answer = second.post(run)

    assert answer.status_code == 200
    assert answer.json()["status"] == "failed"
    assert answer.json()["usage"] == {"unit_of_measurement": "result", "quantity": 0}
    assert len(list(tmp_path.glob("began-*"))) == 1


def test_concurrent_duplicates_are_one_execution(agent: Path, tmp_path: Path) -> None:
    run = request(f"wait {tmp_path}")
    with serving(agent) as served, ThreadPoolExecutor(20) as clients:
        answers = [clients.submit(served.post, run) for _ in range(20)]
        wait_for(tmp_path, "began-*")
        (tmp_path / "go").touch()
        bodies = {answer.result().text for answer in answers}

    assert len(bodies) == 1
    assert len(list(tmp_path.glob("began-*"))) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to wait for")
def test_a_stop_lets_the_runs_that_go_on_finish(agent: Path, tmp_path: Path) -> None:
    with serving(agent) as served, ThreadPoolExecutor() as clients:
        answer = clients.submit(served.post, request(f"wait {tmp_path}"))
        wait_for(tmp_path, "began-*")
        served.process.send_signal(signal.SIGTERM)
        (tmp_path / "go").touch()

        assert answer.result().json()["status"] == "completed"
        assert served.process.wait(timeout=20) in {0, -signal.SIGTERM}


def test_a_caller_that_goes_away_does_not_stop_the_run(agent: Path, tmp_path: Path) -> None:
    run = request(f"wait {tmp_path}")
    with serving(agent) as served:
        headers = HEADERS | {"Content-Type": "application/json", "Idempotency-Key": run["run_id"]}
        host, port = served.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as caller:
            caller.sendall(post("/runs", json.dumps(run).encode(), list(headers.items())))
            wait_for(tmp_path, "began-*")
        (tmp_path / "go").touch()

        assert served.post(run).json()["status"] == "completed"
    assert len(list(tmp_path.glob("began-*"))) == 1


def test_a_second_process_on_the_same_ledger_is_refused_in_words(agent: Path) -> None:
    with serving(agent):
        second = subprocess.run(
            [sys.executable, "-m", "agent"],
            cwd=agent,
            env={**os.environ, "POND_ACCESS_KEY": KEY, "PORT": "0"},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    assert second.returncode != 0
    assert "in use by another process" in second.stderr


def test_settings_that_cannot_be_used_are_listed_together(agent: Path) -> None:
    wrong = {
        "PORT": "http",
        "POND_COMPATIBILITY": "loose",
        "POND_MAX_RUNS": "many",
        "DATABASE_URL": "mysql://x",
        "POND_ACCESS_KEY": "short",
    }

    done = subprocess.run(
        [sys.executable, "-m", "agent"],
        cwd=agent,
        env={**os.environ, **wrong},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == 2
    assert all(f"\n{name}: " in done.stderr for name in wrong)


def test_an_agent_that_was_made_for_sqlite_says_how_it_comes_to_postgres(agent: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "agent"],
        cwd=agent,
        env={**os.environ, "DATABASE_URL": "postgres://user@host/database"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == 2
    assert (
        'DATABASE_URL: this agent is made for SQLite; for Postgres set database = "postgres"' in done.stderr
    )


def test_logs_are_json_without_key_and_user_data(agent: Path) -> None:
    served = start(agent, LOG_FORMAT="json")
    served.post(request("Brest-the-harbour"))
    served.kill()

    lines = [json.loads(line) for line in served.log.read_text("utf-8").splitlines()]
    ended = next(line for line in lines if line["message"] == "run ended")
    assert (ended["run_id"], ended["action"], ended["outcome"]) == ("run_k7", "tide_table", "completed")
    assert "Brest" not in str(lines)
    assert KEY not in str(lines)


@pytest.mark.parametrize(
    ("case", "compatibility", "status", "code"),
    [
        ("without-execution-mode", "strict", 400, "invalid_request"),
        ("without-execution-mode", "lenient", 200, None),
        ("misspelt-parameter", "strict", 422, "invalid_input"),
        ("deadline-over-limit", "strict", 400, "invalid_request"),
    ],
)
def test_runs_seen_in_the_field_get_their_outcome(
    agent: Path, case: str, compatibility: str, status: int, code: str | None
) -> None:
    run = json.loads((CASES / f"{case}.json").read_text("utf-8"))
    with serving(agent, POND_COMPATIBILITY=compatibility) as served:
        answer = served.post(run)

        assert answer.status_code == status
        assert answer.json()["run_id"] == run["run_id"]
        assert answer.json().get("error", {}).get("code") == code
        if case == "misspelt-parameter":
            assert answer.json()["error"]["details"]["field"] == "parameters.harbor"
        if code:  # nothing was executed or stored: the same id is free for a request that is right
            assert served.post(request(run_id=run["run_id"])).json()["status"] == "completed"
