"""Send broken requests to the agent in the current folder, in process: `fuzz_agent.py COUNT SEED`.

Every answer must be in the protocol's shape, JSON or events, with a code and the status that belongs to it.
The requests take turns in the modes that the agent offers.
"""

from __future__ import annotations

import copy
import importlib
import json
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path.cwd()))

STRINGS = (
    "",
    "x",
    "\x00",
    "🌊",
    "1.0",
    "1.0, 1.0",
    "Bearer",
    "application/json",
    "a" * 5000,
    "é" * 50,
    "../..",
    "%00",
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    10**30,
    1e308,
    "",
    "x",
    [],
    {},
    [[]],
    {"a": {}},
    ["text/markdown"],
)
BYTES = (
    b"",
    b"\x00",
    b"\xff",
    b"{",
    b"}",
    b'"',
    b"\\",
    b"\\ud800",
    b"[" * 2000,
    b"NaN",
    b"-",
    b"1e9999",
    b"\xf0\x9f",
)
AGENT = ("agent.app", "agent.pond.facts", "agent.settings", "tests.generated.client")
METHODS = ("POST", "GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "BREW")
PATHS = (
    "/runs",
    "/runs/",
    "/manifest",
    "/tasks/x",
    "/tasks/%ff",
    "/tasks/..%2f..",
    "/tasks/task_1",
    "/artifacts/x?expires=1&signature=%00",
    "/artifacts/..%2f..?expires=%C3%A9&expires=2",
    "/",
    "//",
    "/healthz",
    "/%F0%9F",
    "/runs?x=1",
)


def main(count: int, seed: int) -> int:
    from starlette.testclient import TestClient

    app, facts, settings, client = map(importlib.import_module, AGENT)

    chance = random.Random(seed)
    wanted = replace(settings.load_settings({}), access_key=client.KEY, database="sqlite:///fuzz.sqlite")
    with TestClient(app.create_app(wanted), raise_server_exceptions=True) as http:
        pond = client.Pond(http)
        for number in range(count):
            mode = client.OFFERED[number % len(client.OFFERED)]
            body = broken_body(chance, client.sample().request(mode))
            headers = broken_headers(chance, client.KEY, json_run_id(body))
            method = chance.choice(METHODS) if chance.random() < 0.1 else "POST"
            path = chance.choice(PATHS) if chance.random() < 0.15 else "/runs"
            answer = pond.client.request(method, path, content=body, headers=headers)
            if method == "HEAD":
                continue
            if answer.headers["content-type"].startswith("text/event-stream"):
                assert client.result_of(answer)["status"] in {"completed", "failed"}
                continue
            assert answer.headers["content-type"] == "application/json", (number, answer.headers)
            parsed = answer.json()
            if answer.status_code not in {200, 202}:
                code = parsed["error"]["code"]
                assert facts.STATUSES[code] == answer.status_code < 500, (number, answer.status_code, parsed)
                assert parsed["error"]["message"].isprintable(), (number, parsed)
                assert "usage" not in parsed
    sys.stdout.write(f"{count} answered\n")
    return 0


def broken_headers(chance: random.Random, key: str, run_id: str) -> list[tuple[bytes, bytes]]:
    """The right headers, often with one of them changed, doubled or gone."""
    headers = [
        ("authorization", f"Bearer {key}"),
        ("x-agent-protocol-version", "1.0"),
        ("content-type", "application/json"),
        ("idempotency-key", run_id),
    ]
    if chance.random() < 0.3:
        place = chance.randrange(len(headers))
        name, value = headers[place]
        changes: list[Callable[[], list[tuple[str, str]]]] = [
            list,
            lambda: [(name, value), (name, value)],
            lambda: [(name, chance.choice(STRINGS))],
            lambda: [(name, value + chance.choice(STRINGS))],
        ]
        headers[place : place + 1] = chance.choice(changes)()
    return [(name.encode(), value.encode(errors="replace")) for name, value in headers]


def broken_body(chance: random.Random, request: dict[str, Any]) -> bytes:
    """A valid request with up to three values changed, then sometimes with bytes changed."""
    for _ in range(chance.randrange(4)):
        change_somewhere(chance, request)
    body = json.dumps(request).encode()
    for _ in range(chance.choice((0, 0, 0, 1, 3))):
        place = chance.randrange(len(body) + 1)
        body = body[:place] + chance.choice(BYTES) + body[place + chance.randrange(3) :]
    return body


def change_somewhere(chance: random.Random, node: Any) -> None:
    """Replace, remove or add one member at any depth."""
    while isinstance(node, dict | list) and node:
        key = chance.choice(list(node) if isinstance(node, dict) else range(len(node)))
        if not isinstance(node[key], dict | list) or not node[key] or chance.random() < 0.3:
            break
        node = node[key]
    if not isinstance(node, dict | list) or not node:
        return
    match chance.randrange(3):
        case 0:
            node[key] = copy.deepcopy(chance.choice(VALUES))
        case 1:
            del node[key]
        case _ if isinstance(node, dict):
            node[chance.choice(STRINGS)] = copy.deepcopy(chance.choice(VALUES))
        case _:
            node.append(copy.deepcopy(chance.choice(VALUES)))


def json_run_id(body: bytes) -> str:
    """The run id of a body that has one, else any."""
    try:
        run_id = json.loads(body)["run_id"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return "run_any"
    return run_id if isinstance(run_id, str) else "run_any"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
