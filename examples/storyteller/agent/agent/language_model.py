"""A chat completion, piece by piece, from any endpoint that speaks the OpenAI interface.

`LLM_BASE_URL` (such as https://api.openai.com/v1), `LLM_API_KEY` and `LLM_MODEL` say which one.
"""

import json
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx2

from agent.pond import Failure

UNAVAILABLE = "The language model cannot be reached at the moment. Please try again later."
DATA = "data: "
END = "[DONE]"


@dataclass(frozen=True, slots=True)
class Piece:
    """What the model wrote next, and the tokens that it has taken: they are known with the last piece."""

    text: str
    tokens: int = 0


async def stream(instruction: str, text: str, *, seconds: float) -> AsyncIterator[Piece]:
    """The model's answer to `text` under `instruction`, as it is written.

    Raises `Failure` with `temporarily_unavailable` when the endpoint is not set, refuses, is silent for
    `seconds` or breaks off.
    """
    base_url, model = os.environ.get("LLM_BASE_URL"), os.environ.get("LLM_MODEL")
    if not base_url or not model:
        raise Failure("temporarily_unavailable", "This agent has no language model yet.")
    request = {
        "model": model,
        "messages": [{"role": "system", "content": instruction}, {"role": "user", "content": text}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    headers = {"Authorization": f"Bearer {os.environ.get('LLM_API_KEY', '')}"}
    url = f"{base_url.rstrip('/')}/chat/completions"
    try:
        async with (
            httpx2.AsyncClient(timeout=seconds) as client,
            client.stream("POST", url, json=request, headers=headers) as answer,
        ):
            answer.raise_for_status()
            async for piece in _pieces(answer):
                yield piece
    except (httpx2.HTTPError, ValueError, LookupError, TypeError) as error:
        raise Failure("temporarily_unavailable", UNAVAILABLE) from error


async def _pieces(answer: httpx2.Response) -> AsyncIterator[Piece]:
    """The pieces of a stream. Raises `ValueError` when it ends before its end."""
    async for line in answer.aiter_lines():
        if line == DATA + END:
            return
        if line.startswith(DATA):
            yield _parse(json.loads(line.removeprefix(DATA)))
    raise ValueError("the stream broke off")


def _parse(chunk: Any) -> Piece:
    """One chunk: a delta, the usage, or both."""
    choices, usage = chunk["choices"], chunk.get("usage") or {}
    text = choices[0]["delta"].get("content") if choices else None
    return Piece(str(text or ""), int(usage.get("total_tokens", 0)))
