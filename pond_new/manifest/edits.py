"""Edits of a contract that leave the rest of its text as it is: order, indentation, line ends. Pure.

Each edit gives the bytes of the new file. It is spliced into the text and then read back: where the layout is
too unusual for that, the whole manifest is written anew with the same values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from pond_new.manifest.document import UTF8_MARK, Document, parse_document
from pond_new.manifest.dump import dump_manifest
from pond_new.manifest.problem import InvalidManifest

Change = tuple[int, int, str]
UNIT = "  "


def add_action(document: Document, action: Mapping[str, Any]) -> bytes:
    """The manifest with one more action behind the others."""
    actions = [*document.value.get("actions", ()), dict(action)]
    expected = _with_actions(document, actions)
    return _edited(document, expected, lambda: _addition(document, action))


def remove_action(document: Document, action_id: str) -> bytes:
    """The manifest without an action; without the last one, the key `actions` goes too."""
    index = action_index(document, action_id)
    actions = [action for place, action in enumerate(document.value["actions"]) if place != index]
    expected = _with_actions(document, actions)
    return _edited(
        document,
        expected,
        lambda: _removal(document, f"/actions/{index}" if actions else "/actions"),
    )


def rename_action(document: Document, old: str, new: str) -> bytes:
    """The manifest with another id for an action, and nothing else changed."""
    index = action_index(document, old)
    actions = [
        {**action, "id": new} if place == index else action
        for place, action in enumerate(document.value["actions"])
    ]
    return _edited(
        document,
        _with_actions(document, actions),
        lambda: _replacement(document, f"/actions/{index}/id", new),
    )


def set_agent_version(document: Document, version: str) -> bytes:
    """The manifest with another `agent_version`."""
    expected = {**document.value, "agent_version": version}
    return _edited(document, expected, lambda: _replacement(document, "/agent_version", version))


def set_texts(document: Document, texts: Mapping[str, str]) -> bytes:
    """The contract with other texts at JSON pointers that it has. Raises `LookupError` for others."""
    if missing := [pointer for pointer in texts if pointer not in document.spans]:
        raise LookupError(", ".join(missing))
    edited = document.text
    changes = [_replacement(document, pointer, text) for pointer, text in texts.items()]
    for start, end, replacement in sorted(changes, reverse=True):
        edited = edited[:start] + replacement + edited[end:]
    return UTF8_MARK + edited.encode() if document.has_mark else edited.encode()


def action_index(document: Document, action_id: str) -> int:
    """Where an action stands. Raises `LookupError`."""
    for index, action in enumerate(action_list(document)):
        if action.get("id") == action_id:
            return index
    raise LookupError(action_id)


def action_list(document: Document) -> list[dict[str, Any]]:
    """The actions of a manifest that may be invalid, as far as they are objects."""
    actions = document.value.get("actions")
    return [action for action in actions if isinstance(action, dict)] if isinstance(actions, list) else []


def _with_actions(document: Document, actions: list[Any]) -> dict[str, Any]:
    value: dict[str, Any] = dict(document.value)
    if actions:
        return {**value, "actions": actions}
    value.pop("actions", None)
    return value


def _edited(document: Document, expected: Mapping[str, Any], change: Callable[[], Change]) -> bytes:
    """The spliced text, or the whole manifest anew where splicing gave something else than expected."""
    text = document.text
    start, end, replacement = change()
    if "\r\n" in text:
        replacement = replacement.replace("\n", "\r\n")
    spliced = text[:start] + replacement + text[end:]
    if not _reads_as(spliced, expected):
        spliced = dump_manifest(expected)
    content = spliced.encode()
    return UTF8_MARK + content if document.has_mark else content


def _reads_as(text: str, expected: Mapping[str, Any]) -> bool:
    try:
        return bool(parse_document(text.encode(), name="manifest.json").value == expected)
    except InvalidManifest:
        return False


def _replacement(document: Document, pointer: str, value: Any) -> Change:
    span = document.spans[pointer]
    return span.start, span.end, json.dumps(value, ensure_ascii=False)


def _addition(document: Document, action: Mapping[str, Any]) -> Change:
    actions = document.value.get("actions")
    if actions:
        last = document.spans[f"/actions/{len(actions) - 1}"]
        margin = _margin(document.text, last.start)
        return last.end, last.end, _entry(action, margin, _unit(document))
    margin = _margin(document.text, document.spans[_last_member(document)].anchor)
    unit = _unit(document)
    whole = [action]
    if actions is not None:
        span = document.spans["/actions"]
        return span.start, span.end, _dumped(whole, margin or "", unit)
    end = document.spans[_last_member(document)].end
    member = f'"actions": {_dumped(whole, margin or "", unit)}'
    return end, end, f",\n{margin}{member}" if margin is not None else f", {member}"


def _entry(action: Mapping[str, Any], margin: str | None, unit: str) -> str:
    if margin is None:
        return f", {json.dumps(action, ensure_ascii=False)}"
    return f",\n{margin}{_dumped(action, margin, unit)}"


def _dumped(value: Any, margin: str, unit: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", f"\n{margin}")


def _last_member(document: Document) -> str:
    """The member of the manifest behind which actions read best: its metadata, or whatever is last."""
    return "/metadata" if "metadata" in document.value else f"/{list(document.value)[-1]}"


def _margin(text: str, offset: int) -> str | None:
    """The indentation of the line on which something begins, or None where it does not begin its line."""
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    return before if not before.strip() else None


def _unit(document: Document) -> str:
    """One level of indentation, as the text has it."""
    found = re.search(r"\n([ \t]+)\S", document.text)
    return found[1] if found else UNIT


def _removal(document: Document, pointer: str) -> Change:
    """What goes with an entry: the comma and the blank before it, or behind it when it is the first."""
    text, span = document.text, document.spans[pointer]
    before = text[: span.anchor].rstrip()
    if before.endswith(","):
        return len(before) - 1, span.end, ""
    after = span.end + len(text[span.end :]) - len(text[span.end :].lstrip())
    if text[after : after + 1] == ",":
        following = text[after + 1 :]
        return span.anchor, after + 1 + len(following) - len(following.lstrip()), ""
    return span.anchor, span.end, ""
