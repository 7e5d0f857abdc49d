"""Findings as SARIF 2.1.0, which code scanning services read. Pure."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pond_new.protocol.reasons import reason_for
from pond_new.protocol.requirements import find_requirement, load_requirements

if TYPE_CHECKING:
    from pond_new.manifest.problem import Problem
    from pond_new.manifest.reports import FileReport

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_sarif(reports: tuple[FileReport, ...], *, version: str) -> dict[str, Any]:
    """A log with one run; `version` is the version of this tool."""
    found = [(report.name, problem) for report in reports for problem in report.problems]
    reasons = {problem.id: problem.why for _, problem in sorted(found, key=lambda one: one[1].id)}
    ids = list(reasons)
    rules = [_rule(rule, why) for rule, why in reasons.items()]
    driver = {"name": "pond-new", "semanticVersion": version, "rules": rules}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(name, problem, ids) for name, problem in found],
            }
        ],
    }


def _rule(requirement_id: str, why: str) -> dict[str, Any]:
    """A requirement of Pond's catalogue, or a rule of the other standard, which has only its reason."""
    if requirement_id not in load_requirements():
        return {"id": requirement_id, "shortDescription": {"text": why}, "fullDescription": {"text": why}}
    requirement = find_requirement(requirement_id)
    return {
        "id": requirement_id,
        "shortDescription": {"text": requirement.requirement},
        "fullDescription": {"text": f"{requirement.requirement} {reason_for(requirement_id)}"},
        "help": {"text": f"Specification: {requirement.section}. More: pond-new explain {requirement_id}"},
    }


def _result(name: str, problem: Problem, ids: list[str]) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": _uri(name)}}
    if problem.line is not None:
        location["region"] = {"startLine": problem.line, "startColumn": problem.column}
    place: dict[str, Any] = {"physicalLocation": location}
    if problem.pointer:
        place["logicalLocations"] = [{"fullyQualifiedName": problem.pointer}]
    return {
        "ruleId": problem.id,
        "ruleIndex": ids.index(problem.id),
        "level": problem.severity,
        "message": {"text": f"{problem.message} Fix: {problem.fix}"},
        "locations": [place],
    }


def _uri(name: str) -> str:
    if "://" in name:
        return name
    path = PurePath(name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
