"""The installed command in a pseudo-terminal: the whole way from the first question to a written agent."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are a matter of Unix", allow_module_level=True)

import pty
import shlex

ROOT = Path(__file__).parents[2]
PATIENCE = 60
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
ENTER = "\r"

# What the screen must show before the next keys are typed.
CONVERSATION = (
    ("What is the agent called", ENTER),
    ("in one line", f"Measures texts.{ENTER}"),
    ("in more detail", ENTER),
    ("Which category", f"2{ENTER}"),
    ("Which version", ENTER),
    ("What else", ENTER),
    ("What does the agent do", ENTER),
    ("What is this action called", f"Measure text{ENTER}"),
    ("Its id", ENTER),
    ("When should Pond choose it", f"Use when the user wants to know how long a text is.{ENTER}"),
    ("Which parameters", f"2{ENTER}"),
    ("What next", ENTER),
    ("How does it answer", ENTER),
    ("May users hand it files", "n"),
    ("What does it give back", ENTER),
    ("How long may a run take", "\x15soon\x0c"),  # Ctrl-L: the screen is written whole
    ("! Type a number and its unit", f"{ENTER}\x152 s{ENTER}"),
    ("How large may a request be", ENTER),
    ("set a price now", "n"),
    ("Where will it run", ENTER),
    ("Where does it keep its runs", ENTER),
    ("Which Python", ENTER),
    ("Which marketplaces", ENTER),
)


class Session:
    """The command in its terminal: what it shows, and a keyboard."""

    def __init__(self, *arguments: str, folder: Path) -> None:
        self.master, slave = pty.openpty()
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "XDG_STATE_HOME": str(folder / "state"),
            "PROMPT_TOOLKIT_NO_CPR": "1",
            "TERM": "xterm",
            "CI": "",
            "ACCESSIBLE": "",
            "COLUMNS": "80",
        }
        self.process = subprocess.Popen(
            [*_command(), *arguments], cwd=folder, stdin=slave, stdout=slave, stderr=slave, env=environment
        )
        os.close(slave)
        self.shown = ""
        self._seen = 0

    def wait_for(self, text: str) -> None:
        """Read until the text is there, after what was waited for before."""
        give_up = time.monotonic() + PATIENCE
        while (place := self.shown.find(text, self._seen)) < 0:
            assert time.monotonic() < give_up, f"no {text!r} in: {self.shown[self._seen :]}"
            self._read()
        self._seen = place + len(text)

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def end(self) -> int:
        """Read to the end and return the exit code."""
        while self._read():
            pass
        return self.process.wait(PATIENCE)

    def _read(self) -> bool:
        ready, _, _ = select.select([self.master], [], [], 0.2)
        if not ready:
            return self.process.poll() is None
        try:
            chunk = os.read(self.master, 65536)
        except OSError:  # Linux says so when the other end is closed
            return False
        self.shown += ESCAPES.sub("", chunk.decode(errors="replace"))
        return bool(chunk)


def _command() -> list[str]:
    installed = Path(sys.executable).with_name("pond-new")
    return [str(installed)] if installed.is_file() else [sys.executable, "-m", "pond_new"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Session]]:
    """Start the command in a folder of its own; whatever still runs at the end is stopped."""
    started: list[Session] = []

    def begin(*arguments: str) -> Session:
        started.append(Session(*arguments, folder=tmp_path))
        return started[-1]

    yield begin
    for session in started:
        session.process.kill()
        session.process.wait()
        os.close(session.master)


def test_a_newcomer_is_asked_interrupted_resumed_and_gets_an_agent(
    start: Callable[..., Session], tmp_path: Path
) -> None:
    first = start("my-agent", "--no-git")
    for text, keys in CONVERSATION[:8]:
        first.wait_for(text)
        first.type(keys)
    first.wait_for("Its id")
    first.type("\x03")

    stopped_with = first.end()
    second = start("my-agent", "--no-git", "--resume")
    for text, keys in CONVERSATION[8:]:
        second.wait_for(text)
        second.type(keys)
    second.wait_for("Is this right")
    second.type(ENTER)

    assert stopped_with == 130
    assert "Go on with: pond-new my-agent --resume" in first.shown
    assert second.end() == 0, second.shown[-3000:]
    manifest = json.loads((tmp_path / "my-agent" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["actions"][0]["id"] == "measure_text"
    assert manifest["limits"]["max_run_seconds"] == 2
    assert not list((tmp_path / "state").rglob("*.json"))
    _makes_the_same(second.shown, tmp_path)


def test_add_action_asks_the_same_questions_in_a_repository(
    start: Callable[..., Session], tmp_path: Path
) -> None:
    _run("new", ".", "--example", "text-stats", "--no-git", folder=tmp_path)
    session = start("add-action", "--description", "Use when the user wants to know the language of a text.")
    for text, keys in (
        ("What is this action called", f"Detect language{ENTER}"),
        ("Its id? detect_language", ENTER),
        ("Use when the user wants to know the language", ENTER),
        ("Which parameters", f"2{ENTER}"),
    ):
        session.wait_for(text)
        session.type(keys)

    code = session.end()

    assert code == 0, session.shown[-3000:]
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert [action["id"] for action in manifest["actions"]] == ["measure_text", "detect_language"]
    assert (tmp_path / "agent" / "handlers" / "detect_language.py").is_file()


def _run(*arguments: str, folder: Path) -> None:
    """Run the command without a terminal."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([*_command(), *arguments], cwd=folder, env=environment, check=True, capture_output=True)


