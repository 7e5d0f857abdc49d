"""The contracts of one agent with its marketplaces, and how they belong together. Pure.

Where Pond is served its manifest says what handlers there are. Where only the second standard is, a stand-in
does, made from the agent manifest: one action, which is the tool.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from pond_new.agent_manifest.likeness import find_difference
from pond_new.agent_manifest.model import AgentManifest
from pond_new.errors import PondError
from pond_new.manifest import Action, Capabilities, Limits, Manifest

LONGEST_ID = 64  # letters of an action's id (specification, "Declare multiple actions")
ONLY_TEXT: Mapping[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
"""The input of a tool whose action has no parameters: the instruction that Pond sends as text."""


class ContractsDisagree(PondError):
    """The manifest and the agent manifest promise different things of the same handler.

    `pointer` is the part of the agent manifest that would have to change.
    """

    def __init__(self, message: str, *, pointer: str) -> None:
        super().__init__(message)
        self.pointer = pointer


def stand_in(tool: AgentManifest) -> Manifest:
    """What a Pond manifest of this tool would say, for a repository that serves only the second standard."""
    action = Action(action_id_of(tool.tool), tool.name, tool.summary, tool.input)
    capabilities = Capabilities(
        sync=True, streaming=False, async_tasks=False, cancellation=False, attachments=False, feedback=False
    )
    metadata = {"name": tool.name, "short_description": tool.summary}
    return Manifest(
        agent_version=tool.version,
        metadata=metadata,
        name=tool.name,
        actions=(action,),
        input_schema=None,
        capabilities=capabilities,
        input_modes=("application/json",),
        output_modes=("application/json",),
        limits=Limits(1, 1, math.ceil(tool.timeout_s)),
        pricing_plans=(),
        usage_unit=None,
        document={"metadata": metadata, "agent_version": tool.version},
    )


def action_id_of(tool: str) -> str:
    """The name of a tool as an action would have it: `text.Stats-2` -> `text_stats_2`, 64 letters at most."""
    plain = re.sub(r"[^a-z0-9]+", "_", tool.lower()).strip("_")
    named = plain if plain[:1].isalpha() else f"tool_{plain}"
    return named[:LONGEST_ID].rstrip("_")


def action_of(manifest: Manifest, tool: AgentManifest) -> Action | None:
    """The action whose handler serves the tool; None for an agent without actions.

    Raises `ContractsDisagree` when several actions could be meant and none has the tool's name.
    """
    if not manifest.actions:
        return None
    by_id = {action.id: action for action in manifest.actions}
    if tool.tool in by_id:
        return by_id[tool.tool]
    if len(by_id) == 1:
        return manifest.actions[0]
    raise ContractsDisagree(
        f"agent-manifest.json, /runtime/tool: {tool.tool} is no action of manifest.json."
        f" Name the action that this tool is: {', '.join(by_id)}.",
        pointer="/runtime/tool",
    )


def refuse_disagreement(manifest: Manifest, tool: AgentManifest) -> None:
    """Raise `ContractsDisagree` unless the tool takes exactly what its action takes.

    An action without an input schema takes the instruction alone: its tool has one text, named `text`.
    """
    action = action_of(manifest, tool)
    schema = manifest.input_schema if action is None else action.input_schema
    expected = schema if schema and schema.get("properties") else ONLY_TEXT
    found = find_difference(dict(expected), dict(tool.input))
    if found is None:
        return
    pointer, difference = found
    where = f"the action {action.id}" if action else "the agent"
    hint = " (it has no parameters, so its tool takes one required text)" if expected is ONLY_TEXT else ""
    raise ContractsDisagree(
        "manifest.json and agent-manifest.json describe the same handler, and what it takes differs at"
        f" {pointer or 'the root'} of the input schema: {difference}. The first is the input schema of"
        f" {where} in manifest.json{hint}, the second /interface/input in agent-manifest.json. Make them"
        " agree; titles, descriptions, defaults and the order of names may differ.",
        pointer="/interface/input",
    )
