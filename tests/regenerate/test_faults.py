"""A regeneration that is stopped at any of its steps loses nothing, and the next one finishes it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from pond_new.project.compare import Choices
from pond_new.project.regenerate import Interrupted, Request, regenerate_repository
from tests.project.disks import Failing, Killed
from tests.regenerate.conftest import Agent, parameters

FORCED = Request(Choices(force=True))


def change_much(agent: Agent) -> None:
    """A change that creates, updates, merges, deletes, leaves an orphan and needs a backup."""

    def edit(document: dict[str, Any]) -> None:
        document["limits"]["max_run_seconds"] = 90
        document["actions"] = [
            {**document["actions"][1], "id": "explain", "input_schema": parameters(a="string")}
        ]

    agent.replace("compose.yaml", "caddy:2", "caddy:2.8")
    agent.write("agent/app.py", "# edited\n")
    agent.edit_manifest(edit)


def copies(agent: Agent, tmp_path: Path) -> tuple[dict[str, bytes], dict[str, bytes], int]:
    """The tree before and after an undisturbed run, and how many effects that has."""
    root = tmp_path / "undisturbed"
    shutil.copytree(agent.root, root)
    before = Agent(root).tree()
    disk = Failing(root, 0, Killed())
    regenerate_repository(root, FORCED, disk=disk)
    return before, Agent(root).tree(), disk.effects


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
def test_killed_at_any_write_the_next_run_gives_what_an_undisturbed_one_gives(
    agent: Agent, tmp_path: Path, late: bool
) -> None:
    change_much(agent)
    _, after, steps = copies(agent, tmp_path)

    for step in range(1, steps + 1):
        root = tmp_path / f"killed-{step}"
        shutil.copytree(agent.root, root)
        with pytest.raises(Killed):
            regenerate_repository(root, FORCED, disk=Failing(root, step, Killed(), late=late))

        regenerate_repository(root, FORCED)

        assert Agent(root).tree() == after, step
        assert not list(root.rglob("*.pond-new")), step


def test_a_look_at_an_interrupted_repository_says_how_to_go_on(agent: Agent) -> None:
    change_much(agent)
    with pytest.raises(Killed):
        regenerate_repository(agent.root, FORCED, disk=Failing(agent.root, 5, Killed()))

    with pytest.raises(Interrupted, match="pond-new regenerate finishes it"):
        agent.regenerate(write=False)
