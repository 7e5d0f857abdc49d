"""An agent with telemetry passes its own checks; one without it does not know of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, PondNew

PACKAGES = ("prometheus_client", "opentelemetry")


def run(agent: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=agent, capture_output=True, text=True, check=False
    )


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    return tmp_path / "agent"


def make(pond_new: PondNew, agent: Path, telemetry: str) -> None:
    settings = ("--set", "standards=pond", "--set", f"telemetry={telemetry}")
    assert pond_new("new", agent, "--example", "text-stats", *settings, "--no-git").code == 0


def test_an_agent_with_telemetry_passes_its_own_checks(pond_new: PondNew, agent: Path) -> None:
    make(pond_new, agent, "on")

    checks = [
        run(agent, "-m", "ruff", "check", "--no-cache"),
        run(agent, "-m", "ruff", "format", "--check", "--no-cache"),
        run(agent, "-m", "mypy", f"--cache-dir={ROOT / '.mypy_cache/examples'}"),
        run(
            agent, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "tests/generated/test_telemetry.py"
        ),
    ]

    assert [check.returncode for check in checks] == [0, 0, 0, 0], [check.stdout[-2000:] for check in checks]


def test_an_agent_without_it_imports_nothing_of_it(pond_new: PondNew, agent: Path) -> None:
    make(pond_new, agent, "off")
    script = f"import sys, agent.app; sys.exit(any(name.split('.')[0] in {PACKAGES} for name in sys.modules))"

    assert run(agent, "-c", script).returncode == 0
    assert not any(package in (agent / "pyproject.toml").read_text("utf-8") for package in PACKAGES)


def test_the_second_standard_alone_measures_nothing(pond_new: PondNew, agent: Path) -> None:
    settings = ("--set", "standards=mcp", "--set", "telemetry=on")

    outcome = pond_new("new", agent, "--example", "text-stats", *settings)

    assert outcome.code == 2
    assert "only runs of Pond are measured" in outcome.err
