"""The peer of the streaming benchmark: a Starlette route that sends the same events, made beforehand.

Run it as `python bare_streaming.py EVENTS PAUSE`; it prints the port that it listens on. With a PAUSE of 1
the event loop gets a turn after each event, as with a handler that waits for a model.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

EVENTS, PAUSE = int(sys.argv[1]), sys.argv[2] == "1"


def _event(name: str, **data: object) -> bytes:
    text = json.dumps({"run_id": "run_1000"} | data, separators=(",", ":"))
    return f"event: {name}\ndata: {text}\n\n".encode()


STARTED = _event("run.started")
DELTA = _event("message.delta", part_index=0, delta="piece ")
COMPLETED = _event(
    "run.completed",
    output=[{"type": "text", "text": "piece " * EVENTS}],
    usage={"unit_of_measurement": "result", "quantity": 1},
)


async def events() -> AsyncIterator[bytes]:
    """One stream."""
    yield STARTED
    for _ in range(EVENTS):
        yield DELTA
        if PAUSE:
            await asyncio.sleep(0)
    yield COMPLETED


async def runs(request: Request) -> Response:
    """Read the request and answer with a stream."""
    await request.body()
    return StreamingResponse(events(), media_type="text/event-stream")


if __name__ == "__main__":
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # Nagle off, as for ours
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    app = Starlette(routes=[Route("/runs", runs, methods=["POST"])])
    config = uvicorn.Config(app, http="httptools", log_level="warning", access_log=False)
    uvicorn.Server(config).run(sockets=[listener])
