"""Whether a changed manifest needs a new `agent_version`, and which actions lost their id. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pond_new.manifest.near import nearest
from pond_new.manifest.pointer import join
from pond_new.manifest.problem import Problem, error, note, warning
from pond_new.manifest.promises import PROMISED, PROMISED_OF_ACTIONS
from pond_new.manifest.schema_check import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

VERSION = "/agent_version"


def check_release(before: Mapping[str, Any], now: Mapping[str, Any], *, since: str) -> tuple[Problem, ...]:
    """What the change from one manifest to the next means for its release (MAN-11, ACT-04)."""
    return (*_check_version(before, now, since), *_check_ids(before, now, since))


def check_same_promises(*, is_same: bool, is_same_version: bool, since: str) -> tuple[Problem, ...]:
    """The same by a digest alone, which knows that something changed but not what (MAN-11)."""
    if is_same or not is_same_version:
        return ()
    return (_needs_version("the contract", since),)


def changed_promises(before: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[str, ...]:
    """The promised parts that differ, in words; names, metadata and the order of keys are no promises."""
    parts = [part for part in PROMISED if fingerprint(before.get(part)) != fingerprint(now.get(part))]
    earlier, later = _actions(before), _actions(now)
    gone = [f"action {name} is gone" for name in earlier if name not in later]
    came = [f"action {name} is new" for name in later if name not in earlier]
    changed = [
        f"{part} of action {name}"
        for name, action in later.items()
        for part in PROMISED_OF_ACTIONS
        if name in earlier and fingerprint(earlier[name].get(part)) != fingerprint(action.get(part))
    ]
    return (*parts, *gone, *came, *changed)


def _check_version(before: Mapping[str, Any], now: Mapping[str, Any], since: str) -> Iterator[Problem]:
    changed = changed_promises(before, now)
    is_same_version = before.get("agent_version") == now.get("agent_version")
    if changed and is_same_version:
        yield _needs_version(", ".join(changed), since)
    elif not changed and not is_same_version:
        message = f"agent_version changed since {since}, although nothing that it stands for did."
        yield note("MAN-11", VERSION, message, fix="Fine for a new release of the code.")


def _needs_version(what: str, since: str) -> Problem:
    message = f"agent_version is the same as {since}, but this changed: {what}."
    return error("MAN-11", VERSION, message, fix="Give this release a new agent_version.")


def _check_ids(before: Mapping[str, Any], now: Mapping[str, Any], since: str) -> Iterator[Problem]:
    earlier, later = _actions(before), _actions(now)
    came = [name for name in later if name not in earlier]
    for gone in (name for name in earlier if name not in later):
        alike = nearest(gone, came) or next(
            (name for name in came if _is_alike(earlier[gone], later[name])), None
        )
        if alike is not None:
            index = list(later).index(alike)
            message = f"Action {gone}, there {since}, seems to be called {alike} now; Pond sees a new action."
            fix = "Keep the old id; the name and the description may change."
            yield warning("ACT-04", join("/actions", index, "id"), message, fix=fix)


def _is_alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return one.get("input_schema") is not None and fingerprint(one["input_schema"]) == fingerprint(
        other.get("input_schema")
    )


def _actions(manifest: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    actions = manifest.get("actions")
    listed = actions if isinstance(actions, list) else []
    return {str(action.get("id")): action for action in listed if isinstance(action, dict)}
