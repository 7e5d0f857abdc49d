"""A contract and settings -> every file of the repository as text, in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from pond_new.manifest import Manifest
from pond_new.project.data import template_data
from pond_new.project.lock import schema_digest
from pond_new.project.plan import PlannedFile, plan
from pond_new.project.render import render
from pond_new.project.settings import Settings
from pond_new.project.template_folder import load_templates


@dataclass(frozen=True, slots=True)
class Build:
    """A repository in memory: what was planned, the text of each file, and the values they were made from.

    `actions` has a digest of each action's input schema, for the lock.
    """

    files: tuple[PlannedFile, ...]
    texts: Mapping[PurePosixPath, str]
    data: Mapping[str, Any]
    actions: Mapping[str, str]


def build(manifest: Manifest, settings: Settings) -> Build:
    """Plan and render the whole repository; nothing is written."""
    templates = load_templates()
    data = template_data(manifest, settings)
    files = plan(templates, data)
    actions = {action.id: schema_digest(action.input_schema) for action in manifest.actions}
    return Build(files, render(files, templates, data), data, actions)
