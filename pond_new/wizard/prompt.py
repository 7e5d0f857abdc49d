"""Asks one question at a terminal. The only module that imports questionary and prompt_toolkit."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import questionary
from prompt_toolkit.application import Application, create_app_session, get_app, get_app_session
from prompt_toolkit.filters import Always, Condition, is_done
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings
from prompt_toolkit.layout import (
    ConditionalContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.output import create_output

from pond_new.wizard.question import BACK, Question
from pond_new.wizard.wording import titles, wrap

if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

Say = Callable[[str], None]

MARK = "?"
KEYS = "Enter: next   Ctrl-B: back   Ctrl-G: help"
ESCAPE_SECONDS = 0.2  # how long a lone Esc waits for the rest of a key such as Alt-B
MANY = 20  # from so many choices on, typing filters the list instead of pointing by number
STYLE = questionary.Style(
    [
        ("qmark", "fg:ansicyan bold"),
        ("question", "bold"),
        ("answer", "fg:ansicyan"),
        ("pointer", "fg:ansicyan bold"),
        ("highlighted", "fg:ansicyan"),
        ("selected", "noreverse"),
        ("instruction", "noinherit"),
        ("text", "noinherit"),
        ("validation-toolbar", "noreverse bold"),
    ]
)


@dataclass(frozen=True, slots=True)
class HelpWanted:
    """The help key was pressed; `typed` is what stood in the line."""

    typed: str | None


@contextmanager
def terminal(source: Input | None = None, target: Output | None = None) -> Iterator[None]:
    """Prompts inside use this input and output; by default the keyboard and stderr, since they are talk."""
    with create_app_session(input=source, output=target or create_output(stdout=sys.stderr)):
        yield


def ask_at_terminal(question: Question, say: Say, help_text: Callable[[], str]) -> Any:
    """The reply to one question, or BACK. Raises KeyboardInterrupt on Ctrl-C and Ctrl-D."""
    while True:
        try:
            reply = _application(question, say).run()
        except EOFError:
            raise KeyboardInterrupt from None
        if not isinstance(reply, HelpWanted):
            if question.choices and reply is not BACK:
                say(f"{MARK} {question.message} {_chosen(question, reply)}")
            return reply
        say(help_text())
        if reply.typed is not None:
            question = replace(question, default=reply.typed)


def _chosen(question: Question, reply: Any) -> str:
    """The titles of what was chosen, without their meanings."""
    values = reply if isinstance(reply, list) else [reply]
    return ", ".join(choice.title for choice in question.choices if choice.value in values) or "nothing"


def _application(question: Question, say: Say) -> Application[Any]:
    make = {"text": _text, "confirm": _confirm, "choice": _choice, "choices": _choices}[question.kind]
    prompt = make(question, say).application
    prompt.erase_when_done = bool(question.choices)  # the answer is said in one short line instead
    prompt.ttimeoutlen = prompt.timeoutlen = ESCAPE_SECONDS
    _bind(prompt, _keys(question))
    return prompt


@dataclass(slots=True)
class _Judged:
    """The line that is being typed, judged as it stands; nothing typed yet is wrong only after Enter."""

    question: Question
    was_refused: bool = False
    verdicts: dict[str, str | None] = field(default_factory=dict)

    def fault(self) -> str | None:
        typed = get_app().current_buffer.text
        if typed not in self.verdicts:
            self.verdicts[typed] = self.question.fault(typed)
        return self.verdicts[typed]

    def refuse(self, event: KeyPressEvent) -> None:
        self.was_refused = True
        event.app.output.bell()

    def words_below(self) -> str:
        fault = self.fault() if get_app().current_buffer.text or self.was_refused else None
        return wrap(f"! {fault}" if fault else KEYS, _width())


def _text(question: Question, _say: Say) -> questionary.Question:
    """A line to type; what is wrong with it stands below, in words, and Enter takes only what is right."""
    line = _Judged(question)
    prompt = questionary.text(
        question.message, default=question.default or "", style=STYLE, qmark=MARK, reserve_space_for_menu=0
    )
    _add_below(prompt.application, line.words_below)
    keys = KeyBindings()
    keys.add("enter", filter=Condition(lambda: line.fault() is not None), eager=True)(line.refuse)
    _bind(prompt.application, keys)
    return prompt


def _bind(prompt: Application[Any], keys: KeyBindings) -> None:
    """Add keys to those that the prompt has."""
    prompt.key_bindings = merge_key_bindings([*filter(None, [prompt.key_bindings]), keys])


def _add_below(prompt: Application[Any], words: Callable[[], str]) -> None:
    """Show words under the line while it is typed: a bottom toolbar would be missing on some terminals."""
    line = prompt.layout.container
    for window in prompt.layout.find_all_windows():
        window.dont_extend_height = Always()
    under = Window(FormattedTextControl(words), dont_extend_height=True, wrap_lines=True)
    whole = HSplit([line, ConditionalContainer(under, filter=~is_done)])
    prompt.layout = Layout(whole, focused_element=prompt.layout.current_control)


def _confirm(question: Question, _say: Say) -> questionary.Question:
    return questionary.confirm(question.message, default=bool(question.default), style=STYLE, qmark=MARK)


def _choice(question: Question, say: Say) -> questionary.Question:
    is_long = len(question.choices) > MANY
    how = "type to filter" if is_long else "arrows or number"
    return questionary.select(
        question.message,
        choices=_listed(question, say),
        default=question.default,
        style=STYLE,
        qmark=MARK,
        instruction=f"({how}, then Enter)",
        use_shortcuts=not is_long,
        use_search_filter=is_long,
        use_jk_keys=False,
    )


def _choices(question: Question, say: Say) -> questionary.Question:
    chosen = question.default or ()
    listed = _listed(question, say)
    for choice in listed:
        choice.checked = choice.value in chosen
    return questionary.checkbox(
        question.message,
        choices=listed,
        validate=lambda reply: question.fault(reply) or True,
        style=STYLE,
        qmark=MARK,
        instruction="(Space marks, Enter goes on)",
        use_jk_keys=False,
    )


def _listed(question: Question, say: Say) -> list[questionary.Choice]:
    lines, above = titles(question.choices, _width())
    if above:
        say(above)
    return [
        questionary.Choice(line, value=choice.value)
        for line, choice in zip(lines, question.choices, strict=True)
    ]


def _keys(question: Question) -> KeyBindings:
    """Back and help, the same in every prompt."""
    keys = KeyBindings()
    is_text = question.kind == "text"

    def back(event: KeyPressEvent) -> None:
        event.app.exit(result=BACK)

    def wants_help(event: KeyPressEvent) -> None:
        event.app.exit(result=HelpWanted(event.app.current_buffer.text if is_text else None))

    keys.add("c-b", eager=True)(back)
    keys.add("escape", eager=not is_text)(back)  # in a line Esc also starts Alt-B and others
    for key in ("c-g", "f1"):
        keys.add(key, eager=True)(wants_help)
    is_empty = Condition(lambda: not is_text or not get_app().current_buffer.text)
    keys.add("?", eager=True, filter=is_empty)(wants_help)
    return keys


def _width() -> int:
    return get_app_session().output.get_size().columns
