"""What a handler sees of an async task: progress that Pond reads, and steps that are done once."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import orjson

from agent.pond.errors import Failure
from agent.pond.ledger import Ledger, LedgerUnavailable
from agent.pond.run import Run

PROGRESS_SECONDS = 1.0  # between two writes of one task's progress

Record = Callable[[str, Callable[[], Awaitable[Any]]], Awaitable[Any]]
"""Do a named step and keep what it gave, or give back what was kept before a crash."""


class StepFailed(Exception):
    """The step raised this kind of exception before the process died; it is not tried again."""


class ProgressNotes:
    """Writes the newest progress of one task, about once a second; the last one is not lost."""

    def __init__(self, ledger: Ledger, run_id: str, *, highest: int) -> None:
        self._ledger = ledger
        self._run_id = run_id
        self._highest = highest
        self._loop = asyncio.get_running_loop()
        self._latest: bytes | None = None
        self._is_waking = False
        self._writing: asyncio.Task[None] | None = None

    def tell(self, percent: float, message: str) -> None:
        """Note how far the work is, in any thread. The percentage never goes back, not even after a crash."""
        self._highest = max(self._highest, min(100, round(percent)))
        text = message.encode("utf-8", "replace").decode()
        self._latest = orjson.dumps({"percent": self._highest, "message": text})
        if not self._is_waking and not self._loop.is_closed():
            self._is_waking = True
            self._loop.call_soon_threadsafe(self._wake)

    def close(self) -> None:
        """The task has ended: what was not written does not matter any more."""
        self._latest = None
        if self._writing is not None:
            self._writing.cancel()

    def _wake(self) -> None:
        self._is_waking = False
        if self._writing is None and self._latest is not None:
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        while self._latest is not None:
            latest, self._latest = self._latest, None
            with contextlib.suppress(LedgerUnavailable):
                await self._ledger.save_progress(self._run_id, latest)
            await asyncio.sleep(PROGRESS_SECONDS)
        self._writing = None


class TaskRun(Run):
    """A run in mode `async`."""

    _notes: ProgressNotes
    _record: Record

    def be_durable(self, notes: ProgressNotes, record: Record, *, attempt: int) -> None:
        """Say where progress goes, how steps are kept, and which attempt this is."""
        self._notes = notes
        self._record = record
        self.attempt = attempt

    def progress(self, percent: int, message: str) -> None:
        """Say how far the work is: Pond shows it while the task is running."""
        super().progress(percent, message)
        self._notes.tell(percent, message)

    async def _do_step(self, name: str, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        """Do a step, or give back what it gave before a crash. What it raised is raised in both cases."""
        raised: list[Exception] = []

        async def do() -> dict[str, Any]:
            try:
                answer = await super(TaskRun, self)._do_step(name, function, arguments)
                return {"value": _plain(name, answer)}
            except Failure as failure:
                raised.append(failure)
                return {"failure": [failure.code, failure.message, _details(failure)]}
            except Exception as error:  # noqa: BLE001 -- kept as its name, raised again below
                raised.append(error)
                return {"error": type(error).__name__}

        outcome = await self._record(name, do)
        if raised:
            raise raised[0]
        if "failure" in outcome:
            code, message, details = outcome["failure"]
            raise Failure(code, message, **details)
        if "error" in outcome:
            raise StepFailed(f"the step {name!r} raised {outcome['error']} before the process died")
        return outcome["value"]


def _details(failure: Failure) -> Any:
    """The details of a failure, if they are JSON."""
    try:
        return _plain("", dict(failure.details))
    except TypeError:
        return {}


def _plain(name: str, value: Any) -> Any:
    """A value as it is after a crash, so that a handler sees no difference."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"the step {name!r} gave {type(value).__name__}, which is no JSON: return text, numbers, lists"
            " and objects, because the result of a step is kept"
        ) from error
