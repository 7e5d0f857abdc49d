"""Calls the MCP endpoint of an agent: its tools, and an answer to each example.

The only module that imports the MCP SDK, which comes with the extra `pond-new[mcp]`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import ssl
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pond_new.agent_manifest.served import Answer, Served, Tool
from pond_new.errors import PondError

if TYPE_CHECKING:
    from mcp import Client

CONNECT_SECONDS = 30.0
MARGIN_SECONDS = 5.0  # on top of the tool's own limit: the way there and back
EXTRA = "pip install 'pond-new[mcp]'"


class NoMcpClient(PondError):
    """The MCP SDK is not installed."""

    exit_code = 2


def call_endpoint(address: str, manifest: Mapping[str, Any]) -> Served:
    """Connect, list the tools, and call the manifest's tool with the input of each example, one by one.

    Whatever the endpoint does is in the answer. Raises `NoMcpClient`.
    """
    try:
        import mcp  # noqa: F401, PLC0415 -- half a second, and only who judges an endpoint needs it
    except ImportError:
        raise NoMcpClient(f"Calling an MCP endpoint needs the MCP SDK: {EXTRA}") from None
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # what went wrong is in the report
    return asyncio.run(_call(address, manifest))


async def _call(address: str, manifest: Mapping[str, Any]) -> Served:
    """What could be learnt until something failed."""
    served = Served(address)
    try:
        hosts = await _resolve(address)
        async with asyncio.timeout(CONNECT_SECONDS) as patience, _client(address) as client:
            tools = tuple(
                Tool(tool.name, tool.input_schema, tool.output_schema)
                for tool in (await client.list_tools()).tools
            )
            patience.reschedule(None)  # each call has a limit of its own
            served = Served(address, tools, await _answers(client, manifest, tools), hosts)
    except Exception as failure:  # noqa: BLE001 -- an endpoint may do anything, and all of it is a finding
        return served if served.tools else Served(address, failure=describe(failure))
    return served


async def _resolve(address: str) -> tuple[str, ...]:
    """The IP addresses of the endpoint's host."""
    url = urlsplit(address)
    if url.scheme not in {"http", "https"} or not url.hostname:
        raise ValueError("it must be an address such as https://agent.example.com/mcp")
    found = await asyncio.get_running_loop().getaddrinfo(url.hostname, url.port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(sockaddr[0]).partition("%")[0] for *_, sockaddr in found))


def _client(address: str) -> Client:
    from mcp import Client  # noqa: PLC0415

    return Client(address, read_timeout_seconds=CONNECT_SECONDS)


async def _answers(
    client: Client, manifest: Mapping[str, Any], tools: tuple[Tool, ...]
) -> tuple[Answer, ...]:
    runtime = manifest["runtime"]
    if runtime["tool"] not in {tool.name for tool in tools}:
        return ()
    seconds = runtime["limits"]["timeout_s"] + MARGIN_SECONDS
    return tuple(
        [
            await _answer(client, runtime["tool"], example["input"], seconds=seconds)
            for example in manifest["examples"]
        ]
    )


async def _answer(client: Client, tool: str, arguments: dict[str, Any], *, seconds: float) -> Answer:
    """What the tool answers, before the SDK compares it with the tool's schema: that is for the report."""
    from mcp_types import CallToolRequest, CallToolRequestParams, CallToolResult, TextContent  # noqa: PLC0415

    request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=arguments))
    try:
        async with asyncio.timeout(seconds):
            result = await client.session.send_request(
                request, CallToolResult, request_read_timeout_seconds=seconds
            )
    except Exception as failure:  # noqa: BLE001 -- as above
        return Answer(failure=describe(failure, seconds=seconds))
    text = "\n".join(part.text for part in result.content if isinstance(part, TextContent))
    return Answer(result.structured_content, text, is_error=result.is_error)


def describe(failure: BaseException, *, seconds: float = CONNECT_SECONDS) -> str:
    """Why a connection or a call failed, as the rest of a sentence."""
    causes = list(_causes(failure))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not valid ({cause.verify_message})"
        if isinstance(cause, TimeoutError):
            return f"no answer within {seconds:g} seconds"
        if isinstance(cause, socket.gaierror):
            return "its name is not known"
        if isinstance(cause, OSError) and cause.errno:
            return os.strerror(cause.errno)
    told = next((str(cause) for cause in reversed(causes) if str(cause)), type(failure).__name__)
    return " ".join(told.split()).rstrip(".")


def _causes(failure: BaseException) -> Iterator[BaseException]:
    """An exception and what is behind it, the outermost first; of a group the first member."""
    seen: BaseException | None = failure
    while seen is not None:
        if isinstance(seen, BaseExceptionGroup):
            seen = seen.exceptions[0]
            continue
        yield seen
        seen = seen.__cause__ or seen.__context__
