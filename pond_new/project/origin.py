"""What a repository was made from, as facts that the lock keeps. Pure.

Comparing two origins says why files change, which parameters a handler may still expect, and whether
anything can have changed at all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pond_new.manifest import Action, Manifest
from pond_new.manifest.promises import promises_digest
from pond_new.project.digests import digest, schema_digest
from pond_new.project.settings import Settings

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

    `manifest` and `template` are digests of the whole; `parts` of the manifest's own parts. `promises` is
    the digest of what `agent_version` stood for when it was first seen (requirement MAN-11).
    """

    template: str
    manifest: str
    agent_version: str
    promises: str
    settings: Mapping[str, Any]
    parts: Mapping[str, str]
    actions: Mapping[str, ActionOrigin]

    def has_same_sources(self, other: Origin) -> bool:
        """Whether both make the same files."""
        return (self.template, self.manifest, self.settings) == (
            other.template,
            other.manifest,
            other.settings,
        )


def origin_of(manifest: Manifest, settings: Settings, *, template: str) -> Origin:
    """The origin of a repository that is made from these; `template` is the template's digest."""
    return Origin(
        template=template,
        manifest=manifest_digest(manifest.document),
        agent_version=manifest.agent_version,
        promises=promises_digest(manifest.document),
        settings=settings.dump(),
        parts=_parts(manifest.document),
        actions={action.id: action_origin(action) for action in manifest.actions},
    )


def action_origin(action: Action) -> ActionOrigin:
    """The facts of one action."""
    wording = digest(json.dumps([action.name, action.description]))
    return ActionOrigin(schema_digest(action.input_schema), wording, parameter_types(action.input_schema))


def following(origin: Origin, earlier: Origin | None) -> Origin:
    """The origin to keep: under an unchanged `agent_version`, what it stood for at first."""
    if earlier is None or earlier.agent_version != origin.agent_version:
        return origin
    return replace(origin, promises=earlier.promises)


def manifest_digest(document: Mapping[str, Any]) -> str:
    """SHA-256 of a manifest's values, in the order that they have."""
    return digest(json.dumps(document))


def parameter_types(schema: Mapping[str, Any] | None) -> dict[str, str]:
    """The type of each parameter, with a question mark where it may be left out."""
    properties: Mapping[str, Any] = (schema or {}).get("properties") or {}
    required = set((schema or {}).get("required") or ())
    return {
        name: _type_of(inner) + ("" if name in required else OPTIONAL) for name, inner in properties.items()
    }


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
    )


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
