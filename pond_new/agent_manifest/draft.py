"""A first agent manifest, for whoever has none: valid, and to be edited before it is published. Pure."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from pond_new.manifest.slug import slug
from pond_new.manifest.values import example_parameters

HANDLE = "your-handle"
NOWHERE = "https://git.example.com"  # of no repository: pond-new release wants the real address
NO_COMMIT = "0" * 40
"""The `source.ref` of a manifest that was not released yet: `pond-new release` writes the real one."""

TEXT_INPUT: Mapping[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string", "description": "What the agent works on."}},
    "required": ["text"],
    "additionalProperties": False,
}
ANSWER: Mapping[str, Any] = {
    "type": "object",
    "properties": {"answer": {"type": "string", "description": "What the agent found."}},
    "required": ["answer"],
    "additionalProperties": False,
}
FIRST_ANSWER = {"answer": "Replace this by a real answer."}
LONGEST_SLUG = 60
LONGEST_NAME = 100
LONGEST_SUMMARY = 300
LONGEST_TIMEOUT = 300


def draft_agent_manifest(name: str, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """An agent manifest of an agent with this name; the tool does what the first action of `manifest` does.

    `manifest` is a Pond manifest, perhaps an empty or an incomplete one.
    """
    metadata = _mapping(manifest.get("metadata"))
    title = str(metadata.get("name") or name)
    short = slug(title, longest=LONGEST_SLUG) or "my-agent"
    action = _first_action(manifest)
    schema = _mapping(action.get("input_schema")) or _mapping(manifest.get("input_schema"))
    takes = schema if schema.get("properties") else TEXT_INPUT
    summary = str(metadata.get("short_description") or action.get("description") or f"{title}.")
    return {
        "id": f"{HANDLE}/{short}",
        "version": "0.1.0",
        "name": title[:LONGEST_NAME],
        "summary": summary[:LONGEST_SUMMARY],
        "license": "MIT",
        "authors": [{"name": "Your Name"}],
        "source": {"repository": f"{NOWHERE}/{HANDLE}/{short}", "ref": NO_COMMIT},
        "interface": {
            "input": dict(takes),
            "output": copy.deepcopy(dict(ANSWER)),
            "errors": [{"code": "unusable_input", "description": "The input cannot be worked on."}],
        },
        "capabilities": [{"class": "text.process"}],
        "pricing": {"model": "free", "amount": "0", "currency": "USD", "charge_on": "success"},
        "runtime": {
            "kind": "mcp",
            "endpoint": f"https://{short}.example.com/mcp",
            "tool": str(action.get("id") or short.replace("-", "_")),
            "limits": {"timeout_s": _timeout(manifest)},
        },
        "data": {"retention": "none", "training_use": False, "egress": []},
        "examples": [{"name": "first", "input": _example(takes), "output": dict(FIRST_ANSWER)}],
    }


def _first_action(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    actions = manifest.get("actions")
    return _mapping(actions[0]) if isinstance(actions, list) and actions else {}


def _timeout(manifest: Mapping[str, Any]) -> int:
    seconds = _mapping(manifest.get("limits")).get("max_run_seconds", 60)
    return min(seconds, LONGEST_TIMEOUT) if isinstance(seconds, int) and seconds > 0 else 60


def _example(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Values that the schema takes; an empty object where none can be found, which validation then names."""
    try:
        return dict(example_parameters(schema))
    except (LookupError, TypeError, AttributeError):
        return {}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
