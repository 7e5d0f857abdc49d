"""The ledger on a real Postgres: what replicas may rely on when they share it."""

from __future__ import annotations

import asyncio
import importlib
import sys
import uuid
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.server.clusters import Cluster

FINGERPRINT, OTHER = b"a" * 32, b"b" * 32
HOUR = 3600.0

Module = Callable[[str], Any]
Steps = Callable[..., Awaitable[None]]


@pytest.fixture
def pond(monkeypatch: pytest.MonkeyPatch) -> Iterator[Module]:
    """Import a module of `agent.pond` from the template, where it lies as plain Python."""
    monkeypatch.syspath_prepend(str(ROOT / "template"))
    yield lambda name: importlib.import_module(f"agent.pond.{name}")
    for name in [name for name in sys.modules if name.partition(".")[0] == "agent"]:
        del sys.modules[name]


@pytest.fixture
def run(pond: Module, database: str) -> Callable[..., None]:
    """Live through some steps with as many ledgers on one database as they take."""

    def live(steps: Steps, *, ledgers: int = 1) -> None:
        async def main() -> None:
            opened = [
                pond("ledger_postgres").PostgresLedger(database, retention=HOUR) for _ in range(ledgers)
            ]
            try:
                await steps(*opened)
            finally:
                for ledger in opened:
                    await ledger.close()

        asyncio.run(main())

    return live


@pytest.fixture
def wanted(pond: Module) -> Callable[..., Any]:
    """A claim on its way to the table."""

    def make(run_id: str) -> Any:
        statements = pond("postgres_statements")
        return statements.Wanted(run_id, FINGERPRINT, uuid.uuid4(), 60, HOUR, None, may_insert=True)

    return make


def test_a_run_is_new_then_running_then_done_in_every_replica(run: Callable[..., None]) -> None:
    async def steps(first: Any, second: Any) -> None:
        new = await first.claim("run_1", FINGERPRINT, 60)
        running = await second.claim("run_1", FINGERPRINT, 60)
        assert await second.read("run_1") is None
        await first.finish("run_1", b"first")
        await second.finish("run_1", b"second")
        done = await second.claim("run_1", FINGERPRINT, 60)

        assert (new.is_new, running.is_new, done.is_new) == (True, False, False)
        assert (running.result, done.result, await second.read("run_1")) == (None, b"first", b"first")
        assert abs(running.deadline - new.deadline) < 2

    run(steps, ledgers=2)


def test_of_many_claims_by_four_replicas_one_is_new(run: Callable[..., None]) -> None:
    """IDM-01."""

    async def steps(*ledgers: Any) -> None:
        ids = [f"run_{number}" for number in range(50)]
        claims = await asyncio.gather(
            *(ledger.claim(run_id, FINGERPRINT, 60) for run_id in [*ids, *ids[::-1]] for ledger in ledgers)
        )

        assert sum(claim.is_new for claim in claims) == len(ids)

    run(steps, ledgers=4)


def test_another_request_under_the_same_id_is_a_conflict(run: Callable[..., None], pond: Module) -> None:
    async def steps(ledger: Any) -> None:
        same_moment = await asyncio.gather(
            ledger.claim("run_1", FINGERPRINT, 60), ledger.claim("run_1", OTHER, 60), return_exceptions=True
        )

        conflicts = [each for each in same_moment if isinstance(each, pond("errors").IdempotencyConflict)]
        assert len(conflicts) == 1

    run(steps)


def test_a_refused_claim_binds_nothing(run: Callable[..., None], pond: Module) -> None:
    async def steps(ledger: Any) -> None:
        busy = pond("errors").TemporarilyUnavailable("Busy.")
        with pytest.raises(pond("errors").TemporarilyUnavailable):
            await ledger.claim("run_1", FINGERPRINT, 60, refusal=busy)
        assert (await ledger.claim("run_1", OTHER, 60)).is_new
        assert not (await ledger.claim("run_1", OTHER, 60, refusal=busy)).is_new

    run(steps)


