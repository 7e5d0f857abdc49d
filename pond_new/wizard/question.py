"""What a conversation may ask for: questions, sentences to say, files to read. Pure data.

A conversation is a generator that yields requests, is sent the replies and returns what it made of them.
Replies are plain JSON values, so that they can be kept and played again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, TypeVar

T = TypeVar("T")

BACK: Final = object()
"""The reply of a person who wants the question before."""

Kind = Literal["text", "choice", "choices", "confirm"]
Check = Callable[[Any], str | None]


def _anything(_reply: Any) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose: its value in replies, its title, and what it means in a few words."""

    value: str
    title: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question. The reply is a str (text, choice), a list of values (choices) or a bool (confirm).

    `key` names the place that is asked about and is the same on every run. `intro` is said above the
    question and teaches; `topic` is what the help key explains (the name of a manifest field or of a
    requirement). `check` gives the reason why a reply cannot be taken, in words for a person, or None.
    A menu is a question about what to do next: its default is never taken from an earlier reply.
    """

    key: str
    kind: Kind
    message: str
    intro: str = ""
    topic: str = ""
    default: Any = None
    choices: Sequence[Choice] = ()
    check: Check = field(default=_anything)
    is_menu: bool = False

    def fault(self, reply: Any) -> str | None:
        """Why this reply cannot be taken, or None; also for replies that come from a file."""
        known = {choice.value for choice in self.choices}
        match self.kind:
            case "text" if not isinstance(reply, str):
                return "A text is needed here."
            case "confirm" if not isinstance(reply, bool):
                return "Yes or no is needed here."
            case "choice" if reply not in known:
                return "Choose one of the list."
            case "choices" if not isinstance(reply, list) or not known.issuperset(reply):
                return "Choose from the list."
        return self.check(reply)


@dataclass(frozen=True, slots=True)
class Tell:
    """Something to say before the next question; it has no reply. A heading starts a section."""

    text: str
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class Load:
    """Something to read from outside: what the reader named `reader` makes of a file, or of one thing in it.

    The reply is a JSON object: `{"value": ...}`, or `{"error": "why it could not be read"}`.
    """

    key: str
    reader: str
    path: str
    member: str = ""


Request: TypeAlias = Question | Tell | Load
Conversation: TypeAlias = Generator[Request, Any, T]


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered to the request with this key; `is_loaded` if no person answered it."""

    key: str
    value: Any
    is_loaded: bool = False
