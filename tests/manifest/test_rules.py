"""Single judgements in the rules that one case a file could not show as a table."""

from typing import Any

import pytest

from pond_new.manifest.near import is_misspelling, nearest
from pond_new.manifest.pattern_example import matching_text
from pond_new.manifest.patterns import compile_pattern, fault_of, python_only
from pond_new.manifest.preview import price_sentence
from pond_new.manifest.release import changed_promises
from pond_new.manifest.rules.secrets import secret_in
from pond_new.manifest.rules.words import check_alike_actions
from pond_new.manifest.walk import look_at

LIMITS = ("max_request_bytes", "max_attachment_bytes", "max_run_seconds")
CAPABILITIES = ("sync", "streaming", "async_tasks", "attachments")


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("maxRunSeconds", LIMITS, "max_run_seconds"),
        ("max_run_second", LIMITS, "max_run_seconds"),
        ("max_execution_ms", LIMITS, "max_run_seconds"),
        ("timeout_ms", LIMITS, "max_run_seconds"),
        ("max_file_size", LIMITS, "max_attachment_bytes"),
        ("max_body_bytes", LIMITS, "max_request_bytes"),
        ("async", CAPABILITIES, "async_tasks"),
        ("Streaming", CAPABILITIES, "streaming"),
        ("push", CAPABILITIES, None),
        ("observability", ("metadata", "limits", "actions"), None),
    ],
)
def test_a_name_is_recognised_by_its_look_or_its_meaning(
    name: str, known: tuple[str, ...], meant: str | None
) -> None:
    assert nearest(name, known) == meant


def test_only_a_slip_of_the_pen_is_renamed_without_asking() -> None:
    assert is_misspelling("protocol_versoin", "protocol_version")
    assert is_misspelling("maxRunSeconds", "max_run_seconds")
    assert not is_misspelling("max_execution_ms", "max_run_seconds")


SECRETS = [
    "sk-" + "a1B2" * 8,
    "sk-proj-" + "a1B2" * 8,
    "AKIA" + "ABCD1234" * 2,
    "ghp_" + "a1B2" * 9,
    "github_pat_" + "a1B2" * 9,
    "xoxb-" + "123456789012-abcdef",
    "AIza" + "a1B2" * 9,
    "hf_" + "a1B2" * 9,
    "-----BEGIN " + "RSA PRIVATE KEY-----",
    "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0In0." + "c2lnbmF0dXJlLWhlcmU",
    "Authorization: Bearer " + "a1B2" * 8,
    "postgres://ada:" + "hunter2@db.example.com/x",
    "api_key=" + "a1B2" * 6,
]
HARMLESS = [
    "https://example.com/a:b@c",
    "Ask for a bearer token in the settings.",
    "sk-learn is a library",
    "The api_key parameter is not needed.",
    "123e4567-e89b-42d3-a456-426614174000",
    "https://github.com/ada/agent",
    "mailto:ada@example.com",
    "Use the secret key of your safe: turn twice.",
]


@pytest.mark.parametrize("text", SECRETS)
def test_what_looks_like_a_secret_is_found(text: str) -> None:
    assert secret_in(f"Use {text} here") is not None


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_talks_about_secrets_is_left_alone(text: str) -> None:
    assert secret_in(text) is None


@pytest.mark.parametrize("pattern", ["(", "[a", "a**", "(?<n>a)(?<n>b)", "a{3,1}", "*a"])
def test_a_broken_pattern_has_a_reason(pattern: str) -> None:
    assert fault_of(pattern)


@pytest.mark.parametrize(
    "pattern", ["^a$", r"^\p{L}+$", "(?<year>\\d{4})", "(?!x)a", "[\\u0041-\\u005A]", "(?:a|b)", "\\/", "^$"]
)
def test_a_pattern_of_javascript_is_fine(pattern: str) -> None:
    assert fault_of(pattern) is None
    assert python_only(pattern) is None


