"""What a handler needs after the contract has changed: its stub, its parameters, its modes. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from pond_new.project.handlers import HandlerFacts, inspect_handler
from pond_new.project.layout import HANDLERS
from pond_new.project.origin import OPTIONAL, Origin
from pond_new.project.shape import plain_text
from pond_new.project.work.model import Situation, Work, WorkKind


def handler_work(situation: Situation, action: Mapping[str, Any]) -> Iterator[Work]:
    """What is left to do in the handler of an action of the template."""
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


def _parameters(origin: Origin | None, action: str) -> Mapping[str, str]:
    """The parameters that an action, or without an id the whole agent, had at that time."""
    if origin is None:
        return {}
    if not action:
        return origin.general
    return origin.actions[action].parameters if action in origin.actions else {}


def _named(action: Mapping[str, Any]) -> str:
    return str(action["id"]) or "the agent"
