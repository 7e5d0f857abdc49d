"""What is left to do by hand after a contract has changed, each with its file and line. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from pond_new.manifest import Document, Manifest
from pond_new.manifest.promises import promises_digest
from pond_new.project import names
from pond_new.project.compare import Change, FileChange
from pond_new.project.example_check import check_example
from pond_new.project.handlers import HandlerFacts, inspect_handler
from pond_new.project.layout import EXAMPLES, HANDLERS
from pond_new.project.origin import OPTIONAL, Origin
from pond_new.project.shape import plain_text


class WorkKind(StrEnum):
    """What kind of work it is."""

    STUB = "stub"
    HANDLER = "handler"
    PARAMETER = "parameter"
    MODE = "mode"
    EXAMPLE = "example"
    ORPHAN = "orphan"
    IMPORT = "import"
    RENAME = "rename"
    VERSION = "version"


@dataclass(frozen=True, slots=True)
class Work:
    """One thing to do by hand. `line` counts from 1."""

    kind: WorkKind
    path: PurePosixPath
    line: int
    text: str


@dataclass(frozen=True)
class Situation:
    """What the list is made from: the contract as it is, what was there before, and the files afterwards.

    `actions` are the template's: id, module and type of each handler; `files` the handlers and examples.
    `bumped` is what --bump would make of the version; `is_rename` that an action is just being renamed.
    `tool` is the agent manifest where the second standard is served, `document` the manifest where Pond is.
    """

    document: Document | None
    manifest: Manifest
    before: Origin | None
    after: Origin
    actions: Sequence[Mapping[str, Any]]
    changes: Sequence[FileChange]
    files: Mapping[PurePosixPath, bytes]
    bumped: str
    is_rename: bool = False
    tool: Document | None = None

    @cached_property
    def created(self) -> frozenset[PurePosixPath]:
        """The files that did not exist before."""
        return frozenset(change.path for change in self.changes if change.change is Change.CREATE)

    @cached_property
    def examples(self) -> Mapping[PurePosixPath, Mapping[PurePosixPath, bytes]]:
        """The examples in each folder."""
        found: dict[PurePosixPath, dict[PurePosixPath, bytes]] = {}
        for path, content in self.files.items():
            if path.suffix == ".json":
                found.setdefault(path.parent, {})[path] = content
        return found

    @cached_property
    def schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """The input schema of each action; that of the whole agent has no id."""
        actions = {action.id: action.input_schema or {} for action in self.manifest.actions}
        return actions or {"": self.manifest.input_schema or {}}


def find_work(situation: Situation) -> tuple[Work, ...]:
    """Everything that a person has to look at, in the order in which it is best done."""
    return (
        *_renames(situation),
        *(work for action in situation.actions for work in _handler_work(situation, action)),
        *(work for action in situation.actions for work in _example_work(situation, action)),
        *_orphans(situation),
        *_version(situation),
    )


def proposed_rename(before: Origin | None, after: Origin) -> tuple[str, str] | None:
    """Old and new id, when exactly one action left and exactly one came, with the same schema."""
    if before is None:
        return None
    left = [action for action in before.actions if action not in after.actions]
    came = [action for action in after.actions if action not in before.actions]
    if len(left) != 1 or len(came) != 1:
        return None
    old, new = left[0], came[0]
    return (old, new) if before.actions[old].schema == after.actions[new].schema else None


def needs_new_version(before: Origin | None, manifest: Manifest) -> bool:
    """Whether what `agent_version` stands for changed and it did not (requirement MAN-11)."""
    return (
        before is not None
        and before.agent_version == manifest.agent_version
        and before.promises != promises_digest(manifest.document)
    )


def needs_new_tool_version(before: Origin | None, after: Origin) -> bool:
    """The same of the `version` of an agent manifest: a caller may have pinned it."""
    earlier, tool = before.tool if before else None, after.tool
    if earlier is None or tool is None:
        return False
    return earlier.version == tool.version and earlier.promises != tool.promises


def _renames(situation: Situation) -> Iterator[Work]:
    found = proposed_rename(situation.before, situation.after)
    if found is None or situation.is_rename:
        return
    old, new = found
    text = (
        f"{old} left and {new} came with the same parameters. If it is the same action under a new id,"
        f" pond-new rename-action {old} {new} takes the handler and its examples along"
    )
    yield Work(WorkKind.RENAME, HANDLERS / f"{names.module_name(old)}.py", 1, text)


def _handler_work(situation: Situation, action: Mapping[str, Any]) -> Iterator[Work]:
    path = HANDLERS / f"{action['module']}.py"
    content = situation.files.get(path)
    if content is None:
        text = f"the handler is missing: pond-new regenerate --restore {path} brings back a stub"
        yield Work(WorkKind.HANDLER, path, 1, text)
        return
    facts = inspect_handler(plain_text(content), type_name=action["type"])
    if path in situation.created:
        yield Work(
            WorkKind.STUB, path, facts.line, f"write the work of {_named(action)} in place of the stub"
        )
        return
    if facts.fault:
        yield Work(WorkKind.HANDLER, path, facts.fault.line, facts.fault.text)
    yield from _parameter_work(situation, action, path, facts)
    yield from _mode_work(situation, path, facts)


def _parameter_work(
    situation: Situation, action: Mapping[str, Any], path: PurePosixPath, facts: HandlerFacts
) -> Iterator[Work]:
    """The uses of parameters that are gone, of another type, or not always there any more."""
    now = _parameters(situation.after, action["id"])
    earlier = _parameters(situation.before, action["id"])
    is_closed = situation.schemas[action["id"]].get("additionalProperties") is False
    seen: set[tuple[str, str]] = set()
    for use in facts.uses:
        kinds = earlier.get(use.name), now.get(use.name)
        text = _parameter_fault(use.name, *kinds, is_sure=use.is_sure, is_closed=is_closed)
        if text and (use.name, text) not in seen:
            seen.add((use.name, text))
            yield Work(WorkKind.PARAMETER, path, use.line, text)


def _parameter_fault(
    name: str, was: str | None, kind: str | None, *, is_sure: bool, is_closed: bool
) -> str | None:
    """What is wrong with reading a parameter, from its types before and now (None: there is none)."""
    if kind is None:
        if was is not None:
            return f"the parameter {name} is gone"
        return f"the parameter {name} is not in the input schema" if is_closed else None
    if was is None:
        return None
    before, after = was.removesuffix(OPTIONAL), kind.removesuffix(OPTIONAL)
    if before != after:
        return f"the parameter {name} is of type {after} now, it was {before}"
    if is_sure and kind.endswith(OPTIONAL) and not was.endswith(OPTIONAL):
        return f"the parameter {name} may be left out now: read it with .get"
    return None


def _mode_work(situation: Situation, path: PurePosixPath, facts: HandlerFacts) -> Iterator[Work]:
    """Modes that came with this change and do not suit the handler's kind."""
    before, after = situation.before, situation.after
    if before is None or before.parts.get("capabilities") == after.parts.get("capabilities"):
        return
    capabilities = situation.manifest.capabilities
    if capabilities.streaming and facts.kind in {"function", "coroutine"}:
        text = "streaming is offered, but handle gives its answer in one piece: yield it piece by piece"
        yield Work(WorkKind.MODE, path, facts.line, text)
    if capabilities.async_tasks and facts.kind in {"function", "generator"}:
        text = "async tasks are offered, but a plain function cannot await run.step: make it async"
        yield Work(WorkKind.MODE, path, facts.line, text)


