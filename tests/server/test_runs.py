"""In which order the generated server does things: claimed, executed, saved, answered."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from tests.server.agents import KEY, TIDE_CLERK, request

Module = Callable[[str], Any]


class Witness:
    """A ledger that tells what it did, and whose results wait and cannot be saved on demand."""

    def __init__(self, ledger: Any, unavailable: Exception | None) -> None:
        """The first result fails with `unavailable`, if it is one."""
        self._ledger = ledger
        self._unavailable = unavailable
        self.told: list[str] = []
        self.may_save = asyncio.Event()
        self.has_saved = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)

    async def claim(self, *arguments: Any, **options: Any) -> Any:
        claim = await self._ledger.claim(*arguments, **options)
        self.told.append("claimed" if claim.is_new else "known")
        return claim

    async def finish(self, run_id: str, result: bytes) -> Any:
        await self.may_save.wait()
        if self._unavailable is not None:
            error, self._unavailable = self._unavailable, None
            raise error
        is_first = await self._ledger.finish(run_id, result)
        self.told.append("saved")
        self.has_saved.set()
        return is_first


class Stage:
    """Runs of the Tide Clerk with such a ledger; its clock is `behind` by some seconds."""

    def __init__(self, pond: Module, folder: Path, *, behind: float = 0.0, is_full: bool = False) -> None:
        contract = pond("contract").parse_contract(TIDE_CLERK)
        ledger = pond("ledger_sqlite").SqliteLedger(
            folder / "ledger.sqlite", retention=3600, clock=lambda: time.time() - behind
        )
        unavailable = pond("ledger").LedgerUnavailable("the disk is full") if is_full else None
        self.ledger = Witness(ledger, unavailable)
        self.deadlines: list[float] = []
        self.has_begun = asyncio.Event()
        self._envelope = pond("envelope").Envelope(contract, pond("access").Access(KEY))
        self.runs: Any = pond("runs").Runs(
            contract,
            {"tide_table": self._handle},
            ledger=self.ledger,
            admission=pond("admission").Admission(max_runs=9),
        )

    def request(self) -> Any:
        """A checked request, the same each time."""
        run = request()
        headers = [
            (b"x-agent-protocol-version", b"1.0"),
            (b"content-type", b"application/json"),
            (b"idempotency-key", run["run_id"].encode()),
        ]
        return self._envelope.parse_run(headers, orjson.dumps(run))

    async def _handle(self, parameters: Any, run: Any) -> str:
        del parameters
        self.ledger.told.append("executed")
        self.deadlines.append(run.deadline)
        self.has_begun.set()
        return "done"


def test_a_run_is_claimed_before_it_is_executed_and_saved_before_it_is_answered(
    pond: Module, tmp_path: Path
) -> None:
    """IDM-02, IDM-06: who was answered can ask again, whatever happens to the process."""

    async def scene() -> None:
        stage = Stage(pond, tmp_path)
        answer = asyncio.ensure_future(stage.runs.perform(stage.request()))
        await stage.has_begun.wait()
        await asyncio.wait({answer}, timeout=0.1)
        assert not answer.done()
        stage.ledger.may_save.set()
        assert orjson.loads(await answer)["status"] == "completed"
        assert stage.ledger.told == ["claimed", "executed", "saved"]
        await stage.runs.close()

    asyncio.run(scene())


def test_the_deadline_of_a_run_is_the_one_that_was_claimed(pond: Module, tmp_path: Path) -> None:
    """LIM-02: a run that waited for its claim has no more time than its caller gives it."""

    async def scene() -> None:
        stage = Stage(pond, tmp_path, behind=7)
        stage.ledger.may_save.set()
        await stage.runs.perform(stage.request())
        known = await stage.ledger.claim("run_k7", stage.request().fingerprint, 60)
        assert stage.deadlines == [known.deadline]
        await stage.runs.close()

    asyncio.run(scene())


def test_a_caller_that_is_cancelled_stops_neither_the_run_nor_another_caller(
    pond: Module, tmp_path: Path
) -> None:
    """IDM-01, IDM-02."""

    async def scene() -> None:
        stage = Stage(pond, tmp_path)
        gone, other = (asyncio.ensure_future(stage.runs.perform(stage.request())) for _ in range(2))
        await stage.has_begun.wait()
        gone.cancel()
        await asyncio.wait({gone})
        stage.ledger.may_save.set()
        assert orjson.loads(await other)["status"] == "completed"
        assert stage.ledger.told == ["claimed", "executed", "saved"]
        await stage.runs.close()

    asyncio.run(scene())


def test_a_stop_waits_for_the_runs_that_go_on(pond: Module, tmp_path: Path) -> None:
    """Their callers may have gone away, and come back for the result."""

    async def scene() -> None:
        stage = Stage(pond, tmp_path)
        answer = asyncio.ensure_future(stage.runs.perform(stage.request()))
        await stage.has_begun.wait()
        stop = asyncio.ensure_future(stage.runs.close())
        await asyncio.wait({stop}, timeout=0.1)
        assert not stop.done()
        stage.ledger.may_save.set()
        await stop
        assert answer.done()
        assert stage.ledger.told == ["claimed", "executed", "saved"]

    asyncio.run(scene())


def test_a_result_that_cannot_be_saved_is_answered_kept_and_saved_later(pond: Module, tmp_path: Path) -> None:
    """IDM-01, IDM-02: its duplicate hears it at once, and the work is not done again."""

    async def scene() -> None:
        stage = Stage(pond, tmp_path, is_full=True)
        stage.ledger.may_save.set()
        first = await stage.runs.perform(stage.request())
        async with asyncio.timeout(20):
            again = await stage.runs.perform(stage.request())
            assert not stage.ledger.has_saved.is_set()
            await stage.ledger.has_saved.wait()
        assert first == again == await stage.ledger.read("run_k7")
        assert stage.ledger.told == ["claimed", "executed", "known", "saved"]
        await stage.runs.close()

    asyncio.run(scene())
