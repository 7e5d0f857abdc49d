"""An action that seems to have got another id. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from pond_new.project import names
from pond_new.project.layout import HANDLERS
from pond_new.project.origin import Origin
from pond_new.project.work.model import Situation, Work, WorkKind


def renames(situation: Situation) -> Iterator[Work]:
    """The rename that is proposed, unless it is just being made."""
    found = _proposed_rename(situation.before, situation.after)
    if found is None or situation.is_rename:
        return
    old, new = found
    text = (
        f"{old} left and {new} came with the same parameters. If it is the same action under a new id,"
        f" pond-new rename-action {old} {new} takes the handler and its examples along"
    )
    yield Work(WorkKind.RENAME, HANDLERS / f"{names.module_name(old)}.py", 1, text)


def _proposed_rename(before: Origin | None, after: Origin) -> tuple[str, str] | None:
    """Old and new id, when exactly one action left and exactly one came, with the same schema."""
    if before is None:
        return None
    left = [action for action in before.actions if action not in after.actions]
    came = [action for action in after.actions if action not in before.actions]
    if len(left) != 1 or len(came) != 1:
        return None
    old, new = left[0], came[0]
    return (old, new) if before.actions[old].schema == after.actions[new].schema else None
