"""The schema part of the validator says the same as jsonschema with the specification's schema."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pond_new.manifest.plain_schema import is_plain
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


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.5, 1.0, -2.0, "", "a", "ab"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=6,
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"])
SCHEMAS = st.recursive(
    st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES,
            "enum": st.lists(VALUES, max_size=3),
            "const": VALUES,
            "minimum": st.sampled_from([-1, 0.5, 2]),
            "maximum": st.sampled_from([-1, 0.5, 2]),
            **dict.fromkeys(("minItems", "maxItems", "minLength", "maxLength"), st.integers(0, 2)),
            "uniqueItems": st.booleans(),
            "required": st.lists(st.sampled_from("ab"), unique=True, max_size=2),
            "description": st.just("Words."),
        },
    ),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES,
            "properties": st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
            "additionalProperties": st.booleans() | inner,
            "items": inner,
        },
    ),
    max_leaves=4,
)


@given(schema=SCHEMAS, value=VALUES)
def test_a_plain_schema_of_a_user_gets_the_verdict_of_jsonschema(schema: dict[str, Any], value: Any) -> None:
    assert is_plain(schema)
    assert (not find_failures(value, schema, root=schema)) == Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["string", "null"]},
        {"type": "strnig"},
        {"pattern": "^a$"},
        {"format": "date"},
        {"$ref": "#/$defs/a"},
        {"anyOf": [{}]},
        {"minLength": True},
        {"properties": {"a": True}},
        {"items": [{}]},
        {"required": "a"},
        {"multipleOf": 2},
        True,
    ],
)
def test_a_schema_with_anything_else_is_not_plain(schema: Any) -> None:
    assert not is_plain(schema)


def test_an_action_id_before_a_line_break_is_refused_although_python_would_match_it() -> None:
    manifest = copy.deepcopy(EXAMPLE)
    manifest["actions"][0]["id"] = "translate_text\n"

    assert [problem.id for problem in check_structure(manifest)] == ["ACT-02"]


@pytest.mark.parametrize(
    ("change", "fix"),
    [
        ({"name": "N" * 101}, "Shorten it."),
        ({"output_modes": ["text/plain"]}, "Remove it; output_modes stands at the top, for all actions."),
    ],
    ids=["too-long", "at-another-place"],
)
def test_a_fix_is_of_the_fault_and_not_of_the_key(change: dict[str, Any], fix: str) -> None:
    """ACT-05, ACT-07."""
    manifest = copy.deepcopy(EXAMPLE)
    manifest["actions"][0] |= change

    assert [problem.fix for problem in check_structure(manifest)] == [fix]
