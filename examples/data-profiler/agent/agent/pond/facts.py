"""Pond Protocol V1 as data: each fact once, with its section of the specification. Pure.

Nothing in here decides anything. When a number or a word of the protocol is needed, it comes from this page.
"""

from collections.abc import Mapping
from dataclasses import dataclass

PROTOCOL = "marketplace-agent"  # section "Add the manifest"
PROTOCOL_VERSION = "1.0"  # section "Add the manifest"; 1.0.1 and 1.1 are not implied
MAX_MANIFEST_BYTES = 256 * 1024  # section "Add the manifest"

AUTHORIZATION_HEADER = "authorization"  # section "Configure authentication"
VERSION_HEADER = "x-agent-protocol-version"  # section "Configure authentication"
IDEMPOTENCY_HEADER = "idempotency-key"  # section "Receive a prepared run"


@dataclass(frozen=True, slots=True)
class Operation:
    """One endpoint that Pond calls."""

    name: str
    method: str
    path: str
    section: str


OPERATIONS = (
    Operation("manifest", "GET", "/manifest", "Quick start"),
    Operation("runs", "POST", "/runs", "Quick start"),
    Operation("task", "GET", "/tasks/{task_id}", "Quick start"),
)


@dataclass(frozen=True, slots=True)
class Mode:
    """One way to answer a run: the word in the request, the capability that offers it, what Pond accepts."""

    name: str
    capability: str
    accept: str


MODES: Mapping[str, Mode] = {  # section "Return a result"
    mode.name: mode
    for mode in (
        Mode("sync", "sync", "application/json"),
        Mode("stream", "streaming", "text/event-stream"),
        Mode("async", "async_tasks", "application/json"),
    )
}

STATUSES: Mapping[str, int] = {  # section "Return errors": a request refused before execution begins
    "invalid_request": 400,
    "unsupported_operation": 400,
    "unsupported_protocol_version": 400,
    "unauthorized": 401,
    "task_not_found": 404,
    "idempotency_conflict": 409,
    "unsupported_content_type": 415,
    "invalid_input": 422,
    "rate_limited": 429,
    "internal_error": 500,
    "temporarily_unavailable": 503,
}

# Section "Return errors": Pond records these itself, an agent never sends them.
POND_ONLY_CODES = frozenset({"agent_timeout", "agent_unreachable", "invalid_agent_response"})

USAGE_UNITS = ("token", "result", "other")  # section "Report usage"
