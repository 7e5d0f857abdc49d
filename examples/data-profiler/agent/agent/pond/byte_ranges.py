"""Which part of a file a request wants (RFC 9110, "Range Requests"). Pure."""

import re

SINGLE = re.compile(r"bytes=(\d{0,19})-(\d{0,19})", re.ASCII)


class RangeNotSatisfiable(Exception):
    """No byte of the file is in the wanted range."""


def parse_range(header: str | None, size: int) -> range | None:
    """The bytes that are wanted, or None for the whole file.

    What is no single range of bytes is ignored, as the RFC allows. Raises `RangeNotSatisfiable`.
    """
    found = SINGLE.fullmatch(header.replace(" ", "")) if header else None
    if found is None or found.group() == "bytes=-":
        return None
    first, last = found.groups()
    if not first:
        wanted = range(max(0, size - int(last)), size)
    else:
        if last and int(last) < int(first):
            return None
        wanted = range(int(first), min(int(last) + 1, size) if last else size)
    if not wanted:
        raise RangeNotSatisfiable
    return wanted
