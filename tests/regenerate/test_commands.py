"""The commands as a user types them: what they print, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import PondNew
from tests.regenerate.conftest import HANDLER, Agent

ADD = ("add-action", "explain", "--description", "Explains a text to a child.")
PARAMETER = ("--parameter", "text:string:The text to explain")


@pytest.fixture
def here(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """The agent, with its directory as the current one."""
    monkeypatch.chdir(agent.root)
    return agent


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


def test_an_action_is_added_with_its_stub(pond_new: PondNew, here: Agent) -> None:
    outcome = pond_new(*ADD, *PARAMETER, "--parameter", "age?:integer:The child's age", "--bump")

    assert outcome.code == 0
    action = here.manifest["actions"][2]
    assert (action["id"], action["name"]) == ("explain", "Explain")
    assert action["input_schema"]["required"] == ["text"]
    assert here.exists("agent/handlers/explain.py")
    assert here.manifest["agent_version"] == "1.4.3"
    assert pond_new("regenerate", "--check").code == 0


def test_every_type_can_be_given_on_the_command_line(pond_new: PondNew, here: Agent) -> None:
    types = ("string", "integer", "number", "boolean", "array", "object")
    options = [word for kind in types for word in ("--parameter", f"the_{kind}:{kind}:One {kind} of many")]

    outcome = pond_new(*ADD, *options)

    assert outcome.code == 0
    assert here.exists("agent/handlers/explain.py")


def test_everything_that_is_missing_for_a_new_action_is_listed_at_once(
    pond_new: PondNew, here: Agent
) -> None:
    outcome = pond_new("add-action")

    assert outcome.code == 2
    for flag in ("ID", "--description", "--parameter", "--input-schema"):
        assert flag in outcome.err


def test_an_input_schema_can_be_given_as_a_file(pond_new: PondNew, here: Agent) -> None:
    here.write("schema.json", json.dumps(here.manifest["actions"][0]["input_schema"]))

    outcome = pond_new(*ADD, "--input-schema", "schema.json")

    assert outcome.code == 0
    actions = here.manifest["actions"]
    assert actions[2]["input_schema"] == actions[0]["input_schema"]


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        ((*ADD, "--parameter", "text"), 2, "NAME:TYPE:DESCRIPTION"),
        ((*ADD, "--parameter", "text:strin:A text"), 2, "Did you mean string?"),
        ((*ADD, *PARAMETER, "--input-schema", "x.json"), 2, "exclude each other"),
        ((*ADD, *PARAMETER, *PARAMETER), 2, "given twice"),
        ((*ADD, "--input-schema", "nothing.json"), 2, "cannot be read"),
        (("add-action", "sum_up", *ADD[2:], *PARAMETER), 1, "already"),
        (("add-action", "Sum-Up", *ADD[2:], *PARAMETER), 1, "/actions/2/id"),
        (("remove-action", "sum_pu"), 1, "Did you mean sum_up?"),
        (("rename-action", "nothing", "else"), 1, "no action nothing"),
        (("rename-action", "sum_up", "translate_text"), 1, "free"),
        (("rename-action", "sum_up", "sum_up"), 2, "already"),
        (("rename-action", "sum_up", "Sum-Up"), 1, "/actions/1/id"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(
    pond_new: PondNew, here: Agent, arguments: tuple[str, ...], code: int, text: str
) -> None:
    before = here.tree()

    outcome = pond_new(*arguments)

    assert outcome.code == code
    assert text in outcome.err
    assert here.tree() == before


def test_a_rename_takes_handler_and_examples_along(pond_new: PondNew, here: Agent) -> None:
    here.write("examples/translate_text/more.json", "{}")
    here.write("tests/test_mine.py", "from agent.handlers import translate_text\n")

    outcome = pond_new("rename-action", "translate_text", "translate")

    assert outcome.code == 0
    assert here.manifest["actions"][0]["id"] == "translate"
    assert here.read("agent/handlers/translate.py") == HANDLER.replace("TranslateText", "Translate")
    assert here.read("examples/translate/more.json") == "{}"
    assert not here.exists("agent/handlers/translate_text.py")
    assert not here.exists("examples/translate_text")
    assert "tests/test_mine.py:1" in outcome.out
    assert pond_new("regenerate", "--check").code == 0


def test_a_renamed_stub_is_the_stub_of_the_new_name(pond_new: PondNew, here: Agent) -> None:
    outcome = pond_new("rename-action", "sum_up", "shorten")

    assert outcome.code == 0
    assert "sum_up" not in here.read("agent/handlers/shorten.py")
    pond_new("remove-action", "shorten")
    assert not here.exists("agent/handlers/shorten.py")


def test_a_rename_after_the_contract_was_edited_and_regenerated_still_brings_the_handler(
    pond_new: PondNew, here: Agent
) -> None:
    here.replace("manifest.json", '"id": "translate_text"', '"id": "translate"')
    proposed = pond_new("regenerate")

    outcome = pond_new("rename-action", "translate_text", "translate")

    assert "pond-new rename-action translate_text translate" in proposed.out
    assert outcome.code == 0
    assert here.read("agent/handlers/translate.py") == HANDLER.replace("TranslateText", "Translate")
    assert not here.exists("agent/handlers/translate_text.py")
    assert pond_new("regenerate", "--check").code == 0


def test_a_rename_onto_a_handler_that_was_written_is_refused(pond_new: PondNew, here: Agent) -> None:
    here.write("agent/handlers/translate.py", "mine\n")
    before = here.tree()

    outcome = pond_new("rename-action", "translate_text", "translate")

    assert outcome.code == 1
    assert "by hand" in outcome.out
    assert here.tree() == before


def test_removing_an_action_keeps_a_handler_that_was_edited(pond_new: PondNew, here: Agent) -> None:
    outcome = pond_new("remove-action", "translate_text", "--json")

    assert outcome.code == 0
    assert [action["id"] for action in here.manifest["actions"]] == ["sum_up"]
    assert here.read("agent/handlers/translate_text.py") == HANDLER
    assert "orphan" in [work["kind"] for work in outcome.json["work"]]


@pytest.mark.parametrize(
    "arguments", [(*ADD, *PARAMETER), ("rename-action", "sum_up", "shorten"), ("remove-action", "sum_up")]
)
@pytest.mark.parametrize("look", ["--dry-run", "--diff"])
def test_a_look_at_an_edit_of_the_contract_writes_nothing(
    pond_new: PondNew, here: Agent, arguments: tuple[str, ...], look: str
) -> None:
    before = here.tree()

    outcome = pond_new(*arguments, look)

    assert outcome.code == 0
    assert "manifest.json" in outcome.out
    assert here.tree() == before
