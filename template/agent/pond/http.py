"""The routes and their answers: Starlette is imported here and where a mode answers in its own way.

Every answer is JSON in the protocol's shape, whatever was asked: an unknown path, a wrong method and a
fault of the server itself are errors like all others (specification, "Return errors").
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence

import orjson
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from agent.pond.admission import Admission
from agent.pond.contract import Contract
from agent.pond.envelope import Envelope, RunRequest
from agent.pond.errors import InternalError, InvalidRequest, ProtocolError, TaskNotFound
from agent.pond.facts import OPERATIONS
from agent.pond.logs import describe_exception
from agent.pond.observer import Observer
from agent.pond.runs import Runs

logger = logging.getLogger(__name__)

TIDY_SECONDS = 60.0
DRAINED_BYTES = 1024 * 1024  # of a body beyond its limit that are still read, so that the answer arrives

Endpoint = Callable[[Request], Awaitable[Response]]
Answerer = Callable[[Runs, RunRequest], Awaitable[Response]]  # how one mode answers an accepted run


class Server:
    """The endpoints of one agent."""

    def __init__(  # noqa: PLR0913 -- the parts of which it is made
        self,
        contract: Contract,
        *,
        modes: Mapping[str, Answerer],
        envelope: Envelope,
        admission: Admission,
        observer: Observer,
        open_runs: Callable[[], Runs],
    ) -> None:
        self._contract = contract
        self._modes = modes
        self._access = envelope.access
        self._admission = admission
        self._envelope = envelope
        self._observer = observer
        self._open_runs = open_runs
        self._runs: Runs | None = None

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Open the ledger and fail what a dead process left; at the end let every run finish."""
        del app
        self._runs = self._open_runs()
        if lost := await self._runs.recover():
            logger.warning("%d runs of an earlier process were lost and are answered as failed", lost)
        tidying = asyncio.create_task(_tidy(self._runs))
        try:
            yield
        finally:
            tidying.cancel()
            await self._runs.close()

    async def manifest(self, request: Request) -> Response:
        """`GET /manifest` (specification, "Add the manifest")."""
        self._access.check_for_manifest(request.scope["headers"])
        return _json(self._contract.document)

    async def run(self, request: Request) -> Response:
        """`POST /runs` (specification, "Receive a prepared run")."""
        try:
            return await self._run(request)
        except ClientDisconnect:
            raise
        except Exception as error:
            self._observer.refused(error.code if isinstance(error, ProtocolError) else InternalError.code)
            raise

    async def _run(self, request: Request) -> Response:
        headers = request.scope["headers"]
        self._access.check_key(headers)
        body = await _read(request, self._contract.max_request_bytes)
        run = self._envelope.parse_run(headers, body)
        if run.ignored:
            logger.warning("unknown fields were ignored", extra={"run_id": run.run_id, "fields": run.ignored})
        if self._runs is None:
            raise InternalError
        try:
            return await self._modes[run.mode](self._runs, run)
        except ProtocolError as error:
            error.run_id = run.run_id
            raise

    async def task(self, request: Request) -> Response:
        """`GET /tasks/{task_id}`. Pond asks even where there are no async tasks."""
        self._access.check(request.scope["headers"])
        if self._runs is None or self._runs.tasks is None:
            raise TaskNotFound("There is no such task.")
        return _json(await self._runs.tasks.poll(request.path_params["task_id"]))

    async def health(self, request: Request) -> Response:
        """`GET /healthz`: ours, for load balancers; needs no key, tells only whether new runs are welcome."""
        del request
        if self.is_draining:
            return _json(b'{"status":"draining"}', status=503)
        return _json(b'{"status":"ok"}')

    def drain(self) -> None:
        """Refuse new runs from now on, because the process is about to stop."""
        self._admission.drain()

    @property
    def is_draining(self) -> bool:
        """Whether new runs are refused because the process is about to stop."""
        return self._admission.is_draining

    @property
    def is_busy(self) -> bool:
        """Whether any run goes on."""
        return self._runs is not None and self._runs.is_busy

    async def unknown(self, request: Request) -> Response:
        """Any other path or method. On Pond's own paths the key comes first, as always."""
        paths = tuple(operation.path.partition("{")[0] for operation in OPERATIONS)
        if request.url.path.startswith(paths):
            self._access.check(request.scope["headers"])
        known = ", ".join(f"{operation.method} {operation.path}" for operation in OPERATIONS)
        raise InvalidRequest(f"There is no such endpoint. This agent answers {known}.")


