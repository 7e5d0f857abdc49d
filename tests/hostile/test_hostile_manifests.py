"""Whatever a manifest holds, the generated files parse, and nothing of it is executed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path, PurePosixPath
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pond_new.manifest import InvalidManifest, parse_manifest
from pond_new.project.build import build
from pond_new.project.settings import Settings
from tests.conftest import ROOT
from tests.hostile.manifests import manifests
from tests.hostile.parsing import parse_all, write_all

PARSED = int(os.environ.get("POND_NEW_HOSTILE_EXAMPLES", "150"))
STARTED = int(os.environ.get("POND_NEW_HOSTILE_STARTS", "100"))


def texts_of(manifest: dict[str, Any], *, only_made: bool = False) -> dict[PurePosixPath, str]:
    """Every file, or only those that a manifest can change."""
    built = build(parse_manifest(manifest), Settings())
    plain = {planned.path for planned in built.files if not planned.template.endswith(".jinja")}
    return {path: text for path, text in built.texts.items() if not (only_made and path in plain)}


@settings(max_examples=PARSED, deadline=None, suppress_health_check=list(HealthCheck))
@given(manifests())
def test_every_generated_file_parses(manifest: dict[str, Any]) -> None:
    try:
        texts = texts_of(manifest)
    except InvalidManifest:  # such as a required name that is blank: refused, not crashed
        return

    parse_all(texts)
    written = json.loads(texts[PurePosixPath("manifest.json")])
    assert written.pop("$schema")
    assert written == manifest
    assert len({str(path).lower() for path in texts}) == len(texts)


def test_hostile_agents_start_and_answer(tmp_path: Path) -> None:
    """Some hundred hostile agents, each imported by a fresh interpreter that replays its example."""
    written = _write_agents(tmp_path)
    driver = Path(__file__).with_name("start_agents.py")

    done = subprocess.run(
        [sys.executable, str(driver), *map(str, written)],
        cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False, timeout=500,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert done.stdout.count("answered") == len(written) >= STARTED * 0.8
    assert not list(tmp_path.rglob("owned"))


def test_hostile_agents_pass_the_linters(tmp_path: Path) -> None:
    written = _write_agents(tmp_path, most=12)

    for agent in written:
        for tool in (["ruff", "check", "--quiet"], ["mypy", f"--cache-dir={ROOT / '.mypy_cache/hostile'}"]):
            done = subprocess.run(
                [sys.executable, "-m", *tool], cwd=agent, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, (
                f"{agent.joinpath('manifest.json').read_text('utf-8')}\n{done.stdout}"
            )


def _write_agents(root: Path, most: int = STARTED) -> list[Path]:
    """Hostile agents in folders of their own."""
    written: list[Path] = []

    @settings(
        max_examples=most,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(manifests(), st.just(None))
    def write(manifest: dict[str, Any], _: None) -> None:
        try:
            texts = texts_of(manifest)
        except InvalidManifest:
            return
        written.append(write_all(root / f"agent{len(written)}", texts))

    write()
    return written[:most]
