"""What a repository was made from, as facts that the lock keeps. Pure.

Comparing two origins says why files change, which parameters a handler may still expect, and whether
anything can have changed at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

OPTIONAL = "?"


@dataclass(frozen=True, slots=True)
class ActionOrigin:
    """One action: digests of its input schema and of its name and description, and its parameters.

    `parameters` has the type of each, such as `array of string`, with a question mark where it is optional.
    """

    schema: str
    wording: str
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolOrigin:
    """The agent manifest of the second standard: digests of its text and of its promises, and its version."""

    manifest: str
    version: str
    promises: str


@dataclass(frozen=True, slots=True)
class Origin:
    """The contract, settings and template that a repository was last written from.

    `general` has the parameters of an agent without actions, as `ActionOrigin` has them; `tool` is there with
    the second standard only.

    `manifest` and `template` are digests of whole texts; `parts` of the manifest's own parts. `promises` is
    the digest of what `agent_version` stood for when it was first seen (requirement MAN-11).
    """

    template: str
    manifest: str
    agent_version: str
    promises: str
    settings: Mapping[str, Any]
    parts: Mapping[str, str]
    actions: Mapping[str, ActionOrigin]
    general: Mapping[str, str] = field(default_factory=dict)
    tool: ToolOrigin | None = None


def following(origin: Origin, earlier: Origin | None) -> Origin:
    """The origin to keep: under an unchanged version, what it stood for at first."""
    if earlier is None:
        return origin
    if earlier.agent_version == origin.agent_version:
        origin = replace(origin, promises=earlier.promises)
    if origin.tool and earlier.tool and origin.tool.version == earlier.tool.version:
        origin = replace(origin, tool=replace(origin.tool, promises=earlier.tool.promises))
    return origin


def dump_origin(origin: Origin) -> dict[str, Any]:
    """Plain values for the lock; the actions keep their order, which `agent/actions.py` shows."""
    values = asdict(origin)
    if origin.tool is None:
        del values["tool"]
    return values


def parse_origin(value: Any) -> Origin:
    """The values of `dump_origin` -> the origin.

    Raises `KeyError`, `TypeError`, `ValueError` or `AttributeError` for anything else.
    """
    actions = {
        str(action): ActionOrigin(
            str(facts["schema"]),
            str(facts["wording"]),
            {str(name): str(kind) for name, kind in facts["parameters"].items()},
        )
        for action, facts in value["actions"].items()
    }
    return Origin(
        template=str(value["template"]),
        manifest=str(value["manifest"]),
        agent_version=str(value["agent_version"]),
        promises=str(value["promises"]),
        settings=dict(value["settings"]),
        parts={str(part): str(each) for part, each in value["parts"].items()},
        actions=actions,
        general={str(name): str(kind) for name, kind in value.get("general", {}).items()},
        tool=_parse_tool(value["tool"]) if "tool" in value else None,
    )


def _parse_tool(value: Any) -> ToolOrigin:
    return ToolOrigin(str(value["manifest"]), str(value["version"]), str(value["promises"]))
