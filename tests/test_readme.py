"""What the README says works: its commands are run, its test command is what CI calls."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, PondNew

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", README, flags=re.DOTALL)
LINES = [line for block in BLOCKS for line in block.splitlines()]
COMMANDS = re.findall(r"pond-new my-agent[^&`\n]*", "\n".join(LINES))


def test_ci_calls_exactly_the_test_command() -> None:
    [command] = [line for line in LINES if "tests/checks.py" in line]

    assert command in (ROOT / ".ci/run").read_text("utf-8").splitlines()
    assert command in (ROOT / "CONTRIBUTING.md").read_text("utf-8").splitlines()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_makes_an_agent(
    command: str,
    pond_new: PondNew,
    tmp_path: Path,
    minimal_manifest: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "examples/text-stats/answers.yaml", tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps(minimal_manifest), "utf-8")

    outcome = pond_new(*shlex.split(command)[1:], "--no-git")

    assert outcome.code == 0, outcome.err
    assert (tmp_path / "my-agent/manifest.json").is_file()


def test_the_files_that_the_readme_shows_are_those_that_are_written(
    pond_new: PondNew, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = re.search(
        r"^\$ pond-new my-agent --example text-stats\n(.*?)^\$", README, flags=re.MULTILINE | re.DOTALL
    )

    said = pond_new("new", "my-agent", "--example", "text-stats", "--no-git")

    assert shown
    written = (said.out + said.err).splitlines()
    assert [line for line in shown.group(1).splitlines() if line not in {*written, "  ..."}] == []


def test_every_command_that_the_readme_names_is_there(pond_new: PondNew) -> None:
    known = pond_new("--help").out
    named = set(re.findall(r"^\| .*?`pond-new (\w[\w-]+)", README, flags=re.MULTILINE))

    assert named
    assert all(f"  {command} " in known for command in named)


def test_every_link_leads_to_a_file() -> None:
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
            assert target.startswith("https://") or (page.parent / target).exists(), (page, target)
