"""A second opinion on a run request: accepted or refused, judged by other code than the server's."""

from __future__ import annotations

import json
import math
from typing import Any

from jsonschema import Draft202012Validator

from pond_new.protocol.facts import MODES
from pond_new.protocol.schemas import load_run_request_schema
from tests.broken.bodies import valid_request
from tests.broken.messages import Message
from tests.broken.requests import right_headers

DEEP = 240  # brackets: from here on how a value is nested decides too
ENVELOPE = Draft202012Validator(load_run_request_schema())
OTHER = {
    "created_at",
    "url",
}  # texts whose format is judged; only those of the valid request are surely right


def is_acceptable(message: Message, manifest: dict[str, Any], run_id: str) -> bool | None:
    """Whether a strict agent with this manifest has to accept a run; None where this model cannot say.

    A message whose headers are not the usual ones is not judged.
    """
    usual = [{**right_headers(mode, run_id)} for mode in ("sync", "stream")]
    if (message.method, message.target) != ("POST", "/runs") or dict(message.headers) not in usual:
        return None
    body = message.body
    if len(body) > manifest["limits"]["max_request_bytes"]:
        return False
    if len(message.headers) != len(usual[0]) or body.count(b"[") + body.count(b"{") > DEEP:
        return None
    try:
        document = json.loads(body.decode(), parse_constant=_refuse)
        json.dumps(document, ensure_ascii=False).encode()
    except ValueError:  # UnicodeError too: lone surrogates are no JSON text
        return False
    return _is_acceptable(document, manifest, run_id)


def _is_acceptable(document: Any, manifest: dict[str, Any], run_id: str) -> bool | None:
    if not ENVELOPE.is_valid(document) or document["run_id"] != run_id:
        return False
    action = next(
        (each for each in manifest.get("actions", ()) if each["id"] == document.get("action_id")), None
    )
    if action is None and ("actions" in manifest or "action_id" in document):
        return False
    schema = (action or manifest).get("input_schema", True)
    if not Draft202012Validator(schema).is_valid(document["parameters"]):
        return False
    execution = document["execution"]
    offered = [mode.name for mode in MODES if manifest["capabilities"][mode.capability]]
    keeps_limits = (
        execution["mode"] in offered
        and {*execution["accepted_output_modes"]} & {*manifest["output_modes"]}
        and execution["deadline_ms"] <= manifest["limits"]["max_run_seconds"] * 1000
    )
    if not keeps_limits or not _takes_files(document, manifest):
        return False
    return (
        True if _texts(document) <= _texts(valid_request("sync", files=1)) and _is_finite(document) else None
    )


def _takes_files(document: Any, manifest: dict[str, Any]) -> bool:
    files = [part["file"] for part in document["messages"][0]["parts"] if part["type"] == "file"]
    modes = manifest["input_modes"] if manifest["capabilities"]["attachments"] else []
    return all(file["media_type"].partition(";")[0].strip().lower() in modes for file in files)


def _texts(document: Any) -> set[str]:
    """The texts of a request that must have a format."""
    message = document["messages"][0]
    urls = {part["file"]["url"] for part in message["parts"] if part["type"] == "file"}
    return {message["created_at"]} | urls


def _is_finite(value: Any) -> bool:
    match value:
        case dict():
            return all(map(_is_finite, value.values()))
        case list():
            return all(map(_is_finite, value))
        case float():
            return math.isfinite(value)
    return True


def _refuse(name: str) -> Any:
    raise ValueError(name)
