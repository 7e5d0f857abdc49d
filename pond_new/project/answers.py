"""The answers that make an agent: one contract or two, and a handful of settings. Pure.

There is no second format: `{"manifest": {...}, "agent_manifest": {...}, "settings": {...}}` as YAML or JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pond_new.agent_manifest.draft import draft_agent_manifest
from pond_new.errors import WrongUsage
from pond_new.project.contracts import action_id_of
from pond_new.project.settings import MCP, POND, Settings, parse_settings

KNOWN_PARTS = ("manifest", "agent_manifest", "settings")

# What --yes takes for a part of the manifest that is missing: a careful start, one synchronous text agent.
DEFAULTS: Mapping[str, Any] = {
    "protocol": "marketplace-agent",
    "protocol_version": "1.0",
    "agent_version": "0.1.0",
    "metadata": {},
    "capabilities": {
        "sync": True,
        "streaming": False,
        "async_tasks": False,
        "cancellation": False,
        "attachments": False,
        "feedback": False,
    },
    "input_modes": ["text/plain"],
    "output_modes": ["text/markdown"],
    "limits": {
        "max_request_bytes": 1024 * 1024,
        "max_attachment_bytes": 10 * 1024 * 1024,
        "max_run_seconds": 60,
    },
}
OPTIONAL = frozenset({"metadata"})
LONGEST_SHOWN = 90  # characters of a default in a list


@dataclass(frozen=True, slots=True)
class Answers:
    """What is known of the agent to be made; parts may still be missing."""

    manifest: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    agent_manifest: Mapping[str, Any] = field(default_factory=dict)

    def parse_settings(self, given: Mapping[str, str]) -> Settings:
        """The settings with those of the command line. Raises `WrongUsage`."""
        return parse_settings({**self.settings, **given})


def parse_answers(value: Any, *, name: str) -> Answers:
    """The value of an answers file -> `Answers`. Raises `WrongUsage`."""
    if not isinstance(value, dict):
        raise WrongUsage(
            f"{name} holds no answers: expected an object with manifest, agent_manifest and settings."
        )
    if "protocol" in value and "manifest" not in value:
        raise WrongUsage(f"{name} is a manifest, not an answers file: use --from {name} instead.")
    if unknown := sorted(str(part) for part in value if part not in KNOWN_PARTS):
        raise WrongUsage(f"{name} has unknown parts: {', '.join(unknown)}. Known: {', '.join(KNOWN_PARTS)}.")
    parts = {part: value.get(part) or {} for part in KNOWN_PARTS}
    if wrong := [part for part, content in parts.items() if not isinstance(content, dict)]:
        raise WrongUsage(f"{name}: {' and '.join(wrong)} must be an object.")
    return Answers(**parts)


def missing_answers(answers: Answers, standards: Sequence[str] = (POND,)) -> list[str]:
    """The parts of the contracts that are needed and not given, each with what --yes would take."""
    missing: list[str] = []
    if POND in standards:
        parts = [part for part in DEFAULTS if part not in OPTIONAL and part not in answers.manifest]
        missing += [f"manifest.{part} (default: {json.dumps(DEFAULTS[part])})" for part in parts]
    if MCP in standards:
        draft = draft_agent_manifest("My Agent", answers.manifest)
        parts = [part for part in draft if part not in answers.agent_manifest]
        missing += [f"agent_manifest.{part} (default: {_shown(draft[part])})" for part in parts]
    return missing


def with_defaults(answers: Answers, standards: Sequence[str] = (POND,), *, agent_name: str) -> Answers:
    """The answers with a default for every missing part, and a name for the listing.

    Where one contract is given and the other is not, what they share is taken from the one that is.
    """
    if POND in standards:
        answers = _with_pond_defaults(answers, agent_name=agent_name)
    if MCP in standards:
        draft = draft_agent_manifest(agent_name, answers.manifest)
        answers = replace(answers, agent_manifest=draft | dict(answers.agent_manifest))
    return answers


def _with_pond_defaults(answers: Answers, *, agent_name: str) -> Answers:
    if answers.agent_manifest and not answers.manifest:
        answers = replace(answers, manifest=_from_tool(answers.agent_manifest))
    manifest: dict[str, Any] = {}
    for part, default in DEFAULTS.items():
        manifest[part] = answers.manifest.get(part, default)
    metadata = manifest["metadata"]
    if isinstance(metadata, dict) and "name" not in metadata:
        manifest["metadata"] = {"name": agent_name} | metadata
    return replace(answers, manifest=manifest | dict(answers.manifest) | {"metadata": manifest["metadata"]})


def _from_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    """What an agent manifest says of a Pond agent that does the same: its name, one action, its limit."""
    try:
        action = {
            "id": action_id_of(str(tool["runtime"]["tool"])),
            "name": tool["name"],
            "description": f"Use when the user wants this: {tool['summary']}",
            "input_schema": {
                keyword: value
                for keyword, value in tool["interface"]["input"].items()
                if keyword != "$schema"
            },
        }
        limits = DEFAULTS["limits"] | {"max_run_seconds": max(1, int(tool["runtime"]["limits"]["timeout_s"]))}
        metadata = {"name": tool["name"], "short_description": tool["summary"]}
    except (KeyError, TypeError, ValueError, AttributeError):
        return {}
    return {"metadata": metadata, "actions": [action], "limits": limits}


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "..."
