"""A generated agent that streams, and a client that reads its events from the wire."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.server.agents import HEADERS, TIDE_CLERK, Served, request, write_agent

STREAMING = TIDE_CLERK | {"capabilities": TIDE_CLERK["capabilities"] | {"streaming": True}}

# The harbour says what the handler does. `wait FOLDER` tells a piece, then waits for the file `go`.
HANDLER = """
import asyncio
import uuid
from pathlib import Path

from agent.actions import TideTable
from agent.pond import Failure, Run


async def handle(parameters: TideTable, run: Run):
    word, _, rest = parameters["harbour"].partition(" ")
    run.usage(3)
    yield "Tides "
    match word:
        case "wait":
            Path(rest, f"began-{uuid.uuid4().hex}").touch()
            while not Path(rest, "go").exists():
                await asyncio.sleep(0.01)
        case "flood":
            for _ in range(int(rest) * 16):
                yield "x" * 65536
        case "files":
            run.artifact("table.txt", b"06:12 high\\n", "text/markdown")
            run.artifact("map.pdf", "https://agent.example.com/map.pdf", "application/pdf")
        case "fail":
            raise Failure("invalid_input", "There is no such harbour.", field="parameters.harbour")
    yield f"for {word}"
"""

Event = tuple[str, dict[str, Any]]


def write_streaming_agent(root: Path) -> Path:
    """The Tide Clerk that streams."""
    return write_agent(root, manifest=STREAMING, handler=HANDLER)


def stream_request(harbour: str = "Brest", *, run_id: str = "run_k7", **execution: Any) -> dict[str, Any]:
    """A valid run in mode `stream`."""
    return request(harbour, run_id=run_id, mode="stream", **execution)


class Wire:
    """One connection that asks for a stream and takes as much of it as it is told to."""

    def __init__(self, served: Served, run: dict[str, Any], *, buffer: int = 0) -> None:
        host, _, port = served.url.removeprefix("http://").partition(":")
        self._socket = socket.socket()
        if buffer:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self._socket.settimeout(60)
        self._socket.connect((host, int(port)))
        self._socket.sendall(_post(run))
        self._bytes = self._socket.makefile("rb")
        self._rest = b""
        self.head = b""

    def event(self) -> Event:
        """The next event, as soon as it is on the wire."""
        while True:
            block, end, rest = self._rest.partition(b"\n\n")
            if not end:
                self._rest += self._chunk()
                continue
            self._rest = rest
            if not block.startswith(b":"):
                return parse(block)

    def events(self) -> list[Event]:
        """Every event until the agent ends the answer, which it must do right after a terminal one."""
        blocks = b"".join([self._rest, *iter(self._chunk, b"")]).split(b"\n\n")
        self._rest = b""
        assert blocks.pop() == b""
        return [parse(block) for block in blocks if not block.startswith(b":")]

    def wait_for_the_head(self) -> None:
        """Until the answer has begun."""
        while (line := self._bytes.readline()) != b"\r\n":
            assert line
            self.head += line.lower()

    def close(self) -> None:
        """Hang up."""
        self._bytes.close()
        self._socket.close()

    def _chunk(self) -> bytes:
        if not self.head:
            self.wait_for_the_head()
        size = int(self._bytes.readline(), 16)
        chunk = self._bytes.read(size)
        assert self._bytes.read(2) == b"\r\n"
        return chunk


@contextmanager
def wire(served: Served, run: dict[str, Any], **options: Any) -> Iterator[Wire]:
    """A connection that is closed at the end."""
    connection = Wire(served, run, **options)
    try:
        yield connection
    finally:
        connection.close()


def parse(block: bytes) -> Event:
    """One event: exactly a name and a line of JSON."""
    name, data = block.decode().split("\n")
    return name.removeprefix("event: "), json.loads(data.removeprefix("data: "))


async def read_many(served: Served, run: dict[str, Any], count: int) -> list[list[Event]]:
    """So many readers of one run at once; the events of each."""
    return await asyncio.gather(*(_read(served, run) for _ in range(count)))


async def _read(served: Served, run: dict[str, Any]) -> list[Event]:
    host, _, port = served.url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(_post(run))
    await reader.readuntil(b"\r\n\r\n")
    body = b""
    while size := int(await reader.readline(), 16):
        body += await reader.readexactly(size)
        await reader.readline()
    writer.close()
    await writer.wait_closed()
    return [parse(block) for block in body.split(b"\n\n") if block and not block.startswith(b":")]


def _post(run: dict[str, Any]) -> bytes:
    body = json.dumps(run).encode()
    headers = HEADERS | {
        "Host": "agent",
        "Accept": "text/event-stream",
        "Content-Type": "application/json",
        "Idempotency-Key": run["run_id"],
        "Content-Length": str(len(body)),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST /runs HTTP/1.1\r\n{lines}\r\n".encode() + body
