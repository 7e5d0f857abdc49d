"""What is left to do by hand after a contract has changed, each with its file and line. Pure."""

from __future__ import annotations

from pond_new.project.work.examples import example_work, orphans
from pond_new.project.work.handlers import handler_work
from pond_new.project.work.model import Situation, Work, WorkKind
from pond_new.project.work.renames import renames
from pond_new.project.work.runs import runs
from pond_new.project.work.versions import needs_new_tool_version, needs_new_version, versions

__all__ = ["Situation", "Work", "WorkKind", "find_work", "needs_new_tool_version", "needs_new_version"]


def find_work(situation: Situation) -> tuple[Work, ...]:
    """Everything that a person has to look at, in the order in which it is best done."""
    return (
        *renames(situation),
        *(work for action in situation.actions for work in handler_work(situation, action)),
        *(work for action in situation.actions for work in example_work(situation, action)),
        *orphans(situation),
        *versions(situation),
        *runs(situation),
    )
