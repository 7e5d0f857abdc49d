"""The agent as one MCP tool: what the second standard wants to know beside what was answered before. Pure.

Everything else is drafted from those answers; the examples are to be written by hand.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pond_new.agent_manifest import check_manifest, describe_price
from pond_new.agent_manifest.draft import NOWHERE, draft_agent_manifest
from pond_new.agent_manifest.likeness import find_difference
from pond_new.agent_manifest.standard import load_standard
from pond_new.manifest import Problem
from pond_new.wizard.checks import in_words
from pond_new.wizard.draft import Draft
from pond_new.wizard.question import Choice, Conversation, Question, Tell

TYPES = ("string", "integer", "number", "boolean", "array", "object")
SAMPLES: Mapping[str, Any] = {
    "string": "Replace this by a real answer.",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "array": [],
    "object": {},
}
FIELD = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*:\s*([a-z]+)")
LATER = (
    "agent-manifest.json is drafted from these answers. Write its examples by hand: the tests replay them and"
    " want exactly those answers."
)

Put = Callable[[dict[str, Any], str], None]


@dataclass(frozen=True, slots=True)
class Field:
    """One question: where its answer stands in the manifest, and how it is read from there and put there.

    `topic` is the part of the manifest that the help key explains.
    `put` raises `ValueError` with a sentence for what cannot be put.
    """

    name: str
    pointer: str
    message: str
    intro: str
    topic: str
    show: Callable[[Mapping[str, Any]], str]
    put: Put


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
    yield Tell(f"{describe_price(manifest['pricing'])} {LATER}")
    return draft.with_tool(manifest)


def lacks_parts(draft: Draft) -> bool:
    """Whether the agent manifest is not whole yet."""
    return not set(load_standard()["required"]) <= draft.agent_manifest.keys()


def follow_actions(draft: Draft) -> Draft:
    """The draft with a tool that takes what its action takes now, after the actions were changed."""
    if lacks_parts(draft) or "pond" not in draft.settings.get("standards", ()):
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
    if "mcp" not in draft.settings.get("standards", ()) or lacks_parts(draft):
        return []
    return [
        ("Tool", f"{manifest['runtime']['tool']} of {manifest['id']} {manifest['version']}"),
        ("Endpoint", manifest["runtime"]["endpoint"]),
        ("Returns", _show_output(manifest)),
        ("Errors", _show_errors(manifest)),
        ("Price", describe_price(manifest["pricing"])),
        ("Data", f"retention {manifest['data']['retention']}; sent to {_show_egress(manifest) or 'nobody'}"),
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


def _put_output(manifest: dict[str, Any], reply: str) -> None:
    """`answer: string, count: integer` -> an output schema, and an example that satisfies it."""
    if reply == _show_output(manifest):  # a schema that says more than names and types stays
        return
    found = [FIELD.fullmatch(part.strip()) for part in reply.split(",")]
    wrong = [part.strip() for part, match in zip(reply.split(","), found, strict=True) if match is None]
    fields = {match[1]: match[2] for match in found if match}
    if wrong or not set(fields.values()) <= set(TYPES):
        raise ValueError(f"Write name: type, with commas between. Types are {', '.join(TYPES)}.")
    manifest["interface"]["output"] = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in fields.items()},
        "required": list(fields),
        "additionalProperties": False,
    }
    first = next(example for example in manifest["examples"] if "output" in example)
    first["output"] = {name: SAMPLES[kind] for name, kind in fields.items()}


def _show_output(manifest: Mapping[str, Any]) -> str:
    properties = manifest["interface"]["output"].get("properties", {})
    return ", ".join(
        f"{name}: {schema.get('type') if isinstance(schema, Mapping) else 'any'}"
        for name, schema in properties.items()
    )


def _put_errors(manifest: dict[str, Any], reply: str) -> None:
    known = {error["code"]: error for error in manifest["interface"]["errors"]}
    codes = [code.strip() for code in reply.split(",") if code.strip()]
    manifest["interface"]["errors"] = [known.get(code, {"code": code}) for code in codes]


def _show_errors(manifest: Mapping[str, Any]) -> str:
    return ", ".join(error["code"] for error in manifest["interface"]["errors"])


def _put_price(manifest: dict[str, Any], reply: str) -> None:
    is_free = not reply.strip("0.")
    plan = {"model": "free" if is_free else "per_call", "amount": "0" if is_free else reply}
    manifest["pricing"] = manifest["pricing"] | plan


def _put_author(manifest: dict[str, Any], reply: str) -> None:
    if not reply:
        raise ValueError("Name at least one author.")
    if reply != _show_author(manifest):
        manifest["authors"] = [{"name": reply}]


def _show_author(manifest: Mapping[str, Any]) -> str:
    author = manifest["authors"][0]
    return str(author["name"] if isinstance(author, Mapping) else author)


def _put_id(manifest: dict[str, Any], reply: str) -> None:
    if manifest["source"]["repository"] == f"{NOWHERE}/{manifest['id']}":
        manifest["source"]["repository"] = f"{NOWHERE}/{reply}"
    manifest["id"] = reply


def _put_egress(manifest: dict[str, Any], reply: str) -> None:
    manifest["data"]["egress"] = [host.strip() for host in reply.split(",") if host.strip()]


def _show_egress(manifest: Mapping[str, Any]) -> str:
    return ", ".join(manifest["data"]["egress"])


def _at(*steps: str) -> tuple[Callable[[Mapping[str, Any]], str], Put]:
    """How a text that stands alone is shown and put."""

    def show(manifest: Mapping[str, Any]) -> str:
        value: Any = manifest
        for step in steps:
            value = value[step]
        return str(value)

    def put(manifest: dict[str, Any], reply: str) -> None:
        part = manifest
        for step in steps[:-1]:
            part = part[step]
        part[steps[-1]] = reply

    return show, put


FIELDS: tuple[Field, ...] = (
    Field(
        "id",
        "/id",
        "What is its id?",
        "Your handle on the platform and a name, such as ada/text-stats. It stays for ever.",
        "id",
        _at("id")[0],
        _put_id,
    ),
    Field(
        "summary",
        "/summary",
        "What does it do, in one sentence?",
        "Callers read it before they read the schemas.",
        "name",
        *_at("summary"),
    ),
    Field(
        "license",
        "/license",
        "Which licence has the code?",
        "An open source licence by its SPDX id; others are not accepted.",
        "license",
        *_at("license"),
    ),
    Field("authors", "/authors", "Who answers for it?", "", "authors", _show_author, _put_author),
    Field(
        "interface.output",
        "/interface/output",
        "What does it return?",
        "The fields of the JSON object, as name: type. Callers trust this schema, so say what you really"
        " return; more rules (bounds, nested objects) are written in agent-manifest.json.",
        "interface",
        _show_output,
        _put_output,
    ),
    Field(
        "interface.errors",
        "/interface/errors",
        "Which failures are to be expected?",
        "A short code for each, with commas between: empty_text, over_budget. A failure that is not declared"
        " is never billed.",
        "interface.errors",
        _show_errors,
        _put_errors,
    ),
    Field(
        "pricing",
        "/pricing",
        "What does a call cost, in US dollars?",
        "0 is free. Charged on success.",
        "pricing",
        lambda manifest: str(manifest["pricing"].get("amount", "0")),
        _put_price,
    ),
    Field(
        "runtime.endpoint",
        "/runtime/endpoint",
        "Where will it be reached?",
        "The public https address of the MCP endpoint. It may be changed until it is published.",
        "runtime",
        *_at("runtime", "endpoint"),
    ),
    Field(
        "data.retention",
        "/data/retention",
        "How long is what callers send kept?",
        "none, or an ISO 8601 duration such as P7D.",
        "data",
        *_at("data", "retention"),
    ),
    Field(
        "data.egress",
        "/data/egress",
        "To which hosts is data sent?",
        "Such as the host of a model provider, with commas between; leave it empty where there are none. The"
        " tests check it.",
        "data.egress",
        _show_egress,
        _put_egress,
    ),
)
