"""What the bytes of an HTTP message stand for (RFC 9110, "Content Codings"), piece by piece. Pure.

A kilobyte of gzip can stand for a megabyte, so what comes out is bounded at each step, not afterwards.
"""

import zlib
from collections.abc import Iterator, Mapping
from typing import Protocol

PIECE = 64 * 1024  # decoded bytes that come out at once, at most
GZIP = 16 + zlib.MAX_WBITS


class CorruptStream(Exception):
    """The bytes are not in the coding that was announced, or break off."""


class Decoder(Protocol):
    """Decodes one message."""

    def decode(self, data: bytes) -> Iterator[bytes]:
        """What the next bytes stand for. Raises `CorruptStream`."""

    def end(self) -> None:
        """The message is over. Raises `CorruptStream` when something is missing."""


class Identity:
    """The bytes stand for themselves."""

    def decode(self, data: bytes) -> Iterator[bytes]:
        """The bytes."""
        yield data

    def end(self) -> None:
        """There is nothing to check."""


class Gunzip:
    """A gzip stream of one or more members."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(GZIP)
        self._is_whole = True

    def decode(self, data: bytes) -> Iterator[bytes]:
        """The decoded bytes. Raises `CorruptStream`."""
        while data:
            try:
                piece = self._member.decompress(data, PIECE)
            except zlib.error:
                raise CorruptStream from None
            self._is_whole = self._member.eof
            data = self._member.unconsumed_tail
            if self._member.eof:
                data = self._member.unused_data
                self._member = zlib.decompressobj(GZIP)
            if piece:
                yield piece

    def end(self) -> None:
        """Raises `CorruptStream` when the last member is not whole."""
        if not self._is_whole:
            raise CorruptStream


DECODERS: Mapping[bytes, type[Decoder]] = {b"": Identity, b"identity": Identity, b"gzip": Gunzip}
