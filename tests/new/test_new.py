"""`pond-new new`: what it writes, what it refuses, what it says."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, PondNew


def write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def files(directory: Path) -> set[str]:
    return {path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file()}


def test_a_directory_alone_means_new(pond_new: PondNew, tmp_path: Path) -> None:
    outcome = pond_new(tmp_path / "agent", "--example", "text-stats", "--no-git")

    assert outcome.code == 0
    assert (tmp_path / "agent/agent/handlers/measure_text.py").is_file()


def test_an_example_is_written_as_it_is_committed(pond_new: PondNew, tmp_path: Path) -> None:
    pond_new("new", tmp_path / "agent", "--example", "language", "--no-git")

    committed = ROOT / "examples/language/agent"
    written = files(tmp_path / "agent")
    assert written == {path for path in files(committed) if not re.search("__pycache__|_cache/", path)}
    assert all(
        (tmp_path / "agent" / path).read_bytes() == (committed / path).read_bytes() for path in written
    )


def test_the_end_shows_the_owners_and_three_commands(pond_new: PondNew, tmp_path: Path) -> None:
    outcome = pond_new(tmp_path / "agent", "--example", "text-stats", "--no-git")

    for owner in ("contract", "yours", "shared", "generated", "state"):
        assert f"\n{owner} (" in outcome.out
    assert outcome.out.partition("Next:")[2].count("\n  ") == 3


def test_json_says_what_was_planned_and_done(pond_new: PondNew, tmp_path: Path) -> None:
    outcome = pond_new(tmp_path / "agent", "--example", "text-stats", "--no-git", "--json")

    assert outcome.json["version"] == 1
    assert {
        "path": "manifest.json",
        "owner": "contract",
        "change": "create",
        "reason": "new",
    } in outcome.json["files"]
    assert len(outcome.json["next"]) == 3


def test_a_dry_run_writes_nothing(pond_new: PondNew, tmp_path: Path) -> None:
    dry = pond_new(tmp_path / "agent", "--example", "text-stats", "--dry-run", "--json")
    assert not (tmp_path / "agent").exists()

    real = pond_new(tmp_path / "agent", "--example", "text-stats", "--no-git", "--json")

    assert dry.json["files"] == real.json["files"]


def test_two_runs_give_the_same_bytes(pond_new: PondNew, tmp_path: Path) -> None:
    for name in ("one", "two"):
        pond_new(tmp_path / name, "--example", "text-stats", "--no-git")

    for path in files(tmp_path / "one"):
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes(), path


def test_missing_answers_are_listed_together(pond_new: PondNew, tmp_path: Path) -> None:
    outcome = pond_new(tmp_path / "agent")

    assert outcome.code == 2
    for part in ("protocol", "agent_version", "capabilities", "input_modes", "output_modes", "limits"):
        assert f"manifest.{part} (default:" in outcome.err
    for flag in ("--answers", "--from", "--example", "--yes"):
        assert flag in outcome.err


def test_yes_takes_the_defaults_and_the_name_of_the_directory(pond_new: PondNew, tmp_path: Path) -> None:
    outcome = pond_new(tmp_path / "weather-clerk", "--yes", "--no-git")

    manifest = json.loads((tmp_path / "weather-clerk/manifest.json").read_text("utf-8"))
    assert outcome.code == 0
    assert manifest["metadata"] == {"name": "Weather Clerk"}


def test_answers_come_from_standard_input(
    pond_new: PondNew, tmp_path: Path, minimal_manifest: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = json.dumps({"manifest": minimal_manifest}).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(answers)))

    assert pond_new(tmp_path / "agent", "--answers", "-", "--no-git").code == 0


def test_a_manifest_keeps_what_it_says(
    pond_new: PondNew, tmp_path: Path, minimal_manifest: dict[str, Any]
) -> None:
    manifest = minimal_manifest | {"x_extra": {"kept": [1, 2.5, None]}, "metadata": {"name": "Wetter 🌦"}}
    source = write(tmp_path / "manifest.json", manifest)

    pond_new(tmp_path / "agent", "--from", source, "--no-git")

    written = json.loads((tmp_path / "agent/manifest.json").read_text("utf-8"))
    assert (tmp_path / "agent" / written.pop("$schema")).is_file()
    assert written == manifest


def test_a_broken_manifest_is_refused_with_every_problem_and_place(
    pond_new: PondNew, tmp_path: Path, minimal_manifest: dict[str, Any]
) -> None:
    answers = {"manifest": minimal_manifest | {"protocol": "x", "limits": {"max_request_bytes": 0}}}

    outcome = pond_new(tmp_path / "agent", "--answers", write(tmp_path / "answers.json", answers))

    assert outcome.code == 1
    for pointer in ("/manifest/protocol", "/manifest/limits/max_request_bytes"):
        assert f"at {pointer}" in outcome.err
    assert "max_run_seconds" in outcome.err
    assert not (tmp_path / "agent").exists()


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([], "holds no answers"),
        ({"protocol": "marketplace-agent"}, "use --from"),
        ({"manifesto": {}}, "unknown parts: manifesto"),
        ({"manifest": []}, "manifest"),
        ({"agent_manifest": ["id"]}, "agent_manifest must be an object"),
    ],
)
def test_a_file_that_holds_no_answers_is_explained(
    pond_new: PondNew, tmp_path: Path, answers: Any, said: str
) -> None:
    outcome = pond_new(tmp_path / "agent", "--answers", write(tmp_path / "answers.json", answers))

    assert outcome.code == 2
    assert said in outcome.err


def test_sources_exclude_each_other(pond_new: PondNew, tmp_path: Path) -> None:
    outcome = pond_new(tmp_path / "agent", "--example", "text-stats", "--from", "manifest.json")

    assert outcome.code == 2
    assert "--from and --example" in outcome.err


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("pyton=3.12", "did you mean python?"),
        ("python=2.7", "3.13"),
        ("standards=pond,nope", "'nope'"),
        ("python", "KEY=VALUE"),
    ],
)
def test_a_wrong_setting_is_explained(pond_new: PondNew, tmp_path: Path, setting: str, said: str) -> None:
    outcome = pond_new(tmp_path / "agent", "--yes", "--set", setting)

    assert outcome.code == 2
    assert said in outcome.err


@pytest.mark.parametrize("setting", ["deploy=fly", "database=postgres"])
def test_the_second_standard_alone_is_offered_no_place_for_what_it_does_not_keep(
    pond_new: PondNew, tmp_path: Path, setting: str
) -> None:
    outcome = pond_new(tmp_path / "agent", "--yes", "--set", "standards=mcp", "--set", setting)

    assert outcome.code == 2
    assert f"{setting.partition('=')[0]}: " in outcome.err
    assert "with standards=mcp alone" in outcome.err


def test_a_setting_reaches_the_files_that_use_it(pond_new: PondNew, tmp_path: Path) -> None:
    pond_new(tmp_path / "agent", "--yes", "--set", "python=3.12", "--no-git")

    assert 'python = "3.12"' in (tmp_path / "agent/pyproject.toml").read_text("utf-8")
    assert (tmp_path / "agent/Dockerfile").read_text("utf-8").startswith("FROM python:3.12-slim")


def test_a_directory_with_other_files_is_refused(pond_new: PondNew, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")

    outcome = pond_new(tmp_path, "--yes")

    assert outcome.code == 1
    assert "notes.txt" in outcome.err
    assert files(tmp_path) == {"notes.txt"}


def test_a_run_that_was_killed_half_way_can_be_repeated(pond_new: PondNew, tmp_path: Path) -> None:
    pond_new(tmp_path / "agent", "--yes", "--no-git")
    whole = files(tmp_path / "agent")
    for path in {*sorted(whole)[::2], "manifest.json"}:
        (tmp_path / "agent" / path).unlink()
    (tmp_path / "agent/.manifest.json.pond-new").write_text("half of it")

    assert pond_new(tmp_path / "agent", "--yes", "--no-git").code == 0
    assert files(tmp_path / "agent") == whole


def test_a_file_in_the_place_of_the_directory_is_refused(pond_new: PondNew, tmp_path: Path) -> None:
    (tmp_path / "agent").write_text("mine")

    outcome = pond_new(tmp_path / "agent", "--yes")

    assert outcome.code == 1
    assert "is a file" in outcome.err


def test_a_symlink_in_the_way_is_not_followed(pond_new: PondNew, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent/agent").symlink_to(tmp_path / "elsewhere", target_is_directory=True)

    outcome = pond_new(tmp_path / "agent", "--yes", "--no-git")

    assert outcome.code == 1
    assert files(tmp_path / "elsewhere") == set()


def test_an_unknown_example_names_the_ones_there_are(pond_new: PondNew, tmp_path: Path) -> None:
    outcome = pond_new(tmp_path / "agent", "--example", "text-stat")

    assert outcome.code == 2
    assert "Did you mean text-stats?" in outcome.err


def test_examples_are_listed_with_their_summaries(pond_new: PondNew) -> None:
    outcome = pond_new("examples", "--json")

    assert {example["name"] for example in outcome.json["examples"]} >= {
        "assistant",
        "language",
        "text-stats",
    }
    assert all(example["summary"] for example in outcome.json["examples"])
    assert "text-stats" in pond_new("examples").out


def test_another_copier_template_runs_with_our_answers(pond_new: PondNew, tmp_path: Path) -> None:
    template = tmp_path / "template"
    template.mkdir()
    (template / "copier.yml").write_text("project:\n  type: yaml\nother:\n  type: str\n  default: unasked\n")
    (template / "name.txt.jinja").write_text("{{ project.name }} {{ other }}\n")

    outcome = pond_new(tmp_path / "agent", "--example", "text-stats", "--template", template)

    assert outcome.code == 0, outcome.err
    assert (tmp_path / "agent/name.txt").read_text() == "text-stats unasked\n"
    assert "with the template" in outcome.out


def test_a_template_with_tasks_needs_trust(pond_new: PondNew, tmp_path: Path) -> None:
    template = tmp_path / "template"
    template.mkdir()
    (template / "file.txt").write_text("text")
    (template / "copier.yml").write_text(f"_tasks:\n  - {sys.executable} -c \"open('ran', 'w')\"\n")
    arguments = ("--example", "text-stats", "--template", template)

    refused = pond_new(tmp_path / "one", *arguments)
    trusted = pond_new(tmp_path / "two", *arguments, "--trust")

    assert refused.code == 1
    assert "--trust" in refused.err
    assert not (tmp_path / "one/ran").exists()
    assert trusted.code == 0, trusted.err
    assert (tmp_path / "two/ran").exists()


def test_the_version_is_printed(pond_new: PondNew) -> None:
    assert pond_new("--version").out.startswith("pond-new ")


def test_help_names_the_commands(pond_new: PondNew) -> None:
    outcome = pond_new("--help")

    assert outcome.code == 0
    assert "examples" in outcome.out
    assert "new" in outcome.out


def test_both_contracts_come_from_the_directory_of_an_agent(pond_new: PondNew, tmp_path: Path) -> None:
    committed = ROOT / "examples/text-stats/agent"

    outcome = pond_new(tmp_path / "agent", "--from", committed, "--no-git")

    assert outcome.code == 0
    for contract in ("manifest.json", "agent-manifest.json"):
        assert json.loads((tmp_path / "agent" / contract).read_text("utf-8")) == json.loads(
            (committed / contract).read_text("utf-8")
        )


def test_what_an_agent_manifest_lacks_is_listed_at_once(pond_new: PondNew, tmp_path: Path) -> None:
    outcome = pond_new(tmp_path / "agent", "--set", "standards=mcp")

    assert outcome.code == 2
    assert "agent_manifest.id (default" in outcome.err
    assert "manifest.capabilities (" not in outcome.err.replace("agent_manifest.", "")
