"""Rows of the benchmark table: ours against a peer, as a ratio in one run."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROUNDS = 7


@dataclass(frozen=True, slots=True)
class Row:
    """Ours and a peer's, in the same unit; `most` or `least` is what the ratio ours / peer has to keep."""

    name: str
    ours: float
    peer: float
    unit: str
    against: str
    most: float | None = None
    least: float | None = None

    @property
    def ratio(self) -> float:
        """Ours in terms of the peer."""
        return self.ours / self.peer

    @property
    def is_met(self) -> bool:
        """Whether the ratio keeps its limit."""
        return self.ratio <= (self.most or float("inf")) and self.ratio >= (self.least or 0)


def describe(rows: Sequence[Row]) -> str:
    """The table as Markdown."""
    lines = ["| what | ours | peer | ratio | wanted | met |", "|---|---:|---:|---:|---|---|"]
    for row in rows:
        wanted = f"at most {row.most:g}" if row.most else f"at least {row.least:g}" if row.least else "-"
        lines.append(
            f"| {row.name} | {row.ours:.4g} {row.unit} | {row.peer:.4g} {row.unit} ({row.against})"
            f" | {row.ratio:.2f} | {wanted} | {'yes' if row.is_met else 'NO'} |"
        )
    return "\n".join(lines)


def seconds(
    command: Sequence[object], *, cwd: Path | None = None, before: Callable[[], object] | None = None
) -> float:
    """The median time of a whole process; `before` runs ahead of each round and is not timed."""
    (median,) = seconds_in_turns(command, cwd=cwd, before=before)
    return median


def seconds_in_turns(
    *commands: Sequence[object], cwd: Path | None = None, before: Callable[[], object] | None = None
) -> list[float]:
    """The median time of each process. They take turns, so that a change of the machine's pace meets all."""
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(ROUNDS):
        for command, own in zip(commands, times, strict=True):
            if before:
                before()
            began = time.perf_counter()
            subprocess.run([str(part) for part in command], cwd=cwd, check=True, capture_output=True)
            own.append(time.perf_counter() - began)
    return [statistics.median(own) for own in times]
