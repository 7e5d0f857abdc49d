"""What others may know of the runs: metrics for Prometheus and traces for OpenTelemetry, each only if asked.

Only facts of the contract and of the protocol leave the process: the mode, the action's id, how a run ended,
how long it took, its units. No text, no parameters, no file and no user.
"""

import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import orjson

from agent.pond.envelope import RunRequest
from agent.pond.features import Ended


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended. `code` is its error's code, empty for a run that is completed."""

    status: str
    code: str
    seconds: float
    unit: str
    quantity: int


class Instrument(Protocol):
    """Something that measures runs."""

    def watch(self, mode: str, action: str) -> contextlib.AbstractContextManager["Tell"]:
        """Measure one run while it goes on; it is told how the run ended."""


class Tell(Protocol):
    """Takes the outcome of the run that is watched."""

    def __call__(self, outcome: Outcome) -> None:
        """Note it."""


class Telemetry:
    """All instruments of this agent."""

    def __init__(self, *instruments: Instrument) -> None:
        self._instruments = instruments

    @contextlib.contextmanager
    def watch(self, request: RunRequest) -> Iterator[Ended]:
        """Around the execution of a run: the instruments see its beginning, and its terminal body."""
        began = time.perf_counter()
        with contextlib.ExitStack() as stack:
            action = request.action_id or "-"
            told = [stack.enter_context(each.watch(request.mode, action)) for each in self._instruments]

            def ended(body: bytes) -> None:
                if told:
                    outcome = _outcome(orjson.loads(body), time.perf_counter() - began)
                    for tell in told:
                        tell(outcome)

            yield ended


def _outcome(result: Mapping[str, Mapping[str, str | int]], seconds: float) -> Outcome:
    usage = result["usage"]
    return Outcome(
        status=str(result["status"]),
        code=str(result.get("error", {}).get("code", "")),
        seconds=seconds,
        unit=str(usage["unit_of_measurement"]),
        quantity=int(usage["quantity"]),
    )
