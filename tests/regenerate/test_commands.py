"""`regenerate` as a user types it: what it prints, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import PondNew
from tests.regenerate.conftest import Agent


def longer_run(agent: Agent) -> None:
    agent.edit_manifest(lambda document: document["limits"].update(max_run_seconds=90))


def test_a_check_of_a_clean_repository_prints_one_line(pond_new: PondNew, agent: Agent) -> None:
    outcome = pond_new("regenerate", agent.root, "--check")

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == f"{agent.root} is in step with its manifest.\n"


def test_a_check_that_finds_drift_lists_it_and_writes_nothing(pond_new: PondNew, here: Agent) -> None:
    longer_run(here)
    before = here.tree()

    outcome = pond_new("regenerate", "--check")

    assert outcome.code == 1
    assert "compose.yaml  shared     updated   the limits changed" in outcome.out
    assert "Run pond-new regenerate" in outcome.out
    assert here.tree() == before


@pytest.mark.parametrize(
    "spoil",
    [
        lambda agent: agent.write("agent/app.py", "edited"),
        lambda agent: agent.delete("agent/app.py"),
        lambda agent: agent.write("Dockerfile", "<<<<<<< yours\n=======\n>>>>>>> pond-new\n"),
        lambda agent: agent.delete(".pond/lock.json"),
        lambda agent: agent.replace("pyproject.toml", '"3.13"', '"3.12"'),
        lambda agent: agent.edit_manifest(lambda document: document["actions"].reverse()),
    ],
    ids=["edited", "deleted", "conflict", "no lock", "settings", "order"],
)
def test_a_check_finds_every_kind_of_drift(pond_new: PondNew, here: Agent, spoil: object) -> None:
    assert callable(spoil)
    spoil(here)

    assert pond_new("regenerate", "--check").code == 1


@pytest.mark.parametrize(
    "edit",
    [
        lambda agent: agent.write("Dockerfile", agent.read("Dockerfile") + "# mine\n"),
        lambda agent: agent.delete("Dockerfile"),
        lambda agent: agent.write("README.md", "mine"),
        lambda agent: agent.delete("tests/test_agent.py"),
        lambda agent: agent.write("agent/models.py", "mine"),
        lambda agent: agent.write("manifest.json", json.dumps(agent.manifest, indent=4)),
    ],
    ids=["shared edited", "shared deleted", "yours edited", "yours deleted", "yours added", "layout"],
)
def test_what_you_may_edit_is_no_drift(pond_new: PondNew, here: Agent, edit: object) -> None:
    assert callable(edit)
    edit(here)

    assert pond_new("regenerate", "--check").code == 0


def test_drift_as_json_is_a_versioned_list(pond_new: PondNew, here: Agent) -> None:
    longer_run(here)

    outcome = pond_new("regenerate", "--check", "--json")

    assert outcome.code == 1
    document = outcome.json
    assert (document["version"], document["status"], document["written"]) == (1, "drift", False)
    assert {
        "path": "compose.yaml",
        "owner": "shared",
        "change": "update",
        "reason": "the limits changed",
        "from": None,
        "backup": False,
    } in document["files"]
    assert [work["kind"] for work in document["work"]] == ["version"]


def test_a_clean_check_as_json_has_the_same_keys(pond_new: PondNew, here: Agent) -> None:
    clean = pond_new("regenerate", "--check", "--json").json
    longer_run(here)
    drift = pond_new("regenerate", "--check", "--json").json

    assert clean.keys() == drift.keys()
    assert clean["status"] == "in-step"


def test_a_run_tells_each_file_with_owner_and_reason_and_the_work_by_hand(
    pond_new: PondNew, here: Agent
) -> None:
    here.edit_manifest(lambda document: document["actions"].pop(0))

    outcome = pond_new("regenerate")

    assert outcome.code == 0
    assert "agent/actions.py" in outcome.out
    assert "generated  updated   translate_text is gone" in outcome.out
    assert "agent/handlers/translate_text.py:1" in outcome.out


def test_diff_shows_lines_and_writes_nothing(pond_new: PondNew, here: Agent) -> None:
    longer_run(here)
    before = here.tree()

    outcome = pond_new("regenerate", "--diff")

    assert outcome.code == 0
    assert "-    stop_grace_period: 40s" in outcome.out
    assert "+    stop_grace_period: 100s" in outcome.out
    assert here.tree() == before


def test_a_refusal_shows_the_diff_and_the_way_out(pond_new: PondNew, here: Agent) -> None:
    here.write("agent/app.py", here.read("agent/app.py") + "# mine\n")

    outcome = pond_new("regenerate")

    assert outcome.code == 1
    assert "nothing was written" in outcome.out
    assert "-# mine" in outcome.out
    assert "--force" in outcome.out


def test_a_refusal_can_be_overruled(pond_new: PondNew, here: Agent) -> None:
    here.write("agent/app.py", "mine\n")

    assert pond_new("regenerate", "--force").code == 0
    assert here.read(".pond/backup/agent/app.py") == "mine\n"


def test_restore_takes_a_path_as_the_user_sees_it(pond_new: PondNew, agent: Agent, tmp_path: Path) -> None:
    agent.delete("README.md")

    outcome = pond_new("regenerate", agent.root, "--restore", agent.root / "README.md")

    assert outcome.code == 0
    assert agent.exists("README.md")


def test_bump_raises_the_version_only_where_it_must(pond_new: PondNew, here: Agent) -> None:
    longer_run(here)

    first = pond_new("regenerate", "--bump")
    version = here.manifest["agent_version"]
    pond_new("regenerate", "--bump")

    assert first.code == 0
    assert "agent_version is 1.4.3 now" in first.out
    assert (version, here.manifest["agent_version"]) == ("1.4.3", "1.4.3")


def test_an_invalid_manifest_is_shown_with_its_place(pond_new: PondNew, here: Agent) -> None:
    here.replace("manifest.json", '"max_run_seconds": 30', '"max_run_seconds": 0')

    outcome = pond_new("regenerate", "--check")

    assert outcome.code == 1
    assert "manifest.json:" in outcome.err
    assert "/limits/max_run_seconds" in outcome.err
