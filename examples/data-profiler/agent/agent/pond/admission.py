"""Who may start a run now: a bound on runs at once, an optional rate for each user, none while draining.

No I/O. Only runs that are new are counted and refused: a duplicate of an accepted run costs nothing and is
always answered (specification, "Return errors", "Make runs idempotent"). Async tasks wait for a place.
"""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable

from agent.pond.errors import ProtocolError, RateLimited, TemporarilyUnavailable

BUSY_RETRY = 5  # seconds after which it makes sense to ask again
MINUTE = 60.0
MANY_USERS = 10_000  # from here on, users who are below their rate are forgotten now and then


class Admission:
    """The places for runs that go on, and what each user has started lately."""

    def __init__(
        self, *, max_runs: int, user_runs_per_minute: int = 0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`user_runs_per_minute` of 0 is no limit."""
        self.max_runs = max_runs
        self._drained_at: float | None = None
        self._interval = MINUTE / user_runs_per_minute if user_runs_per_minute else 0.0
        self._clock = clock
        self._running = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._free_at: dict[str, float] = {}  # when a user who starts nothing more has the whole rate again

    def admit(self, user: str | None) -> ProtocolError | None:
        """Take a place for a new run of this user (None: nobody knows whose), or say why there is none."""
        if self._running >= self.max_runs and not self.is_draining:
            return busy()
        refusal = self.welcome(user)
        if refusal is None:
            self._running += 1
        return refusal

    def welcome(self, user: str | None) -> ProtocolError | None:
        """Count a new run of this user that takes no place yet, or say why it is not wanted now."""
        if self.is_draining:
            return TemporarilyUnavailable("This agent is about to stop.", retry_after=BUSY_RETRY)
        if self._interval and user is not None and (seconds := self._count(user)) > 0:
            return RateLimited(
                "You have started many runs within a minute. Please wait a moment.",
                retry_after=math.ceil(seconds),
            )
        return None

    async def enter(self) -> None:
        """Take a place, as soon as there is one; none is given while the process is about to stop."""
        if self._running < self.max_runs and not self.is_draining:
            self._running += 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.leave()
            raise

    def leave(self) -> None:
        """Give the place of a run that has ended to the next."""
        while self._waiting and not self.is_draining:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                return
        self._running -= 1

    def forgive(self, user: str) -> None:
        """Take an admission back: the run was no new one."""
        self.leave()
        self.uncount(user)

    def uncount(self, user: str) -> None:
        """Take a welcome back: the run was no new one."""
        if user in self._free_at:
            self._free_at[user] -= self._interval

    def drain(self) -> None:
        """Admit nothing from now on, because the process is about to stop."""
        if self._drained_at is None:
            self._drained_at = self._clock()

    @property
    def is_draining(self) -> bool:
        """Whether nothing new is admitted because the process is about to stop."""
        return self._drained_at is not None

    @property
    def seconds_draining(self) -> float:
        """Since when the process is about to stop."""
        return 0.0 if self._drained_at is None else self._clock() - self._drained_at

    def _count(self, user: str) -> float:
        """Count a run of a user; the seconds until it is allowed, and then it was not counted."""
        now = self._clock()
        if len(self._free_at) >= MANY_USERS:
            self._free_at = {known: moment for known, moment in self._free_at.items() if moment > now}
        free_at = max(now, self._free_at.get(user, now)) + self._interval
        if free_at - now > MINUTE + self._interval / 1000:
            return free_at - now - MINUTE
        self._free_at[user] = free_at
        return 0.0


def busy() -> ProtocolError:
    """There is no place now."""
    return TemporarilyUnavailable("This agent is busy. Please try again shortly.", retry_after=BUSY_RETRY)


def away() -> ProtocolError:
    """The ledger cannot be used now."""
    return TemporarilyUnavailable("This agent cannot take runs at the moment.", retry_after=BUSY_RETRY)
