"""Findings as text, as JSON, as annotations for GitHub and as SARIF for code scanning. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pond_new.manifest.preview import Row
    from pond_new.manifest.problem import Problem, Severity


Standard = Literal["pond", "mcp"]

DIRECTIONS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
CONTROLS = dict.fromkeys({*range(32), *range(0x7F, 0xA0), *DIRECTIONS} - {ord("\n")}, "\ufffd")


@dataclass(frozen=True, slots=True)
class FileReport:
    """What there is to say about one file; `preview` is empty where the file was not read as a manifest.

    `standard` is the marketplace that judges it. `text` is what stands in the file, to show the lines in
    question.
    """

    name: str
    problems: tuple[Problem, ...] = ()
    preview: tuple[Row, ...] = field(default=())
    standard: Standard = "pond"
    text: str = field(default="", repr=False)

    def count(self, severity: Severity) -> int:
        """How many findings are this bad."""
        return sum(problem.severity == severity for problem in self.problems)


def without_controls(text: str) -> str:
    """The text as a terminal or a log may safely show it: no escape sequences, no changes of direction."""
    return text.translate(CONTROLS)


def has_failed(reports: tuple[FileReport, ...], *, is_strict: bool) -> bool:
    """Whether the findings are a reason for exit code 1: any error, or a warning where warnings count."""
    worst: tuple[Severity, ...] = ("error", "warning") if is_strict else ("error",)
    return any(report.count(severity) for report in reports for severity in worst)
