"""The answers about a tool as people type them: how each is read from the manifest and put there. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from pond_new.agent_manifest.draft import NOWHERE

TYPES = ("string", "integer", "number", "boolean", "array", "object")
SAMPLES: Mapping[str, Any] = {
    "string": "Replace this by a real answer.",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "array": [],
    "object": {},
}
NAME_AND_TYPE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*:\s*([a-z]+)")

Show = Callable[[Mapping[str, Any]], str]
Put = Callable[[dict[str, Any], str], None]


def at(*steps: str) -> tuple[Show, Put]:
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


def put_id(manifest: dict[str, Any], reply: str) -> None:
    """The id; a repository that was only made up from the old one follows."""
    if manifest["source"]["repository"] == f"{NOWHERE}/{manifest['id']}":
        manifest["source"]["repository"] = f"{NOWHERE}/{reply}"
    manifest["id"] = reply


def put_author(manifest: dict[str, Any], reply: str) -> None:
    """One author by name; the same name as before keeps what else is known. Raises `ValueError` for none."""
    if not reply:
        raise ValueError("Name at least one author.")
    if reply != show_author(manifest):
        manifest["authors"] = [{"name": reply}]


def show_author(manifest: Mapping[str, Any]) -> str:
    """The name of the first author."""
    author = manifest["authors"][0]
    return str(author["name"] if isinstance(author, Mapping) else author)


def put_output(manifest: dict[str, Any], reply: str) -> None:
    """`answer: string, count: integer` -> an output schema, and an example that satisfies it.

    Raises `ValueError` with a sentence for anything else.
    """
    if reply == show_output(manifest):  # a schema that says more than names and types stays
        return
    found = [NAME_AND_TYPE.fullmatch(part.strip()) for part in reply.split(",")]
    fields = {match[1]: match[2] for match in found if match}
    if None in found or not set(fields.values()) <= set(TYPES):
        raise ValueError(f"Write name: type, with commas between. Types are {', '.join(TYPES)}.")
    manifest["interface"]["output"] = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in fields.items()},
        "required": list(fields),
        "additionalProperties": False,
    }
    first = next(example for example in manifest["examples"] if "output" in example)
    first["output"] = {name: SAMPLES[kind] for name, kind in fields.items()}


def show_output(manifest: Mapping[str, Any]) -> str:
    """`name: type` of each field that is returned, with commas between."""
    properties = manifest["interface"]["output"].get("properties", {})
    return ", ".join(
        f"{name}: {schema.get('type') if isinstance(schema, Mapping) else 'any'}"
        for name, schema in properties.items()
    )


def put_errors(manifest: dict[str, Any], reply: str) -> None:
    """The codes, each with the description that it had."""
    known = {error["code"]: error for error in manifest["interface"]["errors"]}
    codes = [code.strip() for code in reply.split(",") if code.strip()]
    manifest["interface"]["errors"] = [known.get(code, {"code": code}) for code in codes]


def show_errors(manifest: Mapping[str, Any]) -> str:
    """The codes, with commas between."""
    return ", ".join(error["code"] for error in manifest["interface"]["errors"])


def put_price(manifest: dict[str, Any], reply: str) -> None:
    """An amount in US dollars: 0 is free, anything else is charged for each call."""
    is_free = not reply.strip("0.")
    plan = {"model": "free" if is_free else "per_call", "amount": "0" if is_free else reply}
    manifest["pricing"] = manifest["pricing"] | plan


def put_egress(manifest: dict[str, Any], reply: str) -> None:
    """The hosts of a list with commas between; empty for none."""
    manifest["data"]["egress"] = [host.strip() for host in reply.split(",") if host.strip()]


def show_price(manifest: Mapping[str, Any]) -> str:
    """The amount of a call in US dollars."""
    return str(manifest["pricing"].get("amount", "0"))


def show_egress(manifest: Mapping[str, Any]) -> str:
    """The hosts, with commas between."""
    return ", ".join(manifest["data"]["egress"])
