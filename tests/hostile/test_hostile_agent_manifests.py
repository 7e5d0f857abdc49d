"""Whatever an agent manifest holds, the generated files parse, the tool answers, and nothing is executed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path, PurePosixPath
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pond_new.agent_manifest import check_manifest
from pond_new.agent_manifest.parse import parse_agent_manifest
from pond_new.project.build import build
from pond_new.project.contracts import stand_in
from pond_new.project.settings import MCP, Settings
from tests.conftest import ROOT
from tests.hostile.agent_manifests import agent_manifests
from tests.hostile.parsing import parse_all, write_all

PARSED = int(os.environ.get("POND_NEW_HOSTILE_EXAMPLES", "60"))
TESTED = 3
LINTED = 4


def texts_of(manifest: dict[str, Any]) -> dict[PurePosixPath, str]:
    tool = parse_agent_manifest(manifest)
    return dict(build(stand_in(tool), Settings(standards=(MCP,)), tool).texts)


@settings(max_examples=PARSED, deadline=None, suppress_health_check=list(HealthCheck))
@given(agent_manifests())
def test_every_generated_file_parses(manifest: dict[str, Any]) -> None:
    assert [problem for problem in check_manifest(manifest) if problem.severity == "error"] == []

    texts = texts_of(manifest)

    parse_all(texts)
    assert json.loads(texts[PurePosixPath("agent-manifest.json")]) == manifest


def test_hostile_tools_pass_the_linters(tmp_path: Path) -> None:
    for agent in _write_agents(tmp_path, LINTED):
        for tool in (["ruff", "check", "--quiet"], ["mypy", f"--cache-dir={ROOT / '.mypy_cache/hostile'}"]):
            done = _run(agent, *tool)
            assert done.returncode == 0, (
                f"{(agent / 'agent-manifest.json').read_text('utf-8')}\n{done.stdout}"
            )


def test_hostile_tools_answer_their_examples_over_mcp(tmp_path: Path) -> None:
    """Their own tests: the examples in code, through a client in process and over HTTP on loopback."""
    for agent in _write_agents(tmp_path, TESTED):
        done = _run(agent, "pytest", "-q", "-p", "no:cacheprovider", "-n0")
        assert done.returncode == 0, f"{(agent / 'agent-manifest.json').read_text('utf-8')}\n{done.stdout}"
    assert not list(tmp_path.rglob("owned"))


def _run(agent: Path, *module: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *module]
    return subprocess.run(command, cwd=agent, capture_output=True, text=True, encoding="utf-8", check=False)


def _write_agents(root: Path, most: int) -> list[Path]:
    """Hostile agents in folders of their own."""
    written: list[Path] = []

    @settings(
        max_examples=most,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(agent_manifests(), st.just(None))
    def write(manifest: dict[str, Any], _: None) -> None:
        written.append(write_all(root / f"agent{len(written)}", texts_of(manifest)))

    write()
    return written[:most]
