"""Foreign schemas in Pond's form: what stays, what changes, what is named as lost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pond_new.wizard.checks import fault_at
from pond_new.wizard.imports.carried import NotReadable
from pond_new.wizard.imports.openapi import carry_operation
from pond_new.wizard.imports.pond_form import find_part, to_pond_form

NOTE = {"description": "A note."}
TEXT = {"type": "string", **NOTE}

# One property as it was -> what it is, whether it is still required, and a word of each loss.
CASES: list[tuple[str, dict[str, Any], dict[str, Any], bool, list[str]]] = [
    ("plain", {**TEXT, "minLength": 1, "pattern": "^a"}, {**TEXT, "minLength": 1, "pattern": "^a"}, True, []),
    ("title stands in", {"type": "string", "title": "A note."}, TEXT, True, []),
    (
        "a made-up title",
        {"type": "string", "title": "X"},
        {"type": "string", "description": "The x."},
        True,
        ["description"],
    ),
    (
        "no description",
        {"type": "string"},
        {"type": "string", "description": "The x."},
        True,
        ["description"],
    ),
    ("null among types", {**NOTE, "type": ["string", "null"]}, TEXT, False, ["null is never sent"]),
    (
        "optional of pydantic",
        {**NOTE, "anyOf": [{"type": "string"}, {"type": "null"}]},
        TEXT,
        False,
        ["null"],
    ),
    ("nullable of OpenAPI 3.0", {**TEXT, "nullable": True}, TEXT, False, ["null is never sent"]),
    ("a null default goes", {**TEXT, "default": None}, TEXT, True, []),
    ("several types", {**NOTE, "type": ["string", "integer"]}, TEXT, True, ["string or integer"]),
    (
        "alternatives",
        {**NOTE, "oneOf": [{"type": "string"}, {"type": "integer"}]},
        TEXT,
        True,
        ["only the first"],
    ),
    (
        "constants",
        {**NOTE, "oneOf": [{"const": "a"}, {"const": "b"}]},
        {**TEXT, "enum": ["a", "b"]},
        True,
        [],
    ),
    ("one constant", {**NOTE, "const": 3}, {**NOTE, "type": "integer", "enum": [3]}, True, []),
    (
        "null in an enum",
        {**TEXT, "enum": ["a", None]},
        {**TEXT, "enum": ["a"]},
        False,
        ["null is never sent"],
    ),
    ("mixed enum", {**TEXT, "enum": ["a", 1]}, {**TEXT, "enum": ["a"]}, True, ["no string"]),
    ("a reference", {"$ref": "#/$defs/N"}, TEXT, True, []),
    (
        "words beside a reference",
        {"$ref": "#/$defs/N", "description": "Mine."},
        {"type": "string", "description": "Mine."},
        True,
        [],
    ),
    ("a reference abroad", {**TEXT, "$ref": "https://x.example/y"}, TEXT, True, ["leads out of the file"]),
    ("all of", {"allOf": [{"$ref": "#/$defs/N"}, {"maxLength": 9}]}, {**TEXT, "maxLength": 9}, True, []),
    (
        "bounds of draft 4",
        {**NOTE, "type": "number", "minimum": 0, "exclusiveMinimum": True},
        {**NOTE, "type": "number", "exclusiveMinimum": 0},
        True,
        [],
    ),
    ("no type", {**NOTE}, TEXT, True, ["no type"]),
    ("a type by its signs", {**NOTE, "maximum": 3}, {**NOTE, "type": "number", "maximum": 3}, True, []),
    ("true", True, {"type": "string", "description": "The x."}, True, ["no type", "description"]),  # type: ignore[list-item]
    ("conditions", {**TEXT, "if": {}, "then": {}}, TEXT, True, ["if is not", "then is not"]),
    ("bounds of another type", {**TEXT, "minimum": 3}, TEXT, True, []),
    (
        "list",
        {**NOTE, "type": "array", "items": TEXT, "maxItems": 2},
        {**NOTE, "type": "array", "maxItems": 2, "items": TEXT},
        True,
        [],
    ),
    (
        "list of anything",
        {**NOTE, "type": "array"},
        {**NOTE, "type": "array", "items": {"type": "string", "description": "One entry."}},
        True,
        ["entries"],
    ),
    (
        "open object",
        {**NOTE, "type": "object", "additionalProperties": TEXT},
        {**NOTE, "type": "object", "properties": {}, "additionalProperties": True},
        True,
        ["further members"],
    ),
    (
        "object",
        {**NOTE, "type": "object", "properties": {"y": TEXT}, "required": ["y", "z"]},
        {
            **NOTE,
            "type": "object",
            "properties": {"y": TEXT},
            "required": ["y"],
            "additionalProperties": False,
        },
        True,
        [],
    ),
]


@pytest.mark.parametrize(
    ("given", "turned", "is_required", "losses"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
def test_a_value_takes_ponds_form(
    given: Any, turned: dict[str, Any], is_required: bool, losses: list[str]
) -> None:
    document = {"type": "object", "properties": {"x": given}, "required": ["x"], "$defs": {"N": TEXT}}

    carried = to_pond_form(document)

    assert carried.schema["properties"] == {"x": turned}
    assert carried.schema.get("required", []) == ["x"] * is_required
    assert len(carried.losses) == len(losses)
    assert all(word in loss for word, loss in zip(losses, carried.losses, strict=True))
    assert fault_at({"input_schema": dict(carried.schema)}, "/input_schema") is None


def test_a_schema_that_contains_itself_is_cut_and_said() -> None:
    node = {
        "type": "object",
        **NOTE,
        "properties": {"child": {"$ref": "#"}, "all": {"type": "array", **NOTE, "items": {"$ref": "#"}}},
    }

    carried = to_pond_form(node)

    child = carried.schema["properties"]["child"]
    assert child["additionalProperties"] is False
    assert child["properties"]["child"]["additionalProperties"] is True
    assert any("contains itself" in loss for loss in carried.losses)
    assert fault_at({"input_schema": dict(carried.schema)}, "/input_schema") is None


def test_undeclared_names_at_the_top_are_named_as_lost() -> None:
    assert "declared ones only" in to_pond_form({"type": "object", "additionalProperties": True}).losses[0]


@pytest.mark.parametrize("value", [True, [], {"type": "array"}, {"type": "string"}, None])
def test_what_is_no_object_is_refused(value: Any) -> None:
    with pytest.raises(NotReadable, match="no schema of an object"):
        to_pond_form(value)


def test_a_part_of_a_file_is_found_by_its_pointer() -> None:
    assert find_part({"a": [{"b": 1}]}, "/a/0/b") == 1
    with pytest.raises(NotReadable):
        find_part({}, "/a")


JUNK = st.none() | st.booleans() | st.integers(-2, 9) | st.sampled_from(["", "a", "string", "#/$defs/N", "("])
KEYWORDS = st.sampled_from(
    [
        "type",
        "description",
        "title",
        "enum",
        "const",
        "default",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "minItems",
        "maxItems",
        "items",
        "properties",
        "required",
        "additionalProperties",
        "anyOf",
        "oneOf",
        "allOf",
        "$ref",
        "nullable",
        "readOnly",
        "examples",
        "patternProperties",
        "not",
    ]
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"])


def _schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    named = st.dictionaries(st.sampled_from(["a", "b c", "ü", ""]), inner, max_size=3)
    shaped = st.fixed_dictionaries(
        {"type": TYPES}, optional={"properties": named, "items": inner, "title": JUNK}
    )
    return (
        st.dictionaries(KEYWORDS, inner, max_size=4)
        | st.lists(inner, max_size=3)
        | named
        | shaped
        | st.fixed_dictionaries({"type": st.just("object"), "properties": named})
    )


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.recursive(JUNK, _schemas, max_leaves=25))
def test_whatever_a_file_holds_becomes_a_valid_schema_or_is_refused(value: Any) -> None:
    try:
        carried = to_pond_form({"type": "object", "properties": {"x": value}, "$defs": {"N": value}})
    except NotReadable:
        return

    assert fault_at({"input_schema": dict(carried.schema)}, "/input_schema") is None


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.recursive(JUNK, _schemas, max_leaves=15))
def test_whatever_an_operation_holds_becomes_a_valid_schema_or_is_refused(value: Any) -> None:
    parameter = {"name": "n", "in": "query", "schema": value}
    body = {"content": {"application/json": {"schema": value}}}
    for operation in (
        {"parameters": [parameter, value]},
        {"parameters": value, "requestBody": body},
        {"requestBody": value},
    ):
        try:
            carried = carry_operation({"paths": {"/a": {"get": operation}}}, "GET /a")
        except NotReadable:
            continue
        assert fault_at({"input_schema": dict(carried.schema)}, "/input_schema") is None
