"""The results of runs: saved in the ledger, and each end told once to the log and to those who measure."""

import asyncio
import contextlib
import logging

from agent.pond.ending import NOT_KNOWN, Ended, Ending, log_end
from agent.pond.envelope import RunRequest
from agent.pond.ledger import Ledger, LedgerUnavailable
from agent.pond.observer import Observer

logger = logging.getLogger(__name__)

SAVE_AGAIN_SECONDS = 2.0  # between two tries to save a result


class Results:
    """Saves how runs end, and keeps what cannot be saved now."""

    def __init__(self, ledger: Ledger, observer: Observer) -> None:
        self._ledger = ledger
        self._observer = observer
        self._unsaved: dict[str, Ended] = {}
        self._saving: asyncio.Task[None] | None = None

    async def write(self, run: Ended) -> None:
        """Save a result and tell of the end; a run that has one keeps it. Raises `LedgerUnavailable`."""
        if await self._ledger.finish(run.run_id, run.ending.body):
            log_end(run)
            self._observer.ended(run)

    async def save(self, run: Ended) -> None:
        """Save a result. One that cannot be saved, because of a full disk for example, is tried again."""
        try:
            await self.write(run)
            self._unsaved.pop(run.run_id, None)
        except LedgerUnavailable as error:
            self._unsaved[run.run_id] = run
            logger.error("the result of run %s cannot be saved: %s", run.run_id, error)  # noqa: TRY400
            if self._saving is None or self._saving.done():
                self._saving = asyncio.create_task(self._save_later())

    def unsaved(self, run_id: str) -> bytes | None:
        """The terminal body of a run that has ended here and is not in the ledger yet."""
        run = self._unsaved.get(run_id)
        return None if run is None else run.ending.body

    async def close(self) -> None:
        """Try once more."""
        if self._saving is not None:
            self._saving.cancel()
        with contextlib.suppress(LedgerUnavailable):
            await self._save_again()

    async def _save_later(self) -> None:
        while self._unsaved:
            await asyncio.sleep(SAVE_AGAIN_SECONDS)
            with contextlib.suppress(LedgerUnavailable):
                await self._save_again()

    async def _save_again(self) -> None:
        for run_id, run in list(self._unsaved.items()):
            await self.write(run)
            self._unsaved.pop(run_id, None)


def ended(request: RunRequest, ending: Ending, *, seconds: float) -> Ended:
    """How the run of a request ended, `seconds` after it was accepted."""
    return Ended(request.run_id, ending, request.mode, request.action_id or NOT_KNOWN, seconds)
