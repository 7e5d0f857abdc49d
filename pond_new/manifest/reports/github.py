"""Findings as workflow commands that GitHub shows beside the changed lines. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pond_new.manifest.reports import without_controls

if TYPE_CHECKING:
    from pond_new.manifest.problem import Problem
    from pond_new.manifest.reports import FileReport

COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def as_annotations(reports: tuple[FileReport, ...]) -> str:
    """One line a finding."""
    return "\n".join(_line(report.name, problem) for report in reports for problem in report.problems)


def _line(name: str, problem: Problem) -> str:
    properties = {"file": name, "line": problem.line, "col": problem.column, "title": problem.id}
    listed = ",".join(
        f"{key}={_property(str(value))}" for key, value in properties.items() if value is not None
    )
    place = f" ({problem.pointer})" if problem.pointer else ""
    return f"::{COMMANDS[problem.severity]} {listed}::{_data(f'{problem.message}{place} Fix: {problem.fix}')}"


def _data(text: str) -> str:
    return without_controls(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
