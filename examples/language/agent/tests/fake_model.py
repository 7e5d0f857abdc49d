"""A local server that speaks the OpenAI interface and knows a few translations by heart."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KNOWN = {
    ("Spanish", "Hello world"): "Hola mundo",
    ("French", "# Menu\n\n- bread\n- cheese"): "# Menu\n\n- pain\n- fromage",
}


class ChatCompletions(BaseHTTPRequestHandler):
    """`POST /v1/chat/completions`; anything it does not know is a 500."""

    def do_POST(self) -> None:
        """Answer with the translation that the instruction asks for."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        instruction, text = (message["content"] for message in request["messages"])
        found = [
            known for (language, source), known in KNOWN.items() if source == text and language in instruction
        ]
        usage = {"total_tokens": len(text.split()) + 40}
        body = {"choices": [{"message": {"content": found[0]}}], "usage": usage} if found else {}
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
