"""A contract, settings and a template -> the facts about them that the lock keeps. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pond_new.agent_manifest.model import AgentManifest
from pond_new.agent_manifest.promises import promises_of_tool
from pond_new.manifest import Action, Manifest
from pond_new.manifest.promises import promises_digest
from pond_new.project.digests import digest, schema_digest
from pond_new.project.origin import OPTIONAL, ActionOrigin, Origin, ToolOrigin
from pond_new.project.settings import MCP, POND, Settings


def origin_of(
    manifest: Manifest,
    settings: Settings,
    *,
    contracts: Mapping[str, str],
    template: str,
    tool: AgentManifest | None = None,
) -> Origin:
    """The origin of a repository that is made from these.

    `contracts` has the text of each standard's contract as it lies there; `template` the template's digest.
    """
    return Origin(
        template=template,
        manifest=digest(contracts[POND]),
        agent_version=manifest.agent_version,
        promises=promises_digest(manifest.document),
        settings=settings.dump(),
        parts=_parts(manifest.document) | ({"agent manifest": schema_digest(tool.document)} if tool else {}),
        actions={action.id: action_origin(action) for action in manifest.actions},
        general={} if manifest.actions else parameter_types(manifest.input_schema),
        tool=_tool_origin(tool, contracts[MCP]) if tool else None,
    )


def _tool_origin(tool: AgentManifest, contract: str) -> ToolOrigin:
    return ToolOrigin(digest(contract), tool.version, schema_digest(promises_of_tool(tool.document)))


def action_origin(action: Action) -> ActionOrigin:
    """The facts of one action."""
    wording = digest(json.dumps([action.name, action.description]))
    return ActionOrigin(schema_digest(action.input_schema), wording, parameter_types(action.input_schema))


def parameter_types(schema: Mapping[str, Any] | None) -> dict[str, str]:
    """The type of each parameter, with a question mark where it may be left out."""
    properties: Mapping[str, Any] = (schema or {}).get("properties") or {}
    required = set((schema or {}).get("required") or ())
    return {
        name: _type_of(inner) + ("" if name in required else OPTIONAL) for name, inner in properties.items()
    }


def _parts(document: Mapping[str, Any]) -> dict[str, str]:
    """Digests of what files other than `agent/actions.py` are made from."""
    metadata = document.get("metadata") or {}
    parts = {
        "name and summary": [metadata.get("name"), metadata.get("short_description")],
        "capabilities": document.get("capabilities"),
        "media modes": [document.get("input_modes"), document.get("output_modes")],
        "limits": document.get("limits"),
        "pricing": metadata.get("pricing_plans"),
        "input schema": document.get("input_schema"),
    }
    return {part: schema_digest(value) for part, value in parts.items()}


def _type_of(schema: Any) -> str:
    kind = str(schema.get("type", "any")) if isinstance(schema, Mapping) else "any"
    items = schema.get("items") if isinstance(schema, Mapping) else None
    return f"array of {_type_of(items)}" if kind == "array" and items else kind
