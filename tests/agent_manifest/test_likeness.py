"""Two schemas that ask for the same, and two that do not."""

from __future__ import annotations

from typing import Any

import pytest

from pond_new.agent_manifest.likeness import find_difference


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": "string", "description": "A text."}, {"type": "string"}),
        ({"required": ["a", "b"]}, {"required": ["b", "a"]}),
        ({"enum": [1, 2]}, {"enum": [2.0, 1]}),
        ({"properties": {"title": {"title": "A title"}}}, {"properties": {"title": {}}}),
    ],
)
def test_words_and_order_make_no_difference(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert find_difference(one, other) is None


@pytest.mark.parametrize(
    ("one", "other", "pointer", "words"),
    [
        ({"maximum": 1}, {}, "/maximum", "only the first has it (1)"),
        ({}, {"maximum": 1}, "/maximum", "only the second has it (1)"),
        ({"maximum": 1}, {"maximum": True}, "/maximum", "1 in the first, true in the second"),
        ({"enum": [1]}, {"enum": [True]}, "/enum", "[1] in the first, [true] in the second"),
        ({"const": {"a": [0]}}, {"const": {"a": [False]}}, "/const/a", "[0] in the first, [false]"),
        ({"items": {"type": "string"}}, {"items": True}, "/items", "in the first, true in the second"),
    ],
)
def test_the_first_difference_is_named_with_its_place(
    one: dict[str, Any], other: dict[str, Any], pointer: str, words: str
) -> None:
    found = find_difference(one, other)

    assert found is not None
    assert found[0] == pointer
    assert words in found[1]
