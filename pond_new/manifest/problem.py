"""What is wrong with a manifest, as values: where it stands, what to do about it and why it matters. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pond_new.errors import PondError
from pond_new.protocol.reasons import reason_for

if TYPE_CHECKING:
    from collections.abc import Iterable

Severity = Literal["error", "warning", "note"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Correction:
    """A change that is certainly right: put a value somewhere, drop what is there, or give a key a new name.

    `set` replaces or adds, `drop` needs no value, `rename` takes the new key as its value.
    """

    verb: Literal["set", "drop", "rename"]
    pointer: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding: the requirement it breaks, how bad it is, where it stands and what to do.

    `pointer` is a JSON pointer (RFC 6901), of the parent where something is missing; `line` and `column`
    count from 1 and are None without a text. An error makes Pond refuse the manifest or an action
    unusable; with a warning Pond accepts it but skips something, or a user will trip; a note is advice.
    """

    id: str
    severity: Severity
    pointer: str
    message: str
    fix: str
    why: str
    line: int | None = None
    column: int | None = None
    correction: Correction | None = None


class InvalidManifest(PondError):
    """A manifest with errors; all of them are in `problems`, in the order of the file."""

    def __init__(self, problems: Iterable[Problem], *, name: str = "manifest") -> None:
        self.problems = tuple(problems)
        self.name = name
        super().__init__(describe(self.problems, name=name))


def error(
    requirement: str, pointer: str, message: str, *, fix: str, correction: Correction | None = None
) -> Problem:
    """A finding that makes Pond refuse the manifest, or one of its actions impossible to call."""
    return Problem(
        requirement, "error", pointer, message, fix, reason_for(requirement), correction=correction
    )


def warning(
    requirement: str, pointer: str, message: str, *, fix: str, correction: Correction | None = None
) -> Problem:
    """A finding that Pond accepts, but skips something for, or that a user will trip over."""
    return Problem(
        requirement, "warning", pointer, message, fix, reason_for(requirement), correction=correction
    )


def note(requirement: str, pointer: str, message: str, *, fix: str) -> Problem:
    """A piece of advice."""
    return Problem(requirement, "note", pointer, message, fix, reason_for(requirement))


def describe(problems: Iterable[Problem], *, name: str) -> str:
    """The problems as text for a terminal: one paragraph each, the place first."""
    return "\n\n".join(_paragraph(problem, name) for problem in problems)


def _paragraph(problem: Problem, name: str) -> str:
    place = name if problem.line is None else f"{name}:{problem.line}:{problem.column}"
    where = f" at {problem.pointer}" if problem.pointer else ""
    return f"{place}: {problem.severity} {problem.id}{where}\n  {problem.message}\n  Fix: {problem.fix}"