@pytest.mark.parametrize("pattern", ["(?P<n>a)", r"\Aa\Z", "(?i)a", "(?>a)"])
def test_a_construct_of_python_is_named(pattern: str) -> None:
    assert python_only(pattern)


def test_a_dollar_sign_does_not_match_before_a_line_break() -> None:
    assert compile_pattern("^a$").search("a\n") is None


@pytest.mark.parametrize(
    "pattern",
    [
        "^[A-Z]{2}-[0-9]{4,}$",
        "^(https?)://[^/]+/?$",
        "^(red|green)$",
        r"^\d{3}-\d{2}-\d{4}$",
        "^[^@\\s]+@[^@\\s]+$",
        "^.{5,10}$",
        "^a?b+c*$",
        "^[^a-zA-Z0-9]$",
        "(?!b)a",
    ],
)
def test_a_text_is_found_for_a_pattern(pattern: str) -> None:
    text = matching_text(pattern)

    assert text is not None
    assert compile_pattern(pattern).search(text)


@pytest.mark.parametrize("pattern", ["(", "^(a)\\1b(?=z)$", "a{500}", "^b(?!.)$(?=.)"])
def test_a_pattern_beyond_the_search_gives_none(pattern: str) -> None:
    assert matching_text(pattern) is None


def plan(**given: Any) -> dict[str, Any]:
    return {"name": "a", "usage_unit": "token", **given}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            plan(
                pricing_model="subscription",
                amount_minor=1900,
                billing_interval="month",
                included_units=100_000,
            ),
            "$19 a month with 100,000 tokens",
        ),
        (plan(pricing_model="pay_as_you_go", amount_minor=100, usage_quantity=1000), "$1 for 1,000 tokens"),
        (plan(pricing_model="pay_as_you_go", amount_minor=5), "$0.05 for each token"),
        (
            plan(pricing_model="free", amount_minor=0, included_units=1, validity_days=30),
            "free, with 1 token for 30 days",
        ),
        (
            plan(
                pricing_model="subscription",
                amount_minor=123_456,
                included_units=3,
                usage_unit="other",
                custom_usage_unit="report",
            ),
            "$1,234.56 a month with 3 reports",
        ),
    ],
)
def test_a_plan_is_said_as_a_person_would(given: dict[str, Any], sentence: str) -> None:
    assert price_sentence(given) == sentence


def manifest_of(**actions: str) -> dict[str, Any]:
    return {"actions": [{"id": name, "name": name, "description": text} for name, text in actions.items()]}


def test_actions_with_the_same_words_in_another_order_are_alike() -> None:
    manifest = manifest_of(
        shorten="Use when the user wants a long report made shorter.",
        shorter="Use when the user wants to shorten a long report made.",
        count="Use when the user asks how many words a report has.",
    )

    assert [problem.pointer for problem in check_alike_actions(look_at(manifest))] == [
        "/actions/1/description"
    ]


def test_actions_of_one_description_are_alike_whatever_their_names_are() -> None:
    text = "Use when the user wants a long report made shorter."
    manifest = manifest_of(shorten=text, abridge_everything_quickly=text)

    assert [problem.pointer for problem in check_alike_actions(look_at(manifest))] == [
        "/actions/1/description"
    ]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"limits": {"max_run_seconds": 2}}, ["limits"]),
        ({"output_modes": ["text/plain"]}, ["output_modes"]),
        ({"actions": []}, ["action a is gone"]),
        ({"actions": [{"id": "a", "description": "y"}]}, ["description of action a"]),
        ({"actions": [{"id": "a", "description": "x", "name": "n"}]}, []),
        ({"metadata": {"name": "b"}}, []),
        ({"limits": {"max_run_seconds": 1.0}}, []),
    ],
)
def test_only_promises_ask_for_a_new_version(change: dict[str, Any], named: list[str]) -> None:
    before = {"limits": {"max_run_seconds": 1}, "actions": [{"id": "a", "description": "x"}]}

    assert list(changed_promises(before, {**before, **change})) == named
