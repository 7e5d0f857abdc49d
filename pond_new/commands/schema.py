"""`pond-new schema`: print a schema, for an editor or another tool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pond_new import console
from pond_new.agent_manifest import standard
from pond_new.errors import WrongUsage
from pond_new.protocol.schemas import editor_schema, load_run_request_schema

SCHEMAS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "manifest": editor_schema,
    "run-request": load_run_request_schema,
    "agent-manifest": standard.editor_schema,
}


def schema(name: str) -> int:
    """Print the schema of this name; returns 0. Raises WrongUsage for another name."""
    if name not in SCHEMAS:
        raise WrongUsage(f"There is no schema {name}. There are: {', '.join(SCHEMAS)}.")
    console.show_json(SCHEMAS[name]())
    return 0
