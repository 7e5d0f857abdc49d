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
class Origin:
    """The contract, settings and template that a repository was last written from.

    `general` has the parameters of an agent without actions, as `ActionOrigin` has them.

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


def following(origin: Origin, earlier: Origin | None) -> Origin:
    """The origin to keep: under an unchanged `agent_version`, what it stood for at first."""
    if earlier is None or earlier.agent_version != origin.agent_version:
        return origin
    return replace(origin, promises=earlier.promises)


def dump_origin(origin: Origin) -> dict[str, Any]:
    """Plain values for the lock; the actions keep their order, which `agent/actions.py` shows."""
    return asdict(origin)


def parse_origin(value: Any) -> Origin:
    """The way back. Raises `KeyError`, `TypeError`, `ValueError` or `AttributeError` for anything else."""
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
    )
