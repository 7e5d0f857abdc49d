"""The peer of the server benchmark: a route that only checks the key and validates the same envelope.

Run it as `python bare.py SCHEMA KEY`; it prints the port that it listens on.
"""

from __future__ import annotations

import hmac
import json
import socket
import sys
from pathlib import Path

import jsonschema_rs
import orjson
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

SCHEMA, KEY = Path(sys.argv[1]), sys.argv[2].encode()
VALIDATOR = jsonschema_rs.Draft202012Validator(
    json.loads(SCHEMA.read_text("utf-8")), validate_formats=True, mask="value", offline=True
)


async def runs(request: Request) -> Response:
    """Key, JSON, envelope, answer."""
    given = request.headers.get("authorization", "").partition(" ")[2].encode()
    if not hmac.compare_digest(given, KEY):
        return Response(status_code=401)
    run = orjson.loads(await request.body())
    if not VALIDATOR.is_valid(run):
        return Response(status_code=400)
    body = {
        "run_id": run["run_id"],
        "status": "completed",
        "output": [{"type": "text", "text": "Hello"}],
        "usage": {"unit_of_measurement": "result", "quantity": 1},
    }
    return Response(orjson.dumps(body), media_type="application/json")


if __name__ == "__main__":
    listener = socket.socket(
        socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )  # so that asyncio turns Nagle off
    listener.bind(("127.0.0.1", 0))
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    app = Starlette(routes=[Route("/runs", runs, methods=["POST"])])
    config = uvicorn.Config(app, http="httptools", log_level="warning", access_log=False)
    uvicorn.Server(config).run(sockets=[listener])
