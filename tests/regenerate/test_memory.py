"""A lock that is missing, damaged or newer, settings and contracts that are not there or cannot be used."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pond_new.project.compare import Change, Choices
from pond_new.project.lock import MadeByNewerVersion
from pond_new.project.project_file import InvalidSettings
from pond_new.project.regenerate import Request
from pond_new.project.repository import NoRepository
from tests.regenerate.conftest import MANIFEST, Agent, make

POSIX_ONLY = pytest.mark.skipif(sys.platform == "win32", reason="links and permissions of POSIX")
Upgrade = Callable[..., Request]
NEWER = {"Dockerfile.jinja": ("PIP_NO_CACHE_DIR=1", "PIP_NO_CACHE_DIR=1 PIP_PROGRESS_BAR=off")}


def longer_run(agent: Agent) -> None:
    agent.edit_manifest(lambda document: document["limits"].update(max_run_seconds=90))


def test_a_missing_lock_adopts_what_is_identical(agent: Agent) -> None:
    agent.delete(".pond/lock.json")

    outcome = agent.regenerate()

    assert outcome.changes == {}
    assert "no .pond/lock.json" in outcome.planned.repository.note
    assert agent.regenerate().planned.is_in_step


@pytest.mark.parametrize("damage", ["", "{", "<<<<<<< HEAD\n{}\n", "[]"])
def test_a_damaged_lock_asks_about_what_differs(agent: Agent, damage: str) -> None:
    agent.replace("Dockerfile", "EXPOSE 8000", "EXPOSE 9000")
    agent.write(".pond/lock.json", damage)

    refused = agent.regenerate()
    adopted = agent.regenerate(Request(Choices(adopt=True)))

    assert refused.changes == {"Dockerfile": Change.REFUSED}
    assert "--adopt" in refused.of("Dockerfile").reason
    assert adopted.planned.is_in_step is False
    assert "EXPOSE 9000" in agent.read("Dockerfile")
    assert agent.regenerate().planned.is_in_step


def test_a_repository_of_a_newer_version_is_refused_with_the_command_that_updates(agent: Agent) -> None:
    agent.replace(".pond/lock.json", '"pond_new": "', '"pond_new": "99.')
    before = agent.tree()

    with pytest.raises(MadeByNewerVersion, match="pip install --upgrade pond-new"):
        agent.regenerate()

    assert agent.tree() == before


def test_a_setting_that_only_a_newer_version_knows_is_no_reason_to_complain_about_it(agent: Agent) -> None:
    agent.replace(".pond/lock.json", '"pond_new": "', '"pond_new": "99.')
    agent.replace("pyproject.toml", 'database = "sqlite"', 'database = "of the future"')

    with pytest.raises(MadeByNewerVersion):
        agent.regenerate()


def test_an_upgrade_that_changes_no_file_leaves_the_lock_alone(agent: Agent, upgrade: Upgrade) -> None:
    before = agent.tree()

    outcome = agent.regenerate(upgrade({}))

    assert outcome.planned.is_in_step
    assert agent.tree() == before


def test_an_upgraded_repository_is_refused_by_the_older_version(agent: Agent, upgrade: Upgrade) -> None:
    agent.regenerate(upgrade(NEWER))

    with pytest.raises(MadeByNewerVersion, match=r"0\.2\.0"):
        agent.regenerate()


def test_it_works_in_a_dirty_subdirectory_of_a_larger_repository(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / "untracked.txt").write_text("dirty")
    agent = make(tmp_path / "services" / "agent", MANIFEST)
    longer_run(agent)

    outcome = agent.regenerate()

    assert outcome.changes == {"compose.yaml": Change.UPDATE, "DEPLOY.md": Change.UPDATE}
    assert {path.name for path in tmp_path.iterdir()} == {".git", "services", "untracked.txt"}


def test_deleted_settings_are_those_that_were_last_written(agent: Agent) -> None:
    agent.replace("pyproject.toml", 'python = "3.13"', 'python = "3.12"')
    agent.regenerate()
    agent.delete("pyproject.toml")

    outcome = agent.regenerate()

    assert outcome.planned.repository.settings.python == "3.12"
    assert outcome.planned.is_in_step


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ('python = "3.13"', 'python = "2.7"', "2.7"),
        ('database = "sqlite"', 'databse = "sqlite"', "did you mean database"),
        ("[project]", "[project", "no TOML"),
    ],
)
def test_settings_that_cannot_be_used_are_told_with_their_file(
    agent: Agent, old: str, new: str, text: str
) -> None:
    agent.replace("pyproject.toml", old, new)

    with pytest.raises(InvalidSettings) as invalid:
        agent.regenerate()

    assert "pyproject.toml" in str(invalid.value)
    assert text in str(invalid.value)


def test_a_directory_without_a_contract_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(NoRepository, match=r"manifest\.json does not exist"):
        Agent(tmp_path).regenerate()
