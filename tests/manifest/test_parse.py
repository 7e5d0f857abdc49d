"""A document becomes a typed manifest, or all its problems at once."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from pond_new.manifest import InvalidManifest, dump_manifest, parse_document, parse_manifest

TEXT = (Path(__file__).parent / "example.json").read_bytes()


def example() -> dict[str, Any]:
    value: dict[str, Any] = json.loads(TEXT)
    return copy.deepcopy(value)


def test_a_valid_manifest_becomes_typed() -> None:
    manifest = parse_manifest(parse_document(TEXT, name="manifest.json"))

    assert [action.id for action in manifest.actions] == ["summarize_text", "count_words"]
    assert manifest.capabilities.sync
    assert manifest.limits.max_run_seconds == 60
    assert manifest.name == "Word Desk"
    assert manifest.usage_unit == "result"
    assert [plan.name for plan in manifest.pricing_plans] == ["Starter", "Packs", "Monthly"]
    assert dict(manifest.document) == example()


def test_a_manifest_in_memory_is_parsed_without_a_file() -> None:
    assert parse_manifest(example()).agent_version == "1.0.0"


def test_every_error_is_reported_at_once_with_its_line() -> None:
    broken = TEXT.replace(b'"protocol_version": "1.0"', b'"protocol_version": 1.0').replace(
        b'"max_run_seconds": 60', b'"max_run_seconds": 0'
    )

    with pytest.raises(InvalidManifest) as caught:
        parse_manifest(parse_document(broken, name="manifest.json"))

    assert [(problem.id, problem.pointer) for problem in caught.value.problems] == [
        ("MAN-05", "/protocol_version"),
        ("LIM-01", "/limits/max_run_seconds"),
    ]
    assert caught.value.problems[0].line == 3
    assert "manifest.json:3:3: error MAN-05 at /protocol_version" in str(caught.value)


def test_an_invalid_manifest_leads_to_exit_code_1() -> None:
    assert InvalidManifest.exit_code == 1


def test_a_name_that_pond_would_skip_is_none() -> None:
    value = example()
    value["metadata"]["name"] = "é" * 200

    assert parse_manifest(value).name is None


def test_pricing_with_one_bad_plan_is_empty_but_its_unit_is_kept() -> None:
    value = example()
    value["metadata"]["pricing_plans"][0]["currency"] = "USD"

    manifest = parse_manifest(value)

    assert manifest.pricing_plans == ()
    assert manifest.usage_unit == "result"


def test_a_manifest_without_metadata_has_no_name_and_no_unit() -> None:
    value = example()
    del value["metadata"]

    manifest = parse_manifest(value)

    assert (manifest.name, manifest.usage_unit, dict(manifest.metadata)) == (None, None, {})


def test_an_integral_float_becomes_an_integer_limit() -> None:
    value = example()
    value["limits"]["max_run_seconds"] = 60.0

    assert repr(parse_manifest(value).limits.max_run_seconds) == "60"


@pytest.mark.parametrize("value", [[], None, "text", 3, True])
def test_anything_but_an_object_is_one_problem(value: Any) -> None:
    with pytest.raises(InvalidManifest) as caught:
        parse_manifest(value)

    assert [problem.id for problem in caught.value.problems] == ["MAN-03"]


def test_a_dumped_manifest_keeps_order_and_letters_and_ends_its_line() -> None:
    assert dump_manifest({"z": "é🌊", "a": 1}) == '{\n  "z": "é🌊",\n  "a": 1\n}\n'
