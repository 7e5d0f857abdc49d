"""Certain corrections change what they must and nothing else in the text."""

import json
from pathlib import Path

import pytest

from pond_new.manifest import parse_document
from pond_new.manifest.check import check_manifest
from pond_new.manifest.fixes import fix_document, show_difference

TEXT = (Path(__file__).parent / "example.json").read_text(encoding="utf-8")


def fixed(text: str, name: str = "manifest.json") -> str:
    return fix_document(parse_document(text.encode(), name=name)).text


def broken(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ('"protocol_version": 1.0', '"protocol_version": "1.0"'),
        ('"cancellation": true', '"cancellation": false'),
        ('"max_run_seconds": "60"', '"max_run_seconds": 60'),
        ('"max_run_seconds": 60.0', '"max_run_seconds": 60'),
        ('"maxRunSeconds": 60', '"max_run_seconds": 60'),
        ('"category": "Content"', '"category": "content"'),
    ],
)
def test_a_certain_correction_gives_back_the_very_same_text(wrong: str, right: str) -> None:
    assert fixed(broken(right, wrong)) == TEXT


def test_a_text_without_faults_stays_as_it_is() -> None:
    document = parse_document(TEXT.encode(), name="manifest.json")

    assert fix_document(document).text == TEXT
    assert fix_document(document).count == 0


def test_windows_line_ends_stay() -> None:
    text = broken('    "attachments": false,\n    "feedback": false', '    "attachments": false').replace(
        "\n", "\r\n"
    )

    assert fixed(text) == text.replace(
        '"attachments": false', '"attachments": false,\r\n    "feedback": false'
    )


def test_tabs_stay() -> None:
    text = json.dumps({**json.loads(TEXT), "limits": {"max_request_bytes": "4096"}}, indent="\t")

    assert '\n\t"limits": {\n\t\t"max_request_bytes": 4096\n\t}' in fixed(text)


def test_a_new_key_takes_the_indentation_of_its_neighbours() -> None:
    text = broken('    "cancellation": false,\n', "")

    assert '    "feedback": false,\n    "cancellation": false\n  }' in fixed(text)


def test_a_new_key_in_a_one_line_object_stays_in_its_line() -> None:
    text = json.dumps({"capabilities": {"sync": True}})

    assert fixed(text).startswith('{"capabilities": {"sync": true, "cancellation": false, "feedback": false}')


def test_an_empty_object_gets_its_keys() -> None:
    assert fixed('{"capabilities": {}}').startswith(
        '{"capabilities": {"cancellation": false, "feedback": false}'
    )


@pytest.mark.parametrize(
    ("modes", "left"),
    [
        ('["a/b", "a/b"]', '["a/b"]'),
        ('["a/b", "a/b", "a/b", "c/d"]', '["a/b", "c/d"]'),
        ('[\n"a/b",\n"a/b"\n]', '[\n"a/b"\n]'),
    ],
)
def test_doubled_entries_go_with_their_comma(modes: str, left: str) -> None:
    assert f'"input_modes": {left},' in fixed(
        broken('"input_modes": ["text/plain"]', f'"input_modes": {modes}')
    )


def test_an_empty_address_goes_with_its_line() -> None:
    text = broken('"https://github.com/worddesk/agent"', '""')

    assert fixed(text) == TEXT.replace('    "github_url": "https://github.com/worddesk/agent",\n', "")


def test_one_correction_makes_room_for_the_next() -> None:
    text = broken('"max_run_seconds": 60', '"maxRunSeconds": "60"')

    assert fixed(text) == TEXT


def test_prices_are_never_changed() -> None:
    text = broken('"amount_minor": 900', '"amount_minor": 9').replace(
        '"usage_quantity": 10', '"included_units": 10'
    )

    assert fixed(text) == text


def test_yaml_takes_new_values_and_names() -> None:
    text = "protocol: marketplace-agent\nprotocol_version: 1.0 # the protocol\nlimits:\n  maxRunSeconds: 60\n"

    assert fixed(text, "manifest.yaml") == text.replace("1.0 #", '"1.0" #').replace(
        "maxRunSeconds", '"max_run_seconds"'
    )


def test_letters_beyond_ascii_stay() -> None:
    text = broken('"protocol_version": "1.0"', '"protocol_version": 1.0').replace("Word Desk", "Wörter 🌊")

    assert "Wörter 🌊" in fixed(text)


def test_fixing_twice_changes_nothing_more() -> None:
    once = fixed(broken('"sync": true', '"sync": "true"'))

    assert fixed(once) == once


def test_a_fixed_file_has_no_correction_left() -> None:
    text = fixed('{"protocol": "marketplace_agent", "protocol_versoin": "1.0", "capabilities": {}}')

    problems = check_manifest(parse_document(text.encode(), name="manifest.json"))

    assert not any(problem.correction for problem in problems)


def test_the_difference_names_the_file_and_no_time() -> None:
    difference = show_difference("a\n", "b\n", name="manifest.json")

    assert difference.splitlines()[:2] == ["--- manifest.json (as it is)", "+++ manifest.json (fixed)"]
