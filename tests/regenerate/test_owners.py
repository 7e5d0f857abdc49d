"""Each owner's files are treated as promised, in whatever form they lie on the disk."""

from __future__ import annotations

import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from pond_new.project.compare import Change, Choices
from pond_new.project.merge import has_conflict
from pond_new.project.project_file import InvalidSettings
from pond_new.project.regenerate import NothingToRestore, Request
from pond_new.project.repository import UnresolvedConflict
from tests.regenerate.conftest import Agent

POSIX_ONLY = pytest.mark.skipif(sys.platform == "win32", reason="links and permissions of POSIX")
Upgrade = Callable[..., Request]
NEWER = {"Dockerfile.jinja": ("PIP_NO_CACHE_DIR=1", "PIP_NO_CACHE_DIR=1 PIP_PROGRESS_BAR=off")}


def longer_run(agent: Agent) -> None:
    agent.edit_manifest(lambda document: document["limits"].update(max_run_seconds=90))


def test_an_edited_generated_file_refuses_the_whole_run(agent: Agent) -> None:
    agent.write("agent/app.py", agent.read("agent/app.py") + "# mine\n")
    longer_run(agent)
    before = agent.tree()

    outcome = agent.regenerate()

    assert outcome.planned.is_refused
    assert outcome.changes["agent/app.py"] is Change.REFUSED
    assert agent.tree() == before


def test_force_overwrites_it_and_keeps_a_backup(agent: Agent) -> None:
    original = agent.read("agent/app.py")
    agent.write("agent/app.py", original + "# mine\n")

    agent.force()

    assert agent.read("agent/app.py") == original
    assert agent.read(".pond/backup/agent/app.py") == original + "# mine\n"


def test_backups_of_two_edits_are_both_kept(agent: Agent) -> None:
    for number in (1, 2):
        agent.write("agent/app.py", f"# edit {number}\n")
        agent.force()

    kept = {path.read_text() for path in (agent.root / ".pond/backup/agent").iterdir()}
    assert kept == {"# edit 1\n", "# edit 2\n"}


def test_an_edited_dockerfile_and_a_newer_template_are_merged(agent: Agent, upgrade: Upgrade) -> None:
    agent.replace("Dockerfile", "EXPOSE 8000", "EXPOSE 9000")

    outcome = agent.regenerate(upgrade(NEWER))

    assert outcome.changes["Dockerfile"] is Change.MERGE
    assert "EXPOSE 9000" in agent.read("Dockerfile")
    assert "PIP_PROGRESS_BAR=off" in agent.read("Dockerfile")
    assert outcome.of("Dockerfile").reason == "merged with your edits; pond-new 0.2.0 writes it differently"


def test_edits_of_the_same_line_conflict_and_a_second_run_is_refused_until_they_are_resolved(
    agent: Agent, upgrade: Upgrade
) -> None:
    agent.replace("Dockerfile", "PIP_NO_CACHE_DIR=1", "PIP_NO_CACHE_DIR=0")
    mine = agent.read("Dockerfile")

    first = agent.regenerate(upgrade(NEWER))
    second = agent.regenerate(upgrade(NEWER))
    agent.write("Dockerfile", mine)
    third = agent.regenerate(upgrade(NEWER))

    assert first.changes["Dockerfile"] is Change.CONFLICT
    assert agent.read(".pond/backup/Dockerfile") == mine
    assert second.changes["Dockerfile"] is Change.REFUSED
    assert third.planned.is_in_step


def test_a_conflict_in_the_settings_says_what_to_do(agent: Agent, upgrade: Upgrade) -> None:
    agent.replace("pyproject.toml", "line-length = 110", "line-length = 100")
    newer = upgrade({"pyproject.toml.jinja": ("line-length = 110", "line-length = 120")})
    agent.regenerate(newer)
    assert has_conflict(agent.read("pyproject.toml"))

    with pytest.raises(InvalidSettings, match="between the <<<<<<< and >>>>>>> markers"):
        agent.regenerate(newer)


def test_a_conflict_in_the_contract_says_what_to_do(agent: Agent) -> None:
    agent.write("manifest.json", "{\n<<<<<<< HEAD\n=======\n>>>>>>> feature\n}\n")

    with pytest.raises(UnresolvedConflict, match="between the <<<<<<< and >>>>>>> markers"):
        agent.regenerate()


def test_after_a_merge_either_side_of_lock_and_generated_files_will_do(agent: Agent, tmp_path: Path) -> None:
    feature = Agent(tmp_path / "feature")
    shutil.copytree(agent.root, feature.root)
    action = {**agent.manifest["actions"][0], "id": "explain"}
    feature.edit_manifest(lambda document: document["actions"].append(action))
    longer_run(agent)
    for branch in (agent, feature):
        branch.regenerate()
    for path in ("agent/actions.py", ".pond/lock.json"):
        agent.write(path, feature.read(path))
    agent.write("agent/handlers/explain.py", "mine\n")
    agent.edit_manifest(lambda document: document["actions"].append(action))

    outcome = agent.regenerate()

    assert not outcome.planned.is_unsolved
    assert "100s" in agent.read("compose.yaml")
    assert agent.regenerate().planned.is_in_step


