"""Findings for a person at a terminal: grouped by how bad they are, the way out beside each. Pure."""

from __future__ import annotations

from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING

from pond_new.manifest.problem import SEVERITIES
from pond_new.manifest.reports import without_controls
from pond_new.manifest.rules.secrets import without_secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pond_new.manifest.preview import Row
    from pond_new.manifest.problem import Problem, Severity
    from pond_new.manifest.reports import FileReport, Standard

    Paint = Callable[..., str]

HEADINGS: tuple[tuple[Severity, str, str], ...] = (
    ("error", "red", "Errors: {judge} refuses this, or an action of it can never run."),
    (
        "warning",
        "yellow",
        "Warnings: {judge} accepts this, but skips something, or somebody will trip over it.",
    ),
    ("note", "cyan", "Notes"),
)
JUDGES: dict[Standard, str] = {"pond": "Pond", "mcp": "the marketplace"}
NOT_FOUND = (
    "Pond reports a refused manifest as endpoints that could not be found. "
    "Mend the errors first; your routes may be fine."
)
MARKS = {"imported": "+", "skipped": "-"}
SHOWN = 70
BEFORE = 20
"""How many characters of a long line are shown before the place in question."""


def as_text(reports: tuple[FileReport, ...], *, paint: Paint, width: int | None = None) -> str:
    """The whole report; `paint(text, *styles)` colours, or does not; `width` is that of a terminal."""
    reports = tuple(_prepared(report) for report in reports)
    text = "\n\n".join([*(_section(report, paint) for report in reports), _summary(reports)])
    return text if width is None else "\n".join(_fold(line, width) for line in text.split("\n"))


def _fold(line: str, width: int) -> str:
    """A long line as several, the later ones under the text of the first."""
    indent = " " * (len(line) - len(line.lstrip(" +-")))
    folded = wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(folded) or line


def _section(report: FileReport, paint: Paint) -> str:
    counts = [
        _counted(report.count(severity), severity) for severity, _, _ in HEADINGS if report.count(severity)
    ]
    blocks = [f"{paint(report.name, 'bold')}: {', '.join(counts) or 'nothing to find fault with'}"]
    blocks.extend(_groups(report, paint))
    if report.preview:
        blocks.append("\n".join([paint("What Pond imports", "bold"), *_preview_lines(report.preview)]))
    return "\n\n".join(blocks)


def _groups(report: FileReport, paint: Paint) -> Iterator[str]:
    told: set[str] = set()
    lines = report.text.split("\n")
    for severity, colour, heading in HEADINGS:
        found = [problem for problem in report.problems if problem.severity == severity]
        if found:
            written = [_finding(problem, told, lines, paint) for problem in found]
            said = heading.format(judge=JUDGES[report.standard])
            yield "\n".join([paint(said, colour), *written])
        if found and severity == "error" and report.standard == "pond":
            yield f"  {NOT_FOUND}"


def _prepared(report: FileReport) -> FileReport:
    """The report as it may be shown: nothing in it can steer the terminal, nothing is said twice."""
    plain = without_controls
    return replace(
        report,
        name=plain(report.name),
        text=plain(report.text.replace("\r\n", "\n").replace("\t", " ")),
        problems=tuple(
            replace(each, pointer=plain(each.pointer), message=plain(each.message), fix=plain(each.fix))
            for each in _not_in_preview(report)
        ),
        preview=tuple(replace(row, text=plain(row.text), reason=plain(row.reason)) for row in report.preview),
    )


def _not_in_preview(report: FileReport) -> tuple[Problem, ...]:
    """The findings without the note on absent fields, which the preview lists anyway."""
    return tuple(
        problem for problem in report.problems if (problem.id, problem.severity) != ("META-01", "note")
    )


def _finding(problem: Problem, told: set[str], lines: list[str], paint: Paint) -> str:
    """A finding with its line; the reason of a requirement is told once in a file."""
    place = "" if problem.line is None else f"{problem.line}:{problem.column}  "
    written = [
        f"  {place}{problem.pointer or '(top level)'}  {paint(problem.id, 'dim')}",
        f"      {problem.message}",
        *(paint(excerpt, "dim") for excerpt in _excerpt(problem, lines)),
        f"      Fix: {problem.fix}",
    ]
    if problem.id not in told:
        written.append(f"      Why: {problem.why}")
    told.add(problem.id)
    return "\n".join(written)


def _excerpt(problem: Problem, lines: list[str]) -> Iterator[str]:
    """The line in question, cut to what is around the place, without what looks like a secret."""
    if problem.line is None or problem.column is None or not 0 < problem.line <= len(lines):
        return
    line = without_secrets(lines[problem.line - 1].rstrip())
    start = max(problem.column - 1 - BEFORE, len(line) - len(line.lstrip()))
    shown = line[start : start + SHOWN]
    if len(shown.strip()) > len("{},") and "\ufffd\ufffd" not in shown:
        cut = "…" if start > len(line) - len(line.lstrip()) else ""
        more = "…" if start + SHOWN < len(line) else ""
        yield f"        {problem.line} | {cut}{shown}{more}"


def _preview_lines(rows: tuple[Row, ...]) -> Iterator[str]:
    there = [row for row in rows if row.fate != "missing"]
    width = max((len(row.title) for row in there), default=0)
    previous = ""
    for row in there:
        label = row.title if row.title != previous else ""
        previous = row.title
        yield f"  {MARKS[row.fate]} {label.ljust(width)}  {_fate(row)}"
    missing = ", ".join(row.title for row in rows if row.fate == "missing")
    if missing:
        yield f"    Not in the manifest, to be filled in on the publishing page: {missing}."


def _fate(row: Row) -> str:
    text = " ".join(row.text.split())
    text = text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
    return text if row.fate == "imported" else f"{text}: skipped. {row.reason}"


def _summary(reports: tuple[FileReport, ...]) -> str:
    counts = [
        _counted(sum(report.count(severity) for report in reports), severity) for severity, _, _ in HEADINGS
    ]
    certain = sum(problem.correction is not None for report in reports for problem in report.problems)
    hint = f" pond-new validate --fix corrects {certain} of them." if certain else ""
    found = [problem for report in reports if report.standard == "pond" for problem in report.problems]
    worst = min(found, key=lambda problem: SEVERITIES.index(problem.severity), default=None)
    more = f" More about any of them: pond-new explain {worst.id}." if worst else ""
    return f"{_counted(len(reports), 'file')}: {', '.join(counts)}.{hint}{more}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
