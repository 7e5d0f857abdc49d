"""Which run was accepted with which request, and how it ended: what every ledger promises. No I/O.

Specification, "Make runs idempotent". `runs.py` and `tasks.py` know only this page; `ledger_sqlite.py` keeps
the promises in a file.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from agent.pond.errors import IdempotencyConflict, ProtocolError


class LedgerUnavailable(Exception):
    """The database cannot be read or written now. The text is for the log, never for a client."""


class LedgerInUse(Exception):
    """Another process serves this agent from the same file."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What the ledger knows of a run: it is new, or it has a deadline and perhaps a result (JSON)."""

    is_new: bool
    deadline: float
    result: bytes | None = None


class NewTask(NamedTuple):
    """What a claim writes down of an async run, so that any process can execute it."""

    task_id: str
    request: bytes  # canonical JSON; forgotten when the run ends


@dataclass(frozen=True, slots=True)
class Task:
    """What the ledger knows of an async run. Times are seconds since the epoch.

    `progress` is None while the run is queued and JSON from its beginning on, `{}` while there is nothing to
    tell. `updated` is when the state changed last: it never goes back. `attempts` is how often it was begun.
    """

    run_id: str
    task_id: str
    deadline: float
    updated: float
    progress: bytes | None
    result: bytes | None
    attempts: int


class Begun(NamedTuple):
    """What it takes to execute an async run: the request as it was claimed, and the how-manieth attempt."""

    request: bytes
    deadline: float
    progress: bytes
    attempt: int


class Known(NamedTuple):
    """The row of a run that was claimed before."""

    fingerprint: bytes
    deadline: float
    result: bytes | None


class Ledger(Protocol):
    """One database of runs. Only `claim` refuses; everything else raises `LedgerUnavailable` at worst."""

    async def claim(
        self,
        run_id: str,
        fingerprint: bytes,
        seconds: float,
        *,
        task: NewTask | None = None,
        refusal: ProtocolError | None = None,
    ) -> Claim:
        """Accept a run that has `seconds` until its deadline, or find what became of it.

        An accepted run is on disk. With a `refusal` a run that is new is not accepted: that is raised. Raises
        `IdempotencyConflict` when the id belongs to another request, and `LedgerUnavailable`.
        """

    async def finish(self, run_id: str, result: bytes) -> bool:
        """Save a run's terminal body; a run that has one keeps it. Whether this call has ended the run."""

    async def read(self, run_id: str) -> bytes | None:
        """The terminal body of a run, or None while there is none."""

    async def lost(self) -> list[str]:
        """Runs without a result that are no tasks and whose process is known to be dead; asked at start."""

    async def read_task(self, task_id: str) -> Task | None:
        """An async run by its task id: the one statement of a poll."""

    async def read_request(self, run_id: str) -> bytes | None:
        """What was asked by an async run; None once it has ended."""

    async def begin_task(self, run_id: str) -> Begun | None:
        """Count an attempt of an async run, which is running from now on; None once it has ended."""

    async def release_task(self, run_id: str) -> None:
        """Take the last attempt back: this process stops in good order, and another one goes on."""

    async def save_progress(self, run_id: str, progress: bytes) -> None:
        """Say that an async run goes on and how far it is; one that has ended keeps its end."""

    async def unfinished_tasks(self) -> list[Task]:
        """Every async run without a result, the oldest deadline first."""

    async def tidy(self) -> int:
        """Forget results whose time is over; how many."""

    async def close(self) -> None:
        """Write what waits and let the database go."""


OpenLedger = Callable[[str, float], Ledger]  # from its address, and the seconds that a result is kept


def conclude(
    known: Known | None, fingerprint: bytes, *, deadline: float, refusal: ProtocolError | None
) -> Claim:
    """The answer of `claim`: `known` is the row that was there before, None when there was none."""
    if known is None and refusal is not None:
        raise refusal
    if known is None:
        return Claim(is_new=True, deadline=deadline)
    if known.fingerprint != fingerprint:
        raise IdempotencyConflict("This run_id was used before, with a different request.")
    return Claim(is_new=False, deadline=known.deadline, result=known.result)
