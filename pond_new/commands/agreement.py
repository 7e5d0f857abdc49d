"""Whether the two contracts of one repository promise the same of the handler that serves both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pond_new.agent_manifest.standard import rule_at
from pond_new.manifest.document import parse_document

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pond_new.commands.sources import Source
    from pond_new.manifest.problem import Problem
    from pond_new.manifest.reports import FileReport


def with_agreement(sources: Sequence[Source], reports: Sequence[FileReport]) -> tuple[FileReport, ...]:
    """The reports; that on an agent manifest also says where the Pond manifest beside it says otherwise.

    Only where both lie in one directory and neither has an error of its own.
    """
    judged = list(zip(sources, reports, strict=True))
    ponds = {
        source.path.parent: source
        for source, report in judged
        if source.path and report.standard == "pond" and not report.count("error")
    }
    return tuple(_compared(ponds, source, report) for source, report in judged)


def _compared(ponds: Mapping[Path, Source], source: Source, report: FileReport) -> FileReport:
    """The report on one file; `ponds` has the Pond manifest of each directory that has a valid one."""
    pond = ponds.get(source.path.parent) if source.path else None
    if pond is None or report.standard != "mcp" or report.count("error"):
        return report
    problem = _disagreement(pond, source)
    return replace(report, problems=(*report.problems, problem)) if problem else report


def _disagreement(pond: Source, source: Source) -> Problem | None:
    from pond_new.agent_manifest.parse import parse_agent_manifest  # noqa: PLC0415 -- only where there are two
    from pond_new.manifest import parse_manifest  # noqa: PLC0415
    from pond_new.project.contracts import ContractsDisagree, refuse_disagreement  # noqa: PLC0415

    document = parse_document(source.content, name=source.name)
    manifest = parse_manifest(parse_document(pond.content, name=pond.name))
    try:
        refuse_disagreement(manifest, parse_agent_manifest(document))
    except ContractsDisagree as disagreement:
        fix = "Make the two agree, or take mcp or pond out of standards in pyproject.toml."
        problem = rule_at("interface.input").problem(disagreement.pointer, str(disagreement), fix=fix)
        return document.locate(problem)
    return None
