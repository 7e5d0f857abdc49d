"""A contract and settings -> every file of the repository as text, in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from pond_new import __version__
from pond_new.agent_manifest.model import AgentManifest
from pond_new.manifest import Manifest
from pond_new.project.data import template_data
from pond_new.project.digests import template_digest
from pond_new.project.origin import Origin
from pond_new.project.origins import origin_of
from pond_new.project.plan import PlannedFile, plan
from pond_new.project.render import render
from pond_new.project.settings import MCP, POND, Settings
from pond_new.project.template_folder import load_templates


@dataclass(frozen=True, slots=True)
class Build:
    """A repository in memory: what was planned, the text of each file, and what they were made from.

    `templates` has the source of each template, by its path in the folder.
    """

    files: tuple[PlannedFile, ...]
    texts: Mapping[PurePosixPath, str]
    data: Mapping[str, Any]
    origin: Origin
    templates: Mapping[str, str]


def build(  # noqa: PLR0913 -- each is one thing that a repository is made from
    manifest: Manifest,
    settings: Settings,
    tool: AgentManifest | None = None,
    *,
    contracts: Mapping[str, str] | None = None,
    templates: Mapping[str, str] | None = None,
    version: str = __version__,
) -> Build:
    """Plan and render the whole repository; nothing is written.

    `tool` is the second contract where the settings name its standard; without Pond, `manifest` stands in.
    `contracts` has the text of each standard's contract where it lies there already; `templates` and the
    `version` that renders them are our own where they are not given.
    """
    sources = load_templates() if templates is None else templates
    data = template_data(manifest, settings, tool)
    files = plan(sources, data)
    origin = origin_of(
        manifest,
        settings,
        contracts={POND: data["manifest_text"], MCP: data["agent_manifest_text"]} | dict(contracts or {}),
        tool=tool,
        template=template_digest(sources, version=version),
    )
    return Build(files, render(files, sources, data), data, origin, sources)
