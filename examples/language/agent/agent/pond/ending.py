"""How a run ended: its terminal body, and what the log and those who measure may know of it.

Specification, "Return a result", "Report usage".
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from agent.pond.errors import describe

logger = logging.getLogger(__name__)

NOT_KNOWN = "-"
LATE = describe("internal_error", "The run did not finish before its deadline.", {})
BROKEN = describe("internal_error", "The agent failed unexpectedly.", {})


class Ending(NamedTuple):
    """The end of a run: its terminal body as JSON, and the facts in it that no user wrote.

    `code` is that of its error, empty when the run is completed.
    """

    body: bytes
    status: str
    code: str
    unit: str
    quantity: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A run that has ended, without anything that was asked or answered.

    `mode` and `action` are `-` where there is none, and where they died with the process that knew them.
    `seconds` have passed since the run was accepted; None when nobody knows.
    """

    run_id: str
    ending: Ending
    mode: str = NOT_KNOWN
    action: str = NOT_KNOWN
    seconds: float | None = None


def failed(run_id: str, error: Mapping[str, Any], *, unit: str, status: str = "failed") -> Ending:
    """The end of a run without its handler: no units are counted."""
    usage = {"unit_of_measurement": unit, "quantity": 0}
    body = orjson.dumps({"run_id": run_id, "status": status, "error": dict(error), "usage": usage})
    return Ending(body, status, error["code"], unit, 0)


def log_end(run: Ended) -> None:
    """One line for a run that has ended."""
    if not logger.isEnabledFor(logging.INFO):
        return
    facts: dict[str, object] = {
        "run_id": run.run_id,
        "action": run.action,
        "mode": run.mode,
        "outcome": run.ending.status,
        "unit": run.ending.unit,
        "quantity": run.ending.quantity,
    }
    if run.seconds is not None:
        facts["milliseconds"] = round(run.seconds * 1000, 1)
    logger.info("run ended", extra=facts)
