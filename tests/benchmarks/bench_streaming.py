"""The rows on streaming: pieces that a handler yields, read from the wire, beside a bare response."""

from __future__ import annotations

import asyncio
import itertools
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.load import post
from tests.benchmarks.table import Row
from tests.server.agents import HEADERS, start, write_agent
from tests.server.streams import STREAMING, stream_request

PIECES = 2000  # of one run
CONNECTIONS = 4
STREAMS = 6  # of each connection
ROUNDS = 3
BARE = Path(__file__).with_name("bare_streaming.py")
HANDLER = """
import asyncio

from agent.actions import TideTable
from agent.pond import Run


async def handle(parameters: TideTable, run: Run):
    run.usage(1)
    for _ in range({pieces}):
        yield "piece "
        if {pause}:
            await asyncio.sleep(0)
"""
END = b"\r\n0\r\n\r\n"  # of an answer in chunks


def streaming_rows(folder: Path) -> Iterator[Row]:
    """Both rows; `folder` is an empty directory.

    As fast as the pieces come they travel in larger deltas. When the handler waits after each, every piece is
    an event of its own, and costs a turn of its reader.
    """
    for name, pause, least in (("streamed pieces", False, 0.5), ("streamed one by one", True, 0.5)):
        ours, bare = _rates(folder / name, pause=pause)
        yield Row(name, ours, bare, "pieces/s", "bare StreamingResponse", least=least)


def _rates(folder: Path, *, pause: bool) -> tuple[float, float]:
    """Pieces a second of ours and of the peer; rounds alternate between the two."""
    handler = HANDLER.format(pieces=PIECES, pause=pause)
    root = write_agent(folder, manifest=STREAMING, handler=handler)
    with _serving(root) as ours, _bare(pause=pause) as bare:
        rounds = [(_rate(ours), _rate(bare)) for _ in range(ROUNDS)]
    first, second = zip(*rounds, strict=True)
    return statistics.median(first), statistics.median(second)


class Connection(asyncio.Protocol):
    """Asks for the next stream when the last one has ended."""

    def __init__(self, requests: Sequence[bytes], done: asyncio.Future[None]) -> None:
        self._requests = iter(requests)
        self._done = done
        self._tail = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.WriteTransport = transport  # type: ignore[assignment]
        self._ask()

    def data_received(self, data: bytes) -> None:
        self._tail = (self._tail + data)[-len(END) :]
        if self._tail == END:
            self._ask()

    def _ask(self) -> None:
        self._tail = b""
        if request := next(self._requests, None):
            self.transport.write(request)
        else:
            self.transport.close()
            self._done.set_result(None)


NUMBERS = itertools.count(1000)


def _rate(port: int) -> float:
    """Pieces a second over all connections."""
    headers = [*HEADERS.items(), ("content-type", "application/json")]

    def make() -> bytes:
        run = stream_request(run_id=f"run_{next(NUMBERS)}")
        return post("/runs", json.dumps(run).encode(), [*headers, ("idempotency-key", run["run_id"])])

    async def read() -> None:
        loop = asyncio.get_running_loop()
        ends: list[asyncio.Future[None]] = [loop.create_future() for _ in range(CONNECTIONS)]
        for end in ends:
            requests = [make() for _ in range(STREAMS)]
            await loop.create_connection(lambda r=requests, e=end: Connection(r, e), "127.0.0.1", port)  # type: ignore[misc]
        await asyncio.gather(*ends)

    began = time.perf_counter()
    asyncio.run(read())
    return PIECES * CONNECTIONS * STREAMS / (time.perf_counter() - began)


@contextmanager
def _serving(root: Path) -> Iterator[int]:
    served = start(root)
    try:
        yield int(served.url.rpartition(":")[2])
    finally:
        served.kill()


@contextmanager
def _bare(*, pause: bool) -> Iterator[int]:
    process = subprocess.Popen(
        [sys.executable, BARE, str(PIECES), str(int(pause))], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()
