"""What docs/regenerate.md says can be typed as it stands there."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.conftest import ROOT, PondNew
from tests.regenerate.conftest import Agent

PAGE = (ROOT / "docs" / "regenerate.md").read_text("utf-8")


def test_every_command_on_the_page_works_in_its_order(
    pond_new: PondNew, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(agent.root)
    blocks = re.findall(r"^```\n(pond-new .*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    commands = [line for block in blocks for line in block.replace("\\\n", "").splitlines()]

    codes = {command: pond_new(*shlex.split(command)[1:]).code for command in commands}

    assert len(commands) == 4
    assert set(codes.values()) == {0}, codes


def test_every_option_on_the_page_exists_and_every_option_that_exists_is_on_the_page(
    pond_new: PondNew,
) -> None:
    told = set(re.findall(r"^\| `(--[a-z]+)", PAGE, re.MULTILINE)) | {"--dry-run"}

    offered = set(re.findall(r"^  (--[a-z-]+)", pond_new("regenerate", "--help").out, re.MULTILINE))

    assert told == offered - {"--help"}
