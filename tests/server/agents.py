"""A generated agent whose handler waits, fails and counts on demand, and processes that serve it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from pond_new.manifest import parse_manifest
from pond_new.project.build import build
from pond_new.project.settings import Settings

KEY = "a-key-that-only-these-tests-know"
DEFAULTS = Settings()
# One for all requests, because making one costs more than most of them; none inherits a connection.
CLIENT = httpx2.Client(timeout=60, limits=httpx2.Limits(max_keepalive_connections=0))
HEADERS = {"Authorization": f"Bearer {KEY}", "X-Agent-Protocol-Version": "1.0"}

TIDE_CLERK: dict[str, Any] = {
    "protocol": "marketplace-agent",
    "protocol_version": "1.0",
    "agent_version": "2027.01.05",
    "metadata": {"name": "Tide Clerk", "category": "research"},
    "actions": [
        {
            "id": "tide_table",
            "name": "Tide table",
            "description": "Use when the user wants tide times for a harbour.",
            "input_schema": {
                "type": "object",
                "properties": {
                    "harbour": {"type": "string", "description": "Harbour name.", "minLength": 2},
                    "days": {"type": "integer", "description": "How many days.", "minimum": 1, "maximum": 14},
                },
                "required": ["harbour"],
                "additionalProperties": False,
            },
        }
    ],
    "capabilities": {
        "sync": True,
        "streaming": False,
        "async_tasks": False,
        "cancellation": False,
        "attachments": False,
        "feedback": False,
    },
    "input_modes": ["text/plain"],
    "output_modes": ["text/markdown"],
    "limits": {"max_request_bytes": 131072, "max_attachment_bytes": 1, "max_run_seconds": 90},
}

# The harbour says what the handler does: `wait FOLDER` waits until the file `go` is there.
HANDLER = """
import asyncio
import uuid
from pathlib import Path

from agent.actions import TideTable
from agent.pond import Run


async def handle(parameters: TideTable, run: Run) -> str:
    word, _, folder = parameters["harbour"].partition(" ")
    if word == "wait":
        Path(folder, f"began-{uuid.uuid4().hex}").touch()
        while not Path(folder, "go").exists():
            await asyncio.sleep(0.01)
    run.usage(1)
    return f"{parameters['harbour']} {parameters.get('days', 1)} {uuid.uuid4().hex}"
"""


def write_agent(
    root: Path,
    *,
    manifest: dict[str, Any] = TIDE_CLERK,
    handler: str | None = HANDLER,
    settings: Settings = DEFAULTS,
) -> Path:
    """The Tide Clerk with the handler above, with another, or with the stub that pond-new writes."""
    texts = dict(build(parse_manifest(manifest), settings).texts)
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    if handler is not None:
        (root / "agent/handlers/tide_table.py").write_text(handler, encoding="utf-8")
    return root


@dataclass(slots=True)
class Served:
    """A process that serves an agent, and the file of what it logs."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path

    def kill(self) -> None:
        """As the system would when memory runs out."""
        self.process.kill()
        self.process.wait()

    def post(self, request: dict[str, Any], **headers: str) -> httpx2.Response:
        """`POST /runs`."""
        named = HEADERS | {"Idempotency-Key": request["run_id"]} | headers
        return CLIENT.post(f"{self.url}/runs", json=request, headers=named)

    def get(self, path: str, **headers: str) -> httpx2.Response:
        """`GET path`."""
        return CLIENT.get(self.url + path, headers=HEADERS | headers)


def start(root: Path, **environment: str) -> Served:
    """`python -m agent` on a port that the system chooses; returns when it answers.

    Its log is a file: in a pipe that nobody reads, a server that logs much would come to a stop.
    """
    log = root.parent / f"{root.name}-{uuid.uuid4().hex}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "agent"],
            cwd=root,
            env={**os.environ, "POND_ACCESS_KEY": KEY, "PORT": "0", "PYTHONUNBUFFERED": "1", **environment},
            stderr=output,
        )
    while process.poll() is None:
        if found := re.search(r"running on (http://[\d.:]+)\s", log.read_text("utf-8")):
            return Served(process, found.group(1), log)
        time.sleep(0.01)
    raise AssertionError(log.read_text("utf-8"))


@contextmanager
def serving(root: Path, **environment: str) -> Iterator[Served]:
    """A served agent that is gone at the end."""
    served = start(root, **environment)
    try:
        yield served
    finally:
        served.kill()


def request(harbour: str = "Brest", *, run_id: str = "run_k7", **execution: Any) -> dict[str, Any]:
    """A valid run."""
    return {
        "run_id": run_id,
        "agent_id": "agt_t1",
        "conversation_id": "chat_3",
        "history_truncated": False,
        "action_id": "tide_table",
        "user": {"id": "usr_p", "locale": "en-GB", "timezone": "Europe/Paris"},
        "messages": [
            {
                "id": "msg_1",
                "role": "user",
                "created_at": "2027-01-05T09:00:00Z",
                "parts": [{"type": "text", "text": "Tides for Brest tomorrow."}],
            }
        ],
        "parameters": {"harbour": harbour},
        "execution": {"mode": "sync", "accepted_output_modes": ["text/markdown"], "deadline_ms": 60000}
        | execution,
    }
