"""No request whatever gives a 500, a hang or a page that is not the protocol's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.agents import write_agent

COUNT = os.environ.get("POND_NEW_FUZZ", "1500")


@pytest.mark.parametrize("seed", [1, 2])
def test_thousands_of_broken_requests_are_answered_in_the_protocols_words(tmp_path: Path, seed: int) -> None:
    driver = Path(__file__).with_name("fuzz_agent.py")

    done = subprocess.run(
        [sys.executable, driver, COUNT, str(seed)],
        cwd=write_agent(tmp_path / "agent"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )

    assert done.returncode == 0, done.stderr[-3000:]
    assert f"{COUNT} answered" in done.stdout
