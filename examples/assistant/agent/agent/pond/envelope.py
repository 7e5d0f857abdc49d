"""Bytes -> a checked run request, or the right refusal. Pure: no I/O, no clock.

The checks stand in the order in which their refusals take precedence: key, version, media type, size,
JSON, schema, key = run id, action, parameters, mode, output modes, deadline, files
(specification, "Configure authentication", "Receive a prepared run", "Return errors").
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from agent.pond import facts
from agent.pond.access import Access, Headers, header_values
from agent.pond.contract import Contract
from agent.pond.errors import (
    InvalidInput,
    InvalidRequest,
    ProtocolError,
    UnsupportedContentType,
    UnsupportedOperation,
)
from agent.pond.integers import restorer
from agent.pond.schema import Schema

RUN_REQUEST_SCHEMA = Path(__file__).with_name("run-request.schema.json")
SURELY_FLAT = 200  # lists and objects: a body with fewer of them needs no second look


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One checked `POST /runs`. `fingerprint` is equal for bodies that differ only in JSON layout.

    `document` is the body itself. `files` are the user's uploads: url, name and media_type of each. `ignored`
    has the dotted names of fields that the protocol does not know (lenient agents only).
    """

    run_id: str
    action_id: str | None
    mode: str
    deadline_ms: int
    text: str
    parameters: Mapping[str, Any]
    user: Mapping[str, str]
    fingerprint: bytes
    document: Mapping[str, Any]
    files: tuple[Mapping[str, str], ...] = ()
    ignored: tuple[str, ...] = ()


class Envelope:
    """What this agent accepts, compiled once at start."""

    def __init__(self, contract: Contract, access: Access) -> None:
        self._contract = contract
        self.access = access
        self._strict = Schema(_request_schema(), root="")
        self._schema = Schema(_opened(_request_schema()), root="") if access.lenient else self._strict
        self._parameters = {
            action: (Schema(schema, root="parameters"), restorer(schema))
            for action, schema in contract.schemas.items()
            if schema is not None
        }

    def parse_run(self, headers: Headers, body: bytes) -> RunRequest:
        """Check everything but the key. A refusal carries the `run_id` wherever it can be read.

        `body` is the request's body, cut off anywhere beyond the limit of the manifest.
        """
        document: Any = None
        try:
            self.access.check_version(headers)
            self._check_media_type(headers)
            document = self._parse_json(body)
            return self._check_request(headers, document)
        except ProtocolError as error:
            error.run_id = _run_id(_peek(body) if document is None else document, headers)
            raise

    def restore(self, document: bytes) -> RunRequest:
        """The request of an accepted run. Raises `ProtocolError` where it is served no more."""
        return self._check_promises(orjson.loads(document))

    def _check_media_type(self, headers: Headers) -> None:
        content_type = b"".join(header_values(headers, b"content-type")[:1]).lower()
        media_type, _, parameters = content_type.partition(b";")
        charset = parameters.partition(b"charset=")[2].strip(b' "') or b"utf-8"
        if media_type.strip() != b"application/json" or charset not in {b"utf-8", b"utf8", b"us-ascii"}:
            raise UnsupportedContentType("The body must be application/json in UTF-8.")
        if header_values(headers, b"content-encoding") not in ([], [b"identity"]):
            raise UnsupportedContentType("The body must not be compressed: leave out Content-Encoding.")

    def _parse_json(self, body: bytes) -> Any:
        limit = self._contract.max_request_bytes
        if len(body) > limit:
            raise InvalidRequest(f"The request body is larger than {limit} bytes.")
        try:
            document = orjson.loads(body)
        except orjson.JSONDecodeError:
            raise InvalidRequest("The request body is not valid JSON.") from None
        if _is_deep(body, document):
            raise InvalidRequest("The request body is nested too deeply.")
        return document

    def _check_request(self, headers: Headers, document: Any) -> RunRequest:
        if self.access.lenient:
            document = self._with_mode(headers, document)
        if fault := self._schema.fault(document):
            raise InvalidRequest(fault.message, field=fault.field)
        if header_values(headers, facts.IDEMPOTENCY_HEADER.encode()) != [document["run_id"].encode()]:
            raise InvalidRequest("The Idempotency-Key header must equal run_id.", field="run_id")
        return self._check_promises(document)

    def _check_promises(self, document: Mapping[str, Any]) -> RunRequest:
        """What the manifest promises, for a document in the protocol's shape."""
        action = self._check_action(document)
        parameters = self._check_parameters(action, document["parameters"])
        self._check_execution(document["execution"])
        parts = document["messages"][0]["parts"]
        return RunRequest(
            run_id=document["run_id"],
            action_id=action,
            mode=document["execution"]["mode"],
            deadline_ms=int(document["execution"]["deadline_ms"]),
            text="\n".join(part["text"] for part in parts if part["type"] == "text"),
            parameters=parameters,
            user=document["user"],
            fingerprint=fingerprint(document),
            document=document,
            files=self._check_files(parts),
            ignored=self._strict.unknown(document) if self.access.lenient else (),
        )

    def _check_action(self, document: Mapping[str, Any]) -> str | None:
        action: str | None = document.get("action_id")
        if action in self._contract.schemas:
            return action
        if not self._contract.has_actions:
            raise UnsupportedOperation("This agent has no actions: leave out action_id.", field="action_id")
        if action is None:
            raise UnsupportedOperation(
                "action_id is missing: this agent declares actions.", field="action_id"
            )
        raise UnsupportedOperation("There is no such action.", field="action_id")

    def _check_parameters(self, action: str | None, parameters: Mapping[str, Any]) -> Mapping[str, Any]:
        if action not in self._parameters:
            return parameters
        schema, restore = self._parameters[action]
        if fault := schema.fault(parameters):
            raise InvalidInput(fault.message, field=fault.field)
        restored: Mapping[str, Any] = restore(parameters)
        return restored

    def _check_execution(self, execution: Mapping[str, Any]) -> None:
        if execution["mode"] not in self._contract.modes:
            raise UnsupportedOperation(
                f"This agent does not offer the mode {execution['mode']}.", field="execution.mode"
            )
        if not set(execution["accepted_output_modes"]) & set(self._contract.output_modes):
            offered = ", ".join(self._contract.output_modes)
            raise InvalidRequest(
                f"None of the accepted output modes is offered. This agent returns {offered}.",
                field="execution.accepted_output_modes",
            )
        if execution["deadline_ms"] > self._contract.max_run_seconds * 1000:
            raise InvalidRequest(
                f"The deadline is beyond this agent's limit of {self._contract.max_run_seconds} seconds.",
                field="execution.deadline_ms",
            )

    def _check_files(self, parts: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, str], ...]:
        """The file parts, of declared media types; how large a file is shows when it is fetched."""
        found = [(place, part["file"]) for place, part in enumerate(parts) if part["type"] == "file"]
        if found and not self._contract.attachments:
            raise InvalidRequest("This agent takes no attachments.", field="messages.0.parts")
        for place, file in found:
            if not is_declared(file["media_type"], self._contract.input_modes):
                accepted = ", ".join(self._contract.input_modes)
                raise UnsupportedContentType(
                    f"This agent takes no files of that media type, only {accepted}.",
                    field=f"messages.0.parts.{place}.file.media_type",
                )
        return tuple(file for _, file in found)

    def _with_mode(self, headers: Headers, document: Any) -> Any:
        """The request with its missing mode: what `Accept` implies, else the first that is offered."""
        execution = document.get("execution") if isinstance(document, dict) else None
        if not isinstance(execution, dict) or "mode" in execution:
            return document
        streams = any(b"text/event-stream" in value for value in header_values(headers, b"accept"))
        mode = "stream" if streams and "stream" in self._contract.modes else self._contract.modes[0]
        return document | {"execution": execution | {"mode": mode}}