def _makes_the_same(shown: str, folder: Path) -> None:
    """The command that was printed makes the same agent, without a question."""
    printed = shown.partition("The same agent without questions:")[2].split("\n")[1].strip()
    words = shlex.split(printed)[1:]
    _run(*words, "--no-git", folder=folder)
    first, again = (
        {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in (folder / "my-agent", folder / "my-agent-2")
    )
    assert first == again


TOOL = (
    ("Which marketplaces", ENTER),
    ("What is its id", f"\x15ada/measure{ENTER}"),
    ("in one sentence", ENTER),
    ("Which licence", f"\x15Proprietary{ENTER}"),
    ("! Proprietary is not the SPDX id", f"\x15MIT{ENTER}"),
    ("Who answers for it", f"\x15Ada{ENTER}"),
    ("What does it return", f"\x15words: integer{ENTER}"),
    ("failures are to be expected", ENTER),
    ("What does a call cost", f"\x150.01{ENTER}"),
    ("Where will it be reached", ENTER),
    ("How long is what callers send kept", ENTER),
    ("To which hosts is data sent", ENTER),
    ("used to train models", "n"),
    ("Is this right", ENTER),
)


def test_a_pond_agent_becomes_a_tool_by_a_few_answers(start: Callable[..., Session], tmp_path: Path) -> None:
    _run("new", "before", "--example", "language", "--no-git", folder=tmp_path)
    place = [part for each in ("deploy=docker", "database=sqlite", "python=3.13") for part in ("--set", each)]
    session = start("after", "--from", "before", "--set", "standards=pond,mcp", *place, "--no-git")
    for text, keys in (TOOL[0], ("Which action is the tool", ENTER), *TOOL[1:]):
        session.wait_for(text)
        session.type(keys)

    code = session.end()

    assert code == 0, session.shown[-3000:]
    tool = json.loads((tmp_path / "after" / "agent-manifest.json").read_text(encoding="utf-8"))
    action = json.loads((tmp_path / "after" / "manifest.json").read_text(encoding="utf-8"))["actions"][0]
    assert (tool["id"], tool["license"], tool["pricing"]["amount"]) == ("ada/measure", "MIT", "0.01")
    assert (tool["runtime"]["tool"], tool["interface"]["input"]) == (action["id"], action["input_schema"])
    assert "pond-new after-2 --from after" in session.shown
