"""The endpoint: MCP over Streamable HTTP, without sessions, each answer one JSON body.

Every request stands for itself, so any number of replicas can share one address. A stream that the server
could speak on by itself is not offered: GET is answered with 405, as the protocol allows.
"""

import contextlib
import logging
from collections.abc import AsyncIterator, Sequence

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from agent.mcp.calls import Calls
from agent.mcp.contract import MCP_PATH, Tool
from agent.mcp.server import create_server
from agent.pond.serving import Drainable

BODY_BYTES = 4 * 1024 * 1024  # the largest request; more is 413


class Endpoint:
    """The MCP endpoint of one tool, as an ASGI application; `beside` answers all other paths."""

    def __init__(
        self, tool: Tool, calls: Calls, *, allowed_hosts: Sequence[str], beside: Starlette | None = None
    ) -> None:
        self.paths = tuple(dict.fromkeys([tool.path, MCP_PATH]))
        self.beside = beside
        self._calls = calls
        self._server = create_server(tool, calls)
        self._security = TransportSecuritySettings(
            allowed_hosts=[host for name in allowed_hosts for host in (name, f"{name}:*")],
            allowed_origins=[
                origin
                for name in allowed_hosts
                for scheme in ("https", "http")
                for origin in (f"{scheme}://{name}", f"{scheme}://{name}:*")
            ],
        )
        self._manager: StreamableHTTPSessionManager | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["method"] != "POST":
            await _answer(b'{"error":"POST is the only method here"}', 405, {"allow": "POST"})(
                scope, receive, send
            )
            return
        assert self._manager is not None
        await self._manager.handle_request(scope, receive, send)

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """What lives as long as the server: the SDK's manager, and the application beside."""
        del app
        logging.getLogger("mcp").setLevel(logging.WARNING)  # two lines for each request otherwise
        self._manager = StreamableHTTPSessionManager(
            self._server,
            json_response=True,
            stateless=True,
            security_settings=self._security,
            max_request_body_size=BODY_BYTES,
        )
        async with contextlib.AsyncExitStack() as stack:
            if self.beside is not None:
                await stack.enter_async_context(self.beside.router.lifespan_context(self.beside))
            await stack.enter_async_context(self._manager.run())
            yield

    async def health(self, request: Request) -> Response:
        """`GET /healthz`: for load balancers; tells only whether new calls are welcome."""
        del request
        if self.is_draining:
            return _answer(b'{"status":"draining"}', 503)
        return _answer(b'{"status":"ok"}')

    def drain(self) -> None:
        """Refuse new calls from now on, because the process is about to stop."""
        self._calls.drain()
        if self._other is not None:
            self._other.drain()

    @property
    def is_draining(self) -> bool:
        """Whether new calls are refused because the process is about to stop."""
        return self._calls.is_draining

    @property
    def is_busy(self) -> bool:
        """Whether any call or run goes on."""
        return self._calls.is_busy or (self._other is not None and self._other.is_busy)

    @property
    def _other(self) -> Drainable | None:
        other: Drainable | None = self.beside.state.server if self.beside is not None else None
        return other


def create_app(endpoint: Endpoint) -> Starlette:
    """The ASGI application: the endpoint, `/healthz`, and what stands beside them."""
    app = Starlette(
        routes=[
            *(Route(path, endpoint) for path in endpoint.paths),
            Route("/healthz", endpoint.health, methods=["GET"]),
            *([Mount("/", endpoint.beside)] if endpoint.beside is not None else []),
        ],
        lifespan=endpoint.lifespan,
    )
    app.state.server = endpoint
    app.router.redirect_slashes = False
    return app


def _answer(content: bytes, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(content, status, headers, media_type="application/json")
