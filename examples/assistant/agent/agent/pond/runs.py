"""The runs of this process: each is claimed in the ledger first, executed once, and joined by duplicates."""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from agent.pond.contract import Contract
from agent.pond.envelope import RunRequest
from agent.pond.execution import BROKEN, LATE, Handler, execute, failed_body
from agent.pond.ledger import Claim, Ledger
from agent.pond.run import Run, User

logger = logging.getLogger(__name__)

FOLLOW_SECONDS = 0.2  # between two looks at a run that another process executes


class Runs:
    """Executes checked requests. Two equal requests, at once or later, are one execution."""

    def __init__(
        self,
        contract: Contract,
        handlers: Mapping[str | None, Handler[Any]],
        *,
        ledger: Ledger,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._contract = contract
        self._handlers = handlers
        self._ledger = ledger
        self._clock = clock
        self._live: dict[tuple[str, bytes], asyncio.Task[bytes]] = {}
        self._unsaved: dict[str, bytes] = {}

    async def perform(self, request: RunRequest) -> bytes:
        """The terminal body of a run as JSON, executed now or saved before.

        A caller that goes away does not stop the run. Raises `IdempotencyConflict` and
        `TemporarilyUnavailable`.
        """
        key = (request.run_id, request.fingerprint)
        task = self._live.get(key)
        if task is None:
            task = self._live[key] = asyncio.create_task(self._perform(request))
            task.add_done_callback(lambda _: self._live.pop(key, None))
        return await asyncio.shield(task)

    async def recover(self) -> int:
        """Fail the runs whose process died with the last server; how many there were."""
        lost = self._ledger.unfinished()
        for run_id in lost:
            await self._ledger.finish(
                run_id, failed_body(run_id, BROKEN, usage_unit=self._contract.usage_unit)
            )
        return len(lost)

    async def save_again(self) -> None:
        """Save the results that could not be saved when their runs ended, on a full disk for example."""
        for run_id, body in list(self._unsaved.items()):
            await self._save(run_id, body)

    async def drain(self) -> None:
        """Wait for every run that goes on; none outlives its deadline."""
        while self._live:
            await asyncio.wait(self._live.values())

    async def _perform(self, request: RunRequest) -> bytes:
        claim = await self._ledger.claim(request.run_id, request.fingerprint, request.deadline_ms / 1000)
        if claim.result is not None:
            return claim.result
        if request.run_id in self._unsaved:
            return self._unsaved[request.run_id]
        if not claim.is_new:
            return await self._follow(request, claim)
        began = time.perf_counter()
        run = Run(
            request.run_id,
            request.text,
            user=User(**request.user),
            deadline=claim.deadline,
            output_modes=self._contract.output_modes,
        )
        handle = self._handlers[request.action_id]
        body = await execute(handle, request.parameters, run, usage_unit=self._contract.usage_unit)
        await self._save(request.run_id, body)
        self._log(request, body, milliseconds=round((time.perf_counter() - began) * 1000, 1))
        return body

    async def _follow(self, request: RunRequest, claim: Claim) -> bytes:
        """The result of a run that another process executes; failed when its deadline passes without one."""
        while self._clock() < claim.deadline:
            if (result := await self._ledger.read(request.run_id)) is not None:
                return result
            await asyncio.sleep(FOLLOW_SECONDS)
        late = failed_body(request.run_id, LATE, usage_unit=self._contract.usage_unit)
        await self._save(request.run_id, late)
        return await self._ledger.read(request.run_id) or late

    async def _save(self, run_id: str, body: bytes) -> None:
        """Save a result. One that cannot be saved is answered all the same, and tried again."""
        try:
            await self._ledger.finish(run_id, body)
            self._unsaved.pop(run_id, None)
        except sqlite3.Error as error:
            self._unsaved[run_id] = body
            logger.error("the result of run %s cannot be saved: %s", run_id, error)  # noqa: TRY400

    def _log(self, request: RunRequest, body: bytes, *, milliseconds: float) -> None:
        if not logger.isEnabledFor(logging.INFO):
            return
        result = orjson.loads(body)
        facts = {
            "run_id": request.run_id,
            "action": request.action_id or "-",
            "mode": request.mode,
            "outcome": result["status"],
            "milliseconds": milliseconds,
            "unit": result["usage"]["unit_of_measurement"],
            "quantity": result["usage"]["quantity"],
        }
        logger.info("run ended", extra=facts)
