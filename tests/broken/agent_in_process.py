"""A generated agent in this process, called as a web server calls it."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator, MutableMapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from tests.broken.bodies import MODES, valid_request, write
from tests.broken.messages import Answer, Message
from tests.broken.oracle import result_of
from tests.broken.requests import right_headers
from tests.server.agents import KEY

ADDRESS = "https://agent.example.com"
PATIENCE = 20.0  # seconds after which an answer is taken for lost
PICTURE = bytes(range(256)) * 8


async def handle(parameters: Any, run: Any) -> AsyncIterator[str]:
    """Gives back what it was given, and a file that is large enough to be kept by the agent."""
    run.usage(1)
    yield json.dumps(dict(parameters))[:5000]
    run.artifact("tide.png", PICTURE, "image/png")
    yield run.text[:5000]


class Agent:
    """The agent in a folder; one in a process, because its packages have the same names as any other's."""

    def __init__(self, folder: Path, *, lenient: bool) -> None:
        sys.path.append(str(folder))
        settings = importlib.import_module("agent.settings")
        self.manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
        self.lenient = lenient
        self._place = tempfile.TemporaryDirectory()
        wanted = replace(
            settings.load_settings({}),
            access_key=KEY,
            lenient=lenient,
            database=f"sqlite:///{self._place.name}/ledger.sqlite",
            public_url=ADDRESS,
            inline_artifact_bytes=1000,
        )
        table = dict.fromkeys([action["id"] for action in self.manifest["actions"]], handle)
        self._app = importlib.import_module("agent.app").create_app(wanted, table=table)
        self._loop = asyncio.new_event_loop()
        self._lifespan = self._app.router.lifespan_context(self._app)
        self._loop.run_until_complete(self._lifespan.__aenter__())
        self._count = 0

    @property
    def modes(self) -> tuple[str, ...]:
        """The modes that it offers."""
        capabilities = dict(zip(MODES, ("sync", "streaming", "async_tasks"), strict=True))
        return tuple(mode for mode in MODES if self.manifest["capabilities"][capabilities[mode]])

    def close(self) -> None:
        """Let every run end."""
        self._loop.run_until_complete(self._lifespan.__aexit__(None, None, None))
        self._loop.close()
        self._place.cleanup()

    def new_run_id(self) -> str:
        """A run id that was never used."""
        self._count += 1
        return f"run_{self._count}"

    def send(self, message: Message) -> Answer:
        """The answer to a message. Raises `TimeoutError` when there is none."""
        return self._loop.run_until_complete(asyncio.wait_for(self._exchange(message), PATIENCE))

    def valid(self, run_id: str, mode: str) -> Message:
        """A run that this agent accepts."""
        body = write(valid_request(mode)).encode()
        return Message("POST", "/runs", tuple(right_headers(mode).items()), body).named(run_id)

    def result(self, answer: Answer) -> Any:
        """The terminal result behind an answer to a run; a task is followed to its end."""
        if answer.media_type.startswith("text/event-stream"):
            return result_of(answer.events)
        give_up = time.monotonic() + PATIENCE
        while answer.status == 202 or answer.json["status"] in {"queued", "running"}:
            assert time.monotonic() < give_up, answer
            self._loop.run_until_complete(asyncio.sleep(0.002))
            poll = Message("GET", f"/tasks/{answer.json['task_id']}", tuple(right_headers().items()))
            answer = self.send(poll)
        return {name: value for name, value in answer.json.items() if name not in {"task_id", "updated_at"}}

    async def _exchange(self, message: Message) -> Answer:
        sent: list[MutableMapping[str, Any]] = []
        half = len(message.body) // 2
        waiting = [
            {"type": "http.request", "body": message.body[:half], "more_body": True},
            {"type": "http.request", "body": message.body[half:], "more_body": False},
        ]

        async def receive() -> MutableMapping[str, Any]:
            if not waiting:
                await asyncio.get_running_loop().create_future()  # the caller stays and says no more
            return waiting.pop(0)

        async def send(event: MutableMapping[str, Any]) -> None:
            sent.append(event)

        await self._app(_scope(message), receive, send)
        start, *rest = sent
        assert start["type"] == "http.response.start"
        assert not rest[-1].get("more_body")
        return Answer(
            start["status"], dict(start["headers"]), b"".join(event.get("body", b"") for event in rest)
        )


def _scope(message: Message) -> dict[str, Any]:
    """What uvicorn says of a request."""
    path, _, query = message.target.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 1),
        "scheme": "http",
        "root_path": "",
        "method": message.method,
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": list(message.headers),
        "state": {},
    }
