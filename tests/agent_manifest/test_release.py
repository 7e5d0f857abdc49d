"""`pond-new release`: the commit that is published and its version stand in the agent manifest."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pond_new.agent_manifest.release import https_address, is_placeholder, next_version
from tests.conftest import PondNew

GOOD = Path(__file__).with_name("text-stats.json")
NAME = "agent-manifest.json"
REMOTE = "git@github.com:ada/text-stats.git"
AUTHOR = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="a release names a commit of git")


class Agent:
    """A repository with an agent manifest, some code and a remote."""

    def __init__(self, root: Path, content: str | None = GOOD.read_text("utf-8")) -> None:
        self.root = root
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("config", "user.name", "Ada")
        self.git("config", "user.email", "ada@example.com")
        self.git("remote", "add", "origin", REMOTE)
        if content is not None:
            self.write(NAME, content)
        self.commit("agent.py", "answer = 1\n")

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.root, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_bytes(text.encode())

    def commit(self, name: str, text: str) -> str:
        self.write(name, text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", f"Change {name}")
        return self.head

    def edit(self, **changes: Any) -> None:
        self.commit(NAME, json.dumps(self.manifest | changes, indent=2))

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    @property
    def text(self) -> str:
        return (self.root / NAME).read_bytes().decode()

    @property
    def manifest(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.text)
        return value


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    return Agent(tmp_path)


def test_the_first_release_names_the_commit_and_keeps_the_version(agent: Agent, pond_new: PondNew) -> None:
    code = agent.head

    outcome = pond_new("release", agent.root)

    assert outcome.code == 0
    assert agent.manifest["version"] == json.loads(GOOD.read_text("utf-8"))["version"]
    assert agent.manifest["source"] == {"repository": "https://github.com/ada/text-stats", "ref": code}
    assert agent.git("log", "-1", "--format=%s") == f"Release {agent.manifest['version']}"
    assert agent.git("status", "--porcelain") == ""
    assert "git push" in outcome.out


def test_nothing_else_in_the_file_changes(agent: Agent, pond_new: PondNew) -> None:
    agent.commit(NAME, agent.text.replace("\n", "\r\n"))
    before = agent.text.splitlines()

    pond_new("release", agent.root, "--bump", "major")

    after = agent.text.splitlines()
    changed = [line.strip() for line, old in zip(after, before, strict=True) if line != old]
    assert [line.partition(":")[0] for line in changed] == ['"version"', '"ref"']
    assert "\r\n" in agent.text


def test_the_next_release_of_changed_code_raises_the_version(agent: Agent, pond_new: PondNew) -> None:
    pond_new("release", agent.root)
    code = agent.commit("agent.py", "answer = 2\n")

    outcome = pond_new("release", agent.root, "--json")

    assert outcome.json["released"] == agent.manifest["version"] == "1.0.1"
    assert outcome.json["ref"] == agent.manifest["source"]["ref"] == code


def test_the_same_code_is_released_once(agent: Agent, pond_new: PondNew) -> None:
    pond_new("release", agent.root)
    before = agent.text

    outcome = pond_new("release", agent.root)

    assert outcome.code == 1
    assert "Nothing has changed since 1.0.0" in outcome.err
    assert agent.text == before


def test_a_changed_promise_is_a_reason_for_a_release(agent: Agent, pond_new: PondNew) -> None:
    pond_new("release", agent.root)
    agent.edit(summary="Counts more than before.")

    assert pond_new("release", agent.root).code == 0
    assert agent.manifest["version"] == "1.0.1"


def test_a_dirty_tree_is_refused_with_its_files(agent: Agent, pond_new: PondNew) -> None:
    before = agent.text
    agent.write("new.py", "")

    outcome = pond_new("release", agent.root)

    assert outcome.code == 1
    assert "new.py" in outcome.err
    assert agent.text == before


def test_a_dry_run_writes_nothing(agent: Agent, pond_new: PondNew) -> None:
    before, head = agent.text, agent.head

    outcome = pond_new("release", agent.root, "--dry-run", "--version", "2.0.0")

    assert (agent.text, agent.head) == (before, head)
    assert "Would release ada/text-stats 2.0.0" in outcome.out


def test_without_a_commit_the_file_is_written_and_left(agent: Agent, pond_new: PondNew) -> None:
    head = agent.head

    assert pond_new("release", agent.root, "--no-commit").code == 0
    assert agent.head == head
    assert agent.manifest["source"]["ref"] == head


def test_a_manifest_with_errors_is_not_released(agent: Agent, pond_new: PondNew) -> None:
    agent.edit(license="Proprietary")
    before = agent.text

    outcome = pond_new("release", agent.root)

    assert outcome.code == 1
    assert "AMS-05" in outcome.err
    assert agent.text == before


def test_a_version_that_is_none_is_refused(agent: Agent, pond_new: PondNew) -> None:
    before = agent.text

    outcome = pond_new("release", agent.root, "--version", "two")

    assert outcome.code == 1
    assert "AMS-03" in outcome.err
    assert agent.text == before


def test_without_a_public_remote_an_address_in_the_manifest_stays(agent: Agent, pond_new: PondNew) -> None:
    agent.git("remote", "remove", "origin")

    pond_new("release", agent.root)

    assert agent.manifest["source"]["repository"] == "https://github.com/ada/text-stats"


def test_without_any_public_address_it_says_how_to_name_one(agent: Agent, pond_new: PondNew) -> None:
    agent.git("remote", "set-url", "origin", str(agent.root / "elsewhere"))

    outcome = pond_new("release", agent.root)

    assert outcome.code == 1
    assert "git remote add origin" in outcome.err


def test_an_agent_of_pond_alone_has_nothing_to_release(tmp_path: Path, pond_new: PondNew) -> None:
    outcome = pond_new("release", tmp_path)

    assert outcome.code == 2
    assert "agent_version" in outcome.err


def test_a_folder_without_a_commit_has_nothing_to_name(tmp_path: Path, pond_new: PondNew) -> None:
    shutil.copy(GOOD, tmp_path / NAME)

    outcome = pond_new("release", tmp_path)

    assert outcome.code == 1
    assert "has no commit" in outcome.err


def test_a_hook_that_refuses_the_commit_is_told_and_loses_nothing(agent: Agent, pond_new: PondNew) -> None:
    hook = agent.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho not on a Friday >&2\nexit 1\n")
    hook.chmod(0o755)

    outcome = pond_new("release", agent.root)

    assert outcome.code == 1
    assert "not on a Friday" in outcome.err
    assert agent.manifest["source"]["ref"] == agent.head


@pytest.fixture
def generated(tmp_path: Path, pond_new: PondNew) -> Agent:
    """A repository that pond-new made for the second standard, with its first commit."""
    root = tmp_path / "agent"
    assert pond_new("new", root, "--from", GOOD, "--no-git").code == 0
    return Agent(root, content=None)


def test_a_generated_repository_is_in_step_after_its_release(generated: Agent, pond_new: PondNew) -> None:
    outcome = pond_new("release", generated.root, "--bump", "minor")

    assert (outcome.code, generated.manifest["version"]) == (0, "1.1.0")
    assert pond_new("regenerate", generated.root, "--check").code == 0
    assert generated.git("status", "--porcelain") == ""


def test_a_repository_that_is_not_in_step_is_not_released(generated: Agent, pond_new: PondNew) -> None:
    generated.edit(summary="Something else than the files were made from.")
    before = generated.text

    outcome = pond_new("release", generated.root)

    assert outcome.code == 1
    assert "pond-new regenerate" in outcome.err
    assert generated.text == before


@pytest.mark.parametrize(
    ("version", "part", "following"),
    [
        ("1.4.2", "patch", "1.4.3"),
        ("1.4.2", "minor", "1.5.0"),
        ("1.4.2+build", "major", "2.0.0"),
        ("1.0.0-rc.1", "patch", "1.0.0"),
    ],
)
def test_the_next_version_is_semantic(version: str, part: Any, following: str) -> None:
    assert next_version(version, part) == following


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("git@github.com:ada/text-stats.git", "https://github.com/ada/text-stats"),
        ("ssh://git@git.example.org:2222/ada/text-stats.git", "https://git.example.org/ada/text-stats"),
        ("https://ada:token@github.com/ada/text-stats.git", "https://github.com/ada/text-stats"),
        ("https://git.example.org:8443/ada/text-stats/", "https://git.example.org:8443/ada/text-stats"),
        ("/srv/git/text-stats.git", None),
        ("file:///srv/git/text-stats.git", None),
        (r"C:\code\text-stats", None),
        ("../text-stats", None),
    ],
)
def test_a_remote_becomes_a_public_address_without_secrets(remote: str, address: str | None) -> None:
    assert https_address(remote) == address


def test_a_name_that_nobody_owns_stands_in() -> None:
    assert is_placeholder("https://example.com/you/agent")
    assert not is_placeholder("https://github.com/example/agent")
