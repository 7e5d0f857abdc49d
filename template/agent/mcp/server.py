"""The tool as the official SDK's low-level server serves it: the schemas are exactly the manifest's."""

from typing import Any

import orjson
from mcp import MCPError
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

from agent.mcp import contract
from agent.mcp.calls import Busy, Calls

Context = ServerRequestContext[Any, Any]


def create_server(tool: contract.Tool, calls: Calls) -> Server[Any]:
    """The server of exactly one tool, for every version of the protocol that the SDK speaks."""
    listed = Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input,
        output_schema=tool.output,
    )

    async def list_tools(context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        del context, params
        return ListToolsResult(tools=[listed])

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        del context
        if params.name != tool.name:
            raise MCPError(code=INVALID_PARAMS, message=f"There is no such tool: this one is {tool.name}.")
        try:
            answer = await calls.call(params.arguments or {})
        except Busy as busy:
            raise MCPError(code=INTERNAL_ERROR, message=str(busy)) from None
        text = orjson.dumps(answer.content).decode()
        return CallToolResult(
            content=[TextContent(type="text", text=text)],
            # Clients hold structured content against the output schema, some of them that of an error too.
            structured_content=None if answer.is_error else answer.content,
            is_error=answer.is_error,
        )

    return Server(tool.agent_id, version=tool.version, on_list_tools=list_tools, on_call_tool=call_tool)
