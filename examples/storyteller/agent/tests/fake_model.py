"""A local server that speaks the OpenAI interface, streams, and knows a few stories by heart."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

STORIES = {
    "a lighthouse": [
        "# The Lamp\n\n",
        "Every night ",
        "the lamp ",
        "was lit. ",
        "One night ",
        "it lit itself.",
    ],
    "ein Fuchs": ["# Der Fuchs\n\n", "Er war klug. ", "Das genügte."],
}
BREAKS_OFF = "a story that breaks off"
TOKENS_BEFORE = 60  # of the instruction


class ChatCompletions(BaseHTTPRequestHandler):
    """`POST /v1/chat/completions` with `stream`; anything it does not know is a 500."""

    def do_POST(self) -> None:
        """Write a story, one delta a piece, then the usage, then the end."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        _, subject = (message["content"] for message in request["messages"])
        pieces = STORIES.get(subject, ["It began well. "] if subject == BREAKS_OFF else None)
        self.send_response(200 if pieces and request["stream"] else 500)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        if not pieces:
            return
        for piece in pieces:
            self.write({"choices": [{"delta": {"content": piece}}], "usage": None})
        if subject != BREAKS_OFF:
            self.write({"choices": [], "usage": {"total_tokens": TOKENS_BEFORE + len(pieces)}})
            self.wfile.write(b"data: [DONE]\n\n")

    def write(self, chunk: dict[str, Any]) -> None:
        """Send one chunk at once."""
        self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.flush()

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def fake_model() -> Iterator[str]:
    """Serve on a free port of this machine; gives the base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), ChatCompletions)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
