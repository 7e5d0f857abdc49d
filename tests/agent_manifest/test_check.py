"""An agent manifest is judged in two rounds: all of its own errors together, then the endpoint."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pond_new.agent_manifest import (
    check_endpoint,
    check_manifest,
    check_release,
    describe_price,
    worst_case,
)
from tests.conftest import PondNew

GOOD: dict[str, Any] = json.loads(Path(__file__).with_name("text-stats.json").read_text("utf-8"))
Change = Callable[[dict[str, Any]], None]


def changed(*changes: Change) -> dict[str, Any]:
    manifest = copy.deepcopy(GOOD)
    for change in changes:
        change(manifest)
    return manifest


def put(value: Any, *path: Any) -> Change:
    def change(node: Any) -> None:
        for step in path[:-1]:
            node = node[step]
        node[path[-1]] = value

    return change


def drop(*path: Any) -> Change:
    def change(node: Any) -> None:
        for step in path[:-1]:
            node = node[step]
        del node[path[-1]]

    return change


def found(manifest: Any) -> list[tuple[str, str, str]]:
    return [(problem.severity, problem.id, problem.pointer) for problem in check_manifest(manifest)]


def test_a_failure_for_forbidden_input_is_a_warning() -> None:
    refused = changed(put({"text": 7}, "examples", 1, "input"))

    assert "error" in refused["examples"][1]
    assert found(refused) == [("warning", "AMS-18", "/examples/1/input")]


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        ("#/$defs/text", "its reference /$defs/text leads nowhere in it"),
        ("https://schemas.example.com/text", "its reference https://schemas.example.com/text leads nowhere"),
        ("#/properties/text", "it refers to itself without an end"),
    ],
)
def test_a_reference_that_leads_nowhere_is_found_once_and_never_downloaded(reference: str, why: str) -> None:
    """jsonschema alone would fetch it: a manifest could make us call any address."""
    lost = changed(put({"$ref": reference}, "interface", "input", "properties", "text"))

    [problem] = check_manifest(lost)

    assert (problem.id, problem.pointer) == ("AMS-09", "/interface/input")
    assert why in problem.message


def test_two_contracts_in_one_directory_must_agree(
    pond_new: PondNew, tmp_path: Path, minimal_manifest: dict[str, Any]
) -> None:
    same = GOOD["interface"]["input"]
    other = copy.deepcopy(same)
    other["properties"]["text"]["maxLength"] = 7
    (tmp_path / "agent-manifest.json").write_text(json.dumps(GOOD), encoding="utf-8")

    outcomes = []
    for schema in (same, other):
        pond = minimal_manifest | {"input_schema": {key: schema[key] for key in schema if key != "$schema"}}
        (tmp_path / "manifest.json").write_text(json.dumps(pond), encoding="utf-8")
        outcomes.append(pond_new("validate", tmp_path))

    assert [outcome.code for outcome in outcomes] == [0, 1]
    assert "/properties/text/maxLength" in outcomes[1].out


def test_a_complete_manifest_has_no_finding_in_either_round() -> None:
    assert check_manifest(GOOD) == []
    assert check_endpoint(GOOD) == []


def test_the_worked_refusal_comes_in_two_rounds() -> None:
    refused = changed(
        put("Proprietary", "license"),
        drop("examples", 0, "output", "words"),
        put("http://localhost:8080/mcp", "runtime", "endpoint"),
    )

    first = found(refused)
    refused["license"] = "MIT"
    refused["examples"][0]["output"]["words"] = 2

    assert first == [("error", "AMS-05", "/license"), ("error", "AMS-18", "/examples/0/output")]
    assert check_manifest(refused) == []
    assert all("must be public https" in problem.message for problem in check_endpoint(refused))


@pytest.mark.parametrize(
    ("change", "rule", "pointer"),
    [
        (drop("source"), "AMS-01", ""),
        (drop("source", "ref"), "AMS-07", "/source"),
        (put("text-stats", "id"), "AMS-02", "/id"),
        (put("1.0", "version"), "AMS-03", "/version"),
        (put("", "summary"), "AMS-04", "/summary"),
        (put("mit", "license"), "AMS-05", "/license"),
        (put("CC-BY-4.0", "license"), "AMS-05", "/license"),
        (put([], "authors"), "AMS-06", "/authors"),
        (put("http://github.com/a/b", "source", "repository"), "AMS-07", "/source/repository"),
        (put("main", "source", "ref"), "AMS-08", "/source/ref"),
        (put({"type": "array"}, "interface", "output"), "AMS-09", "/interface/output/type"),
        (
            put({"type": "object", "properties": 3}, "interface", "output"),
            "AMS-09",
            "/interface/output/properties",
        ),
        (
            put({"type": "object", "properties": {"a/b": 3}}, "interface", "output"),
            "AMS-09",
            "/interface/output/properties/a~1b",
        ),
        (put("Bad", "interface", "errors", 1, "code"), "AMS-10", "/interface/errors/1/code"),
        (put("empty_text", "interface", "errors", 1, "code"), "AMS-10", "/interface/errors/1/code"),
        (put([{"class": "Data"}], "capabilities"), "AMS-11", "/capabilities/0/class"),
        (put("usd", "pricing", "currency"), "AMS-12", "/pricing/currency"),
        (put("-1", "pricing", "amount"), "AMS-13", "/pricing/amount"),
        (put("http", "runtime", "kind"), "AMS-14", "/runtime/kind"),
        (put(0, "runtime", "limits", "timeout_s"), "AMS-15", "/runtime/limits/timeout_s"),
        (put(301, "runtime", "limits", "timeout_s"), "AMS-15", "/runtime/limits/timeout_s"),
        (put("7 days", "data", "retention"), "AMS-16", "/data/retention"),
        (put("no", "data", "training_use"), "AMS-16", "/data/training_use"),
        (put(["https://api.example.com"], "data", "egress"), "AMS-17", "/data/egress/0"),
        (drop("examples", 0), "AMS-18", "/examples"),
        (put("nope", "examples", 1, "error", "code"), "AMS-18", "/examples/1/error/code"),
        (put({}, "examples", 0, "input"), "AMS-18", "/examples/0/input"),
        (put({"code": "empty_text"}, "examples", 0, "error"), "AMS-18", "/examples/0"),
    ],
)
def test_each_fault_is_found_alone_with_its_rule_and_place(change: Change, rule: str, pointer: str) -> None:
    assert found(changed(change)) == [("error", rule, pointer)]


def test_all_faults_come_together() -> None:
    faults = changed(
        put("x", "id"), put("x", "version"), drop("data"), put(["X"], "authors"), put("x", "license")
    )

    assert [rule for _, rule, _ in found(faults)] == ["AMS-01", "AMS-02", "AMS-03", "AMS-05"]


@pytest.mark.parametrize(
    "value", [None, [], "text", 3, {}, {"examples": [3]}, {"interface": {"errors": [1, {}]}}]
)
def test_anything_can_be_judged(value: Any) -> None:
    assert check_manifest(value)


def test_a_misspelt_licence_is_suggested() -> None:
    [problem] = check_manifest(changed(put("apache-2", "license")))

    assert problem.fix == "Did you mean Apache-2.0?"


def test_what_the_standard_leaves_open_only_warns() -> None:
    manifest = changed(
        put("per_page", "pricing", "model"),
        put("0.05", "pricing", "max"),
        put("call", "pricing", "charge_on"),
    )

    assert found(manifest) == [
        ("warning", "AMS-12", "/pricing/model"),
        ("warning", "AMS-12", "/pricing/charge_on"),
    ]


@pytest.mark.parametrize(
    ("pricing", "most"),
    [
        ({"model": "per_call", "amount": "0.001"}, "0.001"),
        ({"model": "per_call", "amount": 0.1}, "0.1"),
        ({"model": "per_page", "amount": "0.1", "max": "5"}, "5"),
        ({"model": "free"}, "0"),
        ({"model": "per_page", "amount": "0.1"}, None),
        ({"model": "per_call"}, None),
        ({"model": "per_call", "amount": True}, None),
        ({"model": "per_call", "amount": float("nan")}, None),
    ],
)
def test_the_worst_case_is_computed_with_decimals(pricing: dict[str, Any], most: str | None) -> None:
    assert worst_case(pricing) == (None if most is None else Decimal(most))


def test_the_price_is_a_sentence() -> None:
    assert describe_price(GOOD["pricing"]) == "A call costs at most 0.001 USD, charged on success."


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://localhost/mcp",
        "https://10.0.0.1/mcp",
        "https://[::1]/mcp",
        "https://agent.internal/mcp",
        "https://me@x.com/",
        "https://127.1/mcp",
        "https://a..com/mcp",
        "https://a.com:99999/mcp",
        "https://a.com/m cp",
        "https://[a/mcp",
    ],
)
def test_an_endpoint_that_is_not_public_https_is_refused(endpoint: str) -> None:
    assert check_endpoint(changed(put(endpoint, "runtime", "endpoint")))


def test_a_commit_that_is_none_yet_is_noted() -> None:
    [problem] = check_release(changed(put("0" * 40, "source", "ref")))

    assert (problem.severity, problem.pointer) == ("note", "/source/ref")
    assert list(check_release(changed(put("a" * 40, "source", "ref")))) == []
