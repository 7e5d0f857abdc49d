"""The process: uvicorn, which stops in two steps so that nothing that was accepted is lost.

The first signal lets the runs that go on finish: the socket stays open, `/healthz` says `draining`, new runs
are refused, duplicates are answered. When the last run has ended, or at a second signal, the server stops.
"""

import signal
from types import FrameType
from typing import Protocol

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MARGIN_SECONDS = 5  # after the last run, to send its answer
LONGEST_HEAD = 256 * 1024  # bytes of a request line and its headers


class Drainable(Protocol):
    """An agent that can be told to stop, and says when nothing goes on any more."""

    @property
    def is_draining(self) -> bool:
        """Whether new runs are refused because the process is about to stop."""

    @property
    def is_busy(self) -> bool:
        """Whether any run goes on."""

    def drain(self) -> None:
        """Refuse new runs from now on."""


class Wire(HttpToolsProtocol):
    """Reads requests. White space behind a header's value is no part of it (RFC 9110, section 5.5).

    The head of a request has to end: until then nobody has shown a key, and all of it is kept.
    """

    _is_in_head = True
    _head_bytes = 0

    def data_received(self, data: bytes) -> None:
        """Read on, or refuse a head that has become too long."""
        super().data_received(data)
        if self._is_in_head:
            self._head_bytes += len(data)
            if self._head_bytes > LONGEST_HEAD and not self.transport.is_closing():
                self.send_400_response("The head of the request is too long.")

    def on_headers_complete(self) -> None:
        """The head has ended. Of its values, httptools has trimmed only the front."""
        self._is_in_head = False
        self.headers[:] = [(name, value.rstrip(b" \t")) for name, value in self.headers]
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The next head may begin."""
        self._is_in_head, self._head_bytes = True, 0
        super().on_message_complete()


class Serving(uvicorn.Server):
    """One process that serves one agent: an application with a `Drainable` as `state.server`."""

    def __init__(self, app: Starlette, *, host: str, port: int) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                host=host,
                port=port,
                http=Wire,
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=MARGIN_SECONDS,
            )
        )
        self._agent: Drainable = app.state.server

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """At the first SIGTERM or SIGINT drain, at the second stop."""
        if self._agent.is_draining or sig not in {signal.SIGTERM, signal.SIGINT}:
            super().handle_exit(sig, frame)
        self._agent.drain()

    async def on_tick(self, counter: int) -> bool:
        """Some ten times a second: whether to stop."""
        self.should_exit |= self._agent.is_draining and not self._agent.is_busy
        return await super().on_tick(counter)
