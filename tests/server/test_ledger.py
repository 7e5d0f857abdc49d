"""The ledger of the generated server: who may execute a run, and what is remembered of it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

FINGERPRINT, OTHER = b"a" * 32, b"b" * 32
HOUR = 3600.0


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(pond: Callable[[str], Any], tmp_path: Path, clock: Clock) -> Iterator[Any]:
    opened = pond("ledger_sqlite").SqliteLedger(tmp_path / "ledger.sqlite", retention=HOUR, clock=clock)
    yield opened
    asyncio.run(opened.close())


def run(steps: Callable[[], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        return await steps()

    return asyncio.run(main())


def test_a_run_is_new_then_running_then_done(ledger: Any) -> None:
    async def steps() -> None:
        first = await ledger.claim("run_1", FINGERPRINT, 60)
        second = await ledger.claim("run_1", FINGERPRINT, 60)
        await ledger.finish("run_1", b"{}")
        third = await ledger.claim("run_1", FINGERPRINT, 60)

        assert (first.is_new, first.result) == (True, None)
        assert (second.is_new, second.result) == (False, None)
        assert (third.is_new, third.result) == (False, b"{}")
        assert first.deadline == second.deadline == third.deadline

    run(steps)


def test_of_many_claims_at_once_one_is_new(ledger: Any) -> None:
    async def steps() -> None:
        claims = await asyncio.gather(*(ledger.claim("run_1", FINGERPRINT, 60) for _ in range(200)))

        assert sum(claim.is_new for claim in claims) == 1

    run(steps)


def test_another_request_under_the_same_id_is_a_conflict(ledger: Any, pond: Callable[[str], Any]) -> None:
    async def steps() -> None:
        await ledger.claim("run_1", FINGERPRINT, 60)
        with pytest.raises(pond("errors").IdempotencyConflict):
            await ledger.claim("run_1", OTHER, 60)

    run(steps)


def test_the_first_result_stays(ledger: Any) -> None:
    async def steps() -> None:
        await ledger.claim("run_1", FINGERPRINT, 60)
        await ledger.finish("run_1", b"first")
        await ledger.finish("run_1", b"second")

        assert await ledger.read("run_1") == b"first"

    run(steps)


def test_results_are_forgotten_after_their_time_and_not_before(ledger: Any, clock: Clock) -> None:
    async def steps() -> None:
        await ledger.claim("run_short", FINGERPRINT, 60)
        await ledger.claim("run_long", FINGERPRINT, 2 * HOUR)
        clock.now += HOUR - 1
        assert await ledger.tidy() == 0
        clock.now += 2
        assert await ledger.tidy() == 1  # the long one has not reached its deadline
        assert not (await ledger.claim("run_long", FINGERPRINT, 60)).is_new
        assert (await ledger.claim("run_short", FINGERPRINT, 60)).is_new

    run(steps)


def test_a_clock_that_jumps_back_loses_nothing(ledger: Any, clock: Clock) -> None:
    async def steps() -> None:
        await ledger.claim("run_1", FINGERPRINT, 60)
        await ledger.finish("run_1", b"{}")
        clock.now -= 100 * HOUR
        await ledger.tidy()

        assert (await ledger.claim("run_1", FINGERPRINT, 60)).result == b"{}"

    run(steps)


def test_a_locked_database_is_waited_for_without_blocking_the_loop(ledger: Any, tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "ledger.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    async def steps() -> None:
        claim = asyncio.ensure_future(ledger.claim("run_1", FINGERPRINT, 60))
        for _ in range(5):  # the loop goes round while the claim waits
            await asyncio.sleep(0.01)
        assert not claim.done()
        other.execute("ROLLBACK")
        assert (await claim).is_new

    run(steps)
    other.close()


def test_a_full_disk_refuses_new_runs_and_recovers(ledger: Any, pond: Callable[[str], Any]) -> None:
    pages = ledger._database.execute("PRAGMA page_count").fetchone()[0]

    async def steps() -> None:
        ledger._database.execute(f"PRAGMA max_page_count = {pages}")
        refused = 0
        for number in range(200):
            try:
                await ledger.claim(f"run_{number}" + "x" * 500, FINGERPRINT, 60)
            except pond("ledger").LedgerUnavailable:
                refused += 1
        ledger._database.execute("PRAGMA max_page_count = 1000000")

        assert refused > 0
        assert (await ledger.claim("run_after", FINGERPRINT, 60)).is_new

    run(steps)


def test_unfinished_runs_are_known_at_the_next_start(
    pond: Callable[[str], Any], tmp_path: Path, clock: Clock
) -> None:
    path = tmp_path / "again.sqlite"

    async def accept() -> None:
        ledger = pond("ledger_sqlite").SqliteLedger(path, retention=HOUR, clock=clock)
        await ledger.claim("run_lost", FINGERPRINT, 60)
        await ledger.claim("run_done", FINGERPRINT, 60)
        await ledger.finish("run_done", b"{}")
        await ledger.close()

    run(accept)
    again = pond("ledger_sqlite").SqliteLedger(path, retention=HOUR, clock=clock)

    assert run(again.lost) == ["run_lost"]
    asyncio.run(again.close())


def task(pond: Callable[[str], Any], name: str) -> Any:
    return pond("ledger").NewTask(f"task_{name}", b'{"of": "%s"}' % name.encode())


def test_a_task_is_queued_then_running_then_done(
    ledger: Any, pond: Callable[[str], Any], clock: Clock
) -> None:
    async def steps() -> None:
        accepted = clock.now
        await ledger.claim("run_1", FINGERPRINT, 60, task=task(pond, "1"))
        queued = await ledger.read_task("task_1")
        assert (queued.run_id, queued.progress, queued.result) == ("run_1", None, None)
        assert (queued.updated, queued.deadline) == (accepted, accepted + 60)

        clock.now += 1
        begun = await ledger.begin_task("run_1")
        assert begun == (b'{"of": "1"}', accepted + 60, b"{}", 1)
        running = await ledger.read_task("task_1")
        assert (running.progress, running.updated) == (b"{}", accepted + 1)
        await ledger.save_progress("run_1", b"half")

        clock.now -= 100  # a clock that jumps back
        await ledger.finish("run_1", b"done")
        await ledger.save_progress("run_1", b"late")
        done = await ledger.read_task("task_1")
        assert (done.progress, done.result, done.updated) == (b"half", b"done", accepted + 1)
        assert await ledger.begin_task("run_1") is None
        assert await ledger.read_task("task_2") is None
        kept = ledger._database.execute("SELECT request FROM runs").fetchall()
        assert kept == [(None,)]  # what a user wrote is kept as long as it is needed

    run(steps)


def test_attempts_of_a_task_are_counted_unless_they_are_given_back(
    ledger: Any, pond: Callable[[str], Any]
) -> None:
    async def steps() -> None:
        await ledger.claim("run_1", FINGERPRINT, 60, task=task(pond, "1"))
        await ledger.claim("run_2", FINGERPRINT, 60)

        assert [(await ledger.begin_task("run_1")).attempt for _ in range(2)] == [1, 2]
        await ledger.release_task("run_1")
        assert (await ledger.begin_task("run_1")).attempt == 2
        assert (await ledger.read_task("task_1")).attempts == 2
        assert await ledger.begin_task("run_2") is None  # no task

    run(steps)


def test_a_task_is_unfinished_and_never_lost(ledger: Any, pond: Callable[[str], Any]) -> None:
    async def steps() -> None:
        await ledger.claim("run_1", FINGERPRINT, 90, task=task(pond, "1"))
        await ledger.claim("run_2", FINGERPRINT, 60, task=task(pond, "2"))
        await ledger.claim("run_3", FINGERPRINT, 60, task=task(pond, "3"))
        await ledger.claim("run_4", FINGERPRINT, 60)
        await ledger.finish("run_3", b"{}")

        assert [each.run_id for each in await ledger.unfinished_tasks()] == ["run_2", "run_1"]
        assert await ledger.lost() == ["run_4"]

    run(steps)


def test_a_file_of_an_earlier_version_gets_the_columns_that_it_lacks(
    pond: Callable[[str], Any], tmp_path: Path
) -> None:
    path = tmp_path / "old.sqlite"
    with sqlite3.connect(path) as old:
        old.execute(
            "CREATE TABLE runs (run_id TEXT PRIMARY KEY, fingerprint BLOB NOT NULL,"
            " deadline REAL NOT NULL, keep_until REAL NOT NULL, result BLOB)"
        )
        old.execute("INSERT INTO runs VALUES ('run_1', ?, 2e9, 2e9, 'saved')", (FINGERPRINT,))
    old.close()

    async def steps() -> None:
        ledger = pond("ledger_sqlite").SqliteLedger(path, retention=HOUR)
        assert (await ledger.claim("run_1", FINGERPRINT, 60)).result == "saved"
        assert (await ledger.claim("run_2", FINGERPRINT, 60, task=task(pond, "2"))).is_new
        assert (await ledger.read_task("task_2")).run_id == "run_2"
        await ledger.close()

    run(steps)


def test_one_file_has_one_process(ledger: Any, pond: Callable[[str], Any], tmp_path: Path) -> None:
    with pytest.raises(pond("ledger").LedgerInUse, match="in use by another process"):
        pond("ledger_sqlite").SqliteLedger(tmp_path / "ledger.sqlite", retention=HOUR)
