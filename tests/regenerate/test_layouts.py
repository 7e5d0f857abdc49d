"""Repositories of every released layout, frozen as they were written, still come in step.

`layouts/VERSION.json` has the lines of each file that this version wrote, without `agent/pond` and `tests`
(what is missing there is written again), and two files that were edited by hand.
"""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

import pytest

from pond_new.project.compare import Change, Choices
from pond_new.project.migrations import Migration
from pond_new.project.moves import Move
from pond_new.project.regenerate import Request
from pond_new.project.template_folder import load_templates
from tests.regenerate.conftest import Agent, Outcome

LAYOUTS = sorted((Path(__file__).parent / "layouts").glob("*.json"))


@pytest.fixture(params=LAYOUTS, ids=lambda path: path.stem)
def frozen(request: pytest.FixtureRequest, tmp_path: Path) -> Agent:
    """One frozen repository, on disk again."""
    agent = Agent(tmp_path / "agent")
    for path, lines in json.loads(request.param.read_text(encoding="utf-8")).items():
        agent.write(path, "\n".join(lines))
    return agent


def test_a_frozen_repository_comes_in_step_without_a_loss(frozen: Agent) -> None:
    hand_written = {
        path: text for path, text in frozen.tree().items() if b"by hand" in text and path != "manifest.json"
    }

    outcome = frozen.regenerate()

    after = frozen.tree()
    assert not outcome.planned.is_unsolved
    assert frozen.regenerate().planned.is_in_step
    assert len(hand_written) == 2
    assert all(b"by hand" in after[path] for path in hand_written)


def moved_compose(lock: object) -> list[Move]:
    del lock
    return [Move(PurePosixPath("compose.yaml"), PurePosixPath("deploy/compose.yaml"))]


def migrated(frozen: Agent, *, new_name: str = "deploy/compose.yaml.jinja") -> Outcome:
    """What a later version does that keeps its compose file in a folder and writes it differently."""
    templates = load_templates()
    templates[new_name] = templates.pop("compose.yaml.jinja").replace("unless-stopped", "always")
    migration = Migration("99.0.0", moved_compose)
    return frozen.regenerate(
        Request(Choices(), templates=templates, version="99.0.0", migrations=[migration])
    )


def test_a_file_that_a_later_version_moves_takes_its_edits_along(frozen: Agent) -> None:
    outcome = migrated(frozen)

    assert outcome.of("deploy/compose.yaml").change is Change.MERGE
    assert outcome.of("deploy/compose.yaml").source == PurePosixPath("compose.yaml")
    assert "by hand" in frozen.read("deploy/compose.yaml")
    assert "restart: always" in frozen.read("deploy/compose.yaml")
    assert not frozen.exists("compose.yaml")


def test_a_repository_that_was_migrated_is_in_step(frozen: Agent) -> None:
    migrated(frozen)

    assert migrated(frozen).planned.is_in_step


def test_without_a_migration_an_edited_file_would_stay_as_an_orphan(frozen: Agent) -> None:
    templates = load_templates()
    templates["deploy/compose.yaml.jinja"] = templates.pop("compose.yaml.jinja")

    outcome = frozen.regenerate(Request(templates=templates, version="99.0.0"))

    assert outcome.changes["compose.yaml"] is Change.ORPHAN
    assert "by hand" in frozen.read("compose.yaml")