def is_declared(media_type: str, modes: Iterable[str]) -> bool:
    """Whether one of the modes is that media type or all of its kind, whatever the letters and parameters."""
    wanted = _plain(media_type)
    return any(_plain(mode) in {wanted, f"{wanted.partition('/')[0]}/*", "*/*"} for mode in modes)


def _plain(media_type: str) -> str:
    return media_type.partition(";")[0].strip().lower()


def fingerprint(document: Any) -> bytes:
    """32 bytes that are equal for requests that differ only in key order, white space and escapes."""
    return hashlib.sha256(orjson.dumps(document, option=orjson.OPT_SORT_KEYS)).digest()


def _is_deep(body: bytes, document: Any) -> bool:
    """Whether it could not be written again: orjson reads more levels than it writes."""
    if body.count(b"{") + body.count(b"[") < SURELY_FLAT:
        return False
    try:
        orjson.dumps(document)
    except orjson.JSONEncodeError:
        return True
    return False


def _request_schema() -> Any:
    return json.loads(RUN_REQUEST_SCHEMA.read_text(encoding="utf-8"))


def _opened(node: Any) -> Any:
    """The schema with every object open to unknown fields."""
    if isinstance(node, dict):
        return {name: _opened(value) for name, value in node.items() if name != "additionalProperties"}
    return [_opened(value) for value in node] if isinstance(node, list) else node


def _peek(body: bytes) -> Any:
    """The body's JSON value if it has one: for the run id of a refusal that came before the parsing."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return None


def _run_id(document: Any, headers: Headers) -> str | None:
    """The run id of a refused request: from its body, else from the header that always equals it."""
    run_id = document.get("run_id") if isinstance(document, dict) else None
    if isinstance(run_id, str) and run_id:
        return run_id
    keys = header_values(headers, facts.IDEMPOTENCY_HEADER.encode())
    return keys[0].decode(errors="replace") if keys and keys[0] else None
