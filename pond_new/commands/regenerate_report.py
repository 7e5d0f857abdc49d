"""What `regenerate` and the edits of actions tell: each file with its owner, what happened and why."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pond_new import console
from pond_new.commands.check_report import head_of, in_step, shown
from pond_new.project.compare import Change, FileChange
from pond_new.project.regenerate import DONE, Regeneration
from pond_new.project.shape import plain_text
from pond_new.project.work import Work

QUIET = frozenset({Change.SAME, Change.KEEP, Change.DELETED_BY_YOU})
SHOWN_DIFF = 200  # lines of a refused file's diff; --diff shows all

WORDS: Mapping[Change, str] = {
    Change.CREATE: "created",
    Change.UPDATE: "updated",
    Change.MERGE: "merged",
    Change.CONFLICT: "conflict",
    Change.MOVE: "moved",
    Change.DELETE: "deleted",
    Change.ORPHAN: "kept",
    Change.REFUSED: "refused",
}
COLOURS: Mapping[Change, str] = {
    Change.CONFLICT: "red",
    Change.REFUSED: "red",
    Change.ORPHAN: "yellow",
    Change.DELETE: "yellow",
}


@dataclass(frozen=True, slots=True)
class Report:
    """What was planned; `is_written` says whether it was carried out."""

    command: str
    directory: str
    planned: Regeneration
    work: Sequence[Work]
    is_written: bool
    shows_diff: bool
    is_check: bool

    @property
    def status(self) -> str:
        """One word for the whole: in-step, changed, drift, conflict or refused."""
        if self.planned.is_refused:
            return "refused"
        if self.planned.is_unsolved:
            return "conflict"
        if self.planned.is_in_step:
            return "in-step"
        return "drift" if self.is_check else "changed"


def show_regeneration(report: Report, *, as_json: bool) -> None:
    """Print the report: results on stdout, remarks on stderr."""
    planned = report.planned
    if as_json:
        head = head_of(report.command, report.directory, report.status, is_written=report.is_written)
        lists = _lists(planned.changes, report.work)
        console.show_json(head | lists | {"note": planned.repository.note})
        return
    if planned.repository.note:
        console.say(planned.repository.note)
    for line in _lines(report):
        console.show(line)


def _lines(report: Report) -> Iterator[str]:
    told = [change for change in report.planned.changes if change.change not in QUIET]
    due = [change for change in told if change.change is not Change.ORPHAN]
    if report.planned.is_in_step:
        yield in_step(report.directory)
    else:
        yield _headline(report)
        yield from _table(due)
    if report.shows_diff:
        yield from (line for change in due for line in diff_lines(change))
    elif report.planned.is_refused:
        yield from _refused_diffs(due)
    yield from _by_hand(report.work)
    yield from _way_out(report)


def _headline(report: Report) -> str:
    name = console.paint(shown(report.directory), "bold")
    match report.status:
        case "refused":
            return f"{name}: nothing was written, because some files have to be decided first."
        case "drift":
            return f"{name} is not in step with its manifest:"
        case "conflict" if report.is_written:
            return f"{name}: brought in step, with conflicts to resolve:"
    return f"{name}: brought in step." if report.is_written else f"{name}: this would happen:"


def _table(changes: Sequence[FileChange]) -> Iterator[str]:
    width = max((len(str(change.path)) for change in changes), default=0)
    for change in changes:
        word = WORDS[change.change].ljust(8)
        colour = COLOURS.get(change.change)
        painted = console.paint(word, colour) if colour else word
        yield f"  {str(change.path).ljust(width)}  {change.owner.ljust(9)}  {painted}  {change.reason}"
    if not changes:
        yield "  .pond/lock.json is written anew; no other file changes."


def diff_lines(change: FileChange) -> Iterator[str]:
    """A unified diff from what is there to what will be (or, for a refused file, would be) there."""
    if change.change is Change.REFUSED and change.content is None:
        return
    before = plain_text(change.before or b"").splitlines()
    after = [] if change.change is Change.DELETE else plain_text(change.content or b"").splitlines()
    old = "/dev/null" if change.before is None else f"a/{change.source or change.path}"
    new = "/dev/null" if change.change is Change.DELETE else f"b/{change.path}"
    for line in difflib.unified_diff(before, after, old, new, lineterm=""):
        colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
        yield console.paint(line, colour) if colour else line


def _refused_diffs(changes: Sequence[FileChange]) -> Iterator[str]:
    for change in changes:
        if change.change is Change.REFUSED:
            lines = list(diff_lines(change))
            yield from lines[:SHOWN_DIFF]
            if len(lines) > SHOWN_DIFF:
                yield f"... {len(lines) - SHOWN_DIFF} more lines; --diff shows all"


def _by_hand(work: Sequence[Work]) -> Iterator[str]:
    if not work:
        return
    yield ""
    yield console.paint("To do by hand:", "bold")
    width = max(len(_place(each)) for each in work)
    yield from (f"  {_place(each).ljust(width)}  {each.text}" for each in work)


def _way_out(report: Report) -> Iterator[str]:
    status = report.status
    if status == "drift":
        yield "\nRun pond-new regenerate and commit what it changes."
    if status == "conflict" and report.is_written:
        yield "\nEdit the lines between the markers, remove the markers, then run pond-new regenerate again."


def _place(work: Work) -> str:
    return f"{work.path}:{work.line}"


def _lists(changes: Sequence[FileChange], work: Sequence[Work]) -> dict[str, Any]:
    return {
        "files": [
            {
                "path": str(change.path),
                "owner": change.owner,
                "change": change.change,
                "reason": change.reason,
                "from": str(change.source) if change.source else None,
                "backup": change.keeps_backup and change.change in DONE,
            }
            for change in changes
            if change.change is not Change.SAME
        ],
        "work": [
            {"kind": each.kind, "path": str(each.path), "line": each.line, "text": each.text} for each in work
        ],
    }
