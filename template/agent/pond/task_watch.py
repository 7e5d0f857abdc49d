"""Looks after the async tasks of all replicas: nothing that was accepted is forgotten.

It closes every gap between the ledger, which has what was asked and how it ended, and the durable engine,
which executes: a task that was never begun, one that is late, one that the engine has ended without a result.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol

from agent.pond.durable import Durable
from agent.pond.ending import BROKEN
from agent.pond.ledger import Ledger, Task
from agent.pond.logs import describe_exception
from agent.pond.observer import Observer
from agent.pond.task_ends import TaskEnds

logger = logging.getLogger(__name__)

WATCH_SECONDS = 2.0


class Here(Protocol):
    """The tasks that this process has."""

    def has(self, run_id: str) -> bool:
        """Whether a task waits or goes on here."""

    def is_overdue(self, task: Task) -> bool:
        """Whether a task should have ended, and nobody is at it who would say so."""

    def wait(self, task_id: str, run_id: str) -> None:
        """Let a task wait for its turn here."""

    async def launch(self) -> None:
        """See to it that the durable engine runs."""


class TaskWatch:
    """Ends what is late and begins what was accepted, every few seconds."""

    def __init__(
        self, here: Here, *, ledger: Ledger, durable: Durable, ends: TaskEnds, observer: Observer
    ) -> None:
        self._here = here
        self._ledger = ledger
        self._durable = durable
        self._ends = ends
        self._observer = observer
        self._watching: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Look now, and from now on."""
        self._watching = asyncio.create_task(self._watch())

    def close(self) -> None:
        """Look no more."""
        if self._watching is not None:
            self._watching.cancel()

    async def look(self) -> int:
        """End what is late, and begin what was accepted and not begun; how many go on that are not here."""
        unfinished = await self._ledger.unfinished_tasks()
        queued = sum(task.progress is None for task in unfinished)
        self._observer.found_tasks(queued=queued, running=len(unfinished) - queued)
        strangers = []
        for task in unfinished:
            if self._here.is_overdue(task):
                await self._ends.expire(task)
            elif not self._here.has(task.run_id):
                strangers.append(task)
        if strangers:
            await self._take_up(strangers)
        if taken := await self._durable.take_up():
            logger.warning("tasks of a replica that is gone go on: %d", taken)
        return len(strangers)

    async def _take_up(self, strangers: Sequence[Task]) -> None:
        """Begin what was never begun, and end what the durable engine has ended without a result."""
        await self._here.launch()
        going_on = await self._durable.going_on(task.task_id for task in strangers)
        for task in strangers:
            if task.task_id not in going_on:
                self._here.wait(task.task_id, task.run_id)
            elif not going_on[task.task_id]:
                await self._ends.fail(task, BROKEN)

    async def _watch(self) -> None:
        is_first = True
        said = ""
        while True:
            try:
                if (found := await self.look()) and is_first:
                    logger.info("tasks that were accepted before go on: %d", found)
                is_first, said = False, ""
            except Exception as error:  # noqa: BLE001 -- a full disk today must not end the watch for ever
                before, said = said, describe_exception(error)
                if said != before:
                    logger.warning("the tasks could not be looked after: %s", said)
            await asyncio.sleep(WATCH_SECONDS)
