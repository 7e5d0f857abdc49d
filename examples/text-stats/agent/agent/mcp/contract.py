"""The agent manifest as the server needs it: read once at start, never changed while the server lives."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson

from agent.pond.errors import UnusableManifest

AGENT_MANIFEST = Path(__file__).parent.parent.parent / "agent-manifest.json"
MCP_PATH = "/mcp"


@dataclass(frozen=True, slots=True)
class Example:
    """One call, and what it gives: an output, or the code of a declared error (the other one is None)."""

    name: str
    arguments: Mapping[str, Any]
    output: Mapping[str, Any] | None
    code: str | None


@dataclass(frozen=True, slots=True)
class Tool:
    """What this agent promises.

    `errors` has the description of each declared code; `timeout` is in seconds; `host` and `path` are those
    of the public endpoint; `egress` are the hosts that data may be sent to.
    """

    agent_id: str
    version: str
    name: str
    title: str
    description: str
    input: dict[str, Any]
    output: dict[str, Any]
    errors: Mapping[str, str]
    timeout: float
    host: str
    path: str
    egress: tuple[str, ...]
    examples: tuple[Example, ...]


def load_tool(path: Path) -> Tool:
    """Read an agent manifest from disk. Raises `UnusableManifest`."""
    try:
        return parse_tool(orjson.loads(path.read_bytes()))
    except OSError as error:
        raise UnusableManifest(f"{path.name} cannot be read: {error.strerror}") from error
    except orjson.JSONDecodeError as error:
        raise UnusableManifest(f"{path.name} is not valid JSON: {error}") from error


def parse_tool(document: Any) -> Tool:
    """An agent manifest's JSON value -> `Tool`. Raises `UnusableManifest` when a needed part is missing."""
    try:
        interface, runtime = document["interface"], document["runtime"]
        url = urlsplit(runtime["endpoint"])
        return Tool(
            agent_id=document["id"],
            version=document["version"],
            name=runtime["tool"],
            title=document["name"],
            description=document["summary"],
            input=interface["input"],
            output=interface["output"],
            errors={error["code"]: error.get("description", "") for error in interface["errors"]},
            timeout=float(runtime["limits"]["timeout_s"]),
            host=url.netloc.rpartition("@")[2],
            path=url.path if url.path.strip("/") else MCP_PATH,
            egress=tuple(document["data"]["egress"]),
            examples=tuple(
                _parse_example(number, each) for number, each in enumerate(document["examples"], start=1)
            ),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnusableManifest(f"the agent manifest is incomplete or malformed: {error!r}") from error


def _parse_example(number: int, example: Mapping[str, Any]) -> Example:
    error = example.get("error")
    return Example(
        name=example.get("name") or f"example {number}",
        arguments=example["input"],
        output=example.get("output"),
        code=error["code"] if error else None,
    )