def _example_work(situation: Situation, action: Mapping[str, Any]) -> Iterator[Work]:
    folder = EXAMPLES / action["module"]
    is_changed = _schema_changed(situation, action["id"])
    schema = situation.schemas[action["id"]]
    for path, content in situation.examples.get(folder, {}).items():
        for fault in check_example(content, schema, is_thorough=is_changed):
            yield Work(WorkKind.EXAMPLE, path, fault.line, fault.text)


def _orphans(situation: Situation) -> Iterator[Work]:
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


def _version(situation: Situation) -> Iterator[Work]:
    if situation.tool is not None and needs_new_tool_version(situation.before, situation.after):
        line, _ = situation.tool.position("/version")
        version = situation.tool.value["version"]
        text = f"version has to rise: what {version} stands for has changed (--bump raises it)"
        yield Work(WorkKind.VERSION, PurePosixPath("agent-manifest.json"), line, text)
    if situation.document is None or not needs_new_version(situation.before, situation.manifest):
        return
    version = situation.manifest.agent_version
    line, _ = situation.document.position("/agent_version")
    text = (
        f"agent_version has to rise: what {version} stands for has changed"
        f" (--bump makes it {situation.bumped})"
    )
    yield Work(WorkKind.VERSION, PurePosixPath("manifest.json"), line, text)


def _parameters(origin: Origin | None, action: str) -> Mapping[str, str]:
    """The parameters that an action, or without an id the whole agent, had at that time."""
    if origin is None:
        return {}
    if not action:
        return origin.general
    return origin.actions[action].parameters if action in origin.actions else {}


def _schema_changed(situation: Situation, action: str) -> bool:
    before, after = situation.before, situation.after
    if before is None:
        return False
    if not action:
        return before.parts.get("input schema") != after.parts.get("input schema")
    return action in before.actions and before.actions[action].schema != after.actions[action].schema


def _named(action: Mapping[str, Any]) -> str:
    return str(action["id"]) or "the agent"
