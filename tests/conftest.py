"""What all tests share: a runner for the command line, and agents that were generated once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pond_new.__main__ import run
from pond_new.protocol.facts import CAPABILITIES

ROOT = Path(__file__).parent.parent


def capabilities(*offered: str) -> dict[str, bool]:
    """The flags of a manifest, on for what is offered."""
    return {row.name: row.name in offered for row in CAPABILITIES}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one command did: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


PondNew = Callable[..., Outcome]


@pytest.fixture
def pond_new(capsys: pytest.CaptureFixture[str]) -> PondNew:
    """Run `pond-new ARGUMENTS` in this process, as without a terminal."""

    def call(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return call


@pytest.fixture(autouse=True)
def without_the_users_git(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test depends on, or touches, the git configuration of whoever runs it."""
    empty = tmp_path_factory.mktemp("gitconfig") / "config"
    empty.touch()
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(empty))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture(scope="session")
def minimal_manifest() -> dict[str, Any]:
    """The smallest manifest that Pond accepts."""
    return {
        "protocol": "marketplace-agent",
        "protocol_version": "1.0",
        "agent_version": "1",
        "capabilities": capabilities("sync"),
        "input_modes": ["text/plain"],
        "output_modes": ["text/markdown"],
        "limits": {"max_request_bytes": 100000, "max_attachment_bytes": 1, "max_run_seconds": 30},
    }
