"""Whole requests: right ones with a few headers changed, other endpoints, and anything at all."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.broken.bodies import MODES, any_bodies, changed_requests
from tests.broken.messages import FRESH, Headers, Message
from tests.server.agents import KEY

METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "CONNECT", "BREW")
TARGETS = (
    *("/", "//", "/runs", "/runs/", "//runs", "/runs?x=1", "/RUNS", "/manifest", "/manifest/", "/healthz"),
    *("/tasks", "/tasks/", "/tasks/x", "/tasks/task_1", "/tasks/..%2f..", "/tasks/%ff", "/tasks/%00"),
    *("/artifacts", "/artifacts/x", "/artifacts/x?expires=1&signature=%00", "/artifacts/..%2f..?expires=%E9"),
    *("/artifacts/x?expires=1&expires=2&signature", "/%F0%9F", "/%", "/a%0d%0ab", "*", "/mcp", "/metrics"),
)
ODD: dict[bytes, tuple[bytes, ...]] = {
    b"authorization": (
        *(b"", b"Bearer", b"Bearer ", b"Bearer  " + KEY.encode(), b"bearer " + KEY.encode()),
        *(b"Basic " + KEY.encode(), KEY.encode(), b"Bearer " + KEY.encode() + b"\xe9", b"Bearer \xff\xfe"),
        *(
            b"Bearer\t" + KEY.encode(),
            b"Bearer " + KEY.encode() + b", Bearer x",
            b"Bearer " + KEY[:-1].encode(),
        ),
    ),
    b"x-agent-protocol-version": (
        *(b"", b"1", b"1.0.1", b"1.1", b"2.0", b"01.0", b"1.00", b"1.0, 1.0", b"1,0", b"v1.0", b"-1.0"),
        *(b"\xb9.0", b"1.0 ", b"9" * 5000 + b".0", b"1.", b".0", b"one"),
    ),
    b"content-type": (
        *(b"", b"application/json; charset=utf-8", b'APPLICATION/JSON; CHARSET="UTF-8"', b"text/plain"),
        *(b"application/json; charset=utf-16", b"application/json; charset", b"application/json;;;", b"json"),
        *(b"application/json; charset=\xff", b"application/jsonx", b"multipart/form-data", b"application/*"),
    ),
    b"accept": (
        b"",
        b"*/*",
        b"text/event-stream",
        b"text/html",
        b"application/json;q=0",
        b"\xff",
        b"," * 999,
    ),
    b"idempotency-key": (
        b"",
        b"run_other",
        FRESH.encode() + b"x",
        b'"' + FRESH.encode() + b'"',
        b"\xff",
        b"\xed",
    ),
    b"content-encoding": (b"", b"gzip", b"identity", b"br, gzip", b"\xff"),
    b"content-length": (b"0", b"-1", b"99999999999999999999", b"x", b"1, 1"),
    b"host": (b"", b"[", b"a b", b"\xff", b"localhost:99999999", b"[::1", b"a@b"),
    b"range": (b"bytes=0-", b"bytes=5-1", b"bytes=a-b", b"items=0-1"),
    b"expect": (b"100-continue", b"x"),
    b"transfer-encoding": (b"chunked", b"gzip, chunked"),
}
header_values = st.binary(max_size=20).map(lambda value: value.translate(None, b"\r\n\0").strip(b" \t"))
header_names = st.text("abcdefghijklmnopqrstuvwxyz0123456789-_!#$%&'*+.^`|~", min_size=1, max_size=20)


def right_headers(mode: str = "sync", run_id: str = FRESH) -> dict[bytes, bytes]:
    """What Pond sends with a run."""
    accept = b"text/event-stream" if mode == "stream" else b"application/json"
    return {
        b"host": b"agent.example.com",
        b"authorization": f"Bearer {KEY}".encode(),
        b"x-agent-protocol-version": b"1.0",
        b"content-type": b"application/json",
        b"accept": accept,
        b"idempotency-key": run_id.encode(),
    }


@st.composite
def changed_headers(draw: st.DrawFn, headers: dict[bytes, bytes]) -> Headers:
    """Headers of which one or two are changed, doubled, added or gone."""
    changed = list(headers.items())
    for _ in range(draw(st.integers(1, 2))):
        name = draw(st.sampled_from(list(ODD)))
        value = draw(st.sampled_from(ODD[name]) | header_values)
        is_there = [each for each in changed if each[0] == name]
        match draw(st.sampled_from(["put", "put", "remove", "add", "double"])):
            case "put":
                changed = [each for each in changed if each[0] != name] + [(name, value)]
            case "remove":
                changed = [each for each in changed if each[0] != name]
            case "add":
                changed.append((name, value))
            case _:
                changed += is_there
    return tuple(changed)


def run_messages(modes: tuple[str, ...] = MODES) -> st.SearchStrategy[Message]:
    """`POST /runs` with a changed body, with changed headers, or with both."""
    right = st.just(tuple(right_headers().items()))
    headers = right | right | changed_headers(right_headers())
    return st.builds(Message, st.just("POST"), st.just("/runs"), headers, changed_requests(modes))


def any_messages() -> st.SearchStrategy[Message]:
    """Any method, target, headers and body; mostly with the right key, or else nothing else would matter."""
    strangers = st.lists(st.tuples(header_names.map(str.encode), header_values), max_size=4).map(tuple)
    return st.builds(
        Message,
        st.sampled_from(METHODS) | st.just("POST"),
        st.sampled_from(TARGETS) | st.just("/runs") | targets(),
        changed_headers(right_headers()) | strangers | st.just(tuple(right_headers().items())),
        any_bodies,
    )


def targets() -> st.SearchStrategy[str]:
    """Paths and queries in the letters that a request line may have."""
    letters = st.text("abz019/.~-_%?&=;:@[]+!$'(),*|^`\\", max_size=30)
    return st.builds(
        lambda start, rest: start + rest, st.sampled_from(["/", "/tasks/", "/artifacts/", "/runs"]), letters
    )
