"""Async tasks: accepted once, executed until they end, whatever dies in between.

The ledger is the truth: what was asked, how far it is, how it ended. `durable.py` sees to it that a task goes
on after a crash and that finished steps are not done again. The watch closes every gap between the two.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

import orjson

from agent.pond.admission import Admission, busy
from agent.pond.contract import Contract
from agent.pond.durable import Durable, record
from agent.pond.envelope import Envelope, RunRequest
from agent.pond.errors import ProtocolError, TaskNotFound, TemporarilyUnavailable, describe
from agent.pond.execution import BROKEN, LATE, Handler, execute, failed_body
from agent.pond.features import Features
from agent.pond.ledger import Begun, Claim, Ledger, LedgerUnavailable, NewTask, Task
from agent.pond.logs import describe_exception
from agent.pond.runs import log_end, prepare
from agent.pond.task_queue import TaskQueue
from agent.pond.task_run import ProgressNotes, TaskRun
from agent.pond.task_state import TASK_ID, describe_acceptance, describe_task, status_of, task_id_of

logger = logging.getLogger(__name__)

QUEUED_PER_PLACE = 40  # tasks that may wait, for each run that may go on
MAX_ATTEMPTS = 4  # after that a task is given up: it was going on each time that the process died
ALONE_FROM = 3  # from this attempt on, tasks go on one at a time, so that one cannot take others with it
WATCH_SECONDS = 2.0
RETRY_SECONDS = 1.0  # between two tries to reach the ledger
LATE_SECONDS = 1.0  # after its deadline, for a task that goes on elsewhere to say so itself
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
        self._clock = clock
        self._alone = asyncio.Lock()
        self._claiming = 0
        self._queue = TaskQueue(self._begin, self._has_room)
        self._working: dict[str, asyncio.Task[Any] | None] = {}  # begun, with a place or without, by run id
        self._running: set[str] = set()  # the handler goes on
        self._watching: asyncio.Task[None] | None = None

    async def accept(self, request: RunRequest) -> tuple[int, bytes]:
        """The HTTP status and the body of an async run's acceptance, or of its end.

        An accepted task is in the ledger, and so it will be executed. Raises `IdempotencyConflict`,
        `RateLimited` and `TemporarilyUnavailable`.
        """
        task_id = task_id_of(request.run_id)
        claim = await self._claim(request, task_id)
        if claim.result is None:
            self._wait(task_id, request.run_id)
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
        if self._is_overdue(task):
            with contextlib.suppress(LedgerUnavailable):
                await self._expire(task)
                task = await self._read(task_id)
        return describe_task(task)

    def open(self) -> None:
        """Take up what an earlier process left, and look after all tasks from now on."""
        self._watching = asyncio.create_task(self._watch())

    async def tidy(self) -> None:
        """Forget what has ended."""
        await self._durable.tidy()

    async def close(self) -> None:
        """Stop: what goes on is not finished here, and not held against it in its next attempt."""
        if self._watching is not None:
            self._watching.cancel()
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

    async def look_after(self) -> int:
        """End what is late, and begin what was accepted and not begun; how many go on that are not here."""
        strangers = []
        for task in await self._ledger.unfinished_tasks():
            if self._is_overdue(task):
                await self._expire(task)
            elif task.run_id not in self._working and task.run_id not in self._queue:
                strangers.append(task)
        if strangers:
            await self._take_up(strangers)
        if taken := await self._durable.take_up():
            logger.warning("tasks of a replica that is gone go on: %d", taken)
        return len(strangers)

    async def work(self, run_id: str) -> None:
        """Execute a task to its end; called by the durable engine, again after a crash."""
        self._working[run_id] = asyncio.current_task()
        try:
            task = await self._insist(self._ledger.read_task, task_id_of(run_id))
            if task is None or task.result is not None:
                return
            if task.attempts >= MAX_ATTEMPTS:
                await self._insist(self._ledger.finish, run_id, self._failed(run_id, GIVEN_UP))
                return
            async with self._turn(task.attempts + 1):
                if begun := await self._insist(self._ledger.begin_task, run_id):
                    body = await self._execute(run_id, begun)
                    await self._insist(self._ledger.finish, run_id, body)
        finally:
            del self._working[run_id]
            self._running.discard(run_id)
            self._queue.move()

    async def _execute(self, run_id: str, begun: Begun) -> bytes:
        began = time.perf_counter()
        self._running.add(run_id)
        try:
            request = self._envelope.restore(begun.request)
        except ProtocolError as error:  # the manifest has changed since
            return self._failed(run_id, describe(error.code, error.message, error.details))
        run = prepare(TaskRun, request, begun.deadline, self._contract)
        self._features.equip(run, request)
        highest = orjson.loads(begun.progress).get("percent", 0)
        notes = ProgressNotes(self._ledger, run_id, highest=highest)
        run.be_durable(notes, record, attempt=begun.attempt)
        handle = self._handlers[request.action_id]
        unit = self._contract.usage_unit
        try:
            with self._features.watch(request) as ended:
                body = await execute(handle, request.parameters, run, usage_unit=unit, late="expired")
                ended(body)
        finally:
            notes.close()
        log_end(request, body, began=began)
        return body

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
            raise _unavailable(error) from error
        finally:
            self._claiming -= 1
            if refusal is None and not is_new:
                self._admission.uncount(user)
        return claim

    def _wait(self, task_id: str, run_id: str) -> None:
        """Let a task wait for its turn, unless it goes on here."""
        if run_id not in self._working:
            self._queue.put(task_id, run_id)

    def _has_room(self, beginning: int) -> bool:
        """The durable engine gets no more than may go on: it takes up all that it knows after a crash."""
        return not self._admission.is_draining and beginning + len(self._working) < self._admission.max_runs

    async def _begin(self, task_id: str, run_id: str) -> None:
        try:
            self._durable.launch(self.work)
            await self._durable.start(task_id, run_id)
        except Exception as error:  # noqa: BLE001 -- whatever it is, the task is accepted: the watch comes again
            logger.error("run %s is begun later: %s", run_id, describe_exception(error))  # noqa: TRY400

    async def _take_up(self, strangers: Sequence[Task]) -> None:
        """Begin what was never begun, and end what the durable engine has ended without a result."""
        self._durable.launch(self.work)
        going_on = await self._durable.going_on(task.task_id for task in strangers)
        for task in strangers:
            if task.task_id not in going_on:
                self._wait(task.task_id, task.run_id)
            elif not going_on[task.task_id]:
                await self._ledger.finish(task.run_id, self._failed(task.run_id, BROKEN))

    async def _watch(self) -> None:
        is_first = True
        while True:
            try:
                if (found := await self.look_after()) and is_first:
                    logger.info("tasks that were accepted before go on: %d", found)
                is_first = False
            except Exception as error:  # noqa: BLE001 -- a full disk today must not end the watch for ever
                logger.warning("the tasks could not be looked after: %s", describe_exception(error))
            await asyncio.sleep(WATCH_SECONDS)

    async def _read(self, task_id: str) -> Task:
        try:
            task = await self._ledger.read_task(task_id)
        except LedgerUnavailable as error:
            raise _unavailable(error) from error
        if task is None:
            raise TaskNotFound("There is no such task.")
        return task

    def _is_overdue(self, task: Task) -> bool:
        """Whether a task should have ended and nobody is at it who would say so."""
        margin = 0.0 if task.progress is None else LATE_SECONDS
        is_ours = task.run_id in self._running
        return task.result is None and not is_ours and self._clock() > task.deadline + margin

    async def _expire(self, task: Task) -> None:
        body = failed_body(task.run_id, LATE, usage_unit=self._contract.usage_unit, status="expired")
        await self._ledger.finish(task.run_id, body)

    def _failed(self, run_id: str, error: Mapping[str, Any]) -> bytes:
        return failed_body(run_id, error, usage_unit=self._contract.usage_unit)

    async def _insist(self, ask: Callable[..., Awaitable[T]], *arguments: Any) -> T:
        """What the ledger answers, however long it takes it to be there again."""
        while True:
            try:
                return await ask(*arguments)
            except LedgerUnavailable as error:
                logger.error("the ledger does not answer: %s", error)  # noqa: TRY400 -- the text says it all
                await asyncio.sleep(RETRY_SECONDS)


def _unavailable(error: LedgerUnavailable) -> TemporarilyUnavailable:
    logger.error("the ledger cannot be used: %s", error)
    return TemporarilyUnavailable("This agent cannot take runs at the moment.")
