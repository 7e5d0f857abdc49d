"""Files that a handler hands over, as the protocol writes them (specification, "Handle files")."""

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path, PureWindowsPath
from typing import Any
from urllib.parse import urlsplit

LONGEST_TYPE = 255  # characters
LONGEST_NAME = 200  # characters; a file system takes 255 bytes

Content = bytes | Path  # what a handler has made, in memory or on disk
Host = Callable[[str, str, str, Content], str | None]  # id, name, media type, content -> the URL, if hosted


def artifact_id(run_id: str, number: int) -> str:
    """The id of a run's artifact number `number`: unique over all runs, the same in each attempt."""
    return f"artifact_{hashlib.sha256(run_id.encode()).hexdigest()[:20]}_{number}"


def describe_artifact(
    identifier: str, *, name: str, content: Content | str, media_type: str, host: Host | None = None
) -> dict[str, Any]:
    """The definition of a file: a str is the https URL where it is, bytes or a path are its content.

    Content is at the URL that `host` gives, or travels inside as Base64. Raises `ValueError` for an empty
    name, a media type that is none, or a str that is no https URL, `OSError` for a file that cannot be had.
    """
    if not name:
        raise ValueError("an artifact needs a name")
    is_plain = media_type.isascii() and media_type.isprintable() and len(media_type) <= LONGEST_TYPE
    if "/" not in media_type.strip("/") or not is_plain:
        raise ValueError(f"{media_type!r} is no media type such as text/csv")
    if isinstance(content, str):
        source = {"url": _checked(content)}
    else:
        url = host(identifier, name, media_type, content) if host else None
        source = {"url": url} if url else {"bytes": _encoded(content)}
    file = source | {"name": name, "media_type": media_type}
    return {"id": identifier, "type": "file", "file": file}


def reference(identifier: str) -> dict[str, str]:
    """The entry in `output` that stands for an artifact."""
    return {"type": "artifact_ref", "artifact_id": identifier}


def safe_name(name: str) -> str:
    """A user's name for a file, made into one that is no path and has no control characters."""
    plain = "".join(letter for letter in PureWindowsPath(name).name if letter.isprintable())
    stem, dot, suffix = plain.strip(". ").rpartition(".")
    ending = dot + suffix[-20:] if stem else ""
    return (stem or suffix)[: LONGEST_NAME - len(ending)] + ending or "file"


def _checked(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname:
        raise ValueError("a str is taken as the https URL of the file: encode text, such as content.encode()")
    return url


def _encoded(content: Content) -> str:
    return base64.b64encode(content if isinstance(content, bytes) else content.read_bytes()).decode("ascii")
