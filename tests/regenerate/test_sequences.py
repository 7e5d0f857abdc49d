"""Random sequences of edits, each followed by `regenerate`: no byte that a user wrote disappears.

`POND_NEW_SEQUENCES=2000 pytest -n auto tests/regenerate/test_sequences.py` runs as many as a release needs.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from random import Random

import pytest

from tests.regenerate.conftest import Agent
from tests.regenerate.happenings import HAPPENINGS, edit_what_was_interrupted
from tests.regenerate.life import Life

SEQUENCES = int(os.environ.get("POND_NEW_SEQUENCES", "12"))
STEPS = 8


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_nothing_is_lost_a_second_run_changes_nothing_and_generated_files_are_fresh(
    seed: int, newborn: Agent, tmp_path: Path
) -> None:
    root = tmp_path / "agent"
    shutil.copytree(newborn.root, root)
    life = Life(Agent(root), Random(seed), HAPPENINGS, edit_what_was_interrupted)

    for _ in range(STEPS):
        life.step()
