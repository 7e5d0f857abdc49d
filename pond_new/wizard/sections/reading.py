"""The part of the conversation that takes parameters from code and schemas that exist. Pure.

The reading itself is done by the host (`Load`); here is what is asked around it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pond_new.wizard.question import Choice, Conversation, Load, Question, Tell

MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Source:
    """One kind of thing to read from; with members, one of several things in the file is chosen."""

    title: str
    meaning: str
    message: str
    member: str | None = None


SOURCES: Mapping[str, Source] = {
    "python": Source(
        "From Python code",
        "a function, a pydantic model, a dataclass",
        "Which Python file?",
        "function or class",
    ),
    "schema": Source(
        "From a JSON Schema",
        "a file",
        "Which file? (FILE, or FILE#/path/inside it)",
    ),
    "openapi": Source("From an OpenAPI document", "one of its operations", "Which file?", "operation"),
}
RUN_INTRO = (
    "Reading the text alone could not make out everything in the list above. pond-new can import the module"
    " and ask pydantic or Python itself. THAT RUNS THE CODE OF THIS FILE and of what it imports, in a process"
    " of its own: say yes only to code that you trust."
)


def ask_source(key: str, kind: str) -> Conversation[dict[str, Any]]:
    """Ask for a file, and a thing in it, until one could be read; the result is an object schema."""
    source, path = SOURCES[kind], ""
    while True:
        path = (yield _ask_path(key, source, path)).strip()
        member = ""
        found = yield Load(f"{key}.load", kind, path)
        if "value" in found and source.member:
            member = yield from _ask_member(key, source.member, found["value"])
            found = yield Load(f"{key}.member.load", kind, path, member)
        if "value" in found:
            return (yield from _accept(key, found["value"], path, member))
        yield Tell(f"That did not work: {found['error']}")


def _ask_path(key: str, source: Source, former: str) -> Question:
    return Question(
        f"{key}.path",
        "text",
        source.message,
        "The file is only read, never changed.",
        "input_schema",
        default=former,
        check=lambda text: None if text.strip() else "Type the path of a file.",
    )


def _ask_member(key: str, noun: str, members: list[list[str]]) -> Conversation[str]:
    """Ask which of several things in the file is meant; a single one needs no question."""
    member = members[0][0]
    if len(members) > 1:
        member = yield Question(
            f"{key}.member",
            "choice",
            f"Which {noun}?",
            topic="input_schema",
            default=member,
            choices=[Choice(name, name, meaning) for name, meaning in members],
        )
    return member


def _accept(key: str, carried: Mapping[str, Any], path: str, member: str) -> Conversation[dict[str, Any]]:
    """Say what could not be carried over; where the code itself would tell more, offer to run it."""
    if carried.get("is_partial"):
        yield Tell(describe_losses(carried["losses"]))
        if (yield _ask_run(key, path, member)):
            ran = yield Load(f"{key}.run", "python-run", path, member)
            if "error" in ran:
                yield Tell(f"Running it did not work: {ran['error']} What the text says is taken.")
            else:
                carried = ran["value"]
    schema: dict[str, Any] = carried["schema"]
    yield Tell(f"Read: {', '.join(schema['properties']) or 'no parameters'}.")
    if carried["losses"]:
        yield Tell(describe_losses(carried["losses"]))
    return schema


def _ask_run(key: str, path: str, member: str) -> Question:
    return Question(
        f"{key}.may_run",
        "confirm",
        f"Run {path} to read {member} exactly?",
        RUN_INTRO,
        "input_schema",
        default=False,
    )


def describe_losses(losses: list[str]) -> str:
    """What could not be carried over, a line each."""
    more = f"\n  - and {len(losses) - MOST_SHOWN} more" if len(losses) > MOST_SHOWN else ""
    lines = "".join(f"\n  - {loss}" for loss in losses[:MOST_SHOWN])
    return f"Pond's form is stricter. Not carried over, or to be looked at:{lines}{more}"
