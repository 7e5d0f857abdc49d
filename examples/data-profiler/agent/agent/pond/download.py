"""Fetch what a stranger's URL leads to: over https, from a public address, no more than a limit, in time.

What could be abused is not there: no redirects, no proxies, no cookies, no credentials, and no connection
that serves twice (specification, "Handle files").
"""

import asyncio
import contextlib
import functools
import socket
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import urlsplit

import h11

from agent.pond.addresses import is_public
from agent.pond.decoding import DECODERS, CorruptStream, Decoder
from agent.pond.execution import in_thread

HTTPS_PORT = 443
READ = 64 * 1024  # bytes that are taken from a connection at once
CONNECT_SECONDS = 5.0  # for one of a host's addresses, before the next is tried
OK = 200
SERVER_FAULT = 500  # from here on the file's server is to blame, and may do better later

Streams: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]  # host, port -> numerical addresses
Connect = Callable[[str, int, str], Awaitable[Streams]]  # address, port, the host that must prove itself


class NotFetched(Exception):
    """Why there is no file, as a code of the protocol and a safe English sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class TooLarge(NotFetched):
    """The file is beyond the limit of the manifest."""

    def __init__(self, limit: int) -> None:
        super().__init__("invalid_input", f"The file is larger than {limit} bytes.")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file is, as far as a request must say it."""

    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == HTTPS_PORT else f"{name}:{self.port}"


async def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses of a host. A slow name server holds a thread of its own, and nobody else."""
    found = await in_thread(functools.partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM))
    return list(dict.fromkeys(address[0] for *_, address in found))


async def connect(address: str, port: int, host: str, *, tls: ssl.SSLContext | None = None) -> Streams:
    """A connection to that very address, whose certificate must be the host's."""
    return await asyncio.open_connection(address, port, ssl=tls or _tls(), server_hostname=host)


async def download(
    url: str, *, limit: int, seconds: float, resolve: Resolve = resolve, connect: Connect = connect
) -> AsyncGenerator[bytes]:
    """The bytes behind an https URL, in chunks of 64 KiB at most.

    It ends after `seconds` at the latest, however slowly the bytes drip, and at `limit` bytes on the wire;
    compressed ones may stand for more, so whoever takes the chunks counts them. Raises `NotFetched`.
    """
    deadline = asyncio.get_running_loop().time() + seconds
    place = parse_url(url)
    async with _reporting(deadline):
        addresses = await resolve(place.host, place.port)
    if not all(map(is_public, addresses)):
        raise NotFetched("invalid_input", "The file's address is not on the public Internet.")
    async with _reporting(deadline):
        reader, writer = await _connect(place, addresses, connect)
    try:
        exchange = Exchange(reader, writer, limit)
        async with _reporting(deadline):
            decoder = await exchange.ask(place)
        while True:
            async with _reporting(deadline):
                data = await exchange.receive()
            if not data:
                break
            for chunk in decoder.decode(data):
                yield chunk
        decoder.end()
    except CorruptStream:
        raise _broken_off() from None
    finally:
        writer.transport.abort()  # a polite end would wait for the other side


class Exchange:
    """One request on a new connection, and its answer."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limit: int) -> None:
        self._http = h11.Connection(h11.CLIENT)
        self._reader = reader
        self._writer = writer
        self._limit = limit
        self._received = 0

    async def ask(self, place: Place) -> Decoder:
        """Ask for the file; how its bytes are decoded. Raises `NotFetched` for any other answer."""
        headers = [
            ("Host", place.authority),
            ("Accept", "*/*"),
            ("Accept-Encoding", "identity"),
            ("Connection", "close"),
            ("User-Agent", "pond-agent"),
        ]
        request = h11.Request(method="GET", target=place.target, headers=headers)
        self._writer.write(b"".join(self._http.send(event) or b"" for event in (request, h11.EndOfMessage())))
        response = await self._next_event()
        if not isinstance(response, h11.Response):
            raise _broken_off()
        return self._check(response)

    async def receive(self) -> bytes:
        """The next bytes of the file as they are on the wire; none at its end. Raises `TooLarge`."""
        event = await self._next_event()
        if not isinstance(event, h11.Data):
            return b""
        self._received += len(event.data)
        if self._received > self._limit:
            raise TooLarge(self._limit)
        return bytes(event.data)

    def _check(self, response: h11.Response) -> Decoder:
        status = response.status_code
        if status != OK:
            code = "temporarily_unavailable" if status >= SERVER_FAULT else "invalid_input"
            raise NotFetched(code, f"The file's server answered {status}.")
        headers = dict(response.headers)
        if int(headers.get(b"content-length", b"0")) > self._limit:
            raise TooLarge(self._limit)
        decoder = DECODERS.get(headers.get(b"content-encoding", b"").strip().lower())
        if decoder is None:
            raise NotFetched("invalid_input", "The file arrived in a coding that was not asked for.")
        return decoder()

    async def _next_event(self) -> object:
        while True:
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                self._http.receive_data(await self._reader.read(READ))
            elif not isinstance(event, h11.InformationalResponse):
                return event


def parse_url(url: str) -> Place:
    """A plain https URL. Raises `NotFetched` for any other."""
    refusal = NotFetched("invalid_input", "The file's address is not a plain https URL.")
    if not (url.isascii() and url.isprintable()) or " " in url:
        raise refusal
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, HTTPS_PORT if parts.port is None else parts.port
    except ValueError:
        raise refusal from None
    if parts.scheme != "https" or not host or not port or "@" in parts.netloc:
        raise refusal
    return Place(host, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))


async def _connect(place: Place, addresses: Sequence[str], connect: Connect) -> Streams:
    """A connection to the first address that answers. Raises `OSError`."""
    failure = OSError("the host has no address")
    for address in addresses:
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await connect(address, place.port, place.host)
        except OSError as error:  # TimeoutError is one
            failure = error
    raise failure


@contextlib.asynccontextmanager
async def _reporting(deadline: float) -> AsyncIterator[None]:
    """Wait for the network until a deadline of the event loop. Whatever goes wrong becomes `NotFetched`."""
    try:
        async with asyncio.timeout_at(deadline):
            yield
    except TimeoutError:
        raise NotFetched("temporarily_unavailable", "The file did not arrive in time.") from None
    except ssl.SSLError:
        raise NotFetched("invalid_input", "The file's server did not prove who it is.") from None
    except (OSError, UnicodeError):  # of a name that cannot be one
        raise NotFetched("temporarily_unavailable", "The file's server cannot be reached.") from None
    except h11.ProtocolError:
        raise _broken_off() from None


def _broken_off() -> NotFetched:
    return NotFetched("temporarily_unavailable", "The file arrived damaged or not to its end.")


@functools.cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()
