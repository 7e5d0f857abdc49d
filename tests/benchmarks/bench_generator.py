"""The rows on the generator: start-up, making a repository, large manifests."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pond_new.commands.gather import complete, load_source
from pond_new.manifest import parse_manifest
from pond_new.project.build import Build, build
from pond_new.project.template_folder import find_folder
from tests.benchmarks.table import Row, seconds, seconds_in_turns

POND_NEW = (sys.executable, "-m", "pond_new")


def generator_rows(folder: Path, peers: Path) -> Iterator[Row]:
    """Every row; `folder` is an empty directory, `peers` the scripts folder with copier and cookiecutter."""
    version, nothing = seconds_in_turns((*POND_NEW, "--version"), (sys.executable, "-c", "pass"))
    yield Row("pond-new --version", version, nothing, "s", "python -c pass", most=3)
    yield from _making(folder / "making", peers)
    yield from _sizes(folder / "sizes")


def _making(folder: Path, peers: Path) -> Iterator[Row]:
    source, _ = load_source(answers=None, manifest=None, example="language")
    built = build(*complete(source, settings={}, use_defaults=False, agent_name="language"))
    folder.mkdir(parents=True)
    answers = folder / "answers.json"
    answers.write_text(json.dumps({"manifest": dict(source.answers.manifest)}), "utf-8")
    target = folder / "made"

    def clear() -> None:
        shutil.rmtree(target, ignore_errors=True)

    data = folder / "data.json"
    data.write_text(json.dumps(dict(built.data)), "utf-8")
    copier = (
        peers / "copier",
        "copy",
        "--quiet",
        "--defaults",
        "--data-file",
        data,
        find_folder("template"),
        target,
    )
    _write_cookiecutter(folder / "template", built)
    cookiecutter = (peers / "cookiecutter", "--no-input", "--output-dir", target, folder / "template")
    new = (*POND_NEW, "new", target, "--answers", answers, "--no-git")
    ours, *theirs = seconds_in_turns(new, copier, cookiecutter, before=clear)
    yield Row("make a repository", ours, theirs[0], "s", "copier copy", most=0.5)
    yield Row("make a repository", ours, theirs[1], "s", "cookiecutter", most=1)


def _write_cookiecutter(folder: Path, built: Build) -> None:
    """The same files as a cookiecutter template; those made from the manifest are rendered there too."""
    (folder / "{{cookiecutter.name}}").mkdir(parents=True)
    (folder / "cookiecutter.json").write_text('{"name": "made"}', "utf-8")
    for path, text in built.texts.items():
        file = folder / "{{cookiecutter.name}}" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{% raw %}" + text + "{% endraw %}", "utf-8")


def _sizes(folder: Path) -> Iterator[Row]:
    folder.mkdir(parents=True)
    times = {count: _make_and_check(folder, count) for count in (100, 1000)}
    yield Row("make and check 1,000 actions", times[1000], times[100], "s", "100 actions", most=12)
    sizes = {size: _validate(folder, size) for size in (4 * 1024, 255 * 1024)}
    yield Row("validate 255 KiB", sizes[255 * 1024], sizes[4 * 1024], "s", "4 KiB", most=3)


def _make_and_check(folder: Path, count: int) -> float:
    file, target = folder / f"{count}.json", folder / f"made-{count}"
    file.write_text(json.dumps(_manifest(count)), "utf-8")

    def clear() -> None:
        shutil.rmtree(target, ignore_errors=True)

    made = seconds((*POND_NEW, "new", target, "--from", file, "--no-git"), before=clear)
    return made + seconds((*POND_NEW, "regenerate", "--check", target))


def _validate(folder: Path, size: int) -> float:
    """A manifest of about this size: long texts in the listing, as real ones have."""
    manifest = _manifest(3)
    manifest["metadata"] = {"name": "Large", "description": ""}
    room = size - len(json.dumps(manifest))
    manifest["metadata"]["description"] = "Long text. " * (room // 11)
    parse_manifest(manifest)
    file = folder / f"{size}-bytes.json"
    file.write_text(json.dumps(manifest), "utf-8")
    return seconds((*POND_NEW, "validate", file))


def _manifest(actions: int) -> dict[str, Any]:
    """A manifest with so many small actions."""
    source, _ = load_source(answers=None, manifest=None, example="text-stats")
    manifest = dict(source.answers.manifest) | {"metadata": {"name": "Many"}}
    manifest["actions"] = [
        {
            "id": f"action_{number}",
            "name": f"Action {number}",
            "description": f"Use for the case number {number}.",
        }
        for number in range(actions)
    ]
    return manifest
