"""The template renders to the same bytes through copier and through our own renderer."""

from __future__ import annotations

from pathlib import Path

import pytest
from copier import Settings as CopierSettings
from copier import run_copy

from pond_new.commands.gather import complete, load_source
from pond_new.project.build import build
from pond_new.project.template_folder import load_folder
from tests.conftest import ROOT

EXAMPLES = sorted(folder.name for folder in (ROOT / "examples").iterdir() if folder.is_dir())


@pytest.mark.parametrize("example", EXAMPLES)
def test_copier_gives_the_same_bytes(example: str, tmp_path: Path) -> None:
    source, _ = load_source(answers=None, manifest=None, example=example)
    built = build(*complete(source, settings={}, use_defaults=False, agent_name=example))

    run_copy(
        str(ROOT / "template"),
        tmp_path,
        data=dict(built.data),
        defaults=True,
        quiet=True,
        settings=CopierSettings(),
    )

    ours = {str(path): text.encode() for path, text in built.texts.items()}
    assert load_folder(tmp_path) == ours
