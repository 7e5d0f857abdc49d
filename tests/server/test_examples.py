"""The committed examples: in step with the template, and green in their own tests, linters and types."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.golden import main

AGENTS = sorted((ROOT / "examples").glob("*/agent"))


def call(agent: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=agent, env=environment, capture_output=True, text=True, encoding="utf-8",
        timeout=300, check=False,
    )  # fmt: skip


def test_the_examples_are_in_step_with_the_template() -> None:
    assert main(["--check"]) == 0, "run: python tests/golden.py"


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.parent.name)
def test_an_examples_own_tests_are_green(agent: Path) -> None:
    done = call(agent, "pytest", "-q", "-p", "no:cacheprovider")

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.parent.name)
def test_an_example_is_typed_and_linted(agent: Path) -> None:
    types = call(agent, "mypy", f"--cache-dir={ROOT / '.mypy_cache/examples'}")
    lint = call(agent, "ruff", "check", "--no-cache")
    form = call(agent, "ruff", "format", "--check", "--no-cache")

    assert types.returncode == lint.returncode == form.returncode == 0, (
        types.stdout + lint.stdout + form.stdout
    )


def test_a_broken_handler_turns_the_generated_tests_red(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    subprocess.run(
        [sys.executable, "-m", "pond_new", str(agent), "--example", "text-stats", "--no-git"],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    handler = agent / "agent/handlers/measure_text.py"
    handler.write_text(handler.read_text("utf-8").replace("len(words)", "len(words) + 1"), encoding="utf-8")

    done = call(agent, "pytest", "-q", "-p", "no:cacheprovider", "tests/generated/test_examples.py")

    assert done.returncode == 1
    assert "measure_text/short" in done.stdout
