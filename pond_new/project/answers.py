"""The answers that make an agent: a contract and a handful of settings. Pure.

There is no second format: `{"manifest": {...}, "settings": {...}}` as YAML or JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pond_new.errors import WrongUsage

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


@dataclass(frozen=True, slots=True)
class Answers:
    """What is known of the agent to be made; parts may still be missing."""

    manifest: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


def parse_answers(value: Any, *, name: str) -> Answers:
    """The value of an answers file -> `Answers`. Raises `WrongUsage`."""
    if not isinstance(value, dict):
        raise WrongUsage(f"{name} holds no answers: expected an object with manifest and settings.")
    if "protocol" in value and "manifest" not in value:
        raise WrongUsage(f"{name} is a manifest, not an answers file: use --from {name} instead.")
    if unknown := sorted(str(part) for part in value if part not in KNOWN_PARTS):
        raise WrongUsage(f"{name} has unknown parts: {', '.join(unknown)}. Known: {', '.join(KNOWN_PARTS)}.")
    if value.get("agent_manifest"):
        raise WrongUsage(
            f"{name}: agent_manifest is for the mcp standard, which this version does not make yet."
        )
    parts = {part: value.get(part) or {} for part in ("manifest", "settings")}
    if wrong := [part for part, content in parts.items() if not isinstance(content, dict)]:
        raise WrongUsage(f"{name}: {' and '.join(wrong)} must be an object.")
    return Answers(**parts)


def missing_answers(answers: Answers) -> list[str]:
    """The parts of the manifest that are needed and not given, each with what --yes would take."""
    missing = [part for part in DEFAULTS if part not in OPTIONAL and part not in answers.manifest]
    return [f"manifest.{part} (default: {json.dumps(DEFAULTS[part])})" for part in missing]


def with_defaults(answers: Answers, *, agent_name: str) -> Answers:
    """The answers with a default for every missing part, and a name for the listing."""
    manifest: dict[str, Any] = {}
    for part, default in DEFAULTS.items():
        manifest[part] = answers.manifest.get(part, default)
    metadata = manifest["metadata"]
    if isinstance(metadata, dict) and "name" not in metadata:
        manifest["metadata"] = {"name": agent_name} | metadata
    return replace(answers, manifest=manifest | dict(answers.manifest) | {"metadata": manifest["metadata"]})
