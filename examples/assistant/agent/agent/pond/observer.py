"""Who is told of the runs, where the agent is measured (`telemetry.py`); nobody is where it is not."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from agent.pond.ending import Ended, Ending
from agent.pond.envelope import RunRequest

Tell = Callable[[Ending], None]  # takes how an execution ended


class Observer(Protocol):
    """Is told what happens. It must be quick and must not raise."""

    def watch(self, request: RunRequest) -> AbstractContextManager[Tell]:
        """Is entered around one execution of a run; a task that saw a crash has several."""

    def ended(self, run: Ended) -> None:
        """A run has ended, and its result is saved. Told once for each run, by one of all replicas."""

    def refused(self, code: str) -> None:
        """A request for a run was refused with this code, so no run began."""

    def found_tasks(self, *, queued: int, running: int) -> None:
        """So many async tasks have no end yet, whichever replica has them. Told every few seconds."""


class Nobody:
    """The `Observer` of an agent that is not measured."""

    def watch(self, request: RunRequest) -> AbstractContextManager[Tell]:
        """Nothing is around an execution."""
        del request
        return _UNWATCHED

    def ended(self, run: Ended) -> None:
        """Nobody counts it."""

    def refused(self, code: str) -> None:
        """Nobody counts it."""

    def found_tasks(self, *, queued: int, running: int) -> None:
        """Nobody counts them."""


def forget(ending: Ending) -> None:
    """The `Tell` of an observer that does not ask how an execution ended."""
    del ending


NOBODY = Nobody()
_UNWATCHED = nullcontext(forget)
