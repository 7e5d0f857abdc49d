"""`pond-new validate` as a command: what it prints and how it exits."""

import json
import re
from pathlib import Path

import pytest

from pond_new.commands.validate import ValidateOptions, validate
from pond_new.errors import WrongUsage
from tests.manifest.validating import CASES, GOOD, write


def test_a_good_manifest_exits_0(tmp_path: Path) -> None:
    assert validate([write(tmp_path / "manifest.json", GOOD)], ValidateOptions()) == 0


def test_errors_exit_1() -> None:
    assert validate([str(CASES / "invalid" / "limit-of-zero.json")], ValidateOptions()) == 1


def test_warnings_exit_0_and_1_when_strict() -> None:
    path = str(CASES / "warned" / "category-in-capitals.json")

    assert validate([path], ValidateOptions()) == 0
    assert validate([path], ValidateOptions(is_strict=True)) == 1


def test_notes_never_fail() -> None:
    assert validate([str(CASES / "valid" / "listing-with-gaps.json")], ValidateOptions(is_strict=True)) == 0


def test_the_specification_example_gives_no_error_and_no_warning(capsys: pytest.CaptureFixture[str]) -> None:
    validate([str(CASES / "valid" / "the-specification-example.json")], ValidateOptions())

    assert "0 errors, 0 warnings" in capsys.readouterr().out


def test_all_field_cases_are_judged_in_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    paths = sorted(
        str(path) for path in CASES.glob("*/field-*.json") if not path.name.endswith(".expected.json")
    )

    code = validate(paths, ValidateOptions(format="json"))

    report = json.loads(capsys.readouterr().out)
    assert code == 1
    assert {Path(file["file"]).stem: file["errors"] for file in report["files"]} == {
        "field-array-items-without-description": 1,
        "field-duplicate-action-ids": 1,
        "field-empty-string-urls": 0,
        "field-invented-limit-name": 3,
        "field-misspelt-top-level-key": 1,
        "field-missing-attachment-limit": 1,
        "field-name-over-255-bytes": 0,
        "field-no-argument-action-without-properties": 1,
        "field-pay-as-you-go-at-zero": 0,
    }


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("field-missing-attachment-limit", "lacks max_attachment_bytes"),
        ("field-missing-attachment-limit", "any is accepted), also where attachments are off"),
        ("field-invented-limit-name", "Did you mean max_run_seconds, in seconds (not milliseconds)?"),
        ("field-no-argument-action-without-properties", 'Add "properties": {}'),
        ("field-misspelt-top-level-key", "Rename protocol_versoin"),
        ("field-misspelt-top-level-key", "endpoints that could not be found"),
        ("field-array-items-without-description", "items lacks description"),
        ("field-pay-as-you-go-at-zero", 'because of plan "Beta"'),
        ("field-pay-as-you-go-at-zero", '{"pricing_model": "free", "amount_minor": 0, "included_units": 50'),
        ("field-empty-string-urls", "Leave the key out"),
        ("field-name-over-255-bytes", "80 characters, but 320 bytes"),
        ("plan-in-tokens", "Did you mean token?"),
        ("yaml-version-as-a-number", "Without quotes it is a number, in YAML too."),
    ],
)
def test_the_text_for_people_says(case: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = next(path for path in CASES.glob(f"*/{case}.*") if not path.name.endswith(".expected.json"))

    validate([str(path)], ValidateOptions())

    assert words in capsys.readouterr().out


def test_the_preview_shows_prices_as_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    validate([write(tmp_path / "manifest.json", GOOD)], ValidateOptions())

    text = capsys.readouterr().out
    assert "Starter: free, with 20 results" in text
    assert "Packs: $1.50 for 10 results" in text
    assert "Monthly: $9 a month with 200 results" in text


def test_the_preview_names_the_plan_that_sinks_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    validate([str(CASES / "warned" / "one-bad-plan-of-three.json")], ValidateOptions())

    assert 'Starter: skipped. Pond takes all plans or none, and refuses "Monthly".' in capsys.readouterr().out


def test_the_line_in_question_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    validate([str(CASES / "invalid" / "limit-of-zero.json")], ValidateOptions())

    assert re.search(r'\n        \d+ \| "max_run_seconds": 0\n', capsys.readouterr().out)


def test_of_a_long_line_only_the_place_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps(json.loads(GOOD)).replace('"max_run_seconds": 60', '"max_run_seconds": 0')

    validate([write(tmp_path / "manifest.json", text)], ValidateOptions())

    assert re.search(r'\n        1 \| ….{19,}"max_run_seconds": 0}}\n', capsys.readouterr().out)


def test_nothing_in_a_manifest_can_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value = json.loads(GOOD)
    value["metadata"]["name"] = "\x1b[2J\u202egnp.exe"
    value["metadata"]["\x1b]0;x\x07"] = 1
    paths = [write(tmp_path / "a.json", json.dumps(value)), write(tmp_path / "b.json", '{"a": \x1b[31m}')]

    for form in ("text", "github"):
        validate(paths, ValidateOptions(format=form))

    assert not set(capsys.readouterr().out) & set("\x1b\x07\u202e")


def test_the_reason_of_a_requirement_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    validate([str(CASES / "invalid" / "field-invented-limit-name.json")], ValidateOptions())

    assert capsys.readouterr().out.count("Why: Pond checks every run against these three numbers") == 1


def test_github_annotations_escape_what_would_break_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "a,b.json", GOOD.replace('"max_run_seconds": 60', '"max_run_seconds": "1%"'))

    validate([path], ValidateOptions(format="github"))

    line = capsys.readouterr().out.strip()
    assert line.startswith("::error file=")
    assert "a%2Cb.json,line=" in line
    assert "1%25" in line


def test_sarif_names_rule_place_and_level(capsys: pytest.CaptureFixture[str]) -> None:
    validate([str(CASES / "invalid" / "limit-of-zero.json")], ValidateOptions(format="sarif"))

    log = json.loads(capsys.readouterr().out)
    run = log["runs"][0]
    assert log["version"] == "2.1.0"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["LIM-01"]
    result = run["results"][0]
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("LIM-01", 0, "error")
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region["startLine"] > 100


def test_json_output_is_versioned_and_complete(capsys: pytest.CaptureFixture[str]) -> None:
    validate([str(CASES / "invalid" / "wrong-protocol.json")], ValidateOptions(format="json"))

    report = json.loads(capsys.readouterr().out)
    assert (report["version"], report["command"], report["ok"]) == (1, "validate", False)
    problem = report["files"][0]["problems"][0]
    assert set(problem) == {
        "id",
        "severity",
        "pointer",
        "line",
        "column",
        "message",
        "fix",
        "why",
        "correction",
    }
    assert problem["correction"] == {"verb": "set", "pointer": "/protocol", "value": "marketplace-agent"}
    assert {row["fate"] for row in report["files"][0]["import"]} == {"imported"}


def test_an_unknown_format_is_wrong_usage() -> None:
    with pytest.raises(WrongUsage):
        validate([str(CASES / "valid" / "full.json")], ValidateOptions(format="xml"))
