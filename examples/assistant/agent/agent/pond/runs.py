"""The runs of this process: each is claimed in the ledger first, executed once, and joined by duplicates."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from agent.pond.admission import Admission, away
from agent.pond.contract import Contract
from agent.pond.ending import BROKEN, LATE, Ended, failed
from agent.pond.envelope import RunRequest
from agent.pond.execution import Handler, execute
from agent.pond.features import NOTHING_MORE, Features, Tasks
from agent.pond.ledger import Claim, Ledger, LedgerUnavailable
from agent.pond.results import Results, ended
from agent.pond.run import Listener, Run, User

logger = logging.getLogger(__name__)

SomeRun = TypeVar("SomeRun", bound=Run)

FOLLOW_SECONDS = 0.2  # between two looks at a run that another process executes
GRACE_SECONDS = 1.0  # after its deadline, for that process to save how it ended


@dataclass(slots=True, eq=False)
class Live:
    """A request that goes on in this process, and who hears what its run makes.

    `listener` is None when nobody asked to hear, and when the run is over or goes on in another process.
    `accepted` is done once the run is claimed.
    """

    listener: Listener | None = None
    accepted: asyncio.Future[None] | None = None
    task: asyncio.Task[bytes] = field(init=False)


class Runs:
    """Executes checked requests. Two equal requests, at once or later, are one execution."""

    def __init__(  # noqa: PLR0913 -- the parts of which it is made
        self,
        contract: Contract,
        handlers: Mapping[str | None, Handler[Any]],
        *,
        ledger: Ledger,
        admission: Admission,
        features: Features = NOTHING_MORE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._contract = contract
        self._handlers = handlers
        self._ledger = ledger
        self._admission = admission
        self._features = features
        self.tasks: Tasks | None = None
        if features.open_tasks is not None:
            self.tasks = features.open_tasks(
                contract,
                handlers,
                ledger=ledger,
                admission=admission,
                features=features,
            )
        self._clock = clock
        self._live: dict[tuple[str, bytes], Live] = {}
        self._results = Results(ledger, features.observer)

    async def perform(self, request: RunRequest) -> bytes:
        """The terminal body of a run as JSON, executed now or saved before.

        A caller that goes away does not stop the run. Raises `IdempotencyConflict`, `RateLimited` and
        `TemporarilyUnavailable`.
        """
        return await asyncio.shield(self._join(request).task)

    async def accept(self, request: RunRequest, listen: Callable[[], Listener]) -> Live:
        """The run as soon as it is accepted; a new one is heard by what `listen` gives.

        `task` of the answer has the terminal body; cancelling it is nobody's business. Raises as `perform`.
        """
        live = self._join(request, listen)
        if live.accepted is not None:
            either: set[asyncio.Future[Any]] = {live.task, live.accepted}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if live.task.done():
            live.task.result()
        return live

    async def recover(self) -> int:
        """Fail the runs whose process died with the last server; how many there were."""
        lost = await self._ledger.lost()
        for run_id in lost:
            await self._results.write(Ended(run_id, failed(run_id, BROKEN, unit=self._contract.usage_unit)))
        if self.tasks is not None:
            self.tasks.open()
        return len(lost)

    async def tidy(self) -> int:
        """Forget old results; how many were forgotten. Raises `LedgerUnavailable`."""
        await asyncio.to_thread(self._features.purge)
        if self.tasks is not None:
            await self.tasks.tidy()
        return await self._ledger.tidy()

    async def close(self) -> None:
        """Wait for every run that goes on (none outlives its deadline) and let the ledger go."""
        while self._live:
            await asyncio.wait({live.task for live in self._live.values()})
        if self.tasks is not None:
            await self.tasks.close()
        await self._results.close()
        await self._ledger.close()

    @property
    def is_busy(self) -> bool:
        """Whether any run goes on."""
        return bool(self._live) or (self.tasks is not None and self.tasks.is_busy)

    def _join(self, request: RunRequest, listen: Callable[[], Listener] | None = None) -> Live:
        """The equal request that goes on already, or this one, begun."""
        key = (request.run_id, request.fingerprint)
        live = self._live.get(key)
        if live is None:
            live = self._live[key] = Live()
            if listen is not None:
                live.listener, live.accepted = listen(), asyncio.get_running_loop().create_future()
            live.task = asyncio.create_task(self._perform(request, live))
            live.task.add_done_callback(lambda _: self._live.pop(key, None))
        return live

    async def _perform(self, request: RunRequest, live: Live) -> bytes:
        claim = await self._claim(request)
        if not claim.is_new:
            live.listener = None
        if live.accepted is not None:
            live.accepted.set_result(None)
        if not claim.is_new:
            return await self._known(request, claim)
        try:
            return await self._execute(request, claim, live.listener)
        finally:
            self._admission.leave()

    async def _claim(self, request: RunRequest) -> Claim:
        """The claim of a request. A new one takes a place; when none is free it is refused, unclaimed."""
        user = request.user["id"]
        refusal = self._admission.admit(user)
        is_new = False
        try:
            seconds = request.deadline_ms / 1000
            claim = await self._ledger.claim(request.run_id, request.fingerprint, seconds, refusal=refusal)
            is_new = claim.is_new
        except LedgerUnavailable as error:
            logger.error("the ledger cannot be written: %s", error)  # noqa: TRY400 -- the text says it all
            raise away() from error
        finally:
            if refusal is None and not is_new:
                self._admission.forgive(user)
        return claim

    async def _known(self, request: RunRequest, claim: Claim) -> bytes:
        """The result of a run that was claimed before."""
        if claim.result is not None:
            return claim.result
        if (unsaved := self._results.unsaved(request.run_id)) is not None:
            return unsaved
        return await self._follow(request, claim)

    async def _execute(self, request: RunRequest, claim: Claim, listener: Listener | None) -> bytes:
        began = time.perf_counter()
        run = prepare(Run, request, claim.deadline, self._contract)
        self._features.equip(run, request)
        if listener is not None:
            run.tell(listener)
        handle = self._handlers[request.action_id]
        with self._features.observer.watch(request) as tell:
            ending = await execute(handle, request.parameters, run, usage_unit=self._contract.usage_unit)
            tell(ending)
        await self._results.save(ended(request, ending, seconds=time.perf_counter() - began))
        return ending.body

    async def _follow(self, request: RunRequest, claim: Claim) -> bytes:
        """The result of a run that another process executes; failed when its deadline passes without one."""
        while self._clock() < claim.deadline + GRACE_SECONDS:
            with contextlib.suppress(LedgerUnavailable):
                if (result := await self._ledger.read(request.run_id)) is not None:
                    return result
            await asyncio.sleep(FOLLOW_SECONDS)
        late = failed(request.run_id, LATE, unit=self._contract.usage_unit)
        seconds = request.deadline_ms / 1000 + GRACE_SECONDS
        await self._results.save(ended(request, late, seconds=seconds))
        with contextlib.suppress(LedgerUnavailable):
            return await self._ledger.read(request.run_id) or late.body
        return late.body


def prepare(kind: type[SomeRun], request: RunRequest, deadline: float, contract: Contract) -> SomeRun:
    """A run of some kind, as its handler will see it."""
    return kind(
        request.run_id,
        request.text,
        user=User(**request.user),
        deadline=deadline,
        output_modes=contract.output_modes,
    )
