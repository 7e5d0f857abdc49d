"""Metrics for Prometheus and traces for OpenTelemetry, told of the runs together; each only if asked.

Only facts of the contract and of the protocol leave the process: the mode, the action's id, how a run ended,
how long it took, its units. No text, no parameters, no file and no user.
"""

import contextlib
from collections.abc import Iterator

from agent.pond.ending import Ended, Ending
from agent.pond.envelope import RunRequest
from agent.pond.observer import Observer, Tell


class Telemetry:
    """Several observers as one `Observer`."""

    def __init__(self, *observers: Observer) -> None:
        self._observers = observers

    @contextlib.contextmanager
    def watch(self, request: RunRequest) -> Iterator[Tell]:
        """Around one execution of a run."""
        with contextlib.ExitStack() as stack:
            told = [stack.enter_context(each.watch(request)) for each in self._observers]

            def tell(ending: Ending) -> None:
                for each in told:
                    each(ending)

            yield tell

    def ended(self, run: Ended) -> None:
        """A run has ended, and its result is saved."""
        for each in self._observers:
            each.ended(run)

    def refused(self, code: str) -> None:
        """A request for a run was refused with this code."""
        for each in self._observers:
            each.refused(code)

    def found_tasks(self, *, queued: int, running: int) -> None:
        """So many async tasks have no end yet."""
        for each in self._observers:
            each.found_tasks(queued=queued, running=running)
