"""Ends of async tasks that do not end themselves: they are late, lost, or stop the agent again and again."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from agent.pond.ending import LATE, Ended, Ending, failed
from agent.pond.envelope import Envelope, RunRequest
from agent.pond.errors import ProtocolError
from agent.pond.ledger import Ledger, Task
from agent.pond.results import Results, ended

MODE = "async"
LATE_SECONDS = 1.0  # after its deadline, for a task that goes on elsewhere to say so itself


class TaskEnds:
    """Writes down how tasks ended. Everything raises `LedgerUnavailable`."""

    def __init__(
        self,
        ledger: Ledger,
        results: Results,
        envelope: Envelope,
        *,
        usage_unit: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._ledger = ledger
        self._results = results
        self._envelope = envelope
        self._usage_unit = usage_unit
        self._clock = clock

    def is_overdue(self, task: Task) -> bool:
        """Whether a task should have ended, and whoever is at it had the time to say so."""
        margin = 0.0 if task.progress is None else LATE_SECONDS
        return task.result is None and self._clock() > task.deadline + margin

    async def expire(self, task: Task) -> None:
        """The task did not finish before its deadline."""
        await self._end(task, failed(task.run_id, LATE, unit=self._usage_unit, status="expired"))

    async def fail(self, task: Task, error: Mapping[str, Any]) -> None:
        """The task cannot be finished."""
        await self._end(task, failed(task.run_id, error, unit=self._usage_unit))

    def of(self, request: RunRequest, ending: Ending, *, deadline: float) -> Ended:
        """How a task ended now: the time since its acceptance is known by its deadline."""
        return ended(request, ending, seconds=self._clock() - deadline + request.deadline_ms / 1000)

    async def _end(self, task: Task, ending: Ending) -> None:
        document = await self._ledger.read_request(task.run_id)
        try:
            request = self._envelope.restore(document) if document else None
        except ProtocolError:  # the manifest has changed since
            request = None
        if request is None:
            await self._results.write(Ended(task.run_id, ending, mode=MODE))
            return
        await self._results.write(self.of(request, ending, deadline=task.deadline))
