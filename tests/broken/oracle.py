"""What every answer must be, whatever was sent (specification, "Return a result", "Return errors")."""

from __future__ import annotations

from typing import Any

from pond_new.protocol.facts import ERROR_CODES, USAGE_UNITS
from tests.broken.messages import Answer, Message
from tests.server.agents import KEY

STATUSES = {error.code: error.status for error in ERROR_CODES if error.status is not None}
POND = ("/runs", "/tasks/", "/manifest")  # where the key comes first
SECRETS = (KEY.encode(), b"Traceback", b'File "', b"site-packages", b"sqlite", b"orjson")
OWN_STATUSES = {404, 416}  # of hosted files, whose callers are browsers


def check_answer(message: Message, answer: Answer) -> None:
    """Raises `AssertionError` for an answer that no caller of an agent may get."""
    assert answer.status < 500, (answer.status, answer.body)
    assert not any(secret in answer.body for secret in SECRETS), answer.body
    if message.method == "HEAD":  # the web server drops the body
        return
    if answer.media_type.startswith("text/event-stream"):
        assert (message.target.partition("?")[0], answer.status) == ("/runs", 200)
        check_events(answer.events)
    elif answer.status in {200, 206} and message.target.startswith("/artifacts/"):
        assert answer.headers[b"x-content-type-options"] == b"nosniff"
    else:
        assert answer.media_type == "application/json", (answer.status, answer.headers)
        check_body(message, answer)


def check_body(message: Message, answer: Answer) -> None:
    """A JSON answer: a refusal, an acceptance, a task, a result or the manifest."""
    body = answer.json
    if answer.status not in {200, 202}:
        check_refusal(message, answer.status, body)
    elif answer.status == 202:
        assert {*body} == {"run_id", "task_id", "status", "poll_after_ms"}
        assert body["status"] in {"queued", "running"}
    elif "protocol" in body:
        assert message.target.startswith("/manifest")
    elif body != {"status": "ok"}:
        check_result(body)


def check_refusal(message: Message, status: int, body: Any) -> None:
    """An error in the protocol's shape with the status of its code; units are counted for runs alone."""
    assert {"error"} <= {*body} <= {"run_id", "error"}, body
    error = body["error"]
    assert {"code", "message"} <= {*error} <= {"code", "message", "details"}, body
    is_own = message.target.startswith("/artifacts/") and status in OWN_STATUSES
    assert is_own or STATUSES[error["code"]] == status, body
    assert error["message"]
    assert error["message"].isprintable()
    if not has_key(message) and is_ponds(message):
        assert status == 401, body


def check_result(body: Any) -> None:
    """A terminal result, or a task that goes on."""
    status = body["status"]
    assert status in {"queued", "running", "completed", "failed", "expired"}
    assert body["run_id"]
    if status in {"queued", "running"}:
        return
    assert body["usage"]["unit_of_measurement"] in USAGE_UNITS
    assert body["usage"]["quantity"] >= 0
    assert ("output" in body) == (status == "completed")
    assert ("error" in body) == (status != "completed")
    check_references(body.get("output", []), body.get("artifacts", []))


def check_events(events: list[tuple[str, Any]]) -> None:
    """One start, one end, and what was made in between."""
    names = [name for name, _ in events]
    assert names[0] == "run.started"
    assert names[-1] in {"run.completed", "run.error"}
    assert {*names[1:-1]} <= {"message.delta", "artifact.ready"}
    assert len({data["run_id"] for _, data in events}) == 1
    check_result(result_of(events))


def result_of(events: list[tuple[str, Any]]) -> Any:
    """What a stream says in the end, in the shape of mode `sync`."""
    name, terminal = events[-1]
    artifacts = [data["artifact"] for name, data in events if name == "artifact.ready"]
    status = "completed" if name == "run.completed" else "failed"
    return terminal | {"status": status} | ({"artifacts": artifacts} if artifacts else {})


def check_references(output: list[Any], artifacts: list[Any]) -> None:
    """Every reference means exactly one artifact."""
    known = [artifact["id"] for artifact in artifacts]
    wanted = [entry["artifact_id"] for entry in output if entry["type"] == "artifact_ref"]
    assert len({*known}) == len(known)
    assert {*wanted} == {*known}


def has_key(message: Message) -> bool:
    """Whether a message brings exactly the right key."""
    given = [value for name, value in message.headers if name == b"authorization"]
    return len(given) == 1 and given[0].lower()[:7] == b"bearer " and given[0][7:] == KEY.encode()


def is_ponds(message: Message) -> bool:
    """Whether a message is for an endpoint of Pond's."""
    path = message.target.partition("?")[0]
    return path in POND or path.startswith(POND[1])