@pytest.mark.parametrize("path", ["Dockerfile", "agent/handlers/sum_up.py", "README.md"])
def test_a_file_that_was_deleted_stays_deleted_until_it_is_restored(agent: Agent, path: str) -> None:
    text = agent.read(path)
    agent.delete(path)

    agent.regenerate()
    is_gone = not agent.exists(path)
    agent.regenerate(Request(Choices(restore=frozenset({PurePosixPath(path)}))))

    assert is_gone
    assert agent.read(path) == text


def test_a_deleted_generated_file_comes_back(agent: Agent) -> None:
    agent.delete("agent/pond/run.py")

    outcome = agent.regenerate()

    assert outcome.changes == {"agent/pond/run.py": Change.CREATE}
    assert outcome.of("agent/pond/run.py").reason == "it was missing"


def test_a_whole_folder_can_be_restored(agent: Agent) -> None:
    agent.delete("tests/conftest.py")
    agent.delete("tests/test_agent.py")

    outcome = agent.regenerate(Request(Choices(restore=frozenset({PurePosixPath("tests")}))))

    assert set(outcome.changes) == {"tests/conftest.py", "tests/test_agent.py"}


@pytest.mark.parametrize("path", ["nothing.txt", "README.md"])
def test_restoring_what_is_there_or_was_never_made_is_refused(agent: Agent, path: str) -> None:
    with pytest.raises(NothingToRestore, match=path):
        agent.regenerate(Request(Choices(restore=frozenset({PurePosixPath(path)}))))


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["without a mark", "with a mark"])
def test_windows_line_ends_are_no_edit_and_are_kept(agent: Agent, mark: bytes) -> None:
    for path, content in agent.tree().items():
        (agent.root / path).write_bytes(
            mark * path.endswith((".py", ".yaml")) + content.replace(b"\n", b"\r\n")
        )
    is_in_step = agent.regenerate(write=False).planned.is_in_step
    longer_run(agent)

    outcome = agent.regenerate()

    content = (agent.root / "compose.yaml").read_bytes()
    assert is_in_step
    assert outcome.changes == {"compose.yaml": Change.UPDATE, "DEPLOY.md": Change.UPDATE}
    assert content.startswith(mark)
    assert content.count(b"\n") == content.count(b"\r\n") > 0


@POSIX_ONLY
def test_permissions_are_kept(agent: Agent) -> None:
    (agent.root / "compose.yaml").chmod(0o750)
    longer_run(agent)

    agent.regenerate()

    assert stat.S_IMODE((agent.root / "compose.yaml").stat().st_mode) == 0o750


@POSIX_ONLY
def test_a_shared_file_that_is_a_link_is_refused_and_the_target_is_not_written(
    agent: Agent, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.write_text("FROM scratch\n")
    agent.delete("compose.yaml")
    (agent.root / "compose.yaml").symlink_to(outside)
    longer_run(agent)

    outcome = agent.regenerate()

    assert outcome.changes["compose.yaml"] is Change.REFUSED
    assert outside.read_text() == "FROM scratch\n"


@POSIX_ONLY
def test_a_readme_that_is_a_link_is_yours_and_no_obstacle(agent: Agent, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("shared readme")
    agent.delete("README.md")
    (agent.root / "README.md").symlink_to(tmp_path / "README.md")
    longer_run(agent)

    outcome = agent.regenerate()

    assert not outcome.planned.is_unsolved
    assert (agent.root / "README.md").is_symlink()


@POSIX_ONLY
def test_a_folder_that_is_a_link_is_refused_whole(agent: Agent, tmp_path: Path) -> None:
    (agent.root / "agent/pond").rename(tmp_path / "pond")
    (agent.root / "agent/pond").symlink_to(tmp_path / "pond")

    outcome = agent.regenerate()

    assert outcome.planned.is_refused
    assert "agent/pond is a symbolic link" in outcome.of("agent/pond/run.py").reason


def test_a_folder_in_the_place_of_a_file_is_refused(agent: Agent) -> None:
    agent.delete("agent/app.py")
    (agent.root / "agent/app.py").mkdir()

    outcome = agent.regenerate()

    assert outcome.changes["agent/app.py"] is Change.REFUSED


def test_a_file_of_yours_where_a_newer_version_writes_one_is_not_overwritten(
    agent: Agent, upgrade: Upgrade
) -> None:
    agent.write("agent/pond/clock.py", "mine\n")
    newer = upgrade({})
    newer = Request(templates={**(newer.templates or {}), "agent/pond/clock.py": "ours\n"}, version="0.2.0")

    outcome = agent.regenerate(newer)

    assert outcome.changes["agent/pond/clock.py"] is Change.REFUSED
    assert agent.read("agent/pond/clock.py") == "mine\n"
