"""Whatever comes in, there is an answer and no traceback; and it comes soon."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pond_new.manifest import InvalidManifest, Problem, parse_document, parse_manifest
from pond_new.manifest.check import check_manifest
from pond_new.manifest.document import Document
from pond_new.manifest.fixes import fix_document
from pond_new.manifest.preview import preview_import
from pond_new.manifest.release import check_release
from pond_new.manifest.rules.keywords import SHAPES, check_keywords
from pond_new.manifest.walk import look_at

EXAMPLE = json.loads((Path(__file__).parent / "example.json").read_text(encoding="utf-8"))
SETTINGS = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def document_of(value: Any) -> Document:
    return parse_document(json.dumps(value).encode(), name="manifest.json")


def problems_of(content: bytes, name: str) -> tuple[Problem, ...]:
    try:
        parse_document(content, name=name)
    except InvalidManifest as failure:
        return failure.problems
    return ()


@SETTINGS
@given(st.binary(max_size=200), st.sampled_from(["a.json", "a.yaml", "-"]))
def test_any_bytes_are_data_or_one_clear_error(content: bytes, name: str) -> None:
    assert all(problem.line and problem.fix for problem in problems_of(content, name))


@SETTINGS
@given(
    st.text(alphabet="{}[],:\"\\ \n\t01e.-+truefalsn/#'uabd", max_size=60),
    st.sampled_from(["a.json", "a.yaml"]),
)
def test_text_that_looks_like_json_is_data_or_one_clear_error(text: str, name: str) -> None:
    assert all(problem.line and problem.fix for problem in problems_of(text.encode(), name))


@SETTINGS
@given(st.text(alphabet='{}[],:"\\ \n01e.-truefalsnabd', max_size=60))
def test_what_python_refuses_as_json_is_refused(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(InvalidManifest):
            parse_document(text.encode(), name="a.json")
        return
    if not problems_of(text.encode(), "a.json"):
        assert parse_document(text.encode(), name="a.json").value == expected


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@SETTINGS
@given(st.sampled_from([*EXAMPLE, *EXAMPLE["metadata"]]), values)
def test_any_value_anywhere_is_judged(key: str, value: Any) -> None:
    manifest = (
        {**EXAMPLE, key: value}
        if key in EXAMPLE
        else {**EXAMPLE, "metadata": {**EXAMPLE["metadata"], key: value}}
    )

    document = document_of(manifest)

    assert all(problem.line for problem in check_manifest(document))
    preview_import(manifest)


@SETTINGS
@given(values)
def test_any_json_at_all_is_judged(value: Any) -> None:
    check_manifest(document_of(value))


@SETTINGS
@given(st.dictionaries(st.sampled_from([*SHAPES, "x"]), values, max_size=4))
def test_any_schema_of_a_parameter_is_judged_and_shapes_agree_with_the_metaschema(
    schema: dict[str, Any],
) -> None:
    outer = {"type": "object", "properties": {}, "additionalProperties": False, "not": schema}

    problems = list(check_keywords(look_at({"input_schema": outer})))

    metaschema = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    assert (not problems) == metaschema.is_valid(outer)
    check_manifest(document_of({**EXAMPLE, "input_schema": outer}))


@pytest.mark.parametrize("block", range(4))
def test_mutated_manifests_are_judged_previewed_compared_and_never_made_worse(
    block: int, mutated: Callable[[int, str | None], Any]
) -> None:
    for seed in range(block * 150, block * 150 + 150):
        manifest = mutated(seed, None)
        document = document_of(manifest)
        before = check_manifest(document)
        if not isinstance(manifest, dict):
            continue
        preview_import(manifest)
        check_release(EXAMPLE, manifest, since="before")
        fixed = fix_document(document)
        after = check_manifest(parse_document(fixed.text.encode(), name="manifest.json"))
        assert sum(problem.severity == "error" for problem in after) <= sum(
            problem.severity == "error" for problem in before
        ), f"seed {seed}"
        assert not [problem for problem in after if problem.correction], f"seed {seed}"


def many_actions(count: int) -> dict[str, Any]:
    action = EXAMPLE["actions"][0]
    return {
        **EXAMPLE,
        "actions": [
            {
                "id": f"action_{index}",
                "name": f"Action {index}",
                "description": f"Use when the user wants number {index} of the catalogue.",
                "input_schema": {
                    **action["input_schema"],
                    "properties": {"text": action["input_schema"]["properties"]["text"]},
                },
            }
            for index in range(count)
        ],
    }


def test_a_thousand_actions_in_256_kib_are_judged_in_a_few_seconds() -> None:
    manifest = many_actions(900)
    text = json.dumps(manifest, separators=(",", ":"))
    assert 200_000 < len(text) <= 262_144
    started = time.process_time()

    problems = check_manifest(parse_document(text.encode(), name="manifest.json"))

    assert time.process_time() - started < 10
    assert {problem.id for problem in problems} <= {"ACT-08", "MAN-02"}


def test_the_model_of_a_thousand_actions_is_built() -> None:
    assert len(parse_manifest(many_actions(900)).actions) == 900
