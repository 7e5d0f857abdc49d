"""Why a file changes, in words: what it was made from before against what it is made from now. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from pond_new.project import names, targets
from pond_new.project.compare import Change, FileChange
from pond_new.project.origin import Origin
from pond_new.project.plan import CONDITIONS
from pond_new.project.settings import MCP, POND

EXPLAINED = frozenset({Change.UPDATE, Change.MERGE, Change.CONFLICT})
SET_FEATURES = frozenset({POND, MCP, *map(targets.feature, targets.TARGETS)})  # by a setting, not a contract
ACTION_FILES = ("agent/handlers/", "examples/")
CONDITIONAL: Mapping[str, str] = {path: feature for feature, paths in CONDITIONS.items() for path in paths}
SHOWN = 3  # causes named in one line

# What each variable of the template is made from.
MADE_FROM: Mapping[str, frozenset[str]] = {
    "project": frozenset({"name and summary", "pricing"}),
    "settings": frozenset({"settings"}),
    "deploy": frozenset({"settings", "limits", "name and summary"}),
    "limits": frozenset({"limits"}),
    "modes": frozenset({"capabilities", "media modes"}),
    "features": frozenset({"capabilities", "media modes", "settings"}),
    "tool": frozenset({"agent manifest"}),
    "plans": frozenset({"pricing"}),
    "actions": frozenset({"actions", "input schema"}),
    "types": frozenset({"actions", "input schema"}),
}
MARKUP = re.compile(r"\{[{%].*?[%}]\}", re.DOTALL)
VARIABLE = re.compile(r"\b(" + "|".join(MADE_FROM) + r")\b")


@dataclass(frozen=True, slots=True)
class Cause:
    """One difference between two origins; `about` is what files depend on."""

    about: str
    text: str


@dataclass(frozen=True, slots=True)
class Shift:
    """What a repository was made from before (None: unknown) and is now; `rename` has an action's two ids."""

    before: Origin | None
    after: Origin
    rename: tuple[str, str] | None = None

    def causes(self) -> tuple[Cause, ...]:
        """Every difference, a rename in place of an action that left and one that came."""
        if self.before is None:
            return ()
        if self.rename is None:
            return find_causes(self.before, self.after)
        called = Cause("actions", "{} is called {} now".format(*self.rename))
        return (called, *find_causes(renamed(self.before, *self.rename), self.after))


def renamed(origin: Origin, old: str, new: str) -> Origin:
    """The origin as if an action had always had its new id."""
    actions = {new if action == old else action: facts for action, facts in origin.actions.items()}
    return replace(origin, actions=actions)


def find_causes(before: Origin, after: Origin) -> tuple[Cause, ...]:
    """Every difference between two origins that can change a file."""
    causes = [Cause("actions", text) for text in _action_causes(before, after)]
    causes += [
        Cause(part, f"the {part} changed")
        for part, digest in after.parts.items()
        if before.parts.get(part, digest) != digest
    ]
    causes += [
        Cause("settings", f"{key} is now {_shown(value)}")
        for key, value in after.settings.items()
        if before.settings.get(key, value) != value
    ]
    return tuple(causes)


def explain(
    changes: Sequence[FileChange],
    shift: Shift,
    *,
    templates: Mapping[PurePosixPath, str],
    version: str,
) -> tuple[FileChange, ...]:
    """The changes, each with the reason that is particular to it; `templates` has each file's template."""
    before, after = shift.before, shift.after
    causes = shift.causes()
    is_template_newer = before is not None and before.template != after.template
    fallback = f"pond-new {version} writes it differently" if is_template_newer else ""
    modules = _modules(before, after)
    explained = []
    for change in changes:
        if action := _action_of(change.path, modules):
            explained.append(_explain_action_file(change, action, is_gone=action not in after.actions))
        elif (feature := _feature_of(change.path)) and change.change in {Change.CREATE, Change.DELETE}:
            explained.append(_explain_conditional(change, causes, feature=feature))
        elif change.change in EXPLAINED:
            because = _because(templates.get(change.path, ""), causes) or fallback
            explained.append(_explain(change, because))
        else:
            explained.append(change)
    return tuple(explained)


def _explain(change: FileChange, because: str) -> FileChange:
    if not because:
        return change
    reason = because if change.reason == "its source changed" else f"{change.reason}; {because}"
    return replace(change, reason=reason)


def _feature_of(path: PurePosixPath) -> str | None:
    """The feature that a file comes and goes with."""
    return next(
        (feature for pattern, feature in CONDITIONAL.items() if fnmatchcase(str(path), pattern)), None
    )


def _explain_conditional(change: FileChange, causes: Sequence[Cause], *, feature: str) -> FileChange:
    """A file that comes and goes with a capability or a setting."""
    about = "settings" if feature in SET_FEATURES else "capabilities"
    texts = [cause.text for cause in causes if cause.about == about]
    return replace(change, reason="; ".join([change.reason, *texts])) if texts else change


def _explain_action_file(change: FileChange, action: str, *, is_gone: bool) -> FileChange:
    match change.change:
        case Change.CREATE if change.reason == "new":
            kind = "a stub" if change.path.suffix == ".py" else "a first example"
            return replace(change, reason=f"{kind} for the action {action}")
        case Change.DELETE if is_gone:
            return replace(change, reason=f"the action {action} is gone, and this was never edited")
        case Change.ORPHAN if is_gone:
            return replace(change, reason=f"the action {action} is gone; you edited this, so it stays")
    return change


def _action_causes(before: Origin, after: Origin) -> list[str]:
    texts = [f"{action} is gone" for action in before.actions if action not in after.actions]
    for action, facts in after.actions.items():
        earlier = before.actions.get(action)
        if earlier is None:
            texts.append(f"{action} is new")
        elif earlier.schema != facts.schema:
            texts.append(f"the parameters of {action} changed")
        elif earlier.wording != facts.wording:
            texts.append(f"the description of {action} changed")
    if not texts and list(before.actions) != list(after.actions):
        texts.append("the order of the actions changed")
    return texts


def _because(template: str, causes: Sequence[Cause]) -> str:
    """The causes that can have changed a file of this template, the first few of them."""
    markup = " ".join(MARKUP.findall(template))
    depends = {about for variable in VARIABLE.findall(markup) for about in MADE_FROM[variable]}
    texts = [cause.text for cause in causes if cause.about in depends]
    more = f" and {len(texts) - SHOWN} more" if len(texts) > SHOWN else ""
    return ", ".join(texts[:SHOWN]) + more


def _modules(before: Origin | None, after: Origin) -> dict[str, str]:
    """The action of each module, those that are gone included."""
    known = [*(before.actions if before else ()), *after.actions]
    return {names.module_name(action): action for action in known}


def _action_of(path: PurePosixPath, modules: Mapping[str, str]) -> str | None:
    """The action that a handler or an example belongs to."""
    if not str(path).startswith(ACTION_FILES):
        return None
    return modules.get(path.stem if path.parts[0] == "agent" else path.parts[1])


def _shown(value: object) -> str:
    return ", ".join(str(each) for each in value) if isinstance(value, list | tuple) else str(value)
