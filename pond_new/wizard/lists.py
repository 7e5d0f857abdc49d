"""A list that is filled in by talking: add, change, remove, done. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pond_new.wizard.question import Choice, Conversation, Question

T = TypeVar("T")
AskOne = Callable[[str, "T | None", Sequence[T]], Conversation[T]]


@dataclass(frozen=True, slots=True)
class Entries:
    """How a list is spoken of: the key of its questions, one entry, and how to name it.

    With `is_first_asked` an empty list starts with its first entry instead of the menu.
    """

    key: str
    noun: str
    done: str = "Done"
    topic: str = ""
    least: int = 0
    is_first_asked: bool = True


def edit_list(
    items: Sequence[T], entries: Entries, *, name_of: Callable[[T], str], ask_one: AskOne[T]
) -> Conversation[list[T]]:
    """Let a person add, change and remove entries.

    `ask_one` gets the key for its questions, the entry to change (None for a new one) and the other entries.
    """
    edited = list(items)
    if not edited and entries.is_first_asked:
        edited.append((yield from ask_one(f"{entries.key}.0", None, [])))
    while True:
        verb = yield _menu(edited, entries, name_of)
        if verb == "done":
            return edited
        if verb == "add":
            edited.append((yield from ask_one(f"{entries.key}.{len(edited)}", None, edited)))
            continue
        index = yield from _which(edited, entries, name_of, verb)
        others = edited[:index] + edited[index + 1 :]
        if verb == "change":
            edited[index] = yield from ask_one(f"{entries.key}.{index}", edited[index], others)
        else:
            edited = others


def _menu(edited: Sequence[T], entries: Entries, name_of: Callable[[T], str]) -> Question:
    names = ", ".join(name_of(item) for item in edited)
    choices = [Choice("done", entries.done)] if len(edited) >= entries.least else []
    choices.append(Choice("add", f"Add {'another' if edited else 'the first'} {entries.noun}"))
    if edited:
        choices.append(Choice("change", f"Change {_article(entries.noun)} {entries.noun}"))
        choices.append(Choice("remove", f"Remove {_article(entries.noun)} {entries.noun}"))
    return Question(
        f"{entries.key}.menu",
        "choice",
        f"So far: {names}. What next?" if names else f"There is no {entries.noun} yet. What next?",
        topic=entries.topic,
        default=choices[0].value,
        choices=choices,
        is_menu=True,
    )


def _which(
    edited: Sequence[T], entries: Entries, name_of: Callable[[T], str], verb: str
) -> Conversation[int]:
    if len(edited) == 1:
        return 0
    reply = yield Question(
        f"{entries.key}.which",
        "choice",
        f"Which {entries.noun} do you want to {verb}?",
        topic=entries.topic,
        default="0",
        choices=[Choice(str(index), name_of(item)) for index, item in enumerate(edited)],
        is_menu=True,
    )
    return int(reply)


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"
