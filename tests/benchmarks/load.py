"""A client faster than the servers it measures: raw requests over kept connections, one at a time each."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Load:
    """What came of a load: requests a second, and the seconds that each one took, sorted."""

    rate: float
    seconds: Sequence[float]

    @property
    def median(self) -> float:
        """Seconds of the request in the middle."""
        return self.seconds[len(self.seconds) // 2]


class Connection(asyncio.Protocol):
    """Sends the next request when the answer of the last one is complete."""

    def __init__(self, requests: Sequence[bytes], done: asyncio.Future[list[float]]) -> None:
        self.requests = iter(requests)
        self.done = done
        self.seconds: list[float] = []
        self.buffer = bytearray()
        self.began = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.WriteTransport = transport  # type: ignore[assignment]
        self.send()

    def send(self) -> None:
        request = next(self.requests, None)
        if request is None:
            self.transport.close()
            self.done.set_result(self.seconds)
            return
        self.began = time.perf_counter()
        self.transport.write(request)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        end = self.buffer.find(b"\r\n\r\n")
        found = LENGTH.search(self.buffer, 0, end) if end >= 0 else None
        if found is None or len(self.buffer) < end + 4 + int(found.group(1)):
            return
        assert self.buffer.startswith(b"HTTP/1.1 200"), bytes(self.buffer)
        self.buffer.clear()
        self.seconds.append(time.perf_counter() - self.began)
        self.send()


def post(path: str, body: bytes, headers: Sequence[tuple[str, str]]) -> bytes:
    """One request as bytes."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"POST {path} HTTP/1.1\r\nhost: x\r\n{lines}content-length: {len(body)}\r\n\r\n".encode() + body


def apply_load(port: int, make: Callable[[int], bytes], *, requests: int, connections: int) -> Load:
    """Send `make(0)`, `make(1)`, ... over so many connections."""
    prepared = [make(number) for number in range(requests)]

    async def run() -> list[list[float]]:
        loop = asyncio.get_running_loop()
        futures: list[asyncio.Future[list[float]]] = [loop.create_future() for _ in range(connections)]
        for place, future in enumerate(futures):
            share = prepared[place::connections]
            await loop.create_connection(lambda s=share, f=future: Connection(s, f), "127.0.0.1", port)  # type: ignore[misc]
        return list(await asyncio.gather(*futures))

    began = time.perf_counter()
    seconds = asyncio.run(run())
    elapsed = time.perf_counter() - began
    return Load(requests / elapsed, sorted(each for one in seconds for each in one))
