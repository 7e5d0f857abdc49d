"""The agent as one MCP tool: what the second standard wants to know beside what was answered before. Pure.

Everything else is drafted from those answers; the examples are to be written by hand.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from pond_new.agent_manifest import check_manifest, describe_price
from pond_new.agent_manifest.draft import draft_agent_manifest
from pond_new.agent_manifest.likeness import find_difference
from pond_new.agent_manifest.standard import load_standard
from pond_new.manifest import Problem
from pond_new.project.settings import MCP, POND
from pond_new.wizard.checks import in_words
from pond_new.wizard.draft import Draft
from pond_new.wizard.question import Choice, Conversation, Question, Tell
from pond_new.wizard.sections.tool_fields import FIELDS, Field
from pond_new.wizard.sections.tool_texts import show_egress, show_errors, show_output

EXAMPLES_NEXT = (
    "agent-manifest.json is drafted from these answers. Write its examples by hand: the tests replay them and"
    " want exactly those answers."
)


def ask_tool(draft: Draft) -> Conversation[Draft]:
    """Ask for the agent manifest, offering what is known; the result passes round one of the standard."""
    manifest = yield from _ask_action(draft)
    for field in FIELDS:
        reply = yield Question(
            f"agent_manifest.{field.name}",
            "text",
            field.message,
            field.intro,
            f"agent_manifest.{field.topic}",
            default=field.show(manifest),
            check=_checker(field, manifest),
        )
        manifest = _with(field, manifest, reply)
    trains = yield Question(
        "agent_manifest.training_use",
        "confirm",
        "Is what callers send used to train models?",
        "Callers' rules refuse agents whose use of data does not suit them.",
        "agent_manifest.data",
        default=bool(manifest["data"]["training_use"]),
    )
    manifest["data"]["training_use"] = trains
    yield Tell(f"{describe_price(manifest['pricing'])} {EXAMPLES_NEXT}")
    return draft.with_tool(manifest)


def lacks_parts(draft: Draft) -> bool:
    """Whether the agent manifest is not whole yet."""
    return not set(load_standard()["required"]) <= draft.agent_manifest.keys()


def follow_actions(draft: Draft) -> Draft:
    """The draft with a tool that takes what its action takes now, after the actions were changed."""
    if lacks_parts(draft) or POND not in draft.standards:
        return draft
    manifest = copy.deepcopy(dict(draft.agent_manifest))
    actions = {action["id"]: action for action in draft.manifest.get("actions", ())}
    name = manifest["runtime"]["tool"]
    chosen = name if name in actions else next(iter(actions), None)
    if chosen is not None and len(actions) > 1:
        manifest["runtime"]["tool"] = chosen
    given = {**draft.manifest, "actions": [actions[chosen]] if chosen is not None else []}
    now = draft_agent_manifest(draft.suggested_name or "My Agent", given)
    if find_difference(manifest["interface"]["input"], now["interface"]["input"]) is None:
        return draft.with_tool(manifest)
    manifest["interface"]["input"] = now["interface"]["input"]
    first = next(example for example in manifest["examples"] if "output" in example)
    manifest["examples"] = [first | {"input": now["examples"][0]["input"]}]
    return draft.with_tool(manifest)


def show_tool(draft: Draft) -> list[tuple[str, str]]:
    """The tool in the summary, empty without the second standard."""
    manifest = draft.agent_manifest
    if MCP not in draft.standards or lacks_parts(draft):
        return []
    return [
        ("Tool", f"{manifest['runtime']['tool']} of {manifest['id']} {manifest['version']}"),
        ("Endpoint", manifest["runtime"]["endpoint"]),
        ("Returns", show_output(manifest)),
        ("Errors", show_errors(manifest)),
        ("Price", describe_price(manifest["pricing"])),
        ("Data", f"retention {manifest['data']['retention']}; sent to {show_egress(manifest) or 'nobody'}"),
    ]


def _ask_action(draft: Draft) -> Conversation[dict[str, Any]]:
    """The manifest to start from; where there are several actions, of the one that becomes the tool."""
    if not lacks_parts(draft):
        return copy.deepcopy(dict(draft.agent_manifest))
    actions = list(draft.manifest.get("actions", ()))
    chosen = actions[:1]
    if len(actions) > 1:
        reply = yield Question(
            "agent_manifest.tool",
            "choice",
            "Which action is the tool?",
            "An agent manifest describes exactly one tool; the other actions are Pond's alone.",
            "agent_manifest.runtime",
            default=actions[0]["id"],
            choices=[Choice(action["id"], action.get("name") or action["id"]) for action in actions],
        )
        chosen = [action for action in actions if action["id"] == reply]
    given = {**draft.manifest, "actions": chosen}
    drafted = draft_agent_manifest(draft.suggested_name or "My Agent", given)
    return copy.deepcopy(drafted | dict(draft.agent_manifest))


def _checker(field: Field, manifest: dict[str, Any]) -> Callable[[Any], str | None]:
    def check(reply: Any) -> str | None:
        try:
            changed = _with(field, manifest, str(reply))
        except ValueError as fault:
            return str(fault)
        found = (each for each in _errors(json.dumps(changed)) if each.pointer.startswith(field.pointer))
        return next(map(in_words, found), None)

    return check


@lru_cache(maxsize=1024)
def _errors(manifest: str) -> tuple[Problem, ...]:
    """What round one refuses; a conversation that goes back asks the same again and again."""
    return tuple(problem for problem in check_manifest(json.loads(manifest)) if problem.severity == "error")


def _with(field: Field, manifest: dict[str, Any], reply: str) -> dict[str, Any]:
    changed = copy.deepcopy(manifest)
    field.put(changed, reply.strip())
    return changed
