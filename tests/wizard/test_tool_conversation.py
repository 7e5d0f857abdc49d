"""The second standard in a conversation, key by key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pond_new.agent_manifest.parse import parse_agent_manifest
from pond_new.manifest import parse_manifest
from pond_new.project.contracts import refuse_disagreement
from tests.wizard.conftest import DOWN, ENTER, EVERYTHING, MARK, known, line, pick

if TYPE_CHECKING:
    from tests.wizard.conftest import Type


def test_answers_that_the_second_standard_refuses_are_not_taken(type_keys: Type) -> None:
    source = {"repository": "https://github.com/ada/desk", "ref": "0" * 40}
    given = known("standards").with_tool({"source": source})
    wrong = (line("Ada/Desk"), line("ada/desk"), ENTER, line("Proprietary"), line("MIT"))
    more_wrong = (ENTER, line("answer"), line("answer: string"), line("No-Code"), line(""))
    last = (line("a lot"), line("0"), ENTER, line("a week"), line("none"), line("https://x.dev"), line(""))

    talked = type_keys(
        DOWN, MARK, ENTER, *wrong, *more_wrong, *last, "n", ENTER, given=given, offer=EVERYTHING
    )

    assert talked.result.agent_manifest["license"] == "MIT"
    assert talked.result.agent_manifest["data"]["egress"] == []
    assert talked.result.agent_manifest["source"] == source


def test_a_tool_follows_its_action_when_that_is_changed_at_the_end(type_keys: Type) -> None:
    tool = (DOWN, MARK, ENTER, *[ENTER] * 10, "n")
    reopen = (pick(4), pick(2), pick(2), ENTER)

    talked = type_keys(*tool, *reopen, given=known("standards"), offer=EVERYTHING)

    refuse_disagreement(
        parse_manifest(talked.manifest), parse_agent_manifest(dict(talked.result.agent_manifest))
    )


def test_an_agent_manifest_that_is_given_is_offered_and_not_asked_for(type_keys: Type) -> None:
    first = type_keys(
        DOWN, MARK, ENTER, *[ENTER] * 10, "n", ENTER, given=known("standards"), offer=EVERYTHING
    )
    given = known().with_settings(standards=["pond", "mcp"]).with_tool(first.result.agent_manifest)

    talked = type_keys(ENTER, given=given, offer=EVERYTHING)

    assert talked.result.agent_manifest == first.result.agent_manifest
    assert "Marketplaces" in talked.said


def test_the_second_standard_alone_goes_with_docker(type_keys: Type) -> None:
    given = known("standards").with_settings(deploy="render")
    only_mcp = (MARK, DOWN, MARK, ENTER)

    talked = type_keys(
        *only_mcp, "\x1b[A", MARK, ENTER, *[ENTER] * 10, "n", ENTER, given=given, offer=EVERYTHING
    )

    assert talked.result.settings["standards"] == ["pond", "mcp"]
