"""Async tasks: accepted once, executed until they end, whatever dies in between.

The ledger is the truth: what was asked, how far it is, how it ended. `durable.py` sees to it that a task goes
on after a crash and that finished steps are not done again. `task_watch.py` closes every gap between the two.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, TypeVar

import orjson

from agent.pond.admission import Admission, away, busy
from agent.pond.contract import Contract
from agent.pond.durable import Durable, record
from agent.pond.ending import Ended, failed
from agent.pond.envelope import Envelope, RunRequest
from agent.pond.errors import ProtocolError, TaskNotFound, describe
from agent.pond.execution import Handler, execute
from agent.pond.features import Features
from agent.pond.ledger import Begun, Claim, Ledger, LedgerUnavailable, NewTask, Task
from agent.pond.logs import describe_exception
from agent.pond.results import Results
from agent.pond.runs import prepare
from agent.pond.task_ends import MODE, TaskEnds
from agent.pond.task_queue import TaskQueue
from agent.pond.task_run import ProgressNotes, TaskRun
from agent.pond.task_state import TASK_ID, describe_acceptance, describe_task, status_of, task_id_of
from agent.pond.task_watch import TaskWatch

logger = logging.getLogger(__name__)

QUEUED_PER_PLACE = 40  # tasks that may wait, for each run that may go on
MAX_ATTEMPTS = 4  # after that a task is given up: it was going on each time that the process died
ALONE_FROM = 3  # from this attempt on, tasks go on one at a time, so that one cannot take others with it
RETRY_SECONDS = 1.0  # between two tries to reach the ledger
GRACE_SECONDS = 10.0  # for tasks that go on when the process is told to stop
GIVEN_UP = describe("internal_error", "The run kept stopping the agent and was given up.", {})

T = TypeVar("T")


class AsyncTasks:
    """The async tasks of this process."""

    def __init__(  # noqa: PLR0913 -- the parts of which it is made
        self,
        contract: Contract,
        handlers: Mapping[str | None, Handler[Any]],
        *,
        ledger: Ledger,
        admission: Admission,
        envelope: Envelope,
        durable: Durable,
        features: Features,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._contract = contract
        self._handlers = handlers
        self._ledger = ledger
        self._admission = admission
        self._envelope = envelope
        self._durable = durable
        self._features = features
        self._alone = asyncio.Lock()
        self._claiming = 0
        self._queue = TaskQueue(self._begin, self._has_room)
        self._working: dict[str, asyncio.Task[Any] | None] = {}  # begun, with a place or without, by run id
        self._running: set[str] = set()  # the handler goes on
        self._results = Results(ledger, features.observer)
        self._ends = TaskEnds(ledger, self._results, envelope, usage_unit=contract.usage_unit, clock=clock)
        self._watch = TaskWatch(
            self, ledger=ledger, durable=durable, ends=self._ends, observer=features.observer
        )

    async def accept(self, request: RunRequest) -> tuple[int, bytes]:
        """The HTTP status and the body of an async run's acceptance, or of its end.

        An accepted task is in the ledger, and so it will be executed. Raises `IdempotencyConflict`,
        `RateLimited` and `TemporarilyUnavailable`.
        """
        task_id = task_id_of(request.run_id)
        claim = await self._claim(request, task_id)
        if claim.result is None:
            self.wait(task_id, request.run_id)
        if claim.is_new:
            return 202, describe_acceptance(request.run_id, task_id)
        task = await self._read(task_id)
        if task.result is not None:
            return 200, describe_task(task)
        return 202, describe_acceptance(request.run_id, task_id, status=status_of(task))

    async def poll(self, task_id: str) -> bytes:
        """Where a task stands: one look into the ledger. Raises `TaskNotFound`, `TemporarilyUnavailable`."""
        if not TASK_ID.fullmatch(task_id):
            raise TaskNotFound("There is no such task.")
        task = await self._read(task_id)
        if self.is_overdue(task):
            with contextlib.suppress(LedgerUnavailable):
                await self._ends.expire(task)
                task = await self._read(task_id)
        return describe_task(task)

    def open(self) -> None:
        """Take up what an earlier process left, and look after all tasks from now on."""
        self._watch.open()

    async def tidy(self) -> None:
        """Forget what has ended."""
        await self._durable.tidy()

    async def close(self) -> None:
        """Stop: what goes on is not finished here, and not held against it in its next attempt."""
        self._watch.close()
        await self._queue.close()
        interrupted = set(self._running)
        ending = [task for task in self._working.values() if task is not None]
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)
        with contextlib.suppress(LedgerUnavailable):
            for run_id in interrupted:
                await self._ledger.release_task(run_id)
        await self._durable.close()

    @property
    def is_busy(self) -> bool:
        """Whether a task goes on for whose end the process should wait a little."""
        return bool(self._running) and self._admission.seconds_draining < GRACE_SECONDS

    def has(self, run_id: str) -> bool:
        """Whether a task waits or goes on here."""
        return run_id in self._working or run_id in self._queue

    def is_overdue(self, task: Task) -> bool:
        """Whether a task should have ended, and nobody is at it who would say so."""
        return task.run_id not in self._running and self._ends.is_overdue(task)

    def wait(self, task_id: str, run_id: str) -> None:
        """Let a task wait for its turn, unless it goes on here."""
        if run_id not in self._working:
            self._queue.put(task_id, run_id)

    async def launch(self) -> None:
        """See to it that the durable engine runs."""
        await self._durable.launch(self.work)

    async def work(self, run_id: str) -> None:
        """Execute a task to its end; called by the durable engine, again after a crash."""
        self._working[run_id] = asyncio.current_task()
        try:
            task = await self._insist(self._ledger.read_task, task_id_of(run_id))
            if task is None or task.result is not None:
                return
            if task.attempts >= MAX_ATTEMPTS:
                await self._insist(self._ends.fail, task, GIVEN_UP)
                return
            async with self._turn(task.attempts + 1):
                if begun := await self._insist(self._ledger.begin_task, run_id):
                    await self._insist(self._results.write, await self._execute(run_id, begun))
        finally:
            del self._working[run_id]
            self._running.discard(run_id)
            self._queue.move()

    async def _execute(self, run_id: str, begun: Begun) -> Ended:
        self._running.add(run_id)
        try:
            request = self._envelope.restore(begun.request)
        except ProtocolError as error:  # the manifest has changed since
            why = describe(error.code, error.message, error.details)
            return Ended(run_id, failed(run_id, why, unit=self._contract.usage_unit), mode=MODE)
        run = prepare(TaskRun, request, begun.deadline, self._contract)
        self._features.equip(run, request)
        highest = orjson.loads(begun.progress).get("percent", 0)
        notes = ProgressNotes(self._ledger, run_id, highest=highest)
        run.be_durable(notes, record, attempt=begun.attempt)
        handle = self._handlers[request.action_id]
        unit = self._contract.usage_unit
        try:
            with self._features.observer.watch(request) as tell:
                ending = await execute(handle, request.parameters, run, usage_unit=unit, late="expired")
                tell(ending)
        finally:
            notes.close()
        return self._ends.of(request, ending, deadline=begun.deadline)

    @contextlib.asynccontextmanager
    async def _turn(self, attempt: int) -> AsyncIterator[None]:
        """A place among the runs that go on; alone among its kind for a task that saw several crashes."""
        async with self._alone if attempt >= ALONE_FROM else contextlib.nullcontext():
            await self._admission.enter()
            try:
                yield
            finally:
                self._admission.leave()

    async def _claim(self, request: RunRequest, task_id: str) -> Claim:
        """The claim of a request. With too many tasks that wait, a new one is refused, unclaimed."""
        user = request.user["id"]
        bound = self._admission.max_runs * (1 + QUEUED_PER_PLACE)
        is_full = len(self._queue) + len(self._working) + self._claiming >= bound
        refusal = busy() if is_full else self._admission.welcome(user)
        self._claiming += 1
        is_new = False
        try:
            claim = await self._ledger.claim(
                request.run_id,
                request.fingerprint,
                request.deadline_ms / 1000,
                task=NewTask(task_id, orjson.dumps(request.document)),
                refusal=refusal,
            )
            is_new = claim.is_new
        except LedgerUnavailable as error:
            logger.error("the ledger cannot be written: %s", error)  # noqa: TRY400 -- the text says it all
            raise away() from error
        finally:
            self._claiming -= 1
            if refusal is None and not is_new:
                self._admission.uncount(user)
        return claim

    def _has_room(self, beginning: int) -> bool:
        """The durable engine gets no more than may go on: it takes up all that it knows after a crash."""
        return not self._admission.is_draining and beginning + len(self._working) < self._admission.max_runs

    async def _begin(self, task_id: str, run_id: str) -> None:
        try:
            await self.launch()
            await self._durable.start(task_id, run_id)
        except Exception as error:  # noqa: BLE001 -- whatever it is, the task is accepted: the watch comes again
            logger.error("run %s is begun later: %s", run_id, describe_exception(error))  # noqa: TRY400

    async def _read(self, task_id: str) -> Task:
        try:
            task = await self._ledger.read_task(task_id)
        except LedgerUnavailable as error:
            logger.error("the ledger cannot be read: %s", error)  # noqa: TRY400 -- the text says it all
            raise away() from error
        if task is None:
            raise TaskNotFound("There is no such task.")
        return task

    async def _insist(self, ask: Callable[..., Awaitable[T]], *arguments: Any) -> T:
        """What the ledger answers, however long it takes it to be there again."""
        is_said = False
        while True:
            try:
                return await ask(*arguments)
            except LedgerUnavailable as error:
                if not is_said:
                    logger.error("the ledger does not answer, a task waits for it: %s", error)  # noqa: TRY400
                is_said = True
                await asyncio.sleep(RETRY_SECONDS)
