"""Example and broken parameters, proven by jsonschema."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pond_new.manifest.values import broken_parameters, example_parameters


def object_schema(properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"description": name, **schema} for name, schema in properties.items()},
        "required": list(required),
        "additionalProperties": False,
        **more,
    }


def labyrinth(depth: int) -> dict[str, Any]:
    """Alternatives in alternatives, all of which end nowhere."""
    if depth == 0:
        return {"type": "string", "not": {}}
    return {"type": "string", "anyOf": [labyrinth(depth - 1)] * 4}


SOLVABLE = {
    "no parameters": object_schema({}),
    "a choice": object_schema({"a": {"type": "string", "enum": ["x", "y"]}}, ("a",)),
    "a long text": object_schema({"a": {"type": "string", "minLength": 5000}}, ("a",)),
    "a short text": object_schema({"a": {"type": "string", "maxLength": 2}}, ("a",)),
    "a pattern": object_schema({"a": {"type": "string", "pattern": r"^[A-Z]{2}-\d{4,}$"}}, ("a",)),
    "a long pattern": object_schema({"a": {"type": "string", "pattern": "^[a-z]+$", "minLength": 9}}, ("a",)),
    "a pattern with a named group": object_schema(
        {"a": {"type": "string", "pattern": "^(?<n>on|off)$"}}, ("a",)
    ),
    "a date": object_schema({"a": {"type": "string", "format": "date"}}, ("a",)),
    "a multiple": object_schema(
        {"a": {"type": "integer", "multipleOf": 7, "minimum": 20, "maximum": 30}}, ("a",)
    ),
    "an open interval": object_schema(
        {"a": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}}, ("a",)
    ),
    "a negative number": object_schema({"a": {"type": "number", "maximum": -3}}, ("a",)),
    "distinct entries": object_schema(
        {"a": {"type": "array", "minItems": 3, "uniqueItems": True, "items": {"enum": [1, 2, 3]}}}, ("a",)
    ),
    "a nested object": object_schema(
        {"a": object_schema({"b": {"type": "integer", "minimum": 4}}, ("b",))}, ("a",)
    ),
    "a reference": object_schema(
        {"a": {"type": "string", "$ref": "#/$defs/z"}}, ("a",), **{"$defs": {"z": {"enum": ["z"]}}}
    ),
    "alternatives": object_schema(
        {"a": {"type": "integer"}, "b": {"type": "string"}}, oneOf=[{"required": ["a"]}, {"required": ["b"]}]
    ),
    "at least two members": object_schema(
        {"a": {"type": "integer"}, "b": {"type": "string"}}, minProperties=2
    ),
    "an excluded choice": object_schema(
        {"a": {"type": "string", "enum": ["x", "y"], "not": {"const": "x"}}}, ("a",)
    ),
}
HOPELESS = {
    "not anything": object_schema({"a": {"type": "string", "not": {}}}, ("a",)),
    "crossed bounds": object_schema({"a": {"type": "string", "minLength": 5, "maxLength": 3}}, ("a",)),
    "a broken pattern": object_schema({"a": {"type": "string", "pattern": "("}}, ("a",)),
    "a remote reference": object_schema({"a": {"type": "string", "$ref": "https://example.com/x"}}, ("a",)),
    "an endless reference": object_schema(
        {"a": {"type": "object", "$ref": "#/$defs/q"}},
        ("a",),
        **{"$defs": {"q": {"required": ["a"], "properties": {"a": {"$ref": "#/$defs/q"}}}}},
    ),
    "a length that no memory holds": object_schema({"a": {"type": "string", "minLength": 10**15}}, ("a",)),
    "an array that no memory holds": object_schema({"a": {"type": "array", "minItems": 10**12}}, ("a",)),
    "a pattern that backtracks for ever": object_schema(
        {"a": {"type": "string", "pattern": "^(a+)+b$", "minLength": 60, "maxLength": 70, "not": {}}}, ("a",)
    ),
    "a labyrinth": object_schema({"a": labyrinth(7)}, ("a",)),
    "nonsense": object_schema({"a": {"type": "integer", "minimum": "low"}}, ("a",)),
}


@pytest.mark.parametrize("schema", SOLVABLE.values(), ids=SOLVABLE.keys())
def test_the_example_satisfies_its_schema(schema: dict[str, Any]) -> None:
    example = example_parameters(schema)

    assert pattern_free(schema).is_valid(example)


@pytest.mark.parametrize("schema", SOLVABLE.values(), ids=SOLVABLE.keys())
def test_every_broken_value_breaks_exactly_the_keyword_it_names(schema: dict[str, Any]) -> None:
    broken = broken_parameters(schema, example_parameters(schema))

    assert broken
    for case in broken:
        found = {str(fault.validator) for fault in pattern_free(schema).iter_errors(case.parameters)}
        assert case.keyword in found | {"pattern"}


@pytest.mark.parametrize("schema", HOPELESS.values(), ids=HOPELESS.keys())
def test_a_schema_without_a_value_is_a_lookup_error(schema: dict[str, Any]) -> None:
    with pytest.raises(LookupError):
        example_parameters(schema)


def test_broken_values_stay_small() -> None:
    schema = object_schema(
        {"a": {"type": "string", "maxLength": 10**12}, "b": {"type": "array", "maxItems": 10**9}}
    )

    assert "maxLength" not in {case.keyword for case in broken_parameters(schema, {"a": "x", "b": [1]})}


def test_the_example_reads_like_one_of_a_person() -> None:
    schema = object_schema({"city": {"type": "string"}, "email": {"type": "string"}}, ("city", "email"))

    assert example_parameters(schema) == {"city": "Paris", "email": "ada@example.com"}


def test_the_example_leaves_optional_members_out() -> None:
    schema = object_schema({"a": {"type": "string"}, "b": {"type": "string"}}, ("a",))

    assert list(example_parameters(schema)) == ["a"]


def test_changing_the_example_does_not_change_the_schema() -> None:
    schema = object_schema({"a": {"type": "array", "default": [1]}}, ("a",))

    example_parameters(schema)["a"].append(2)

    assert schema["properties"]["a"]["default"] == [1]


numbers = st.one_of(st.integers(-1000, 1000), st.floats(-1000, 1000, allow_nan=False))
texts = st.fixed_dictionaries(
    {"type": st.just("string")}, optional={"minLength": st.integers(0, 40), "maxLength": st.integers(40, 90)}
)
amounts = st.fixed_dictionaries(
    {"type": st.sampled_from(["integer", "number"])},
    optional={"minimum": st.integers(-50, 0), "maximum": numbers.filter(lambda value: value > 1)},
)
lists = st.fixed_dictionaries(
    {"type": st.just("array"), "items": st.one_of(texts, amounts)}, optional={"minItems": st.integers(0, 3)}
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.text(max_size=8), st.one_of(texts, amounts, lists), max_size=4), st.data())
def test_plain_schemas_always_have_an_example(properties: dict[str, Any], data: st.DataObject) -> None:
    required = data.draw(st.lists(st.sampled_from(sorted(properties)), unique=True)) if properties else []
    schema = object_schema(properties, tuple(required))

    assert Draft202012Validator(schema).is_valid(example_parameters(schema))


def pattern_free(schema: dict[str, Any]) -> Draft202012Validator:
    """jsonschema itself, which cannot read a named group as JavaScript writes it."""
    named = schema["properties"].get("a", {}).get("pattern") == "^(?<n>on|off)$"
    if not named:
        return Draft202012Validator(schema)
    enum = {"type": "string", "enum": ["on", "off"]}
    return Draft202012Validator({**schema, "properties": {"a": enum}})
