"""The second standard in a repository: edited, switched on and off, and the commands about actions."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pond_new.agent_manifest.draft import draft_agent_manifest
from pond_new.commands.action_answers import ActionAnswers
from pond_new.commands.actions import add_action, rename_action
from pond_new.commands.regenerate import RegenerateOptions
from pond_new.commands.regenerate import regenerate as run_regenerate
from pond_new.manifest import dump_manifest
from pond_new.project.compare import Change
from pond_new.project.contracts import ContractsDisagree
from pond_new.project.glance import is_clearly_in_step
from pond_new.project.regenerate import Request, regenerate_repository
from pond_new.project.repository import MissingContract, NoActions
from pond_new.project.settings import Settings
from pond_new.project.work import WorkKind
from tests.conftest import ROOT
from tests.regenerate.conftest import MANIFEST, Agent, make

TOOL: dict[str, Any] = json.loads((ROOT / "tests/agent_manifest/text-stats.json").read_text("utf-8"))
BOTH = 'standards = ["pond", "mcp"]'
RISE = "version has to rise: what 1.0.0 stands for has changed"
POND = 'standards = ["pond"]'


def make_tool(root: Path) -> Agent:
    request = Request(agent_manifest=dump_manifest(TOOL).encode(), settings=Settings(standards=("mcp",)))
    regenerate_repository(root, request)
    return Agent(root)


def switch_on(agent: Agent) -> None:
    """Both standards, with an agent manifest for the action translate_text."""
    agent.write("agent-manifest.json", dump_manifest(draft_agent_manifest("Language", MANIFEST)))
    agent.replace("pyproject.toml", POND, BOTH)


def edit_tool(agent: Agent, **parts: Any) -> None:
    document = json.loads(agent.read("agent-manifest.json"))
    agent.write("agent-manifest.json", dump_manifest(document | parts))


@pytest.fixture
def tool(tmp_path: Path) -> Agent:
    return make_tool(tmp_path / "tool")


def test_a_new_tool_is_in_step_at_a_glance_and_in_full(tool: Agent) -> None:
    assert is_clearly_in_step(tool.root)
    assert tool.regenerate(write=False).planned.is_in_step
    assert not tool.exists("manifest.json")


def test_an_edit_of_the_agent_manifest_is_followed(tool: Agent) -> None:
    interface = json.loads(json.dumps(TOOL["interface"]))
    interface["input"]["properties"]["language"] = {"type": "string", "description": "Such as en."}
    edit_tool(tool, interface=interface)

    assert not is_clearly_in_step(tool.root)
    outcome = tool.regenerate()

    assert outcome.changes["agent/actions.py"] is Change.UPDATE
    assert "the parameters of text_stats changed" in outcome.of("agent/actions.py").reason
    assert outcome.work_of(WorkKind.VERSION) == [
        (
            "agent-manifest.json",
            3,
            "version has to rise: what 1.0.0 stands for has changed (--bump raises it)",
        )
    ]
    assert is_clearly_in_step(tool.root)


def test_bump_raises_the_version_and_keeps_the_layout(
    tool: Agent, capsys: pytest.CaptureFixture[str]
) -> None:
    tool.write(
        "agent-manifest.json", json.dumps(TOOL | {"data": {**TOOL["data"], "retention": "P7D"}}, indent=7)
    )

    assert run_regenerate(str(tool.root), RegenerateOptions(bump=True, today=date(2026, 11, 30))) == 0

    text = tool.read("agent-manifest.json")
    assert json.loads(text)["version"] == "1.0.1"
    assert '\n       "version": "1.0.1",\n' in text
    assert "version is 1.0.1 now" in capsys.readouterr().out


def test_other_words_are_no_new_promise(tool: Agent) -> None:
    edit_tool(tool, summary="Counts.", source=TOOL["source"] | {"ref": "f" * 40})

    assert tool.regenerate().work_of(WorkKind.VERSION) == []


def test_a_tool_has_no_actions_to_add_or_rename(tool: Agent) -> None:
    tool.write("manifest.json", dump_manifest(MANIFEST))  # left from an earlier time

    with pytest.raises(NoActions, match="is exactly one tool"):
        add_action(str(tool.root), "x", ActionAnswers(), RegenerateOptions())
    with pytest.raises(NoActions, match="is exactly one tool"):
        rename_action(str(tool.root), "text_stats", "x", RegenerateOptions())


def test_switching_on_needs_the_contract_and_says_how_to_make_one(agent: Agent) -> None:
    agent.replace("pyproject.toml", POND, BOTH)

    with pytest.raises(MissingContract, match=r"--from manifest\.json --set standards=pond,mcp --yes"):
        agent.regenerate()


def test_switching_on_and_off_again_brings_and_takes_the_files_of_the_standard(agent: Agent) -> None:
    before = agent.tree()
    switch_on(agent)

    on = agent.regenerate().changes
    assert on["agent/mcp/server.py"] is Change.CREATE
    assert on["agent/standards.py"] is Change.UPDATE
    assert "agent/handlers/translate_text.py" not in on, "a handler that was written by hand stays"
    assert agent.regenerate(write=False).planned.is_in_step

    agent.replace("pyproject.toml", BOTH, POND)
    off = agent.regenerate().changes
    assert off["agent/mcp/server.py"] is Change.DELETE
    assert agent.tree().keys() - before.keys() == {"agent-manifest.json"}
    agent.delete("agent-manifest.json")
    assert agent.tree() == before


def test_taking_pond_away_keeps_the_tool_and_its_handler(agent: Agent) -> None:
    switch_on(agent)
    agent.regenerate()
    agent.replace("pyproject.toml", BOTH, 'standards = ["mcp"]')

    changes = agent.regenerate().changes

    assert changes["agent/pond/http.py"] is Change.DELETE
    assert agent.exists("agent/handlers/translate_text.py")
    assert not agent.exists("agent/handlers/sum_up.py"), "an untouched stub that nothing calls any more"
    assert agent.exists("manifest.json"), "a contract is only read"


def test_contracts_that_disagree_are_refused_with_the_place(agent: Agent) -> None:
    switch_on(agent)
    agent.regenerate()
    before = agent.tree()
    agent.edit_manifest(
        lambda manifest: manifest["actions"][0]["input_schema"]["required"].remove("language")
    )

    with pytest.raises(ContractsDisagree, match=r"at /required") as refusal:
        agent.regenerate()

    assert "translate_text" in str(refusal.value)
    assert {path: text for path, text in agent.tree().items() if path != "manifest.json"} == {
        path: text for path, text in before.items() if path != "manifest.json"
    }


def test_words_and_order_may_differ(agent: Agent) -> None:
    switch_on(agent)

    def reword(manifest: dict[str, Any]) -> None:
        schema = manifest["actions"][0]["input_schema"]
        schema["required"].reverse()
        schema["properties"] = dict(reversed(schema["properties"].items()))
        schema["properties"]["text"]["description"] = "Another word for it."

    agent.edit_manifest(reword)

    assert agent.regenerate().changes["agent/mcp/server.py"] is Change.CREATE


def test_a_tool_among_several_actions_is_found_by_name(agent: Agent) -> None:
    switch_on(agent)
    edit_tool(agent, runtime=draft_agent_manifest("x", MANIFEST)["runtime"] | {"tool": "translate"})

    with pytest.raises(ContractsDisagree, match="Name the action that this tool is: translate_text, sum_up"):
        agent.regenerate()


def test_a_renamed_action_takes_its_tool_along(agent: Agent) -> None:
    switch_on(agent)
    agent.regenerate()
    edited = agent.read("agent/handlers/translate_text.py")

    assert rename_action(str(agent.root), "translate_text", "translate", RegenerateOptions()) == 0

    assert json.loads(agent.read("agent-manifest.json"))["runtime"]["tool"] == "translate"
    assert agent.read("agent/handlers/translate.py") == edited.replace("TranslateText", "Translate")
    assert agent.regenerate(write=False).planned.is_in_step


def test_the_only_action_may_be_called_otherwise(tmp_path: Path) -> None:
    manifest = MANIFEST | {"actions": MANIFEST["actions"][:1]}
    agent = make(tmp_path / "agent", manifest)
    switch_on(agent)
    agent.regenerate()

    assert rename_action(str(agent.root), "translate_text", "translate", RegenerateOptions()) == 0

    assert json.loads(agent.read("agent-manifest.json"))["runtime"]["tool"] == "translate_text"
    assert agent.regenerate(write=False).planned.is_in_step
