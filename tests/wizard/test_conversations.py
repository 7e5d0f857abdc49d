"""Whole conversations at the real prompts, key by key."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pond_new.agent_manifest.parse import parse_agent_manifest
from pond_new.manifest import parse_manifest
from pond_new.project.contracts import check_agreement
from pond_new.wizard.question import Choice, Conversation, Question
from tests.wizard.conftest import (
    BACK_KEY,
    CLEAR,
    DOWN,
    ENTER,
    EVERYTHING,
    HELP_KEY,
    MARK,
    REDRAW,
    SMALL,
    SYNC_ONLY,
    Until,
    known,
    line,
    pick,
)

if TYPE_CHECKING:
    import pytest

    from tests.wizard.conftest import Type

IDENTITY = (ENTER, line("Measures texts."), ENTER, pick(2), ENTER, ENTER)
ONE_ACTION = (
    *(pick(1), line("Measure text"), ENTER, line("Use when the user wants to know how long a text is.")),
    *(pick(1), line("text"), pick(1), line("The text to measure, as it is."), pick(1), ENTER, pick(1)),
    pick(1),
)
REST = (ENTER, ENTER, ENTER, ENTER)  # what comes out, seconds, bytes, no price
WRITE = (ENTER,)


def test_a_small_agent_needs_little_more_than_the_enter_key(type_keys: Type) -> None:
    talked = type_keys(*IDENTITY, *ONE_ACTION, *REST, *WRITE)

    manifest = parse_manifest(talked.manifest)
    assert manifest.name == "My Agent"
    assert [action.id for action in manifest.actions] == ["measure_text"]
    assert manifest.actions[0].input_schema == {
        "type": "object",
        "properties": {"text": {"type": "string", "description": "The text to measure, as it is."}},
        "required": ["text"],
        "additionalProperties": False,
    }
    assert manifest.capabilities.sync
    assert talked.result.settings == {
        "deploy": "docker",
        "database": "sqlite",
        "python": "3.13",
        "standards": ["pond"],
    }


def test_what_is_skipped_is_left_out_and_never_written_empty(type_keys: Type) -> None:
    nothing = (line(""), ENTER, ENTER, "a", ENTER, ENTER, ENTER)
    general = (pick(2), pick(2))

    talked = type_keys(*nothing, *general, *REST, *WRITE)

    assert "metadata" not in talked.manifest
    assert "actions" not in talked.manifest
    assert "input_schema" not in talked.manifest
    parse_manifest(talked.manifest)


def test_every_feature_comes_out_as_it_was_said(type_keys: Type) -> None:
    identity = (line("Desk"), line("Texts."), line("<p>Texts.</p>"), pick(2), line("1.0.0"))
    extras = (DOWN * 3, MARK, DOWN, MARK, DOWN * 3, MARK, ENTER)
    links = (line("https://example.com/l.png"), line("https://github.com/you/desk"))
    faq = (line("Is it kept?"), line("No."), pick(1))
    first = (
        *(
            pick(1),
            line("Translate text"),
            ENTER,
            line("Use when the user wants a text in another language."),
        ),
        *(pick(1), line("language"), pick(1), line("The language to translate into."), pick(2)),
        *(line("English, French"), "y"),
        *(pick(2), line("pages"), pick(2), line("How many pages at most are wanted."), pick(3)),
        *(line("1"), line("9"), "n"),
        *(pick(2), line("words"), pick(5), line("Words that are never translated.")),
        *(pick(1), line("One word as it is written."), pick(1), line(""), line("20"), "n"),
        *(pick(2), line("layout"), pick(6), line("How the result is laid out.")),
        *(line("wide"), pick(4), line("Whether lines may be long."), "y", pick(1), "n"),
        pick(1),
    )
    second = (
        *(pick(2), line("Count words"), ENTER, line("Use when only numbers about a text are wanted.")),
        *(pick(2), pick(1)),
    )
    modes = (DOWN, MARK, ENTER)
    files = ("y", MARK, ENTER, DOWN * 12, MARK, ENTER, line("text/html"))
    limits = (line("90 s"), line("2 MB"), line("20 MB"))
    price = ("y", pick(3), line("page"))
    free = (pick(1), line("20"), line("30"), ENTER, ENTER)
    usage = (pick(2), pick(2), line("10"), line("$1.50"), ENTER, ENTER)
    month = (pick(2), pick(3), line("$19"), line("1,000"), ENTER, line("All you need"), pick(1))
    place = (pick(1), pick(2), pick(1))
    tool = (
        *(
            ENTER,
            line("ada/desk"),
            ENTER,
            line("Apache-2.0"),
            line("Ada"),
            line("text: string, words: integer"),
        ),
        *(line("no_text, over_budget"), line("0.002"), line("https://desk.ada.dev/mcp"), line("P7D")),
        *(line("api.example.com"), "n"),
    )

    talked = type_keys(
        *(*identity, *extras, *links, *faq, *first, *second, *modes, *files, *limits),
        *(*price, *free, *usage, *month, *place, DOWN, MARK, ENTER, *tool, ENTER),
        offer=EVERYTHING,
    )

    manifest = talked.manifest
    parse_manifest(manifest)
    assert manifest["metadata"]["faqs"] == [{"question": "Is it kept?", "answer": "No."}]
    assert manifest["metadata"]["github_url"] == "https://github.com/you/desk"
    assert manifest["actions"][0]["input_schema"] == {
        "type": "object",
        "properties": {
            "language": {
                "type": "string",
                "description": "The language to translate into.",
                "enum": ["English", "French"],
            },
            "pages": {
                "type": "integer",
                "description": "How many pages at most are wanted.",
                "minimum": 1,
                "maximum": 9,
            },
            "words": {
                "type": "array",
                "description": "Words that are never translated.",
                "items": {"type": "string", "description": "One word as it is written."},
                "maxItems": 20,
            },
            "layout": {
                "type": "object",
                "description": "How the result is laid out.",
                "properties": {"wide": {"type": "boolean", "description": "Whether lines may be long."}},
                "required": ["wide"],
                "additionalProperties": False,
            },
        },
        "required": ["language"],
        "additionalProperties": False,
    }
    assert "input_schema" not in manifest["actions"][1]
    assert (
        manifest["capabilities"] | {"sync": True, "streaming": True, "attachments": True}
        == (manifest["capabilities"])
    )
    assert manifest["input_modes"] == ["text/plain", "application/pdf"]
    assert manifest["output_modes"] == ["text/markdown", "text/html"]
    assert manifest["limits"] == {
        "max_request_bytes": 2097152,
        "max_attachment_bytes": 20971520,
        "max_run_seconds": 90,
    }
    assert manifest["metadata"]["pricing_plans"] == [
        {
            "name": "Free trial",
            "pricing_model": "free",
            "amount_minor": 0,
            "usage_unit": "other",
            "custom_usage_unit": "page",
            "included_units": 20,
            "validity_days": 30,
            "description": "Free, with 20 pages for 30 days",
            "sort_order": 1,
        },
        {
            "name": "Pay as you go",
            "pricing_model": "pay_as_you_go",
            "amount_minor": 150,
            "usage_quantity": 10,
            "usage_unit": "other",
            "custom_usage_unit": "page",
            "description": "$1.50 for 10 pages",
            "sort_order": 2,
        },
        {
            "name": "Monthly",
            "pricing_model": "subscription",
            "amount_minor": 1900,
            "usage_unit": "other",
            "custom_usage_unit": "page",
            "billing_interval": "month",
            "included_units": 1000,
            "description": "All you need",
            "sort_order": 3,
        },
    ]
    assert talked.result.settings == {
        "deploy": "docker",
        "database": "postgres",
        "python": "3.13",
        "standards": ["pond", "mcp"],
    }
    tool_manifest = parse_agent_manifest(dict(talked.result.agent_manifest))
    check_agreement(parse_manifest(manifest), tool_manifest)
    document = tool_manifest.document
    assert (document["id"], document["license"], document["authors"]) == (
        "ada/desk",
        "Apache-2.0",
        [{"name": "Ada"}],
    )
    assert document["source"]["repository"] == "https://git.example.com/ada/desk"
    assert document["pricing"] == {
        "model": "per_call",
        "amount": "0.002",
        "currency": "USD",
        "charge_on": "success",
    }
    assert list(tool_manifest.output["properties"]) == ["text", "words"]
    assert tool_manifest.errors == ("no_text", "over_budget")
    assert document["data"] == {"retention": "P7D", "training_use": False, "egress": ["api.example.com"]}
    assert (tool_manifest.tool, tool_manifest.endpoint) == ("translate_text", "https://desk.ada.dev/mcp")
    assert "A call costs at most 0.002 USD, charged on success." in talked.said


def test_going_back_crosses_sections_and_offers_what_was_answered(type_keys: Type) -> None:
    back = BACK_KEY * 8  # from the kind of agent back to its name
    again = (line("Other Name"), ENTER, ENTER, ENTER, ENTER, ENTER)

    talked = type_keys(*IDENTITY, back, *again, *ONE_ACTION, *REST, *WRITE)

    metadata = talked.manifest["metadata"]
    assert metadata == {"name": "Other Name", "short_description": "Measures texts.", "category": "content"}
    assert "This is the first question" in talked.said


def test_going_back_into_another_branch_forgets_the_answers_of_the_first(type_keys: Type) -> None:
    started = (pick(1), line("Measure text"), ENTER, BACK_KEY * 3)

    talked = type_keys(*started, pick(2), pick(2), ENTER, given=known("actions"))

    assert "actions" not in talked.manifest


def test_back_works_out_of_every_kind_of_prompt(type_keys: Type) -> None:
    outputs, text, price = (ENTER, BACK_KEY, DOWN, MARK, ENTER), (line("2 min"),), ("y", BACK_KEY, "n")
    into_the_summary = (BACK_KEY, "n", ENTER)

    talked = type_keys(
        *(*outputs, *text, ENTER, BACK_KEY, ENTER, *price, *into_the_summary),
        given=known("output_modes", "limits", "metadata", agent_version="1"),
        talk=None,
        replies=(),
    )

    assert talked.result is None or talked.manifest["limits"]["max_run_seconds"] == 120


def test_escape_goes_back_too(type_keys: Type) -> None:
    keys = (pick(1), Until("What is this action called"), "\x1b", Until("What does the agent do"))

    talked = type_keys(*keys, pick(2), given=known("actions"), columns=80)

    assert [reply.value for reply in talked.replies] == ["general"]


def test_a_long_list_is_filtered_by_typing(type_keys: Type) -> None:
    choices = [Choice(str(number), f"GET /pets/{number}") for number in range(100, 140)]

    def talk() -> Conversation[Any]:
        return (yield Question("k", "choice", "Which?", default="100", choices=choices))

    assert type_keys(f"s/137{ENTER}", talk=talk).result == "137"


def test_any_section_can_be_opened_again_from_the_summary(type_keys: Type) -> None:
    talked = type_keys(pick(7), line("2 min"), ENTER, ENTER, given=known())

    assert talked.manifest["limits"]["max_run_seconds"] == 120
    assert "Longest run      2 min" in talked.said


def test_the_summary_shows_the_manifest_and_what_pond_would_say(type_keys: Type) -> None:
    talked = type_keys(pick(2), ENTER, given=known())

    assert '"protocol": "marketplace-agent"' in talked.said
    assert "note at /metadata: Not in the listing: logo_url" in talked.said
    assert talked.manifest["metadata"] == {"name": "My Agent"}


def test_a_bad_answer_is_told_as_it_is_typed_in_the_words_of_validate(type_keys: Type) -> None:
    typed = (line("Measure text"), f"{CLEAR}Measure{REDRAW}")
    told = Until('! id is "Measure"; it must be lower-case letters')

    talked = type_keys(pick(1), *typed, told, ENTER, line("measure"), given=known("actions"), columns=80)

    assert told.text in talked.screen
    assert [reply.value for reply in talked.replies if reply.key == "actions.0.id"] == ["measure"]


def test_an_empty_answer_is_only_called_wrong_after_enter(type_keys: Type) -> None:
    start = (pick(1), Until("What is this action called?"))

    untouched = type_keys(*start, given=known("actions"), columns=80)
    refused = type_keys(*start, ENTER, REDRAW, Until("! name is"), given=known("actions"), columns=80)

    assert "! name is" not in untouched.screen
    assert '! name is ""' in refused.screen


def test_the_help_key_explains_the_field_and_keeps_what_was_typed(type_keys: Type) -> None:
    talked = type_keys(f"{CLEAR}My", HELP_KEY, f" Desk{ENTER}")

    assert "Help on metadata.name" in talked.said
    assert "255 bytes as UTF-8" in talked.said
    assert talked.replies[0].value == "My Desk"


def test_a_question_mark_explains_a_list(type_keys: Type) -> None:
    talked = type_keys("?", pick(1), given=known("actions"))

    assert "Help on actions" in talked.said


def test_what_this_version_cannot_make_yet_is_said_and_not_asked(type_keys: Type) -> None:
    talked = type_keys(
        *REST[:-1], ENTER, given=known("capabilities", "input_modes", "limits", "database", "deploy")
    )

    assert "Answering while it works or later comes with a later version" in talked.said
    assert "Database: SQLite" in talked.said
    keys = {reply.key for reply in talked.replies}
    assert not keys & {"capabilities.modes", "capabilities.attachments", "settings.database"}
    assert talked.result is not None


def test_a_place_without_a_disk_is_offered_only_with_a_database(type_keys: Type) -> None:
    places = ("docker", "cloud-run")
    files_only = replace(
        SYNC_ONLY,
        settings={**SYNC_ONLY.settings, "deploy": places},
        later_settings={},
        without_disk=frozenset({"cloud-run"}),
    )
    both = replace(files_only, settings={**files_only.settings, "database": ("sqlite", "postgres")})
    given = known("deploy", "database")

    with_files = type_keys(ENTER, given=given, offer=files_only)
    with_both = type_keys(pick(2), ENTER, given=given, offer=both)

    assert with_files.result.settings["deploy"] == "docker"
    assert not with_files.replies[:-1]
    assert with_both.result.settings["deploy"] == "cloud-run"
    assert with_both.result.settings["database"] == "postgres"
    assert "Nothing else works there" in " ".join(with_both.said.split())


def test_actions_that_read_alike_are_pointed_out(type_keys: Type) -> None:
    twin = (line("Measure text"), ENTER, line(SMALL["actions"][0]["description"]), pick(2), pick(1))

    talked = type_keys(pick(4), pick(1), pick(2), *twin, ENTER, given=known())

    assert "Pond can hardly tell the two apart" in " ".join(talked.said.split())
    assert [action["id"] for action in talked.manifest["actions"]] == ["measure_text", "measure_text_2"]


def test_free_is_never_written_as_pay_as_you_go_at_zero(type_keys: Type) -> None:
    told = Until("A pay_as_you_go plan costs at least 1 cent")
    price = ("y", pick(1), pick(2), ENTER, f"$0{REDRAW}", told, ENTER, line("$0.05"), ENTER, ENTER, pick(1))

    talked = type_keys(pick(8), *price, ENTER, given=known(), columns=100)

    assert talked.manifest["metadata"]["pricing_plans"][0]["amount_minor"] == 5
    assert told.text in talked.screen


def test_what_is_given_is_not_asked_and_can_still_be_changed(type_keys: Type) -> None:
    changed = (pick(3), line("Changed"), *([ENTER] * 5))

    talked = type_keys(*REST[1:3], *changed, ENTER, given=known("limits"))

    assert {reply.key for reply in talked.replies[:2]} == {
        "limits.max_run_seconds",
        "limits.max_request_bytes",
    }
    assert talked.manifest["metadata"]["name"] == "Changed"


def test_a_narrow_terminal_gets_short_choices_and_wrapped_words(type_keys: Type) -> None:
    shown = Until("1) Several actions")

    talked = type_keys(shown, given=known("actions"), columns=40)

    assert "- Several actions: separate things" in talked.said
    assert shown.text in talked.screen


def test_without_colour_no_colour_is_sent(type_keys: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    shown = Until("Several actions")

    talked = type_keys(shown, given=known("actions"), columns=80)

    colours = re.findall(r"\x1b\[[0-9;]*\b(?:3[0-7]|9[0-7]|38)(?:;[0-9]+)*m", talked.screen)
    assert colours == []


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

    check_agreement(parse_manifest(talked.manifest), parse_agent_manifest(dict(talked.result.agent_manifest)))


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
