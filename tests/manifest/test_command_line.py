"""validate, explain and schema on the command line, and what the documentation says about them."""

import json
import re
from pathlib import Path

import pytest
import yaml

from pond_new.cli import dispatch

ROOT = Path(__file__).parent.parent.parent
CASES = ROOT / "tests" / "manifests"
PAGE = (ROOT / "docs" / "validate.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["validate", str(CASES / "valid" / "full.json")], 0),
        (["validate", str(CASES / "invalid" / "limit-of-zero.json")], 1),
        (["validate", "--strict", str(CASES / "warned" / "no-listing.json")], 1),
        (["validate", str(CASES / "nothing-here.json")], 2),
        (["validate", "--format", "xml", str(CASES / "valid" / "full.json")], 2),
        (["explain"], 0),
        (["explain", "MAN-05"], 0),
        (["explain", "MAN-99"], 2),
        (["schema", "manifest"], 0),
        (["schema", "nothing"], 2),
    ],
    ids=lambda value: " ".join(value).replace(str(CASES), "") if isinstance(value, list) else str(value),
)
def test_the_exit_code_is(arguments: list[str], code: int) -> None:
    assert dispatch(arguments) == code


def test_json_goes_to_stdout_alone(capsys: pytest.CaptureFixture[str]) -> None:
    dispatch(["validate", "--format", "json", str(CASES / "valid" / "full.json")])

    captured = capsys.readouterr()
    assert json.loads(captured.out)["ok"] is True
    assert captured.err == ""


def test_every_option_that_the_page_names_exists(capsys: pytest.CaptureFixture[str]) -> None:
    dispatch(["validate", "--help"])

    known = set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))
    assert set(re.findall(r"--[a-z][a-z-]+", PAGE)) <= known


def test_the_page_shows_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case = CASES / "invalid" / "field-misspelt-top-level-key.json"
    (tmp_path / "manifest.json").write_bytes(case.read_bytes())
    monkeypatch.chdir(tmp_path)

    dispatch(["validate"])

    printed = capsys.readouterr().out.splitlines()
    shown = PAGE.split("```console\n$ pond-new validate\n")[1].split("```")[0].splitlines()
    assert [line for line in shown if line not in printed] == []


def test_the_hook_of_the_page_is_one_that_is_offered() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))

    hook = next(hook for hook in hooks if hook["id"] == "pond-new-validate")

    assert "- id: pond-new-validate" in PAGE
    assert re.search(hook["files"], "manifest.json")
    assert not re.search(hook["files"], "extension/manifest.json")
