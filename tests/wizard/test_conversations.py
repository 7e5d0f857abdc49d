"""Whole conversations at the real prompts, key by key."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pond_new.agent_manifest.parse import parse_agent_manifest
from pond_new.manifest import parse_manifest
from pond_new.project.contracts import refuse_disagreement
from tests.wizard.conftest import (
    BACK_KEY,
    DOWN,
    ENTER,
    EVERYTHING,
    MARK,
    REDRAW,
    SMALL,
    Until,
    known,
    line,
    pick,
)

if TYPE_CHECKING:
    from tests.wizard.conftest import Type


IDENTITY = (ENTER, line("Measures texts."), ENTER, pick(2), ENTER, ENTER)
ONE_ACTION = (
    *(pick(1), line("Measure text"), ENTER, line("Use when the user wants to know how long a text is.")),
    *(pick(1), line("text"), pick(1), line("The text to measure, as it is."), pick(1), ENTER, pick(1)),
    pick(1),
)
LIMITS = (ENTER, ENTER)  # seconds, bytes
REST = (ENTER, ENTER, ENTER, *LIMITS, ENTER)  # how it answers, no files, what comes out; no price
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
    refuse_disagreement(parse_manifest(manifest), tool_manifest)
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


def test_any_section_can_be_opened_again_from_the_summary(type_keys: Type) -> None:
    talked = type_keys(pick(7), line("2 min"), ENTER, ENTER, given=known())

    assert talked.manifest["limits"]["max_run_seconds"] == 120
    assert "Longest run      2 min" in talked.said


def test_the_summary_shows_the_manifest_and_what_pond_would_say(type_keys: Type) -> None:
    talked = type_keys(pick(2), ENTER, given=known())

    assert '"protocol": "marketplace-agent"' in talked.said
    assert "note at /metadata: Not in the listing: logo_url" in talked.said
    assert talked.manifest["metadata"] == {"name": "My Agent"}


def test_a_place_without_a_disk_is_offered_only_with_a_database(type_keys: Type) -> None:
    choices = {**EVERYTHING.settings, "deploy": ("docker", "cloud-run")}
    offer = replace(EVERYTHING, settings=choices, without_disk=frozenset({"cloud-run"}))

    talked = type_keys(pick(2), ENTER, ENTER, given=known("deploy", "database"), offer=offer)

    assert talked.result.settings["deploy"] == "cloud-run"
    assert talked.result.settings["database"] == "postgres"
    assert [reply.key for reply in talked.replies] == ["settings.deploy", "settings.python", "review"]
    assert "Nothing else works there" in " ".join(talked.said.split())


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

    talked = type_keys(*LIMITS, *changed, ENTER, given=known("limits"))

    assert {reply.key for reply in talked.replies[:2]} == {
        "limits.max_run_seconds",
        "limits.max_request_bytes",
    }
    assert talked.manifest["metadata"]["name"] == "Changed"
