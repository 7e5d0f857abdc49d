"""`pond-new explain` and `pond-new schema`: every page is complete, and every thing has its page."""

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pond_new.agent_manifest.standard import load_standard
from pond_new.commands.explain import explain
from pond_new.commands.schema import schema
from pond_new.errors import WrongUsage
from pond_new.manifest.fields import KINDS
from pond_new.manifest.rules.listing import FIELDS, LISTS
from pond_new.manifest.rules.pricing import KEYS
from pond_new.protocol.facts import CAPABILITIES, ERROR_CODES, LIMITS, MODES, PRICING_MODELS
from pond_new.protocol.requirements import load_requirements
from pond_new.protocol.topics import find_topic, load_topics, near_topics
from tests.conftest import ROOT

TOPICS = load_topics().values()
WRITTEN = [topic for topic in TOPICS if topic.group != "Requirements"]


@pytest.mark.parametrize("topic", WRITTEN, ids=lambda topic: topic.name)
def test_a_page_is_complete_and_short(topic: Any) -> None:
    parts = (topic.what, topic.why, topic.example, topic.mistake, topic.section)

    assert all(part.strip() for part in parts)
    assert sum(map(len, parts)) < 1000


@pytest.mark.parametrize("topic", WRITTEN, ids=lambda topic: topic.name)
def test_everything_that_a_page_points_to_exists(topic: Any) -> None:
    assert [name for name in topic.see if find_topic(name) is None] == []


@pytest.mark.parametrize("topic", WRITTEN, ids=lambda topic: topic.name)
def test_an_example_in_json_is_json(topic: Any) -> None:
    if topic.example.strip().startswith(("{", '"')):
        wrapped = topic.example if topic.example.startswith("{") else f"{{{topic.example}}}"
        json.loads(wrapped.replace("…", ""))


def test_names_and_aliases_are_unique() -> None:
    names = [name.casefold() for topic in TOPICS for name in (topic.name, *topic.aliases)]

    assert len(names) == len(set(names))


def test_every_field_code_mode_plan_and_requirement_has_a_page() -> None:
    wanted = [*KINDS["manifest"]]
    wanted += [f"action.{name}" for name in KINDS["action"] if name != "input_schema"]
    wanted += [f"limits.{row.name}" for row in LIMITS] + [f"capabilities.{row.name}" for row in CAPABILITIES]
    wanted += [f"metadata.{name}" for name in (*(field.name for field in FIELDS), *LISTS)]
    wanted += [f"plan.{key}" for key in KEYS] + [f"pricing.{model.name}" for model in PRICING_MODELS]
    wanted += [row.code for row in ERROR_CODES] + [f"mode.{mode.name}" for mode in MODES]
    wanted += list(load_requirements())

    assert [name for name in wanted if name not in load_topics()] == []


def test_every_variable_and_every_module_of_a_generated_agent_has_a_page() -> None:
    variables = re.findall(
        r"^(?:# )?([A-Z_]{4,})=", (ROOT / "template/.env.example.jinja").read_text("utf-8"), re.MULTILINE
    )
    modules = [path.name.removesuffix(".jinja") for path in (ROOT / "template/agent").glob("*.py*")]
    wanted = [*variables, *(f"agent/{name}" for name in modules if not name.startswith("__"))]

    assert len(variables) > 10
    assert [name for name in wanted if find_topic(name) is None] == []


def test_every_part_and_rule_of_an_agent_manifest_has_a_page() -> None:
    standard = load_standard()
    wanted = [f"agent_manifest.{name}" for name in standard["properties"]]
    wanted += re.findall(r"AMS-[0-9]+", json.dumps(dict(standard)))

    assert [name for name in wanted if find_topic(name) is None] == []


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("max_run_seconds", "limits.max_run_seconds"),
        ("/limits/max_run_seconds", "limits.max_run_seconds"),
        ("lim-01", "LIM-01"),
        ("Idempotency-Key", "idempotency"),
        ("streaming", "capabilities.streaming"),
        ("agent/app.py", "agent/app.py"),
        ("agent/handlers/translate_text.py", "agent/handlers"),
        ("agent/pond/ledger.py", "agent/pond/ledger.py"),
        ("agent/pond/facts.py", "agent/pond"),
        ("POND_ACCESS_KEY", ".env.example"),
        ("agent-manifest.json", "agent_manifest"),
        ("source.ref", "agent_manifest.source.ref"),
        ("timeout_s", "agent_manifest.runtime.limits.timeout_s"),
        ("egress", "agent_manifest.data.egress"),
        ("/interface/output", "agent_manifest.interface"),
    ],
)
def test_a_topic_is_found_by_its_short_name_pointer_or_alias(asked: str, found: str) -> None:
    topic = find_topic(asked)

    assert topic is not None
    assert topic.name == found


def test_a_page_says_what_why_example_mistake_and_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain("invalid_input") == 0

    page = capsys.readouterr().out
    assert "HTTP 422." in page
    assert [line.split()[0] for line in page.splitlines() if line[:1].isupper()] == [
        "What",
        "Why",
        "Example",
        "Mistake",
        "Section",
        "See",
    ]


def test_a_requirement_leads_to_the_topics_that_name_it(capsys: pytest.CaptureFixture[str]) -> None:
    explain("MAN-05")

    assert "protocol_version" in capsys.readouterr().out.splitlines()[-1]


def test_no_topic_lists_them_by_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(None) == 0

    page = capsys.readouterr().out
    assert "Error codes\n  invalid_request, unauthorized" in page
    assert "MAN-01 to MAN-14" in page


@pytest.mark.parametrize(
    ("asked", "hint"),
    [("name", "metadata.name"), ("nmae", "metadata.name"), ("invalid_imput", "invalid_input")],
)
def test_a_near_miss_is_answered_with_a_suggestion(asked: str, hint: str) -> None:
    with pytest.raises(WrongUsage, match="Did you mean") as caught:
        explain(asked)

    assert hint in near_topics(asked) or hint in str(caught.value)


def test_nonsense_is_answered_with_the_way_to_the_list() -> None:
    with pytest.raises(WrongUsage, match="lists all topics"):
        explain("zzzzzz")


def test_the_editor_schema_completes_inside_metadata(capsys: pytest.CaptureFixture[str]) -> None:
    assert schema("manifest") == 0

    printed = json.loads(capsys.readouterr().out)
    Draft202012Validator.check_schema(printed)
    judge = Draft202012Validator(printed)
    faults = {fault.json_path for fault in judge.iter_errors({"$schema": "x", "metadata": {"name": 3}})}
    assert "$.metadata.name" in faults


def test_the_run_request_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    schema("run-request")

    assert json.loads(capsys.readouterr().out)["properties"]["run_id"]


def test_the_schema_of_an_agent_manifest_explains_its_parts(capsys: pytest.CaptureFixture[str]) -> None:
    schema("agent-manifest")

    printed = json.loads(capsys.readouterr().out)
    Draft202012Validator.check_schema(printed)
    assert "SPDX" in printed["properties"]["license"]["description"]
    assert "x-" not in json.dumps(printed)


def test_an_unknown_schema_is_wrong_usage() -> None:
    with pytest.raises(WrongUsage, match="manifest, run-request, agent-manifest"):
        schema("agent")
