"""The download of a generated server over real TLS: who has to prove what. FIL-02, REQ-21.

`template/tests/generated/test_files.py` has all that shows without certificates.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trustme

from tests.server.agents import TIDE_CLERK, request, serving, write_agent

HOST = "files.example"
URL = f"https://{HOST}/a.csv?signature=hunter2"
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n1,2\n"


class SecureServer:
    """A file server with a certificate, and a download from it that trusts one authority."""

    def __init__(
        self, pond: Callable[[str], Any], *, proves: str, by: trustme.CA, trusted: trustme.CA
    ) -> None:
        self._download = pond("download")
        self._server_tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        by.issue_cert(proves).configure_cert(self._server_tls)
        self._server_tls.sni_callback = self._note
        self._client_tls = ssl.create_default_context()
        trusted.configure_trust(self._client_tls)
        self.asked_for: list[str | None] = []
        self.has_sent = False

    def read(self) -> bytes:
        """What `download` gets."""
        return asyncio.run(self._read())

    async def _read(self) -> bytes:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._server_tls)
        port = server.sockets[0].getsockname()[1]

        async def resolve(*_: object) -> list[str]:
            return ["93.184.215.14"]

        async def connect(_address: str, _port: int, host: str) -> Any:
            return await self._download.connect("127.0.0.1", port, host, tls=self._client_tls)

        chunks = self._download.download(URL, limit=100, seconds=10, resolve=resolve, connect=connect)
        async with server:
            return b"".join([chunk async for chunk in chunks])

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.has_sent = True
        writer.write(ANSWER)
        writer.close()

    def _note(self, _socket: object, host: str | None, _context: object) -> None:
        self.asked_for.append(host)


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def test_a_host_that_proves_its_name_is_read(pond: Callable[[str], Any], authority: trustme.CA) -> None:
    """By the name in the URL, although the connection is made to a number."""
    server = SecureServer(pond, proves=HOST, by=authority, trusted=authority)

    assert server.read() == b"1,2\n"
    assert server.asked_for == [HOST]


@pytest.mark.parametrize("proves", ["other.example", "127.0.0.1", "93.184.215.14"])
def test_a_host_that_proves_another_name_is_told_nothing(
    pond: Callable[[str], Any], authority: trustme.CA, proves: str
) -> None:
    server = SecureServer(pond, proves=proves, by=authority, trusted=authority)

    with pytest.raises(pond("download").NotFetched, match="did not prove"):
        server.read()

    assert not server.has_sent


def test_a_certificate_of_an_unknown_authority_proves_nothing(
    pond: Callable[[str], Any], authority: trustme.CA
) -> None:
    server = SecureServer(pond, proves=HOST, by=trustme.CA(), trusted=authority)

    with pytest.raises(pond("download").NotFetched, match="did not prove"):
        server.read()

    assert not server.has_sent


def test_proxies_of_the_environment_are_not_asked(
    pond: Callable[[str], Any], authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("https_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    assert SecureServer(pond, proves=HOST, by=authority, trusted=authority).read() == b"1,2\n"


READS = """
from agent.actions import TideTable
from agent.pond import Run


async def handle(parameters: TideTable, run: Run) -> str:
    return " ".join([(await file.read()).decode() for file in run.files])
"""


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    manifest = TIDE_CLERK | {
        "capabilities": TIDE_CLERK["capabilities"] | {"attachments": True},
        "input_modes": ["text/plain", "text/csv"],
        "limits": TIDE_CLERK["limits"] | {"max_attachment_bytes": 1000},
    }
    return write_agent(tmp_path_factory.mktemp("files") / "agent", manifest=manifest, handler=READS)


def with_file(url: str, **execution: Any) -> dict[str, Any]:
    run = request(**execution)
    part = {"type": "file", "file": {"url": url, "name": "a.csv", "media_type": "text/csv"}}
    run["messages"][0]["parts"].append(part)
    return run


def test_no_url_leads_a_running_agent_to_its_own_machine(agent: Path, tmp_path: Path) -> None:
    """In any of the ways in which an address can be written."""
    hosts = ("127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "0", "127.1")
    ledger = f"sqlite:///{tmp_path}/ledger.sqlite"
    with serving(agent, DATABASE_URL=ledger) as served:
        port = served.url.rpartition(":")[2]
        answers = [
            served.post(with_file(f"https://{host}:{port}/healthz?signature=hunter2", run_id=f"run_{number}"))
            for number, host in enumerate(hosts)
        ]

    for host, answer in zip(hosts, answers, strict=True):
        assert answer.status_code == 200, (host, answer.text)
        assert answer.json()["error"]["message"] == "The file's address is not on the public Internet.", host
        assert "hunter2" not in answer.text


def test_a_running_agent_reads_the_files_of_its_examples_when_told_so(agent: Path, tmp_path: Path) -> None:
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples/a.csv").write_bytes(b"1,2")
    (tmp_path / "secret.csv").write_bytes(b"3,4")
    environment = {
        "DATABASE_URL": f"sqlite:///{tmp_path}/ledger.sqlite",
        "POND_EXAMPLE_FILES": str(tmp_path / "examples"),
    }
    with serving(agent, **environment) as served:
        known = served.post(with_file("https://examples.invalid/a.csv", run_id="run_1"))
        outside = served.post(with_file("https://examples.invalid/..%2Fsecret.csv", run_id="run_2"))

    assert known.json()["output"] == [{"type": "text", "text": "1,2"}]
    assert outside.json()["status"] == "failed"
