"""Streams of a generated agent, read from the wire: STR, and IDM, USE, FIL and ERR in this mode."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from pathlib import Path

import pytest

from tests.server.agents import serving
from tests.server.streams import read_many, stream_request, wire, write_streaming_agent
from tests.server.test_process import wait_for

TEXT = [{"type": "text", "text": "Tides for Brest"}]
MEGABYTES = 24
SLOW_READERS = 40


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_streaming_agent(tmp_path_factory.mktemp("streams") / "agent")


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    """A database of its own for each test."""
    return f"sqlite:///{tmp_path}/ledger.sqlite"


def test_a_stream_starts_with_run_started_and_ends_with_one_terminal_event(agent: Path, ledger: str) -> None:
    """STR-01, STR-02, STR-03, STR-04, STR-05, STR-06, STR-07, STR-08; USE-01, USE-02, USE-03."""
    with serving(agent, DATABASE_URL=ledger) as served, wire(served, stream_request()) as connection:
        started, *between, (name, terminal) = connection.events()

    assert connection.head.startswith(b"http/1.1 200")
    assert b"content-type: text/event-stream" in connection.head
    assert b"x-accel-buffering: no" in connection.head
    assert started == ("run.started", {"run_id": "run_k7"})
    assert {event for event, _ in between} == {"message.delta"}
    assert {data["part_index"] for _, data in between} == {0}
    assert "".join(data["delta"] for _, data in between) == "Tides for Brest"
    assert {data["run_id"] for _, data in [started, *between]} == {"run_k7"}
    assert name == "run.completed"
    assert terminal == {
        "run_id": "run_k7",
        "output": TEXT,
        "usage": {"unit_of_measurement": "result", "quantity": 3},
    }


def test_artifacts_come_whole_before_the_end_and_every_reference_resolves(agent: Path, ledger: str) -> None:
    """STR-09; FIL-03, FIL-04, FIL-05, FIL-06, FIL-08."""
    with serving(agent, DATABASE_URL=ledger) as served, wire(served, stream_request("files")) as connection:
        *events, (_, terminal) = connection.events()

    artifacts = [data["artifact"] for name, data in events if name == "artifact.ready"]
    assert [entry.get("artifact_id") for entry in terminal["output"]] == [
        None,
        *(artifact["id"] for artifact in artifacts),
        None,
    ]
    assert [set(artifact["file"]) & {"bytes", "url"} for artifact in artifacts] == [{"bytes"}, {"url"}]
    assert {data["part_index"] for name, data in events if name == "message.delta"} == {0, 3}


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"parameters": {"harbor": "Brest"}}, 422, "invalid_input"),
        ({"action_id": "tide_tables"}, 400, "unsupported_operation"),
        ({"x_extra": 1}, 400, "invalid_request"),
    ],
)
def test_a_request_that_is_refused_is_plain_json(
    agent: Path, ledger: str, change: dict[str, object], status: int, code: str
) -> None:
    """STR-10; USE-06, ERR-01, ERR-02, ERR-08."""
    with serving(agent, DATABASE_URL=ledger) as served:
        answer = served.post(stream_request() | change, Accept="text/event-stream")

    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json")
    assert answer.json()["error"]["code"] == code
    assert "usage" not in answer.json()


def test_a_failure_after_the_first_delta_is_run_error(agent: Path, ledger: str) -> None:
    """STR-11, STR-07; ERR-09, USE-01. Its duplicate gets the same failure: IDM-08."""
    with serving(agent, DATABASE_URL=ledger) as served:
        with wire(served, stream_request("fail")) as connection:
            events = connection.events()
        with wire(served, stream_request("fail")) as connection:
            again = connection.events()

    assert connection.head.startswith(b"http/1.1 200")
    assert [name for name, _ in events] == ["run.started", "message.delta", "run.error"]
    assert events[-1][1]["error"]["code"] == "invalid_input"
    assert events[-1][1]["usage"]["quantity"] == 3
    assert again[-1] == events[-1]


def test_the_deadline_is_run_error(agent: Path, ledger: str, tmp_path: Path) -> None:
    """STR-11; LIM-02."""
    run = stream_request(f"wait {tmp_path}", deadline_ms=300)
    with serving(agent, DATABASE_URL=ledger) as served, wire(served, run) as connection:
        events = connection.events()

    assert [name for name, _ in events] == ["run.started", "message.delta", "run.error"]


def test_events_are_on_the_wire_as_they_happen(agent: Path, ledger: str, tmp_path: Path) -> None:
    """STR-12: the first piece is read before the handler may make the second."""
    run = stream_request(f"wait {tmp_path}")
    with serving(agent, DATABASE_URL=ledger) as served, wire(served, run) as connection:
        assert connection.event()[0] == "run.started"
        assert connection.event()[1]["delta"] == "Tides "
        (tmp_path / "go").touch()
        assert connection.event()[1]["delta"] == "for wait"
        assert connection.event()[0] == "run.completed"


def test_a_reader_that_vanishes_does_not_stop_the_run(agent: Path, ledger: str, tmp_path: Path) -> None:
    """IDM-02, IDM-07: the work is done once, and its result is kept for a duplicate."""
    run = stream_request(f"wait {tmp_path}")
    with serving(agent, DATABASE_URL=ledger) as served:
        with wire(served, run) as vanishing:
            assert vanishing.event()[0] == "run.started"
            wait_for(tmp_path, "began-*")
        (tmp_path / "go").touch()
        with wire(served, run) as connection:
            events = connection.events()

    assert events[-1][0] == "run.completed"
    assert "".join(data["delta"] for name, data in events if name == "message.delta") == "Tides for wait"
    assert len(list(tmp_path.glob("began-*"))) == 1


def test_hundreds_of_readers_follow_one_execution(agent: Path, ledger: str, tmp_path: Path) -> None:
    """IDM-01, IDM-07."""
    run = stream_request(f"wait {tmp_path}")

    async def read() -> list[list[tuple[str, dict[str, object]]]]:
        reading = asyncio.create_task(read_many(served, run, 300))
        await asyncio.to_thread(wait_for, tmp_path, "began-*")
        (tmp_path / "go").touch()
        return await reading

    with serving(agent, DATABASE_URL=ledger) as served:
        streams = asyncio.run(read())

    assert {stream[-1][0] for stream in streams} == {"run.completed"}
    texts = {
        "".join(str(data["delta"]) for name, data in stream if name == "message.delta") for stream in streams
    }
    assert texts == {"Tides for wait"}
    assert len(list(tmp_path.glob("began-*"))) == 1


def test_a_saved_stream_is_replayed_after_kill_9(agent: Path, ledger: str) -> None:
    """IDM-02, IDM-06, USE-05: the same deltas, artifacts, output and usage."""
    run = stream_request("files")
    with serving(agent, DATABASE_URL=ledger) as first, wire(first, run) as connection:
        events = connection.events()
        first.kill()

    with serving(agent, DATABASE_URL=ledger) as second:
        with wire(second, run) as connection:
            replayed = connection.events()
        assert second.post(run | {"conversation_id": "chat_4"}).status_code == 409

    assert replayed == events


def test_a_stream_whose_process_died_is_run_error_after_the_restart(
    agent: Path, ledger: str, tmp_path: Path
) -> None:
    """STR-04, STR-11, USE-01."""
    run = stream_request(f"wait {tmp_path}")
    with serving(agent, DATABASE_URL=ledger) as first, wire(first, run) as connection:
        assert connection.event()[0] == "run.started"
        wait_for(tmp_path, "began-*")
        first.kill()

    with serving(agent, DATABASE_URL=ledger) as second, wire(second, run) as connection:
        events = connection.events()

    assert [name for name, _ in events] == ["run.started", "run.error"]
    assert events[-1][1]["usage"] == {"unit_of_measurement": "result", "quantity": 0}
    assert len(list(tmp_path.glob("began-*"))) == 1


@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="the system does not tell memory")
def test_slow_readers_cost_no_memory_of_their_own(agent: Path, ledger: str) -> None:
    """A run makes 24 MB; forty readers take none of it; one takes it all. Then a slow one wakes up."""
    run = stream_request(f"flood {MEGABYTES}")
    with serving(agent, DATABASE_URL=ledger) as served:
        before = megabytes(served.process.pid)
        with contextlib.ExitStack() as stack:
            slow = [stack.enter_context(wire(served, run, buffer=4096)) for _ in range(SLOW_READERS)]
            taken = stack.enter_context(wire(served, run)).events()
            grown = megabytes(served.process.pid) - before
            late = slow[0].events()

    assert taken[-1][0] == "run.completed"
    assert late[-1] == taken[-1]
    assert grown < MEGABYTES * SLOW_READERS / 2, f"{grown:.0f} MB for {MEGABYTES} MB of text"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to wait for")
def test_a_stop_lets_streams_end(agent: Path, ledger: str, tmp_path: Path) -> None:
    """Draining: health says so, new runs are refused, duplicates are answered, readers get an end. ERR-11."""
    run = stream_request(f"wait {tmp_path}")
    with serving(agent, DATABASE_URL=ledger) as served, wire(served, run) as connection:
        assert connection.event()[0] == "run.started"
        served.process.send_signal(signal.SIGTERM)
        while served.get("/healthz").status_code == 200:
            assert served.process.poll() is None
        refused = served.post(stream_request(run_id="run_new"))
        with wire(served, run) as duplicate:
            assert duplicate.event()[0] == "run.started"
            (tmp_path / "go").touch()
            assert duplicate.events()[-1][0] == "run.completed"
        assert connection.events()[-1][0] == "run.completed"
        assert served.process.wait(timeout=20) == 0

    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "temporarily_unavailable")
    assert int(refused.headers["retry-after"]) > 0


def test_runs_beyond_the_bound_are_refused_and_duplicates_are_not(
    agent: Path, ledger: str, tmp_path: Path
) -> None:
    """ERR-11, IDM-07: with POND_MAX_RUNS=1, and nothing is claimed for the refused run."""
    run = stream_request(f"wait {tmp_path}")
    with serving(agent, DATABASE_URL=ledger, POND_MAX_RUNS="1") as served, wire(served, run) as connection:
        assert connection.event()[0] == "run.started"
        refused = served.post(stream_request(run_id="run_new"))
        with wire(served, run) as duplicate:
            assert duplicate.event()[0] == "run.started"
            (tmp_path / "go").touch()
            assert duplicate.events()[-1][0] == "run.completed"
        assert connection.events()[-1][0] == "run.completed"
        with wire(served, stream_request(run_id="run_new")) as later:
            assert later.events()[-1][1]["output"] == TEXT

    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "temporarily_unavailable")


def test_a_user_who_starts_too_many_runs_is_told_when_to_come_back(agent: Path, ledger: str) -> None:
    """ERR-11: 429 rate_limited with Retry-After; a duplicate does not count."""
    with serving(agent, DATABASE_URL=ledger, POND_USER_RUNS_PER_MINUTE="1") as served:
        for _ in range(3):
            with wire(served, stream_request()) as connection:
                assert connection.events()[-1][0] == "run.completed"
        refused = served.post(stream_request(run_id="run_new"))

    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "rate_limited")
    assert 0 < int(refused.headers["retry-after"]) <= 60


def megabytes(pid: int) -> float:
    """Resident memory of a process at its highest."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024