def test_a_claim_whose_answer_was_lost_is_still_its_own_when_it_is_tried_again(
    pond: Module, database: str, wanted: Callable[..., Any]
) -> None:
    async def main() -> None:
        statements = pond("postgres_statements")
        batch = [wanted("run_1"), wanted("run_2")]
        connection = await statements.connect(database)
        await statements.claim_all(connection, batch)
        again = await statements.claim_all(connection, [*batch, wanted("run_1")])
        await connection.close()

        assert [known.token for known in again] == [batch[0].token, batch[1].token, batch[0].token]

    asyncio.run(main())


def test_a_claim_that_was_given_up_is_taken_back(
    run: Callable[..., None], pond: Module, database: str, wanted: Callable[..., Any]
) -> None:
    async def steps(ledger: Any) -> None:
        statements = pond("postgres_statements")
        doubtful = wanted("run_1")
        connection = await statements.connect(database)
        await statements.claim_all(connection, [doubtful])
        await connection.close()
        ledger._release(doubtful)
        await asyncio.gather(*ledger._releases)

        assert (await ledger.claim("run_1", OTHER, 60)).is_new

    run(steps)


def test_one_bad_statement_does_not_hold_up_the_others(run: Callable[..., None], pond: Module) -> None:
    async def steps(ledger: Any) -> None:
        answers = await asyncio.gather(
            *(ledger.claim(f"run_{n}", FINGERPRINT, 1e300 if n == 3 else 60) for n in range(20)),
            return_exceptions=True,
        )

        refused = [each for each in answers if isinstance(each, pond("ledger").LedgerUnavailable)]
        assert refused == [answers[3]]
        assert all(getattr(answer, "is_new", False) for answer in answers if answer not in refused)

    run(steps)


@pytest.mark.parametrize("run_id", ["r" * 60_000, "run_\0", "sha256:" + "0" * 64, "лодка 🚤"])
def test_every_run_id_can_be_kept(run: Callable[..., None], run_id: str) -> None:
    async def steps(ledger: Any) -> None:
        assert (await ledger.claim(run_id, FINGERPRINT, 60)).is_new
        await ledger.finish(run_id, b"{}")
        assert (await ledger.claim(run_id, FINGERPRINT, 60)).result == b"{}"
        assert await ledger.read_task(run_id) is None

    run(steps)


def test_an_async_run_is_known_by_its_task_from_its_claim_to_its_end(
    run: Callable[..., None], pond: Module
) -> None:
    async def steps(first: Any, second: Any) -> None:
        new_task = pond("ledger").NewTask
        await first.claim("run_2", FINGERPRINT, 90, task=new_task("task_2", b"[2]"))
        await first.claim("run_1", FINGERPRINT, 60, task=new_task("task_1", b"[1]"))
        await first.claim("run_sync", FINGERPRINT, 60)
        queued = await second.read_task("task_1")
        begun = await first.begin_task("run_1")
        running = await second.read_task("task_1")
        assert (begun.request, begun.progress, begun.attempt) == (b"[1]", b"{}", 1)
        assert abs(begun.deadline - queued.deadline) < 1
        await first.save_progress("run_1", b"half")
        assert [task.run_id for task in await second.unfinished_tasks()] == ["run_1", "run_2"]
        await first.finish("run_1", b"done")
        await first.save_progress("run_1", b"late")
        done = await second.read_task("task_1")

        assert (queued.run_id, queued.progress, queued.result) == ("run_1", None, None)
        assert (running.progress, running.result) == (b"{}", None)
        assert (done.progress, done.result) == (b"half", b"done")
        assert queued.updated <= running.updated <= done.updated
        assert await second.begin_task("run_1") is None
        assert [task.run_id for task in await second.unfinished_tasks()] == ["run_2"]

    run(steps, ledgers=2)


