"""Whatever bytes come over a connection, the server goes on and keeps what it accepted."""

from __future__ import annotations

import re
import signal
import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.broken.profile import effort
from tests.broken.test_requests import EVERYTHING
from tests.broken.wires import LONG, wires, written
from tests.server.agents import Served, serving, write_agent

PATIENCE = 20.0  # seconds after which a connection is taken for hanging
STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
MEDIA_TYPES = {b"application/json", b"text/event-stream; charset=utf-8", b"text/event-stream"}
OF_THE_WEB_SERVER = re.compile(rb"Invalid HTTP request received.|The head of the request is too long.")
RESET = struct.pack("ii", 1, 0)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    agent = write_agent(tmp_path_factory.mktemp("wires") / "agent", manifest=EVERYTHING)
    with serving(agent) as served:
        yield served


def connect(served: Served) -> socket.socket:
    host, port = served.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)


def exchange(served: Served, data: bytes) -> bytes:
    """Everything that comes back until the other side has closed, once this side has nothing more to say."""
    with connect(served) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(65536), b""))
        except TimeoutError:
            raise
        except OSError:  # refused before all of it was sent
            return b""


def saved(served: Served, run_id: str) -> bytes:
    """The answer to a run: a new one, or the saved result."""
    with connect(served) as connection:
        connection.sendall(written(run_id))
        head, _, body = read_until(connection, b"\r\n\r\n").partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 "), head
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        while len(body) < length:
            body += connection.recv(65536)
        return body


def read_until(connection: socket.socket, mark: bytes) -> bytes:
    data = b""
    while mark not in data:
        piece = connection.recv(65536)
        assert piece, data
        data += piece
    return data


def test_no_bytes_on_a_connection_stop_the_server_or_what_it_accepted(served: Served) -> None:
    """IDM-02."""
    first = saved(served, "run_before_all")

    @effort()
    @given(wires, st.booleans())
    def send(pieces: list[bytes], is_reset: bool) -> None:
        data = b"".join(pieces).replace(LONG, b"a" * 70_000)
        if is_reset:
            with connect(served) as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                connection.sendall(data)
        else:
            answers = exchange(served, data)
            assert all(int(status) < 500 for status in STATUS.findall(answers)), answers
            types = {*re.findall(rb"(?i)content-type: ([^\r]*)", answers)} - MEDIA_TYPES
            assert not types or (
                types == {b"text/plain; charset=utf-8"} and OF_THE_WEB_SERVER.search(answers)
            ), answers

        assert served.process.poll() is None
        assert saved(served, "run_before_all") == first

    send()

    assert b'"completed"' in saved(served, "run_after_all")


def test_requests_one_after_the_other_on_a_connection_are_answered_in_order(served: Served) -> None:
    names = [f"run_in_line_{number}" for number in range(3)]

    with connect(served) as connection:
        connection.sendall(b"".join(map(written, names)))
        answers = read_until(connection, names[-1].encode())

    assert re.findall(rb'"run_id":"(run_in_line_\d)"', answers) == [name.encode() for name in names]


@pytest.mark.parametrize("begin", [b"GET /", b"GET /healthz HTTP/1.1\r\nx: ", b"GET /healthz HTTP/1.1\r\n"])
def test_a_request_whose_head_never_ends_is_refused(served: Served, begin: bytes) -> None:
    with connect(served) as connection:
        connection.sendall(begin)
        more = b"a: b\r\n" if begin.endswith(b"\n") else b"aaaaaa"
        with pytest.raises(ConnectionError):
            connection.sendall(more * 4_000_000)  # 24 MB: more than the buffers in between can hold

    assert b'"completed"' in saved(served, "run_after_a_long_head")


def test_long_heads_that_end_are_no_trouble(served: Served) -> None:
    request = written("run_with_a_long_head").replace(b"\r\n", b"\r\nx: " + b"y" * 100_000 + b"\r\n", 1)

    with connect(served) as connection:
        for _ in range(4):
            connection.sendall(request)
            assert b"run_with_a_long_head" in read_until(connection, b'"usage"')


def test_callers_that_never_finish_a_request_are_in_nobodys_way(tmp_path: Path) -> None:
    """Neither while they wait nor when the server is told to stop."""
    agent = write_agent(tmp_path / "agent", manifest=EVERYTHING)
    whole = written("run_slow")
    with serving(agent) as served, ExitStack() as stack:
        for number in range(60):
            connection = stack.enter_context(connect(served))
            connection.sendall(whole[: len(whole) * number // 60])

        assert b'"completed"' in saved(served, "run_quick")
        served.process.send_signal(signal.SIGTERM)

        assert served.process.wait(timeout=PATIENCE) in {0, -signal.SIGTERM}
