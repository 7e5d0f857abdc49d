"""Edits of the contract leave the rest of its text as it is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pond_new.manifest import dump_manifest, parse_document
from pond_new.manifest.edits import add_action, remove_action, rename_action, set_agent_version
from tests.regenerate.conftest import MANIFEST

TEXT = dump_manifest(MANIFEST)
ACTION = {"id": "explain", "name": "Explain", "description": "Explains a text."}
LAYOUTS = {
    "two spaces": TEXT,
    "four spaces": json.dumps(MANIFEST, indent=4),
    "tabs": json.dumps(MANIFEST, indent="\t"),
    "one line": json.dumps(MANIFEST),
    "no blanks": json.dumps(MANIFEST, separators=(",", ":")),
    "Windows line ends": TEXT.replace("\n", "\r\n"),
    "actions first": json.dumps({"actions": MANIFEST["actions"], **MANIFEST}, indent=2),
}


def edited(text: str, edit: bytes) -> tuple[list[str], list[str]]:
    """The lines that an edit removed and added, line ends included."""
    before, after = text.splitlines(keepends=True), edit.decode().splitlines(keepends=True)
    return [line for line in before if line not in after], [line for line in after if line not in before]


def test_an_id_is_changed_and_nothing_else() -> None:
    document = parse_document(TEXT.encode(), name="manifest.json")

    result = rename_action(document, "translate_text", "translate")

    assert edited(TEXT, result) == (['      "id": "translate_text",\n'], ['      "id": "translate",\n'])


def test_a_version_is_changed_and_nothing_else() -> None:
    document = parse_document(TEXT.encode(), name="manifest.json")

    result = set_agent_version(document, "1.4.3")

    assert edited(TEXT, result) == (['  "agent_version": "1.4.2",\n'], ['  "agent_version": "1.4.3",\n'])


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_an_action_is_added_in_the_layout_of_the_file(text: str) -> None:
    document = parse_document(text.encode(), name="manifest.json")

    result = add_action(document, ACTION).decode()

    assert json.loads(result)["actions"] == [*MANIFEST["actions"], ACTION]
    removed, _ = edited(text, result.encode())
    assert len(removed) <= 1
    assert result.count("\r\n") == (result.count("\n") if "\r\n" in text else 0)


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS.keys())
@pytest.mark.parametrize("index", [0, 1])
def test_an_action_is_removed_with_its_comma(text: str, index: int) -> None:
    document = parse_document(text.encode(), name="manifest.json")

    result = remove_action(document, MANIFEST["actions"][index]["id"]).decode()

    assert json.loads(result)["actions"] == [MANIFEST["actions"][1 - index]]


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_what_is_added_and_removed_again_leaves_no_trace(text: str) -> None:
    document = parse_document(text.encode(), name="manifest.json")

    added = parse_document(add_action(document, ACTION), name="manifest.json")

    assert remove_action(added, "explain").decode() == text


def test_the_last_action_takes_the_key_along_and_the_first_one_brings_it() -> None:
    document = parse_document(TEXT.encode(), name="manifest.json")
    one = parse_document(remove_action(document, "sum_up"), name="manifest.json")

    none = parse_document(remove_action(one, "translate_text"), name="manifest.json")
    again = parse_document(add_action(none, ACTION), name="manifest.json")

    assert "actions" not in none.value
    assert list(again.value) == list(MANIFEST)
    assert again.value["actions"] == [ACTION]


def test_a_byte_order_mark_stays() -> None:
    document = parse_document(b"\xef\xbb\xbf" + TEXT.encode(), name="manifest.json")

    assert set_agent_version(document, "2").startswith(b"\xef\xbb\xbf{")


@given(
    members=st.dictionaries(st.text(), st.one_of(st.none(), st.text(), st.integers()), max_size=4),
    indent=st.sampled_from([None, 1, 2, "\t"]),
)
def test_any_valid_text_around_the_actions_is_left_as_it_is(members: dict[str, object], indent: int) -> None:
    value = {**members, "actions": [ACTION, {"id": "other"}], "agent_version": "1"}
    document = parse_document(json.dumps(value, indent=indent).encode(), name="manifest.json")

    added = parse_document(add_action(document, {"id": "third"}), name="manifest.json")
    removed = parse_document(remove_action(added, "other"), name="manifest.json")
    renamed = parse_document(rename_action(removed, "third", "fourth"), name="manifest.json")

    assert renamed.value == {**value, "actions": [ACTION, {"id": "fourth"}]}
