"""Answers that outlive an interruption."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pond_new.commands import answers_file, ask
from pond_new.errors import WrongUsage
from pond_new.project.answers import Answers
from pond_new.project.settings import Settings
from pond_new.wizard.kept import Keeper, Kept, state_folder
from pond_new.wizard.question import Reply
from tests.wizard.conftest import ENTER, SETTINGS, SMALL, STOP, known, line, pick

if TYPE_CHECKING:
    from tests.conftest import PondNew
    from tests.wizard.conftest import Type


def test_an_interrupted_conversation_goes_on_where_it_stopped(type_keys: Type) -> None:
    first = type_keys(pick(1), line("Measure text"), ENTER, STOP, given=known("actions"))

    routing = line("Use when the user wants to know how long a text is.")
    second = type_keys(routing, pick(2), ENTER, ENTER, given=known("actions"), replies=first.replies)

    assert first.result is None
    assert second.manifest["actions"] == SMALL["actions"]
    assert "What is this action called" not in second.said


def test_kept_answers_come_back_as_they_were(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path / "agent", state=tmp_path / "state")
    kept = Kept(
        (Reply("a", ["x"]), Reply("b", {"value": 1}, is_loaded=True)), {"agent_version": "é"}, SETTINGS
    )

    keeper.save(kept)

    assert keeper.load() == kept
    assert Keeper(tmp_path / "other", state=tmp_path / "state").load() is None


def test_forgotten_answers_are_gone(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, state=tmp_path / "state")
    keeper.save(Kept())

    keeper.forget()
    keeper.forget()

    assert keeper.load() is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 99}', '{"version": 1, "replies": [1]}'])
def test_a_kept_file_that_makes_no_sense_counts_as_none(tmp_path: Path, text: str) -> None:
    keeper = Keeper(tmp_path, state=tmp_path)
    keeper.path.write_text(text, encoding="utf-8")

    assert keeper.load() is None


def test_a_state_folder_that_cannot_be_written_stops_no_conversation(tmp_path: Path) -> None:
    (tmp_path / "state").touch()

    Keeper(tmp_path, state=tmp_path / "state").save(Kept())


def test_the_state_folder_is_the_users_own(state: Path) -> None:
    assert state_folder() == state / "pond-new"


def test_nothing_is_asked_without_a_terminal(pond_new: PondNew, tmp_path: Path) -> None:
    outcome = pond_new("new", tmp_path / "agent")

    assert outcome.code == 2
    assert "nobody is asked here" in outcome.err


def test_resume_without_a_terminal_says_what_it_needs(pond_new: PondNew, tmp_path: Path) -> None:
    outcome = pond_new("new", tmp_path / "agent", "--resume")

    assert outcome.code == 2
    assert "it needs a terminal" in outcome.err


def test_resume_without_kept_answers_says_so(state: Path, tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match="There are no kept answers"):
        ask.ask_answers(tmp_path / "agent", Answers(), {}, suggested_name="Agent", resume=True)


def test_the_lines_of_a_pipe_answer_the_plain_questions(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACCESSIBLE", "1")
    parts = {key: part for key, part in SMALL.items() if key != "limits"}
    monkeypatch.setattr(sys, "stdin", io.StringIO("<\n2 min\n1 mb\n?\n1\n"))

    answers = ask.ask_answers(
        tmp_path / "agent", Answers(parts, SETTINGS), {}, suggested_name="Agent", resume=False
    )

    assert answers.manifest["limits"]["max_run_seconds"] == 120
    assert answers.settings == SETTINGS


def test_stopping_says_how_to_go_on_and_going_on_knows_the_answers(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ACCESSIBLE", "1")
    parts = {key: part for key, part in SMALL.items() if key != "limits"}
    root = tmp_path / "agent"
    monkeypatch.setattr(sys, "stdin", io.StringIO("2 min\n"))
    with pytest.raises(KeyboardInterrupt):
        ask.ask_answers(root, Answers(parts, SETTINGS), {}, suggested_name="Agent", resume=False)
    told = capsys.readouterr().err

    monkeypatch.setattr(sys, "stdin", io.StringIO("1 mb\n1\n"))
    answers = ask.ask_answers(root, Answers(), {}, suggested_name="Agent", resume=True)

    assert "Go on with: pond-new" in told
    assert answers.manifest["limits"]["max_run_seconds"] == 120


def test_answers_kept_earlier_are_offered(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ACCESSIBLE", "1")
    parts = {key: part for key, part in SMALL.items() if key != "limits"}
    Keeper(tmp_path).save(Kept((Reply("limits.max_run_seconds", "5 min"),), parts, SETTINGS))
    monkeypatch.setattr(sys, "stdin", io.StringIO("no\n2 min\n1 mb\n1\n"))

    answers = ask.ask_answers(tmp_path, Answers(parts, SETTINGS), {}, suggested_name="Agent", resume=False)

    assert "were kept (1 answer)" in capsys.readouterr().err
    assert answers.manifest["limits"]["max_run_seconds"] == 120


def test_the_command_for_the_same_agent_names_what_is_not_usual() -> None:
    usual = answers_file.same_again("my agent", Settings(), answers=None)
    older = answers_file.same_again("a", Settings(python="3.11"), answers=None)
    saved = answers_file.same_again("a", Settings(python="3.11"), answers="a.yaml")

    assert usual in {
        "pond-new 'my agent-2' --from 'my agent/manifest.json'",
        'pond-new "my agent-2" --from "my agent/manifest.json"',
    }
    assert older == "pond-new a-2 --from a/manifest.json --set python=3.11"
    assert saved == "pond-new a-2 --answers a.yaml"


@pytest.mark.parametrize("name", ["saved.yaml", "saved.json"])
def test_saved_answers_make_the_same_agent_again(pond_new: PondNew, tmp_path: Path, name: str) -> None:
    saved = tmp_path / name
    first = pond_new("new", tmp_path / "a", "--example", "text-stats", "--no-git", "--save-answers", saved)

    second = pond_new("new", tmp_path / "b", "--answers", saved, "--no-git")

    assert (first.code, second.code) == (0, 0), first.err + second.err
    manifests = [(tmp_path / each / "manifest.json").read_bytes() for each in ("a", "b")]
    assert manifests[0] == manifests[1]


def test_an_answers_file_that_cannot_be_written_is_named_and_nothing_is_made(
    pond_new: PondNew, tmp_path: Path
) -> None:
    saved = tmp_path / "no-such-folder" / "a.yaml"

    outcome = pond_new("new", tmp_path / "a", "--yes", "--no-git", "--save-answers", saved)

    assert outcome.code == 2
    assert "a.yaml cannot be written" in outcome.err
    assert not (tmp_path / "a").exists()
