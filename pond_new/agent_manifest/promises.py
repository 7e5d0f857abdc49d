"""What a version of an agent manifest stands for: the parts that may not change under the same one. Pure.

A caller may pin a version: what it takes, gives, costs and keeps, and where the data goes, stays the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PROMISED = ("interface", "capabilities", "pricing", "data")
PROMISED_OF_RUNTIME = ("kind", "tool", "limits")


def promises_of_tool(document: Mapping[str, Any]) -> dict[str, Any]:
    """The promised parts of a valid manifest; texts, source, examples and the endpoint are none of them."""
    runtime = {part: document["runtime"].get(part) for part in PROMISED_OF_RUNTIME}
    return {part: document.get(part) for part in PROMISED} | {"runtime": runtime}
