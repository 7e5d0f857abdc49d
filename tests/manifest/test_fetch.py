"""One request to an agent: what it sends, what it takes, and that it goes nowhere else."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from pond_new.commands.fetch import fetch, manifest_address
from pond_new.errors import UnreadableInput


class Recorder(BaseHTTPRequestHandler):
    """Answers by the path and remembers every request."""

    def do_GET(self) -> None:
        self.server.seen.append((self.path, dict(self.headers)))  # type: ignore[attr-defined]
        if self.path == "/moved/manifest":
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
        elif self.path == "/locked/manifest":
            self.send_response(401)
        else:
            self.send_response(200)
            self.send_header("Content-Type", "application/json; charset=utf-8")
        self.end_headers()
        self.wfile.write(b'{"a": 1}')

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Recorder) as running:
        running.seen = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def address(server: ThreadingHTTPServer, path: str) -> str:
    return manifest_address(f"http://127.0.0.1:{server.server_port}{path}", has_key=True)


def test_the_answer_comes_with_its_status_type_and_body(server: ThreadingHTTPServer) -> None:
    answer = fetch(address(server, "/"), {"Authorization": "Bearer k"}, 1000)

    assert (answer.status, answer.media_type, answer.body) == (200, "application/json", b'{"a": 1}')


def test_the_request_looks_like_one_of_pond(server: ThreadingHTTPServer) -> None:
    fetch(address(server, "/base"), {"Authorization": "Bearer k"}, 1000)

    (path, headers), *others = server.seen  # type: ignore[attr-defined]
    assert (path, others) == ("/base/manifest", [])
    sent = {name.casefold(): value for name, value in headers.items()}
    assert sent["authorization"] == "Bearer k"
    assert sent["x-agent-protocol-version"] == "1.0"
    assert sent["accept"] == "application/json"


def test_no_more_than_the_limit_is_read(server: ThreadingHTTPServer) -> None:
    assert fetch(address(server, "/"), {}, 3).body == b'{"a'


def test_a_redirect_is_an_answer_and_is_not_followed(server: ThreadingHTTPServer) -> None:
    answer = fetch(address(server, "/moved"), {"Authorization": "Bearer k"}, 1000)

    assert (answer.status, answer.location) == (302, "/elsewhere")
    assert len(server.seen) == 1  # type: ignore[attr-defined]


def test_a_refusal_is_an_answer(server: ThreadingHTTPServer) -> None:
    assert fetch(address(server, "/locked"), {}, 1000).status == 401


def test_nobody_there_is_said_without_a_traceback(server: ThreadingHTTPServer) -> None:
    nobody = "http://127.0.0.1:1/manifest"

    with pytest.raises(UnreadableInput, match=r"^http://127\.0\.0\.1:1/manifest cannot be reached: [A-Z]"):
        fetch(nobody, {}, 1000)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example", "https://a.example/manifest"),
        ("https://a.example/", "https://a.example/manifest"),
        ("https://a.example/v1", "https://a.example/v1/manifest"),
        ("https://a.example/manifest", "https://a.example/manifest"),
        ("https://a.example/raw/manifest.json", "https://a.example/raw/manifest.json"),
        ("http://agent.localhost:8000", "http://agent.localhost:8000/manifest"),
    ],
)
def test_the_manifest_lies_below_the_base_url(url: str, expected: str) -> None:
    assert manifest_address(url, has_key=True) == expected
