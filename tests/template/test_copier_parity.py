"""The template renders to the same bytes through copier and through our own renderer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from copier import Settings as CopierSettings
from copier import run_copy

from pond_new.commands.gather import complete, load_source
from pond_new.manifest import parse_manifest
from pond_new.project.build import Build, build
from pond_new.project.settings import Settings
from pond_new.project.targets import TARGETS
from pond_new.project.template_folder import load_folder
from tests.conftest import ROOT

AGENT_MANIFEST = ROOT / "tests/agent_manifest/text-stats.json"
EXAMPLES = sorted(folder.name for folder in (ROOT / "examples").iterdir() if folder.is_dir())


@pytest.mark.parametrize("example", EXAMPLES)
def test_copier_gives_the_same_bytes(example: str, tmp_path: Path) -> None:
    source, _ = load_source(answers=None, manifest=None, example=example)

    check_parity(build(*complete(source, settings={}, use_defaults=False, agent_name=example)), tmp_path)


@pytest.mark.parametrize("sync", [True, False])
@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("attachments", [True, False])
def test_copier_leaves_out_what_is_not_declared(
    minimal_manifest: dict[str, Any], tmp_path: Path, *, sync: bool, streaming: bool, attachments: bool
) -> None:
    flags = {"sync": sync or not streaming, "streaming": streaming, "attachments": attachments}
    modes = ["text/markdown", "image/png"] if attachments == streaming else ["text/markdown"]
    manifest = minimal_manifest | {
        "capabilities": minimal_manifest["capabilities"] | flags,
        "output_modes": modes,
    }

    check_parity(build(parse_manifest(manifest), Settings()), tmp_path)


@pytest.mark.parametrize("target", TARGETS)
def test_copier_brings_the_files_of_the_chosen_place_only(
    minimal_manifest: dict[str, Any], tmp_path: Path, target: str
) -> None:
    database = "sqlite" if TARGETS[target].has_disk else "postgres"
    settings = Settings(deploy=target, database=database)

    check_parity(build(parse_manifest(minimal_manifest), settings), tmp_path)


@pytest.mark.parametrize("standards", [("mcp",), ("pond", "mcp")])
def test_copier_makes_the_second_standard_too(standards: tuple[str, ...], tmp_path: Path) -> None:
    source, _ = load_source(answers=None, manifest=str(AGENT_MANIFEST), example=None)

    settings = {"standards": ",".join(standards)}
    check_parity(build(*complete(source, settings=settings, use_defaults=True, agent_name="x")), tmp_path)


def check_parity(built: Build, folder: Path) -> None:
    run_copy(
        str(ROOT / "template"),
        folder,
        data=dict(built.data),
        defaults=True,
        quiet=True,
        settings=CopierSettings(),
    )

    ours = {str(path): text.encode() for path, text in built.texts.items()}
    assert load_folder(folder) == ours
