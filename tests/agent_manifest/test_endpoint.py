"""`validate agent-manifest.json --endpoint` against real MCP servers on loopback."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mcp_types
import uvicorn
from mcp.server import Server

from pond_new.commands.endpoint import call_endpoint
from tests.conftest import PondNew

FILE = Path(__file__).with_name("text-stats.json")
MANIFEST: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
Reply = Callable[[dict[str, Any]], mcp_types.CallToolResult]


def reply_as_promised(arguments: dict[str, Any]) -> mcp_types.CallToolResult:
    example = next(each for each in MANIFEST["examples"] if each["input"] == arguments)
    if "error" in example:
        text = mcp_types.TextContent(type="text", text=json.dumps({"error": example["error"]}))
        return mcp_types.CallToolResult(content=[text], is_error=True)
    return mcp_types.CallToolResult(content=[], structured_content=example["output"])


def reply_with_a_count_too_few(arguments: dict[str, Any]) -> mcp_types.CallToolResult:
    result = reply_as_promised(arguments)
    if not result.is_error:
        result.structured_content = result.structured_content | {"words": -1}
    return result


def break_down(arguments: dict[str, Any]) -> mcp_types.CallToolResult:
    raise RuntimeError(f"secret of {arguments}")


@contextlib.contextmanager
def serving(reply: Reply, *, tool: str = MANIFEST["runtime"]["tool"]) -> Iterator[str]:
    """A server with one tool, as the SDK makes it; the address of its endpoint."""

    async def list_tools(context: Any, params: Any) -> mcp_types.ListToolsResult:
        interface = MANIFEST["interface"]
        listed = mcp_types.Tool(name=tool, input_schema=interface["input"], output_schema=interface["output"])
        return mcp_types.ListToolsResult(tools=[listed])

    async def call_tool(context: Any, params: Any) -> mcp_types.CallToolResult:
        return reply(params.arguments)

    server: Server[Any] = Server("test", on_list_tools=list_tools, on_call_tool=call_tool)
    app = server.streamable_http_app(streamable_http_path="/mcp", json_response=True, stateless_http=True)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        process = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="on"))
        thread = threading.Thread(target=process.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not process.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        process.should_exit = True
        thread.join(10)


def test_an_endpoint_that_keeps_the_promise_passes(pond_new: PondNew) -> None:
    with serving(reply_as_promised) as address:
        outcome = pond_new("validate", FILE, "--at", address)

    assert (outcome.code, outcome.err) == (0, "")
    assert "A call costs at most" in outcome.out


def test_an_example_that_is_answered_differently_is_shown_with_its_place(pond_new: PondNew) -> None:
    with serving(reply_with_a_count_too_few) as address:
        outcome = pond_new("validate", FILE, "--at", address, "--format", "json")

    [file] = outcome.json["files"]
    errors = [problem for problem in file["problems"] if problem["severity"] == "error"]
    assert outcome.code == 1
    assert {problem["id"] for problem in errors} == {"AMS-22"}
    assert all("at /words" in problem["message"] for problem in errors)


def test_a_tool_of_another_name_is_found(pond_new: PondNew) -> None:
    with serving(reply_as_promised, tool="other") as address:
        outcome = pond_new("validate", FILE, "--at", address)

    assert outcome.code == 1
    assert "AMS-20" in outcome.out


def test_a_crash_of_the_tool_is_an_answer_that_is_wrong() -> None:
    with serving(break_down) as address:
        served = call_endpoint(address, MANIFEST)

    assert len(served.answers) == len(MANIFEST["examples"])
    assert all(answer.failure or answer.is_error for answer in served.answers)


def test_an_address_where_nobody_listens_is_one_finding(pond_new: PondNew) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))  # bound and not listening: nobody else gets the port meanwhile
        outcome = pond_new("validate", FILE, "--at", f"http://127.0.0.1:{listener.getsockname()[1]}/mcp")

    assert outcome.code == 1
    assert "AMS-19" in outcome.out
    assert "cannot be called" in outcome.out


def test_an_endpoint_that_is_not_public_https_is_not_called(pond_new: PondNew, tmp_path: Path) -> None:
    private = MANIFEST | {"runtime": MANIFEST["runtime"] | {"endpoint": "http://localhost:8080/mcp"}}
    file = tmp_path / "agent-manifest.json"
    file.write_text(json.dumps(private), encoding="utf-8")

    outcome = pond_new("validate", file, "--endpoint")

    assert outcome.code == 1
    assert "must be public https" in outcome.out
    assert "cannot be called" not in outcome.out


def test_a_pond_manifest_has_no_endpoint_to_call(
    pond_new: PondNew, tmp_path: Path, minimal_manifest: dict[str, Any]
) -> None:
    file = tmp_path / "manifest.json"
    file.write_text(json.dumps(minimal_manifest), encoding="utf-8")

    outcome = pond_new("validate", file, "--endpoint")

    assert outcome.code == 2
    assert "none of these files" in outcome.err


def test_without_a_clean_first_round_nothing_is_called(pond_new: PondNew, tmp_path: Path) -> None:
    file = tmp_path / "agent-manifest.json"
    file.write_text(json.dumps(MANIFEST | {"license": "Proprietary"}), encoding="utf-8")

    outcome = pond_new("validate", file, "--at", "http://127.0.0.1:1/mcp")

    assert outcome.code == 1
    assert "AMS-05" in outcome.out
    assert "AMS-19" not in outcome.out
