"""No request whatever gives a 500, a hang or a page that is not the protocol's, and none undoes a run."""

from __future__ import annotations

import copy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.server.agents import TIDE_CLERK, write_agent

EVERYTHING = TIDE_CLERK | {
    "capabilities": TIDE_CLERK["capabilities"]
    | {"sync": True, "streaming": True, "async_tasks": True, "attachments": True},
    "input_modes": ["text/plain", "text/csv"],
    "output_modes": ["text/markdown", "image/png"],
}


def without_a_schema(manifest: dict[str, Any]) -> dict[str, Any]:
    """The agent takes any parameters."""
    opened = copy.deepcopy(manifest)
    del opened["actions"][0]["input_schema"]
    return opened


AGENTS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "sync alone": (TIDE_CLERK, ()),
    "every mode": (EVERYTHING, ()),
    "any parameters, lenient": (without_a_schema(EVERYTHING), ("lenient",)),
}


@pytest.mark.parametrize("name", AGENTS)
def test_broken_requests_are_answered_in_the_protocols_words_and_lose_nothing(
    tmp_path: Path, name: str
) -> None:
    """ERR-01, ERR-02, IDM-02, IDM-03, IDM-04. The smallest request that fails is printed as a command."""
    manifest, flags = AGENTS[name]
    agent = write_agent(tmp_path / "agent", manifest=manifest, handler=None)

    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.broken.drive", agent, *flags],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )

    assert done.returncode == 0, done.stderr[-6000:]