def create_app(server: Server, routes: Sequence[BaseRoute] = ()) -> Starlette:
    """The ASGI application: four routes, those of features, and one answer for all the rest."""

    async def handle_unrouted(request: Request, error: Exception) -> Response:
        del error
        return await Answered(server.unknown).answer(request)

    app = Starlette(
        routes=[
            Route("/runs", Answered(server.run), methods=["POST"]),
            Route("/tasks/{task_id:path}", Answered(server.task), methods=["GET"]),
            Route("/manifest", Answered(server.manifest), methods=["GET"]),
            Route("/healthz", Answered(server.health), methods=["GET"]),
            *routes,
        ],
        exception_handlers={HTTPException: handle_unrouted},
        lifespan=server.lifespan,
    )
    app.state.server = server
    app.router.redirect_slashes = False  # a redirect can drop the key or turn POST into GET
    return app


async def answer_at_once(runs: Runs, request: RunRequest) -> Response:
    """Mode `sync`: the terminal body when the run has ended (specification, "Return a result")."""
    return _json(await runs.perform(request))


class Answered:
    """An endpoint, as an ASGI application, whose every outcome is an answer in the protocol's shape.

    Starlette would wrap a function once more, to handle the exceptions that this one handles.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        response = await self.answer(Request(scope, receive, send))
        await response(scope, receive, send)

    async def answer(self, request: Request) -> Response:
        """The answer to a request."""
        try:
            return await self._endpoint(request)
        except ProtocolError as error:
            return _refusal(error)
        except ClientDisconnect:
            return Response(status_code=499)  # nobody is there to read it
        except Exception as unexpected:  # noqa: BLE001 -- the dispatch edge
            logger.error("%s failed: %s", request.url.path, describe_exception(unexpected))  # noqa: TRY400
            return _refusal(InternalError())


def _refusal(error: ProtocolError) -> Response:
    if error.status >= 500:  # noqa: PLR2004 -- the line between the caller's faults and ours
        logger.warning("answered %d %s", error.status, error.code, extra={"code": error.code})
    else:
        logger.info("refused: %s", error.code, extra={"code": error.code, "run_id": error.run_id or "-"})
    try:
        content = orjson.dumps(error.body())
    except TypeError:  # details that are no JSON
        content = orjson.dumps(InternalError().body())
    retry = {} if error.retry_after is None else {"retry-after": str(error.retry_after)}
    return _json(content, status=error.status, headers=retry)


def _json(content: bytes, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(content, status, headers, media_type="application/json")


async def _read(request: Request, limit: int) -> bytes:
    """The body, cut off beyond `limit` bytes: enough to see that it is too large."""
    body = bytearray()
    surplus = 0
    async for chunk in request.stream():
        if len(body) <= limit:
            body += chunk
        else:
            surplus += len(chunk)
        if surplus > DRAINED_BYTES:
            break
    return bytes(body)


async def _tidy(runs: Runs) -> None:
    """Forget old results, now and then."""
    while True:
        try:
            if forgotten := await runs.tidy():
                logger.info("%d old results were forgotten", forgotten)
        except Exception as error:  # noqa: BLE001 -- a full disk today must not end the tidying for ever
            logger.warning("old results could not be forgotten: %s", describe_exception(error))
        await asyncio.sleep(TIDY_SECONDS)
