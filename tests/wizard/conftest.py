"""A typist at the real prompts: keys go in through prompt_toolkit's pipe, what was said comes out."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth, DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output

from pond_new.wizard.draft import Draft, Offer
from pond_new.wizard.person import Person
from pond_new.wizard.question import BACK, Conversation, Load, Question, Reply, Tell
from pond_new.wizard.resolve import resolve
from pond_new.wizard.wizard import interview
from tests.conftest import capabilities

ENTER, BACK_KEY, HELP_KEY, STOP = "\r", "\x02", "\x07", "\x03"
REDRAW = "\x0c"  # so that the screen is written whole and not only what changed
PATIENCE = 20  # seconds after which a test that waits for the screen goes on, and fails
DOWN, MARK, CLEAR = "\x1b[B", " ", "\x15"


def line(text: str) -> str:
    """Type a text in place of what stands there, and go on."""
    return f"{CLEAR}{text}{ENTER}"


SMALL: dict[str, Any] = {
    "agent_version": "0.1.0",
    "metadata": {"name": "My Agent"},
    "actions": [
        {
            "id": "measure_text",
            "name": "Measure text",
            "description": "Use when the user wants to know how long a text is.",
        }
    ],
    "capabilities": capabilities("sync"),
    "input_modes": ["text/plain"],
    "output_modes": ["text/markdown"],
    "limits": {"max_request_bytes": 1048576, "max_attachment_bytes": 10485760, "max_run_seconds": 60},
}
SETTINGS = {"deploy": "docker", "database": "sqlite", "python": "3.13", "standards": ["pond"]}


def known(*without: str, **parts: Any) -> Draft:
    """A small agent that is known already, but for some parts: a conversation starts with those."""
    manifest = {key: part for key, part in {**SMALL, **parts}.items() if key not in without}
    return Draft(manifest, {key: part for key, part in SETTINGS.items() if key not in without})


def pick(number: int) -> str:
    """Choose by number, and go on."""
    return f"{number % 10}{ENTER}"


@dataclass(frozen=True, slots=True)
class Until:
    """Wait until the screen shows a text, then type on."""

    text: str


ONE_PLACE = Offer(  # of no setting is there a choice, so none is asked for
    settings={"standards": ("pond",), "database": ("sqlite",), "deploy": ("docker",), "python": ("3.13",)},
)
EVERYTHING = Offer(
    settings={
        "standards": ("pond", "mcp"),
        "database": ("sqlite", "postgres"),
        "deploy": ("docker", "render"),
        "python": ("3.13", "3.12"),
    },
)


@dataclass(frozen=True, slots=True)
class Talked:
    """What came of a conversation: its result (None when it was stopped), replies, and what was shown."""

    result: Any
    replies: Sequence[Reply]
    said: str
    screen: str

    @property
    def manifest(self) -> dict[str, Any]:
        assert isinstance(self.result, Draft), self.said[-2000:]
        return self.result.finished()


Type = Callable[..., Talked]


@pytest.fixture
def type_keys(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Type:
    """Type keys at the real prompts; a conversation that wants more is stopped by a last Ctrl-C."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("ACCESSIBLE", raising=False)
    monkeypatch.setenv("TERM", "xterm")

    def talk(
        *keys: str | Until,
        talk: Callable[[], Conversation[Any]] | None = None,
        offer: Offer = ONE_PLACE,
        given: Draft | None = None,
        replies: Sequence[Reply] = (),
        columns: int = 0,
    ) -> Talked:
        draft = given or Draft(suggested_name="My Agent")
        kept: list[Sequence[Reply]] = [replies]
        written = io.StringIO()
        target = _screen(written, columns) if columns else DummyOutput()
        capsys.readouterr()
        with create_pipe_input() as source:
            typist = threading.Thread(target=_type, args=([*keys, STOP], source, written))
            typist.start()
            person = Person(kept.append, source=source, target=target)
            try:
                result = resolve(talk or (lambda: interview(draft, offer)), replies, person)
            except KeyboardInterrupt:
                result = None
            typist.join()
        return Talked(result, kept[-1], capsys.readouterr().err, written.getvalue())

    return talk


def _type(keys: Sequence[str | Until], source: PipeInput, written: io.StringIO) -> None:
    """Send all keys at once, but for those that wait for the screen."""
    seen = 0
    for part in keys:
        if isinstance(part, str):
            source.send_text(part)
            continue
        give_up = time.monotonic() + PATIENCE
        while part.text not in written.getvalue()[seen:] and time.monotonic() < give_up:
            time.sleep(0.01)
        seen = len(written.getvalue())


def _screen(written: io.StringIO, columns: int) -> Vt100_Output:
    return Vt100_Output(
        written,
        lambda: Size(rows=40, columns=columns),
        term="xterm",
        enable_cpr=False,
        default_color_depth=ColorDepth.from_env(),
    )


@dataclass(slots=True)
class Listed:
    """A host that answers from a list by key, defaults otherwise: for tests of the flow alone.

    An answer may be a list, used one after the other, or a function of the question.
    """

    answers: Mapping[str, Any] = field(default_factory=dict)
    read: Callable[[Load], Any] = lambda request: {"error": f"{request.path} cannot be read."}
    asked: list[Question] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    used: dict[str, int] = field(default_factory=dict)

    def ask(self, question: Question) -> Any:
        self.asked.append(question)
        answer = self.answers.get(question.key, question.default)
        if isinstance(answer, tuple):
            place = self.used.get(question.key, 0)
            self.used[question.key] = place + 1
            answer = answer[min(place, len(answer) - 1)]
        if question.kind == "text" and answer is None:
            answer = ""
        assert answer is BACK or question.fault(answer) is None, (question.key, question.fault(answer))
        return answer

    def say(self, tell: Tell) -> None:
        self.told.append(tell.text)

    def load(self, request: Load) -> Any:
        return self.read(request)

    def keep(self, replies: Sequence[Reply]) -> None:
        pass


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of its own for kept answers."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    return tmp_path / "state"
