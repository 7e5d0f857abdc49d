"""A local server that speaks the OpenAI interface and answers with what it was told."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ANSWERS = {
    "What is the capital of France?": "The capital of France is **Paris**.",
    "How high is Mont Blanc?": "4,806 metres.",
}


class ChatCompletions(BaseHTTPRequestHandler):
    """`POST /v1/chat/completions`; anything it does not know is a 500."""

    def do_POST(self) -> None:
        """Answer the question, in fewer tokens when the instruction asks for one sentence."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        instruction, question = (message["content"] for message in request["messages"])
        found = ANSWERS.get(question)
        usage = {"total_tokens": 20 if "one sentence" in instruction else 50}
        body = {"choices": [{"message": {"content": found}}], "usage": usage} if found else {}
        content = json.dumps(body).encode()
        self.send_response(200 if found else 500)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

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
