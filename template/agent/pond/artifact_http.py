"""`GET /artifacts/{id}`: a hosted artifact for whoever has its URL. Ours, and no endpoint of Pond.

Browsers come here with users behind them, so what an agent made is offered as a download, never shown as a
page of the agent's own site, and kept in no cache.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from agent.pond.artifact_store import Stored
from agent.pond.byte_ranges import RangeNotSatisfiable, parse_range
from agent.pond.errors import InvalidRequest
from agent.pond.hosting import PATH, Hosting
from agent.pond.http import Answered

CHUNK = 256 * 1024
HEADERS = {
    "accept-ranges": "bytes",
    "cache-control": "private, no-store",
    "content-security-policy": "sandbox; default-src 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def artifact_routes(hosting: Hosting) -> list[BaseRoute]:
    """The routes that serve what is kept."""

    async def serve(request: Request) -> Response:
        query = request.query_params
        identifier = request.path_params["artifact_id"]
        found = await asyncio.to_thread(
            hosting.find, identifier, query.get("expires", ""), query.get("signature", "")
        )
        # The same words whether it never was, is gone, or the link is wrong: who guesses learns nothing.
        if found is None:
            return _refusal("There is no such file, or its link has expired.", 404)
        return _file_response(request, found)

    return [Route(f"{PATH}/{{artifact_id}}", Answered(serve), methods=["GET"])]


def _file_response(request: Request, stored: Stored) -> Response:
    size = stored.label.size
    headers = HEADERS | {
        "content-type": stored.label.media_type,
        "content-disposition": disposition(stored.label.name),
    }
    is_head = request.method == "HEAD"
    try:
        wanted = None if is_head else parse_range(request.headers.get("range"), size)
    except RangeNotSatisfiable:
        return _refusal("The file has no such bytes.", 416, {"content-range": f"bytes */{size}"})
    part = range(size) if wanted is None else wanted
    headers["content-length"] = str(len(part))
    if wanted is not None:
        headers["content-range"] = f"bytes {part.start}-{part.stop - 1}/{size}"
    status = 200 if wanted is None else 206
    if is_head:
        return Response(status_code=status, headers=headers)
    return StreamingResponse(_read(stored, part), status, headers)


async def _read(stored: Stored, part: range) -> AsyncGenerator[bytes]:
    for place in range(part.start, part.stop, CHUNK):
        yield await asyncio.to_thread(stored.read, place, min(CHUNK, part.stop - place))


def _refusal(message: str, status: int, headers: Mapping[str, str] | None = None) -> Response:
    """An error in the protocol's shape, with a status that browsers know."""
    return JSONResponse(InvalidRequest(message).body(), status, headers)


def disposition(name: str) -> str:
    """A header that offers a download under a name of any letters (RFC 6266)."""
    plain = "".join(letter if letter.isascii() and letter not in '"\\%' else "_" for letter in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
