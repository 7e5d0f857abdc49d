"""What a user handed in: each upload is fetched when its handler asks for it, and never beyond the limit.

Specification, "Handle files": a part of the request has a signed https URL, a name and a media type.
"""

import logging
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Protocol
from urllib.parse import unquote, urlsplit

from agent.pond.artifacts import safe_name
from agent.pond.download import NotFetched, TooLarge, download
from agent.pond.errors import Failure
from agent.pond.whole_file import whole_file

logger = logging.getLogger(__name__)

LONGEST_SECONDS = 300.0  # that a download may take in a run that may go on for longer
EXAMPLES_URL = "https://examples.invalid/"  # a host that no name server will ever know (RFC 2606)
CHUNK = 64 * 1024


class Fetch(Protocol):
    """How the bytes behind a URL are had."""

    def __call__(self, url: str, *, limit: int, seconds: float) -> AsyncGenerator[bytes]:
        """The bytes in chunks. Raises `NotFetched`."""


@dataclass(frozen=True, slots=True)
class Uploads:
    """Opens the uploads of a run. `limit` is the largest file in bytes."""

    limit: int
    fetch: Fetch = download

    def __call__(self, files: Sequence[Mapping[str, str]], deadline: float) -> Sequence["FetchedUpload"]:
        """The files of a request; `deadline` is that of its run, in seconds since the epoch."""
        return [FetchedUpload(file, deadline, limit=self.limit, fetch=self.fetch) for file in files]


class FetchedUpload:
    """One file of the user. Each use fetches it; nothing is kept.

    What prevents that is a `Failure` that tells the user why: let it through. In a plain function use
    `asyncio.run(file.read())`, in its thread nobody else waits for that.
    """

    def __init__(self, file: Mapping[str, str], deadline: float, *, limit: int, fetch: Fetch) -> None:
        self.name = safe_name(file["name"])
        """As the user calls it: never a path, so that it can be a file's name here."""
        self.media_type = file["media_type"]
        """What Pond says that it is, one of the manifest's `input_modes`."""
        self._url = file["url"]
        self._deadline = deadline
        self._limit = limit
        self._fetch = fetch

    def __repr__(self) -> str:
        return f"<upload {self.name!r}, {self.media_type}>"  # the URL is a secret: it is signed

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The content in chunks, for files that are not wanted in memory. Raises `Failure`."""
        async with aclosing(self._chunks()) as chunks:
            async for chunk in chunks:
                yield chunk

    async def read(self) -> bytes:
        """The whole content. Raises `Failure`."""
        content = BytesIO()
        async with aclosing(self._chunks()) as chunks:
            async for chunk in chunks:
                content.write(chunk)
        return content.getvalue()

    async def save(self, path: str | os.PathLike[str]) -> None:
        """Write the content to a file, wholly or not at all. Raises `Failure` and `OSError`."""
        with whole_file(Path(path)) as file:
            async with aclosing(self._chunks()) as chunks:
                async for chunk in chunks:
                    file.write(chunk)

    async def _chunks(self) -> AsyncGenerator[bytes]:
        """The content, counted."""
        size = 0
        seconds = min(LONGEST_SECONDS, self._deadline - time.time())
        try:
            async with aclosing(self._fetch(self._url, limit=self._limit, seconds=seconds)) as chunks:
                async for chunk in chunks:
                    size += len(chunk)
                    if size > self._limit:
                        raise TooLarge(self._limit)
                    yield chunk
        except NotFetched as reason:
            logger.warning("an upload could not be fetched: %s", reason.message)
            raise Failure(reason.code, reason.message, field="messages.0.parts", file=self.name) from None


def with_examples(folder: Path | None, fetch: Fetch = download) -> Fetch:
    """Fetch the files of the examples from their folder, and all others as ever.

    It lets tests and `tests.generated.send` hand in files without a network. Without a folder it is `fetch`.
    """
    if folder is None:
        return fetch
    root = folder.resolve()

    def fetch_example(url: str, *, limit: int, seconds: float) -> AsyncGenerator[bytes]:
        if url.startswith(EXAMPLES_URL):
            return _read(root, unquote(urlsplit(url).path).lstrip("/"))
        return fetch(url, limit=limit, seconds=seconds)

    return fetch_example


async def _read(root: Path, name: str) -> AsyncGenerator[bytes]:
    path = (root / name).resolve()
    if not path.is_relative_to(root) or not path.is_file():
        raise NotFetched("invalid_input", "There is no such file among the examples.")
    with _opened(path) as file:
        while chunk := file.read(CHUNK):
            yield chunk


def _opened(path: Path) -> BinaryIO:
    return path.open("rb")
