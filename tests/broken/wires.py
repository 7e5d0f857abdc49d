"""Bytes on a connection that are nearly HTTP, or not at all."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.broken.bodies import MODES, valid_request, write
from tests.broken.requests import right_headers

LONG = b"<long>"  # stands for very many letters

LINES = (
    *(b"POST /runs HTTP/1.1", b"GET /healthz HTTP/1.1", b"POST /runs HTTP/1.0", b"GET /manifest HTTP/2.0"),
    *(
        b"POST  /runs  HTTP/1.1",
        b"GET / HTTP/9.9",
        b"GET",
        b"",
        b" GET / HTTP/1.1",
        b"get / HTTP/1.1",
        b"\x00",
    ),
    *(
        b"GET http://[/ HTTP/1.1",
        b"GET http://a/healthz HTTP/1.1",
        b"CONNECT a:1 HTTP/1.1",
        b"OPTIONS * HTTP/1.1",
    ),
    *(
        b"GET /\xff HTTP/1.1",
        b"GET /%zz HTTP/1.1",
        b"GET /<long> HTTP/1.1",
        b"PRI * HTTP/2.0",
    ),
    *(b"GET //[ HTTP/1.1", b"GET /healthz#x HTTP/1.1", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
)
HEADERS = (
    *(b"content-length: 0", b"content-length: 5", b"content-length: 999999", b"content-length: -1"),
    *(
        b"content-length: 5, 5",
        b"content-length: 5\r\ncontent-length: 6",
        b"content-length: 99999999999999999999",
    ),
    *(b"transfer-encoding: chunked", b"transfer-encoding: chunked, chunked", b"transfer-encoding: gzip"),
    *(
        b"content-length: 5\r\ntransfer-encoding: chunked",
        b"transfer-encoding : chunked",
        b"connection: close",
    ),
    *(
        b"expect: 100-continue",
        b"upgrade: websocket\r\nconnection: upgrade",
        b"upgrade: h2c\r\nconnection: upgrade",
    ),
    *(
        b"sec-websocket-key: x\r\nsec-websocket-version: 13",
        b"host: [",
        b"host:",
        b" folded",
        b"no colon",
        b": x",
    ),
    *(
        b"x: <long>",
        b"<long>: <long>",
        b"x\x00: y",
        b"x: \x00",
        b"x: \xff",
        b"x: y\rz: 1",
        b"cookie: " + b"a=b;" * 500,
    ),
)
BODIES = (
    *(
        b"",
        b"hello",
        b"5\r\nhello\r\n0\r\n\r\n",
        b"5\r\nhell",
        b"ffffffffffffffffff\r\n",
        b"-1\r\n",
        b"5;a=b\r\nhello\r\n",
    ),
    *(b"0\r\nx: y\r\n\r\n", b"g\r\n", b"5\nhello\n0\n\n", b"0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n"),
)
right_lines = [name + b": " + value for name, value in right_headers().items()]
ends = st.sampled_from([b"\r\n", b"\r\n", b"\r\n", b"\n", b"\r"])


def written(run_id: str, mode: str = "sync") -> bytes:
    """A right request as bytes."""
    body = write(valid_request(mode)).encode().replace(b"run_fresh", run_id.encode())
    headers = [name + b": " + value for name, value in right_headers(mode, run_id).items()]
    return b"\r\n".join([b"POST /runs HTTP/1.1", *headers, b"content-length: %d" % len(body), b"", body])


@st.composite
def nearly_requests(draw: st.DrawFn) -> bytes:
    """A request line, headers and a body that need not fit together."""
    right = right_lines if draw(st.booleans()) else []
    lines = [draw(st.sampled_from(LINES)), *right, *draw(st.lists(st.sampled_from(HEADERS), max_size=3))]
    return draw(ends).join([*lines, b"", b""]) + draw(st.sampled_from(BODIES) | st.binary(max_size=40))


@st.composite
def damaged_requests(draw: st.DrawFn) -> bytes:
    """A right request that breaks off, or has other bytes somewhere."""
    whole = written("run_damaged", draw(st.sampled_from(MODES)))
    place = draw(st.integers(0, len(whole)))
    if draw(st.booleans()):
        return whole[:place]
    return whole[:place] + draw(st.binary(min_size=1, max_size=4)) + whole[place + draw(st.integers(0, 4)) :]


wires = st.lists(nearly_requests() | damaged_requests() | st.binary(max_size=200), min_size=1, max_size=3)
