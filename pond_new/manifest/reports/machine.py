"""Findings as JSON of a stated version. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pond_new.manifest.reports import has_failed

if TYPE_CHECKING:
    from pond_new.manifest.problem import Problem
    from pond_new.manifest.reports import FileReport

VERSION = 1


def as_json(reports: tuple[FileReport, ...], *, is_strict: bool) -> dict[str, Any]:
    """Plain data: version, command, whether all is fine, and each file with its findings and its import."""
    return {
        "version": VERSION,
        "command": "validate",
        "ok": not has_failed(reports, is_strict=is_strict),
        "files": [_file(report) for report in reports],
    }


def _file(report: FileReport) -> dict[str, Any]:
    return {
        "file": report.name,
        "standard": report.standard,
        "errors": report.count("error"),
        "warnings": report.count("warning"),
        "notes": report.count("note"),
        "problems": [_problem(problem) for problem in report.problems],
        "import": [
            {
                "key": row.key,
                "title": row.title,
                "fate": row.fate,
                "text": row.text,
                "reason": row.reason or None,
            }
            for row in report.preview
        ],
    }


def _problem(problem: Problem) -> dict[str, Any]:
    correction = problem.correction
    return {
        "id": problem.id,
        "severity": problem.severity,
        "pointer": problem.pointer,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
        "fix": problem.fix,
        "why": problem.why,
        "correction": None
        if correction is None
        else {"verb": correction.verb, "pointer": correction.pointer, "value": correction.value},
    }
