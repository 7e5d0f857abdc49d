"""The ledger on Postgres, shared by all replicas of this agent: whoever inserts a run's id executes it.

Specification, "Make runs idempotent". Deadlines are kept by the clock of the database, the only one that
all replicas share. A database that goes away is waited for a moment, then new runs are refused.
"""

import asyncio
import contextlib
import logging
import time
import uuid
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from agent.pond.errors import ProtocolError
from agent.pond.ledger import Begun, Claim, Known, Ledger, LedgerUnavailable, NewTask, Task, conclude
from agent.pond.postgres import Connection, Lane
from agent.pond.postgres_statements import (
    BEGIN_TASK,
    FORGOTTEN_AT_ONCE,
    PROGRESS,
    RELEASE,
    RELEASE_TASK,
    REQUEST,
    UNFINISHED_TASKS,
    Finishing,
    Wanted,
    claim_all,
    connect,
    do_each,
    finish_all,
    forget,
    key_of,
    read_results,
    read_tasks,
    rows,
)

logger = logging.getLogger(__name__)


class PostgresLedger:
    """A `Ledger` in a Postgres database; any number of processes at once, a few connections each."""

    def __init__(self, url: str, *, retention: float, clock: Callable[[], float] = time.time) -> None:
        """`retention` is how many seconds a result is kept, and never less than until its deadline.

        Nothing is connected yet: a server whose database is away starts, and refuses runs until it is back.
        """
        self._retention = retention
        self._clock = clock
        open_connection = partial(connect, url)
        self._claims = Lane(open_connection, claim_all)
        self._finishes = Lane(open_connection, finish_all)
        self._results = Lane(open_connection, read_results)
        self._tasks = Lane(open_connection, read_tasks)
        self._others = Lane(open_connection, do_each)
        self._begun: dict[str, uuid.UUID] = {}  # the attempts that this process makes
        self._releases: set[asyncio.Task[None]] = set()

    async def claim(
        self,
        run_id: str,
        fingerprint: bytes,
        seconds: float,
        *,
        task: NewTask | None = None,
        refusal: ProtocolError | None = None,
    ) -> Claim:
        """Accept a run that has `seconds` until its deadline, or find what became of it."""
        deadline = self._clock() + seconds
        may_insert = refusal is None
        wanted = Wanted(run_id, fingerprint, uuid.uuid4(), seconds, self._retention, task, may_insert)
        try:
            found = await self._claims.do(wanted)
        except LedgerUnavailable:
            self._release(wanted)
            raise
        known = None
        if found is not None and found.token != wanted.token:
            known = Known(found.fingerprint, self._clock() + found.seconds_left, found.result)
        return conclude(known, fingerprint, deadline=deadline, refusal=refusal)

    async def finish(self, run_id: str, result: bytes) -> bool:
        """Save a run's terminal body; a run that has one keeps it. Whether this call has ended the run."""
        has_ended = await self._finishes.do(Finishing(key_of(run_id), result))
        self._begun.pop(run_id, None)
        return has_ended

    async def read(self, run_id: str) -> bytes | None:
        """The terminal body of a run, or None while there is none."""
        return await self._results.do(key_of(run_id))

    async def lost(self) -> list[str]:
        """None: a run without a result may go on in another replica; it has failed after its deadline."""
        try:
            # It makes the table, and says early when that is not possible.
            await self._results.do("", patience=0)
        except LedgerUnavailable as away:
            logger.error("the database is not there, and runs are refused until it is: %s", away)  # noqa: TRY400
        return []

    async def read_task(self, task_id: str) -> Task | None:
        """An async run by its task id."""
        row = await self._tasks.do(key_of(task_id))
        return self._task(row) if row else None

    async def read_request(self, run_id: str) -> bytes | None:
        """What was asked by an async run; None once it has ended."""
        for (request,) in await self._ask(REQUEST, key_of(run_id)):
            return request  # type: ignore[no-any-return]
        return None

    async def begin_task(self, run_id: str) -> Begun | None:
        """Count an attempt of an async run, which is running from now on; None once it has ended."""
        token = uuid.uuid4()
        for request, seconds_left, progress, attempt in await self._ask(BEGIN_TASK, key_of(run_id), token):
            self._begun[run_id] = token
            return Begun(request, self._clock() + seconds_left, progress, attempt)
        return None

    async def release_task(self, run_id: str) -> None:
        """Take the last attempt back: this process stops in good order, and another one goes on."""
        await self._tell(RELEASE_TASK, key_of(run_id), self._begun.pop(run_id, None))

    async def save_progress(self, run_id: str, progress: bytes) -> None:
        """Say that an async run goes on and how far it is; one that has ended keeps its end."""
        await self._tell(PROGRESS, progress, key_of(run_id))

    async def unfinished_tasks(self) -> list[Task]:
        """Every async run without a result, the oldest deadline first."""
        return [self._task(row) for row in await self._ask(UNFINISHED_TASKS)]

    async def tidy(self) -> int:
        """Forget results whose time is over, unless another replica does; how many were forgotten."""
        total = 0
        while True:
            forgotten: int = await self._others.do(forget)
            total += forgotten
            if forgotten < FORGOTTEN_AT_ONCE:
                return total

    async def close(self) -> None:
        """Do what waits and let the connections go; claims that could not be taken back stay."""
        for release in self._releases:
            release.cancel()
        for lane in (self._claims, self._finishes, self._results, self._tasks, self._others):
            await lane.close()

    def _task(self, row: tuple[Any, ...]) -> Task:
        """A row as what it says, with the deadline by the clock of this machine."""
        run_id, task_id, seconds_left, *rest = row
        return Task(run_id.decode(), task_id, self._clock() + seconds_left, *rest)

    def _ask(self, query: str, *values: object) -> Awaitable[Any]:
        """The rows that a rare query gives."""
        return self._others.do(lambda connection: rows(connection, query, values))

    async def _tell(self, statement: str, *values: object) -> None:
        """Do a rare statement that gives no rows."""

        async def execute(connection: Connection) -> None:
            await connection.execute(statement, values)

        await self._others.do(execute)

    def _release(self, wanted: Wanted) -> None:
        """Take a claim back that may have been made, as soon as the database is there: nobody executes it."""

        async def release(connection: Connection) -> None:
            await connection.execute(RELEASE, (wanted.key, wanted.token))

        async def when_it_is_back() -> None:
            with contextlib.suppress(LedgerUnavailable):
                await self._others.do(release, patience=wanted.seconds)

        task = asyncio.create_task(when_it_is_back())
        self._releases.add(task)
        task.add_done_callback(self._releases.discard)


def open_database(url: str, retention: float) -> Ledger:
    """The ledger at `postgresql://USER:PASSWORD@HOST/DATABASE`."""
    return PostgresLedger(url, retention=retention)