def test_attempts_are_counted_over_all_replicas_and_each_gives_back_only_its_own(
    run: Callable[..., None], pond: Module
) -> None:
    async def steps(first: Any, second: Any) -> None:
        await first.claim("run_1", FINGERPRINT, 60, task=pond("ledger").NewTask("task_1", b"[1]"))
        await first.claim("run_sync", FINGERPRINT, 60)

        assert (await first.begin_task("run_1")).attempt == 1
        assert (await second.begin_task("run_1")).attempt == 2
        await first.release_task("run_1")  # its attempt is over: the second goes on
        assert (await second.read_task("task_1")).attempts == 2
        await second.release_task("run_1")
        assert (await first.begin_task("run_1")).attempt == 2
        assert await first.begin_task("run_sync") is None

    run(steps, ledgers=2)


def test_an_attempt_whose_answer_was_lost_counts_once(
    run: Callable[..., None], pond: Module, database: str
) -> None:
    async def steps(ledger: Any) -> None:
        statements = pond("postgres_statements")
        await ledger.claim("run_1", FINGERPRINT, 60, task=pond("ledger").NewTask("task_1", b"[1]"))
        token = uuid.uuid4()
        connection = await statements.connect(database)
        for _ in range(2):
            found = await statements.rows(connection, statements.BEGIN_TASK, ("run_1", token))
        await connection.close()

        assert found[0][-1] == 1

    run(steps)


def test_results_are_forgotten_after_their_time_by_one_replica_at_a_time(
    run: Callable[..., None], pond: Module, cluster: Cluster, database: str
) -> None:
    lock = pond("postgres_statements").LOCK

    async def steps(*ledgers: Any) -> None:
        await asyncio.gather(*(ledgers[0].claim(f"run_{n}", FINGERPRINT, 60) for n in range(2500)))
        assert await ledgers[0].tidy() == 0
        with cluster.connect(database) as operator:
            operator.execute(
                "UPDATE pond_runs SET keep_until = now() - interval '1 second' WHERE key <> 'run_7'"
            )
            with operator.transaction():
                operator.execute("SELECT pg_advisory_xact_lock(%s)", (lock,))
                assert await ledgers[0].tidy() == 0  # somebody else is at it
        forgotten = await asyncio.gather(*(ledger.tidy() for ledger in ledgers))

        assert sum(forgotten) == 2499
        assert not (await ledgers[0].claim("run_7", FINGERPRINT, 60)).is_new

    run(steps, ledgers=3)


def test_a_result_is_kept_as_long_as_the_retention_says_and_never_less_than_until_the_deadline(
    run: Callable[..., None], cluster: Cluster, database: str
) -> None:
    async def steps(ledger: Any) -> None:
        await ledger.claim("run_short", FINGERPRINT, 60)
        await ledger.claim("run_long", FINGERPRINT, 2 * HOUR)

        with cluster.connect(database) as operator:
            kept: dict[str, float] = dict(
                operator.execute("SELECT key, extract(epoch FROM keep_until - now())::float8 FROM pond_runs")
            )
        assert HOUR - 60 < kept["run_short"] <= HOUR
        assert 2 * HOUR - 60 < kept["run_long"] <= 2 * HOUR

    run(steps)


def test_a_user_who_may_not_create_tables_uses_the_one_that_is_there(
    run: Callable[..., None], pond: Module, cluster: Cluster, database: str
) -> None:
    async def first(ledger: Any) -> None:
        await ledger.claim("run_1", FINGERPRINT, 60)

    async def steps() -> None:
        plain = pond("ledger_postgres").PostgresLedger(
            database.replace("postgres@", "clerk@"), retention=HOUR
        )
        assert not (await plain.claim("run_1", FINGERPRINT, 60)).is_new
        await plain.close()

    run(first)
    with cluster.connect(database) as operator:
        operator.execute("CREATE ROLE clerk LOGIN")
        operator.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON pond_runs TO clerk")
    asyncio.run(steps())
    with cluster.connect(database) as operator:
        operator.execute("DROP OWNED BY clerk; DROP ROLE clerk")
