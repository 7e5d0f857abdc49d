"""One HTTP request as it is sent, and what comes back."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

Headers = tuple[tuple[bytes, bytes], ...]

FRESH = "run_fresh"  # stands in a message for a run id that was never used
CUT = 2000  # bytes of a body that are printed


@dataclass(frozen=True, slots=True)
class Message:
    """A request. Names of headers are in lower case, as servers hand them over."""

    method: str
    target: str
    headers: Headers
    body: bytes = b""

    def named(self, run_id: str) -> Message:
        """The message with a run id in the place of `FRESH`."""
        old, new = FRESH.encode(), run_id.encode()
        headers = tuple((name, value.replace(old, new)) for name, value in self.headers)
        return replace(self, headers=headers, body=self.body.replace(old, new))

    def as_curl(self) -> str:
        """A command for bash that sends it to an agent at $URL."""
        headers = " ".join(f"-H {_quoted(name + b': ' + value)}" for name, value in self.headers)
        body = f"--data-binary {_quoted(self.body[:CUT])}" if self.body else ""
        rest = f"  # and {len(self.body) - CUT} more bytes" if len(self.body) > CUT else ""
        target = _quoted(self.target.encode())
        return f'curl -i --path-as-is -X {self.method} {headers} {body} "$URL"{target}{rest}'


@dataclass(frozen=True, slots=True)
class Answer:
    """A response, read to its end."""

    status: int
    headers: dict[bytes, bytes]
    body: bytes

    @property
    def media_type(self) -> str:
        """The whole value of Content-Type."""
        return self.headers.get(b"content-type", b"").decode()

    @property
    def json(self) -> Any:
        """The body's value. Raises `ValueError`."""
        return json.loads(self.body)

    @property
    def events(self) -> list[tuple[str, Any]]:
        """The body as Server-Sent Events: name and data of each."""
        blocks = [block.split("\n") for block in self.body.decode().split("\n\n") if block]
        pairs = [block for block in blocks if not block[0].startswith(":")]
        return [
            (event.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for event, data in pairs
        ]


def _quoted(text: bytes) -> str:
    plain = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b"'\\" else f"\\x{byte:02x}" for byte in text
    )
    return f"$'{plain}'"
