"""`pond-new regenerate`: bring a repository in step with its contract, or say whether it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pond_new.commands.check_report import show_clean
from pond_new.project.glance import is_clearly_in_step


@dataclass(frozen=True, slots=True)
class RegenerateOptions:
    """What the command line says beside the directory; `today` is for `bump`, None the real day."""

    is_check: bool = False
    is_dry_run: bool = False
    shows_diff: bool = False
    as_json: bool = False
    force: bool = False
    adopt: bool = False
    bump: bool = False
    restore: Sequence[str] = ()
    today: date | None = None

    @property
    def writes(self) -> bool:
        """Whether the plan is carried out: a check, a dry run and a diff only look."""
        return not (self.is_check or self.is_dry_run or self.shows_diff)


def regenerate(directory: str, options: RegenerateOptions) -> int:
    """Returns 0 when everything is in step (afterwards), 1 for drift, a conflict or a refusal."""
    root = Path(directory)
    if options.is_check and not (options.restore or options.bump) and is_clearly_in_step(root):
        show_clean(root, as_json=options.as_json)
        return 0
    from pond_new.commands.bring_in_step import run  # noqa: PLC0415 -- half of what a clean check costs
    from pond_new.project.regenerate import Request  # noqa: PLC0415

    return run(root, Request(), options, command="regenerate")
