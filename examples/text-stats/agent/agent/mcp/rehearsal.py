"""What a new handler answers before it has any work of its own: the examples of the agent manifest.

Used by the stub that pond-new writes. Once your handler does its work, nothing calls this.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from agent.mcp.contract import AGENT_MANIFEST, Tool, load_tool
from agent.pond.errors import Failure


def rehearse(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """What the example with these parameters says; for all others the output of the first that succeeds.

    Raises `Failure` where the example does.
    """
    examples = _tool().examples
    for example in examples:
        if example.arguments == parameters and example.code is not None:
            raise Failure(example.code, _tool().errors.get(example.code) or "An example of a failure.")
    outputs = [each.output for each in examples if each.arguments == parameters and each.output is not None]
    outputs += [each.output for each in examples if each.output is not None]
    return dict(outputs[0])


@cache
def _tool() -> Tool:
    return load_tool(AGENT_MANIFEST)
