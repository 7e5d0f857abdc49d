"""The schema part of the validator says the same as jsonschema with the specification's schema."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pond_new.manifest.schema_check import ANNOTATIONS, APPLICATORS, ASSERTIONS, find_failures
from pond_new.manifest.structure import check_structure
from pond_new.protocol.schemas import load_manifest_schema, load_run_request_schema

Mutated = Callable[[int, str | None], Any]

EXAMPLE = json.loads((Path(__file__).parent / "example.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("block", range(8))
def test_thousands_of_mutated_manifests_get_the_verdict_of_jsonschema(block: int, mutated: Mutated) -> None:
    judge = Draft202012Validator(load_manifest_schema())

    for seed in range(block * 500, block * 500 + 500):
        manifest = mutated(seed, None)
        assert (not check_structure(manifest)) == judge.is_valid(manifest), f"seed {seed}"


def test_each_fault_is_found_where_jsonschema_finds_it(mutated: Mutated) -> None:
    judge = Draft202012Validator(load_manifest_schema())
    schema = load_manifest_schema()

    for seed in range(300):
        manifest = mutated(seed, None)
        ours = {
            (
                failure.keyword,
                failure.path[:-1] if failure.keyword == "additionalProperties" else failure.path,
            )
            for failure in find_failures(manifest, schema, root=schema)
        }
        theirs = {(fault.validator, tuple(fault.absolute_path)) for fault in judge.iter_errors(manifest)}
        assert ours == theirs, f"seed {seed}"


def test_imported_metadata_gets_the_verdict_of_jsonschema(mutated: Mutated) -> None:
    root = load_manifest_schema()
    schema = root["$defs"]["importableMetadata"]
    judge = Draft202012Validator({**schema, "$defs": root["$defs"]})

    for seed in range(1500):
        metadata = mutated(seed, "metadata")
        assert (not find_failures(metadata, schema, root=root)) == judge.is_valid(metadata), f"seed {seed}"


@pytest.mark.parametrize("schema", [load_manifest_schema(), load_run_request_schema()["$defs"]["user"]])
def test_every_keyword_of_the_schemas_is_evaluated(schema: dict[str, Any]) -> None:
    known = ANNOTATIONS | set(APPLICATORS) | set(ASSERTIONS)

    assert keywords_of(schema) <= known


def keywords_of(schema: Any) -> set[str]:
    found: set[str] = set()
    for keyword, value in schema.items():
        found.add(keyword)
        if keyword in {"properties", "$defs"}:
            found |= {inner for member in value.values() for inner in keywords_of(member)}
        elif keyword in {"allOf", "anyOf"}:
            found |= {inner for member in value for inner in keywords_of(member)}
        elif isinstance(value, dict):
            found |= keywords_of(value)
    return found


def test_an_action_id_before_a_line_break_is_refused_although_python_would_match_it() -> None:
    manifest = copy.deepcopy(EXAMPLE)
    manifest["actions"][0]["id"] = "translate_text\n"

    assert [problem.id for problem in check_structure(manifest)] == ["ACT-02"]
