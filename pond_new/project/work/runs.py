"""Accepted runs that the next server would not know: what to mind when a change is deployed. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from pond_new.project.compare import WRITES, Change
from pond_new.project.layout import CONTRACT, PROJECT_FILE
from pond_new.project.plan import CONDITIONS
from pond_new.project.shape import plain_text
from pond_new.project.work.model import Situation, Work, WorkKind

TASKS_END = (
    "async tasks are off now: a server made from this answers every poll with 404, and a task that is open"
    " never ends. Deploy it when no task is open and every result was fetched"
)
DATABASE_CHANGES = (
    "database is {now} now: the runs kept so far stay in {before}, so one that is repeated after the switch"
    " is executed again{and_tasks}. Deploy it when no run is open"
)
AND_TASKS = ", and every task of before is answered with 404"


def runs(situation: Situation) -> Iterator[Work]:
    """What becomes of accepted runs once this change is deployed; told only by the run that makes it."""
    if _has_tasks_no_more(situation):
        yield Work(WorkKind.RUNS, *_place_of_tasks(situation), TASKS_END)
    before = situation.before.settings.get("database") if situation.before else None
    now = situation.after.settings["database"]
    if situation.document is not None and before not in {None, now}:
        and_tasks = AND_TASKS if situation.manifest.capabilities.async_tasks else ""
        text = DATABASE_CHANGES.format(before=before, now=now, and_tasks=and_tasks)
        yield Work(WorkKind.RUNS, PROJECT_FILE, _line_of_setting(situation, "database"), text)


def _has_tasks_no_more(situation: Situation) -> bool:
    """Whether files of async tasks go now: the lock remembers no capability, and it remembers the files."""
    if situation.manifest.capabilities.async_tasks:
        return False
    files = CONDITIONS["async_tasks"]
    return any(change.change is Change.DELETE and str(change.path) in files for change in situation.changes)


def _place_of_tasks(situation: Situation) -> tuple[PurePosixPath, int]:
    """Where they were switched off: in the contract, or with the whole standard in the settings."""
    if situation.document is None:
        return PROJECT_FILE, _line_of_setting(situation, "standards")
    line, _ = situation.document.position("/capabilities/async_tasks")
    return CONTRACT, line


def _line_of_setting(situation: Situation, name: str) -> int:
    """The line of a setting in `pyproject.toml` as it is afterwards, 1 where it is written otherwise."""
    project = next((change for change in situation.changes if change.path == PROJECT_FILE), None)
    if project is None:
        return 1
    content = project.content if project.change in WRITES else project.before
    _, _, table = (text := plain_text(content or b"")).partition("\n[tool.pond-new]")
    found = re.search(rf"^{name}\s*=", table, re.MULTILINE)
    return text.count("\n") - table.count("\n", found.start()) + 1 if found else 1
