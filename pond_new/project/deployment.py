"""What the files of the chosen target are made from: its disk, and how long it waits. Pure."""

from __future__ import annotations

from typing import Any

from pond_new.manifest import Manifest
from pond_new.project import names
from pond_new.project.settings import Settings
from pond_new.project.targets import TARGETS, feature, request_seconds, silent_seconds, stop_seconds


def target_features(settings: Settings) -> dict[str, bool]:
    """The features of all targets that bring files, and whether each is the chosen one."""
    return {feature(name): name == settings.deploy for name, target in TARGETS.items() if target.files}


def deploy_values(manifest: Manifest, settings: Settings) -> dict[str, Any]:
    """The variable `deploy` of the template."""
    target, seconds = TARGETS[settings.deploy], manifest.limits.max_run_seconds
    keeps_file = settings.database == "sqlite"
    return {
        "title": target.title,
        "name": names.service_name(manifest.name),
        "stop_seconds": stop_seconds(target, seconds),
        "cuts_runs": stop_seconds(target, seconds) < seconds,
        "request_seconds": request_seconds(target, seconds),
        "cuts_requests": request_seconds(target, seconds) < seconds,
        "silent_seconds": silent_seconds(target, seconds),
        "keeps_file": keeps_file,
        "starts_as_root": keeps_file and target.has_disk_of_root,
    }
