"""Statements on Postgres: what arrives together goes as one batch, and a connection that was lost comes back.

Nothing here needs a session to last (no prepared statements, no LISTEN, no SET), so that a pooler such as
PgBouncer may stand between. Knows nothing of runs.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import psycopg

from agent.pond.ledger import LedgerUnavailable

logger = logging.getLogger(__name__)

PATIENCE = 5.0  # seconds that a statement waits for a database that is away, locked or slow
RETRY = 0.1  # seconds between two tries
LARGEST_BATCH = 256

Connection = psycopg.AsyncConnection[tuple[object, ...]]
Connect = Callable[[], Awaitable[Connection]]

Item = TypeVar("Item")
Answer = TypeVar("Answer")


@dataclass(slots=True, eq=False)
class Waiting(Generic[Item, Answer]):
    """Something to be done, until when, and who waits for it."""

    item: Item
    give_up: float
    answer: "asyncio.Future[Answer]"


class Lane(Generic[Item, Answer]):
    """One connection and the statements of one kind, batch after batch.

    `work` does a batch and gives one answer for each item. It is called again after a failure, so doing an
    item twice must be as good as doing it once.
    """

    def __init__(
        self, connect: Connect, work: Callable[[Connection, Sequence[Item]], Awaitable[Sequence[Answer]]]
    ) -> None:
        self._connect = connect
        self._work = work
        self._connection: Connection | None = None
        self._waiting: list[Waiting[Item, Answer]] = []
        self._worker: asyncio.Task[None] | None = None
        self._size = LARGEST_BATCH

    async def do(self, item: Item, *, patience: float = PATIENCE) -> Answer:
        """The answer to an item. Raises `LedgerUnavailable` when there is none within `patience` seconds.

        Whether it was done is not known then.
        """
        loop = asyncio.get_running_loop()
        waiting = Waiting[Item, Answer](item, loop.time() + patience, loop.create_future())
        self._waiting.append(waiting)
        if self._worker is None or self._worker.done():
            self._worker = loop.create_task(self._work_off())
        return await waiting.answer

    async def close(self) -> None:
        """Do what waits, and let the connection go."""
        if self._worker is not None:
            await asyncio.wait({self._worker})
        await self._disconnect()

    async def _work_off(self) -> None:
        """Do batch after batch until nothing waits."""
        while self._waiting:
            batch, self._waiting = self._waiting[: self._size], self._waiting[self._size :]
            if error := await self._try(batch):
                # One at a time until one succeeds, those that failed last: no item can hold up all others.
                self._size = 1
                self._waiting += batch
                self._refuse_late(error)
                await asyncio.sleep(RETRY)
            else:
                self._size = min(2 * self._size, LARGEST_BATCH)

    async def _try(self, batch: Sequence[Waiting[Item, Answer]]) -> Exception | None:
        """Do a batch, or say why it could not be done."""
        try:
            async with asyncio.timeout(PATIENCE):
                if self._connection is None:
                    self._connection = await self._connect()
                answers = await self._work(self._connection, [waiting.item for waiting in batch])
        except (psycopg.Error, OSError, TimeoutError) as error:
            await self._disconnect()
            return error
        for waiting, answer in zip(batch, answers, strict=True):
            if not waiting.answer.done():
                waiting.answer.set_result(answer)
        return None

    def _refuse_late(self, error: Exception) -> None:
        """Tell everybody who has waited long enough, and forget who waits no more."""
        now = asyncio.get_running_loop().time()
        for waiting in self._waiting:
            if waiting.give_up <= now and not waiting.answer.done():
                waiting.answer.set_exception(LedgerUnavailable(_text(error)))
        self._waiting = [waiting for waiting in self._waiting if not waiting.answer.done()]

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


def _text(error: Exception) -> str:
    """What went wrong, on one line, for the log."""
    return " ".join(f"{type(error).__name__} {error}".split())
