"""Files that a handler hands over, as the protocol writes them (specification, "Handle files"). Pure."""

import base64
import hashlib
from typing import Any
from urllib.parse import urlsplit


def artifact_id(run_id: str, number: int) -> str:
    """The id of a run's artifact number `number`: unique over all runs, the same in each attempt."""
    return f"artifact_{hashlib.sha256(run_id.encode()).hexdigest()[:20]}_{number}"


def describe_artifact(identifier: str, *, name: str, content: bytes | str, media_type: str) -> dict[str, Any]:
    """The definition of a file: bytes travel inside it as Base64, a str is the https URL where it is.

    Raises `ValueError` for an empty name, a media type without a slash, or a str that is no https URL.
    """
    if not name:
        raise ValueError("an artifact needs a name")
    if "/" not in media_type.strip("/"):
        raise ValueError(f"{media_type!r} is no media type such as text/csv")
    file = _source(content) | {"name": name, "media_type": media_type}
    return {"id": identifier, "type": "file", "file": file}


def reference(identifier: str) -> dict[str, str]:
    """The entry in `output` that stands for an artifact."""
    return {"type": "artifact_ref", "artifact_id": identifier}


def _source(content: bytes | str) -> dict[str, str]:
    if isinstance(content, bytes):
        return {"bytes": base64.b64encode(content).decode("ascii")}
    url = urlsplit(content)
    if url.scheme != "https" or not url.hostname:
        raise ValueError("a str is taken as the https URL of the file: encode text, such as content.encode()")
    return {"url": content}
