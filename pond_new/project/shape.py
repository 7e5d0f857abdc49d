"""The outward form of a text file, its line ends and its byte order mark, apart from what it says. Pure."""

from __future__ import annotations

MARK = b"\xef\xbb\xbf"


def plain(content: bytes) -> bytes:
    """The content with LF line ends and without a byte order mark: what hashes and merges work on."""
    return content.removeprefix(MARK).replace(b"\r\n", b"\n")


def plain_text(content: bytes) -> str:
    """`plain` as text; bytes that are no UTF-8 survive the way back through `like`."""
    return plain(content).decode(errors="surrogateescape")


def like(current: bytes, text: str) -> bytes:
    """The text (with LF line ends) as bytes in the form that the file has now."""
    raw = text.encode(errors="surrogateescape")
    if current.count(b"\r\n") * 2 > current.count(b"\n"):
        raw = raw.replace(b"\n", b"\r\n")
    return MARK + raw if current.startswith(MARK) else raw
