"""Mode `stream`: a run as Server-Sent Events, while it goes on or from its saved result.

Specification, "Streaming". A stream only reads: a reader that goes away or is slow changes nothing for the
run, for its saved result and for other readers.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator, Mapping
from functools import partial
from typing import Any

import orjson
from starlette.responses import Response, StreamingResponse
from starlette.types import Send

from agent.pond.envelope import RunRequest
from agent.pond.events import LONGEST_DELTA, Events, Made
from agent.pond.facts import MODES
from agent.pond.runs import Live, Runs

logger = logging.getLogger(__name__)

HEADERS = {
    "cache-control": "no-store, no-cache, no-transform",
    "x-accel-buffering": "no",  # proxies such as nginx hand each event on at once
}
KEEP_ALIVE = b": keep-alive\n\n"  # a comment: no event, and no silence that a proxy would cut
SILENCE_SECONDS = 15.0
MARGIN_SECONDS = 60.0  # after the deadline, for a slow reader to take what is left
CHUNK = 64 * 1024  # bytes that are handed over at once: a reader costs no more than that


async def answer_with_events(
    runs: Runs, request: RunRequest, *, silence: float = SILENCE_SECONDS
) -> Response:
    """The events of a run as they happen; of one that is over, the same events from its result.

    Raises the refusal of a run that is not accepted: it is plain JSON, as in every mode. After `silence`
    seconds without an event a comment keeps the connection alive.
    """
    live = await runs.accept(request, partial(Events, silence=silence))
    return EventStream(
        _chunks(request.run_id, live, silence), seconds=request.deadline_ms / 1000 + MARGIN_SECONDS
    )


class EventStream(StreamingResponse):
    """An open answer, cut off when its reader has not taken it all after `seconds`."""

    def __init__(self, chunks: AsyncGenerator[bytes], *, seconds: float) -> None:
        super().__init__(chunks, headers=HEADERS, media_type=MODES["stream"].accept)
        self._seconds = seconds

    async def stream_response(self, send: Send) -> None:
        """Send chunk by chunk, never more than the connection takes."""
        try:
            async with asyncio.timeout(self._seconds):
                await super().stream_response(send)
        except TimeoutError:
            logger.warning("a reader that did not take its events was cut off")


async def _chunks(run_id: str, live: Live, silence: float) -> AsyncGenerator[bytes]:
    """`run.started`, what is made, exactly one terminal event, in chunks."""
    yield encode(b"run.started", {"run_id": run_id})
    if isinstance(live.listener, Events):
        async for happened in live.listener.follow():
            event = KEEP_ALIVE if happened is None else _encode_made(run_id, *happened)
            if len(event) <= CHUNK:
                yield event
                continue
            for chunk in _cut(event):
                yield chunk
    while not (await asyncio.wait({live.task}, timeout=silence))[0]:
        yield KEEP_ALIVE
    for event in _ending(run_id, live):
        for chunk in _cut(event):
            yield chunk


def _ending(run_id: str, live: Live) -> Iterator[bytes]:
    """The terminal event; before it what was made, where nobody could hear it being made."""
    events = live.listener
    if isinstance(events, Events):
        if events.ending is None:
            events.ending = encode_terminal(orjson.loads(live.task.result()))
        yield events.ending
        return
    result = orjson.loads(live.task.result())
    for part_index, made in replay(result):
        yield _encode_made(run_id, part_index, made)
    yield encode_terminal(result)


def replay(result: Mapping[str, Any]) -> Iterator[tuple[int, Made]]:
    """What was made in a run that is over, in the order of its output."""
    artifacts = {artifact["id"]: artifact for artifact in result.get("artifacts", ())}
    for part_index, entry in enumerate(result.get("output", ())):
        if entry["type"] == "artifact_ref":
            yield part_index, artifacts[entry["artifact_id"]]
        else:
            for start in range(0, len(entry["text"]), LONGEST_DELTA):
                yield part_index, entry["text"][start : start + LONGEST_DELTA]


def encode_terminal(result: Mapping[str, Any]) -> bytes:
    """The last event: `run.completed` or `run.error`, with usage. Artifacts were sent before it, whole."""
    body = {name: value for name, value in result.items() if name not in {"status", "artifacts"}}
    return encode(b"run.completed" if result["status"] == "completed" else b"run.error", body)


def _encode_made(run_id: str, part_index: int, made: Made) -> bytes:
    if isinstance(made, str):
        return encode(b"message.delta", {"run_id": run_id, "part_index": part_index, "delta": made})
    return encode(b"artifact.ready", {"run_id": run_id, "artifact": made})


def encode(name: bytes, data: Mapping[str, Any]) -> bytes:
    """One event; its data is JSON on one line."""
    return b"event: %b\ndata: %b\n\n" % (name, orjson.dumps(data))


def _cut(event: bytes) -> Iterator[bytes]:
    for start in range(0, len(event), CHUNK):
        yield event[start : start + CHUNK]
