"""Examples that no longer fit their action, and files whose action is gone. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pond_new.project import names
from pond_new.project.compare import Change
from pond_new.project.example_check import check_example
from pond_new.project.layout import EXAMPLES
from pond_new.project.work.model import Situation, Work, WorkKind


def example_work(situation: Situation, action: Mapping[str, Any]) -> Iterator[Work]:
    """What an action's examples do not say as its input schema wants it now."""
    folder = EXAMPLES / action["module"]
    is_changed = _schema_changed(situation, action["id"])
    schema = situation.schemas[action["id"]]
    for path, content in situation.examples.get(folder, {}).items():
        for fault in check_example(content, schema, is_thorough=is_changed):
            yield Work(WorkKind.EXAMPLE, path, fault.line, fault.text)


def orphans(situation: Situation) -> Iterator[Work]:
    """The edited files and the examples that stay although their action is gone."""
    for change in situation.changes:
        if change.change is Change.ORPHAN:
            text = f"{change.reason}: move what you still need elsewhere, then delete it"
            yield Work(WorkKind.ORPHAN, change.path, 1, text)
    listed = {change.path for change in situation.changes}
    before = situation.before.actions if situation.before else {}
    gone = {EXAMPLES / names.module_name(action) for action in before} | {EXAMPLES / names.GENERAL_MODULE}
    gone -= {EXAMPLES / str(action["module"]) for action in situation.actions}
    for path in situation.files:
        if path.parent in gone and path not in listed:
            yield Work(WorkKind.ORPHAN, path, 1, "an example of an action that is gone: nothing replays it")


def _schema_changed(situation: Situation, action: str) -> bool:
    before, after = situation.before, situation.after
    if before is None:
        return False
    if not action:
        return before.parts.get("input schema") != after.parts.get("input schema")
    return action in before.actions and before.actions[action].schema != after.actions[action].schema
