"""The facts of Pond Protocol V1, each written once with its section of the specification. Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PROTOCOL = "marketplace-agent"
PROTOCOL_VERSION = "1.0"

MANIFEST_BYTES = 262_144
"""The most bytes a manifest may have (Add the manifest)."""

ACTION_ID_PATTERN = r"^[a-z][a-z0-9_]{0,63}$"
ACTION_ID_LENGTH = 64
ACTION_NAME_LENGTH = 100
ACTION_DESCRIPTION_LENGTH = 1000

AUTHORIZATION = "Authorization"
AUTHORIZATION_SCHEME = "Bearer"
VERSION_HEADER = "X-Agent-Protocol-Version"
IDEMPOTENCY_HEADER = "Idempotency-Key"

JSON_MEDIA_TYPE = "application/json"
EVENT_STREAM_MEDIA_TYPE = "text/event-stream"

UsageUnit = Literal["token", "result", "other"]

USAGE_UNITS: tuple[UsageUnit, ...] = ("token", "result", "other")
VALUE_TYPES = ("string", "integer", "number", "boolean", "array", "object")
DEMO_FILE_TYPES = ("image", "video", "pdf", "ppt", "pptx")


@dataclass(frozen=True, slots=True)
class Operation:
    """One endpoint of an agent; `capability` names the flag that makes it required, None means always."""

    name: str
    method: Literal["GET", "POST"]
    path: str
    section: str
    capability: str | None = None


OPERATIONS = (
    Operation("manifest", "GET", "/manifest", "Quick start"),
    Operation("run", "POST", "/runs", "Quick start"),
    Operation("task", "GET", "/tasks/{task_id}", "Quick start", "async_tasks"),
)


@dataclass(frozen=True, slots=True)
class Mode:
    """One way to execute a run: the manifest flag that offers it and how its answer travels."""

    name: Literal["sync", "stream", "async"]
    capability: str
    accept: str
    status: int
    section: str


MODES = (
    Mode("sync", "sync", JSON_MEDIA_TYPE, 200, "Synchronous"),
    Mode("stream", "streaming", EVENT_STREAM_MEDIA_TYPE, 200, "Streaming"),
    Mode("async", "async_tasks", JSON_MEDIA_TYPE, 202, "Asynchronous"),
)


@dataclass(frozen=True, slots=True)
class Capability:
    """One flag of `capabilities`; a reserved one is always false in V1."""

    name: str
    meaning: str
    is_reserved: bool = False


CAPABILITIES = (
    Capability("sync", "answers a run with one JSON result"),
    Capability("streaming", "answers a run with a stream of events"),
    Capability("async_tasks", "accepts a run as a task and is asked for its result"),
    Capability("cancellation", "reserved for a later version", is_reserved=True),
    Capability("attachments", "takes files that a user uploaded"),
    Capability("feedback", "reserved for a later version", is_reserved=True),
)


@dataclass(frozen=True, slots=True)
class Limit:
    """One number of `limits`: an integer of at least 1."""

    name: str
    unit: str
    meaning: str


LIMITS = (
    Limit("max_request_bytes", "bytes", "the largest body of a run request"),
    Limit("max_attachment_bytes", "bytes", "the largest single file of a user"),
    Limit("max_run_seconds", "seconds", "the longest time a run may take"),
)


@dataclass(frozen=True, slots=True)
class State:
    """One state of an asynchronous task (Asynchronous)."""

    name: Literal["queued", "running", "completed", "failed", "expired"]
    is_terminal: bool


STATES = (
    State("queued", is_terminal=False),
    State("running", is_terminal=False),
    State("completed", is_terminal=True),
    State("failed", is_terminal=True),
    State("expired", is_terminal=True),
)


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a streamed run (Streaming): `run.started` comes first, one terminal event last."""

    name: str
    is_terminal: bool = False


EVENTS = (
    Event("run.started"),
    Event("message.delta"),
    Event("artifact.ready"),
    Event("run.completed", is_terminal=True),
    Event("run.error", is_terminal=True),
)


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One error code and the HTTP status of a request refused with it; Pond's own codes have no status."""

    code: str
    status: int | None
    meaning: str
    section: str = "Return errors"

    @property
    def is_pond_only(self) -> bool:
        """Whether only Pond itself records this code; an agent never sends it."""
        return self.status is None


ERROR_CODES = (
    ErrorCode("invalid_request", 400, "The body is not JSON, or breaks a rule of the protocol."),
    ErrorCode("unauthorized", 401, "The access key is missing, malformed or wrong."),
    ErrorCode("idempotency_conflict", 409, "This key came before with another request."),
    ErrorCode(
        "invalid_input", 422, "The request is in order; its content is not something the agent can work with."
    ),
    ErrorCode("unsupported_operation", 400, "The action or the mode is missing, unknown or not offered."),
    ErrorCode(
        "unsupported_protocol_version", 400, "The version header names a version the agent does not speak."
    ),
    ErrorCode("unsupported_content_type", 415, "The media type is not one the agent takes."),
    ErrorCode("task_not_found", 404, "There is no such task, or this caller may not see it."),
    ErrorCode("rate_limited", 429, "Too many requests came in too short a time."),
    ErrorCode("temporarily_unavailable", 503, "The agent is overloaded or not ready at the moment."),
    ErrorCode("internal_error", 500, "Something broke in the agent that nobody foresaw."),
    ErrorCode("agent_timeout", None, "Pond waited until the deadline and got no result."),
    ErrorCode("agent_unreachable", None, "Pond could not reach the agent's server."),
    ErrorCode("invalid_agent_response", None, "The agent's final answer was not a valid one."),
)


@dataclass(frozen=True, slots=True)
class Category:
    """A listing category: `safe` in every revision, `ours` in this one only, `drifted` in another only."""

    name: str
    standing: Literal["safe", "ours", "drifted"]
    replacement: str | None = None


CATEGORIES = (
    Category("sales", "safe"),
    Category("content", "safe"),
    Category("development", "ours"),
    Category("analytics", "safe"),
    Category("research", "safe"),
    Category("workflow", "ours"),
    Category("compliance", "safe"),
    Category("productivity_tools", "ours"),
    Category("agent_infrastructure", "safe"),
    Category("others", "safe"),
    Category("marketing", "drifted", "sales"),
    Category("coding", "drifted", "development"),
    Category("productivity", "drifted", "productivity_tools"),
)


@dataclass(frozen=True, slots=True)
class PricingModel:
    """What a plan of one pricing model needs and excludes (Pricing plans, Appendix); amounts are US cents."""

    name: Literal["free", "pay_as_you_go", "subscription"]
    amount_minimum: int
    amount_maximum: int | None
    requires: tuple[str, ...]
    excludes: tuple[str, ...]


PRICING_MODELS = (
    PricingModel("free", 0, 0, ("included_units",), ("usage_quantity", "billing_interval")),
    PricingModel("pay_as_you_go", 1, None, (), ("billing_interval", "included_units", "validity_days")),
    PricingModel(
        "subscription", 1, None, ("billing_interval", "included_units"), ("usage_quantity", "validity_days")
    ),
)
