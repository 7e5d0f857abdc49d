"""What can go wrong, as types: a refused request, a failed run.

A `ProtocolError` refuses a request before anything is executed and is answered with its HTTP status.
A `Failure` ends a run that was accepted and travels inside the result (specification, "Return errors").
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from agent.pond.facts import POND_ONLY_CODES, STATUSES


class ProtocolError(Exception):
    """A request refused before execution: `code` and `status` are facts of the class.

    `message` is a safe English sentence for the person who called; `details` says where the fault is;
    `retry_after` is after how many seconds the same request may succeed.
    """

    code: ClassVar[str]
    status: ClassVar[int]

    def __init_subclass__(cls, *, code: str) -> None:
        cls.code = code
        cls.status = STATUSES[code]

    def __init__(self, message: str, *, retry_after: int | None = None, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.details = details
        self.retry_after = retry_after
        self.run_id: str | None = None

    def body(self) -> dict[str, Any]:
        """The JSON object that Pond receives; `run_id` is echoed when the request named one."""
        named = {} if self.run_id is None else {"run_id": self.run_id}
        return named | {"error": describe(self.code, self.message, self.details)}


class InvalidRequest(ProtocolError, code="invalid_request"):
    """The body is no JSON, or the envelope breaks a rule of the protocol."""


class InvalidInput(ProtocolError, code="invalid_input"):
    """The envelope is fine; the parameters break the action's own input schema."""


class UnsupportedOperation(ProtocolError, code="unsupported_operation"):
    """An action or a mode that the manifest does not offer."""


class UnsupportedProtocolVersion(ProtocolError, code="unsupported_protocol_version"):
    """A well-formed version other than the one that is spoken here."""


class UnsupportedContentType(ProtocolError, code="unsupported_content_type"):
    """The body is of another media type than the endpoint reads."""


class Unauthorized(ProtocolError, code="unauthorized"):
    """The Access Key is missing, malformed or wrong."""


class TaskNotFound(ProtocolError, code="task_not_found"):
    """There is no such task, or it is not the caller's."""


class IdempotencyConflict(ProtocolError, code="idempotency_conflict"):
    """The run id was used before, with a materially different request."""


class RateLimited(ProtocolError, code="rate_limited"):
    """The user has started too many runs lately; the same request may succeed later."""


class TemporarilyUnavailable(ProtocolError, code="temporarily_unavailable"):
    """The agent cannot take this request now; the same request may succeed later."""


class InternalError(ProtocolError, code="internal_error"):
    """A fault of the server itself. The message is fixed: what really happened stands in the log."""

    def __init__(self) -> None:
        super().__init__("The agent failed unexpectedly.")


class UnusableManifest(Exception):
    """A manifest cannot be served. `pond-new validate` lists every problem in it."""


class Failure(Exception):
    """Raise it in a handler to end the run and tell the user why.

    `code` is one of the protocol's codes (`STATUSES` in `facts.py`) or one of your own. `message`
    is a safe English sentence: no names of machines, no text of other exceptions. `details` is anything that
    JSON can carry, such as `field="parameters.text"`.
    """

    def __init__(self, code: str, message: str, **details: object) -> None:
        if code in POND_ONLY_CODES:
            raise ValueError(f"{code!r} is recorded by Pond itself: an agent must not send it")
        if not code or not message:
            raise ValueError("a Failure needs a code and a message")
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details

    def error(self) -> dict[str, Any]:
        """The `error` object of Pond's terminal result.

        Pond shows a code that it does not know as a fault of the agent, without the message: a code of your
        own is sent as `invalid_input` and stands in the details.
        """
        if self.code in STATUSES:
            return describe(self.code, self.message, self.details)
        return describe("invalid_input", self.message, {"code": self.code} | self.details)


def describe(code: str, message: str, details: Mapping[str, object]) -> dict[str, Any]:
    """An error object as the protocol writes it: `details` only when there are any."""
    return {"code": code, "message": message} | ({"details": dict(details)} if details else {})
