"""A person at a terminal as the host of a conversation: asks, says, reads files, keeps the answers."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pond_new import console
from pond_new.wizard.guide import help_for
from pond_new.wizard.imports.readers import load
from pond_new.wizard.plain import ask_in_lines
from pond_new.wizard.question import Load, Question, Reply, Tell
from pond_new.wizard.wording import wrap

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

Keep = Callable[[Sequence[Reply]], None]


class Person:
    """Answers at this terminal; `keep` is called with all replies after each of them.

    `ACCESSIBLE=1` in the environment, or a terminal without cursor movement, asks line by line.
    """

    def __init__(self, keep: Keep, *, source: Input | None = None, target: Output | None = None) -> None:
        """`source` and `target` stand in for the keyboard and the screen."""
        self.keep = keep
        self._source, self._target = source, target
        self._taught: set[str] = set()
        self.load: Callable[[Load], Any] = load

    def ask(self, question: Question) -> Any:
        """Show the question and wait for the reply, BACK or an interruption. Nothing is taught twice."""
        if question.intro and question.intro not in self._taught:
            self._taught.add(question.intro)
            _say(f"\n{question.intro}")
        if is_plain():
            return ask_in_lines(question, _say, partial(_help, question), _read_line)
        from pond_new.wizard.prompt import ask_at_terminal, terminal  # noqa: PLC0415 -- costs 200 ms

        with terminal(self._source, self._target):
            return ask_at_terminal(question, _say, partial(_help, question))

    def say(self, tell: Tell) -> None:
        """Show a sentence in the width of the terminal."""
        if tell.is_heading:
            console.say("\n" + console.paint(tell.text, "bold", stream=sys.stderr))
        else:
            _say(tell.text)


def is_plain() -> bool:
    """Whether questions are asked line by line."""
    return os.environ.get("TERM") == "dumb" or os.environ.get("ACCESSIBLE", "") not in {"", "0"}


def _help(question: Question) -> str:
    """What was taught before the question, and the page of its topic."""
    return "\n".join(filter(None, [question.intro, help_for(question.topic)]))


def _say(text: str) -> None:
    console.say(wrap(text, shutil.get_terminal_size().columns))


def _read_line(prompt: str) -> str:
    """A line of stdin, asked for on stderr. The end of the input counts as an interruption."""
    sys.stderr.write(wrap(prompt, shutil.get_terminal_size().columns) + " ")
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise KeyboardInterrupt
    return line.rstrip("\r\n")
