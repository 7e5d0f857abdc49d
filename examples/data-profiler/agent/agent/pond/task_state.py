"""What Pond is told of an async task: its id, and the body for each of its states. Pure.

Specification, "Asynchronous". A state is made of the ledger's row alone, so a poll costs one statement.
"""

import hashlib
import re
from datetime import UTC, datetime
from typing import Any

import orjson

from agent.pond.ledger import Task

POLL_AFTER_MS = 1000
TASK_ID = re.compile(r"task_[0-9a-f]{32}")


def task_id_of(run_id: str) -> str:
    """The id of a run's task: stable, and safe in a path whatever the run id is made of."""
    return f"task_{hashlib.sha256(run_id.encode()).hexdigest()[:32]}"


def describe_acceptance(run_id: str, task_id: str, *, status: str = "queued") -> bytes:
    """The body of HTTP 202."""
    return orjson.dumps(_head(run_id, task_id, status) | {"poll_after_ms": POLL_AFTER_MS})


def describe_task(task: Task) -> bytes:
    """The body of a poll: where the task stands, or how it ended."""
    updated_at = _rfc3339(task.updated)
    if task.result is not None:
        end = orjson.dumps({"task_id": task.task_id, "updated_at": updated_at})
        return task.result[:-1] + b"," + end[1:]  # two objects become one, whatever the size of the first
    body = _head(task.run_id, task.task_id, status_of(task))
    progress = orjson.loads(task.progress) if task.progress else {}
    body |= {"progress": progress} if progress else {}
    return orjson.dumps(body | {"updated_at": updated_at, "poll_after_ms": POLL_AFTER_MS})


def status_of(task: Task) -> str:
    """The status of a task without a result."""
    return "queued" if task.progress is None else "running"


def _head(run_id: str, task_id: str, status: str) -> dict[str, Any]:
    return {"run_id": run_id, "task_id": task_id, "status": status}


def _rfc3339(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
