"""What `new` does with git: the first commit, and the address of the source."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.conftest import PondNew


def git(directory: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=directory, capture_output=True, text=True, check=True
    ).stdout


def test_a_new_repository_has_one_commit_of_everything(pond_new: PondNew, tmp_path: Path) -> None:
    pond_new(tmp_path / "agent", "--yes")

    assert git(tmp_path / "agent", "log", "--format=%an %s") == "pond-new Start the agent with pond-new\n"
    assert git(tmp_path / "agent", "status", "--porcelain") == ""


def test_the_first_commit_signs_nothing_and_runs_no_hook(
    pond_new: PondNew, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "post-commit"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/{name}-ran\nexit 1\n")
        (hooks / name).chmod(0o755)
    config = tmp_path / "config"
    config.write_text(
        f"[core]\nhooksPath = {hooks}\n[commit]\ngpgSign = true\n"
        "[user]\nname = Ada\nemail = ada@example.com\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))

    pond_new(tmp_path / "agent", "--yes")

    assert git(tmp_path / "agent", "log", "--format=%an <%ae>") == "Ada <ada@example.com>\n"
    assert not list(tmp_path.glob("*-ran"))


def test_no_repository_is_made_inside_another(pond_new: PondNew, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")

    outcome = pond_new(tmp_path / "agents/one", "--yes", "--json")

    assert outcome.json["git"] == "inside-a-repository"
    assert not (tmp_path / "agents/one/.git").exists()


def test_a_missing_git_is_no_failure(
    pond_new: PondNew, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert pond_new(tmp_path / "agent", "--yes", "--json").json["git"] == "no-git"


def test_an_agent_manifest_without_a_source_gets_the_remote_of_the_repository_it_lies_in(
    pond_new: PondNew, tmp_path: Path
) -> None:
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "remote", "add", "origin", "git@github.com:ada/desk.git")

    outcome = pond_new(tmp_path / "agent", "--yes", "--set", "standards=mcp")

    assert outcome.code == 0
    source = json.loads((tmp_path / "agent/agent-manifest.json").read_text("utf-8"))["source"]
    assert source == {"repository": "https://github.com/ada/desk", "ref": "0" * 40}
