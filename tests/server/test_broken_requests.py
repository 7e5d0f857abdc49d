"""No request whatever gives a 500, a hang or a page that is not the protocol's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.server.agents import TIDE_CLERK, write_agent

COUNT = os.environ.get("POND_NEW_FUZZ", "1500")


ALL_MODES = {"sync": True, "streaming": True, "async_tasks": True, "attachments": True}
EVERYTHING = TIDE_CLERK | {
    "capabilities": TIDE_CLERK["capabilities"] | ALL_MODES,
    "input_modes": ["text/plain", "text/csv"],
    "output_modes": ["text/markdown", "image/png"],
    "limits": TIDE_CLERK["limits"] | {"max_attachment_bytes": 1000},
}


@pytest.mark.parametrize(
    ("seed", "manifest"), [(1, TIDE_CLERK), (2, TIDE_CLERK), (3, EVERYTHING)], ids=["1", "2", "all modes"]
)
def test_thousands_of_broken_requests_are_answered_in_the_protocols_words(
    tmp_path: Path, seed: int, manifest: dict[str, Any]
) -> None:
    driver = Path(__file__).with_name("fuzz_agent.py")

    done = subprocess.run(
        [sys.executable, driver, COUNT, str(seed)],
        cwd=write_agent(tmp_path / "agent", manifest=manifest),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )

    assert done.returncode == 0, done.stderr[-3000:]
    assert f"{COUNT} answered" in done.stdout
