"""Which other kind of file a `manifest.json` is, if it is not one of a Pond agent. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pond_new.protocol.facts import PROTOCOL


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file, known by keys that stand there together."""

    title: str
    keys: tuple[str, ...]


AGENT_MANIFEST = Kind("an agent manifest of the mcp standard", ("interface", "runtime"))
KINDS = (
    AGENT_MANIFEST,
    Kind("the manifest of a browser extension", ("manifest_version",)),
    Kind("the manifest of a Slack app", ("display_information",)),
    Kind("the manifest of a Microsoft Teams app", ("manifestVersion",)),
    Kind("the manifest of a ChatGPT plugin", ("schema_version", "name_for_model")),
    Kind("an agent card of the A2A protocol", ("skills", "url", "defaultInputModes")),
    Kind("the manifest of a container image", ("schemaVersion", "mediaType")),
    Kind("the manifest of a Home Assistant integration", ("domain", "codeowners")),
    Kind("the manifest of an Obsidian plugin", ("minAppVersion",)),
    Kind("the manifest of a web app", ("start_url",)),
    Kind("the manifest of a web app", ("icons", "display")),
    Kind("the asset list of a web build", ("files", "entrypoints")),
    Kind("the description of an npm package", ("name", "version", "dependencies")),
    Kind("an OpenAPI description", ("openapi", "paths")),
    Kind("the description of an MCP server", ("packages", "version", "name")),
)


def other_kind(value: Any) -> Kind | None:
    """The kind of a file that is no Pond manifest, or None; whatever names Pond's protocol is one."""
    if not isinstance(value, dict) or value.get("protocol") == PROTOCOL or "protocol_version" in value:
        return None
    return next((kind for kind in KINDS if all(key in value for key in kind.keys)), None)
