"""A chat completion from any endpoint that speaks the OpenAI interface.

`LLM_BASE_URL` (such as https://api.openai.com/v1), `LLM_API_KEY` and `LLM_MODEL` say which one.
"""

import os
from dataclasses import dataclass
from typing import Any

import httpx2

from agent.pond import Failure

UNAVAILABLE = "The language model cannot be reached at the moment. Please try again later."


@dataclass(frozen=True, slots=True)
class Completion:
    """What the model wrote, and the tokens that it took."""

    text: str
    tokens: int


async def complete(instruction: str, text: str, *, seconds: float) -> Completion:
    """The model's answer to `text` under `instruction`, within `seconds`.

    Raises `Failure` with `temporarily_unavailable` when the endpoint is not set, refuses or is silent.
    """
    base_url, model = os.environ.get("LLM_BASE_URL"), os.environ.get("LLM_MODEL")
    if not base_url or not model:
        raise Failure("temporarily_unavailable", "This agent has no language model yet.")
    request = {
        "model": model,
        "messages": [{"role": "system", "content": instruction}, {"role": "user", "content": text}],
    }
    headers = {"Authorization": f"Bearer {os.environ.get('LLM_API_KEY', '')}"}
    try:
        async with httpx2.AsyncClient(timeout=seconds) as client:
            answer = await client.post(
                f"{base_url.rstrip('/')}/chat/completions", json=request, headers=headers
            )
            answer.raise_for_status()
        return _parse(answer.json())
    except (httpx2.HTTPError, ValueError, LookupError, TypeError) as error:
        raise Failure("temporarily_unavailable", UNAVAILABLE) from error


def _parse(body: Any) -> Completion:
    return Completion(str(body["choices"][0]["message"]["content"]), int(body["usage"]["total_tokens"]))
