"""Which known name a misspelt or invented one was probably meant to be. Pure."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SPELLING = 0.85
"""From this likeness on a name is a slip of the pen; below it is only a guess."""

GUESS = 0.72

MEANINGS: Mapping[str, str] = {
    "maxexecutionms": "max_run_seconds",
    "maxexecutionseconds": "max_run_seconds",
    "maxruntimeseconds": "max_run_seconds",
    "maxrunms": "max_run_seconds",
    "maxruntime": "max_run_seconds",
    "maxduration": "max_run_seconds",
    "timeout": "max_run_seconds",
    "timeoutms": "max_run_seconds",
    "timeoutseconds": "max_run_seconds",
    "maxtimeoutseconds": "max_run_seconds",
    "deadlinems": "max_run_seconds",
    "maxdeadlinems": "max_run_seconds",
    "maxbodybytes": "max_request_bytes",
    "maxinputbytes": "max_request_bytes",
    "maxrequestsize": "max_request_bytes",
    "maxpayloadbytes": "max_request_bytes",
    "maxfilebytes": "max_attachment_bytes",
    "maxfilesize": "max_attachment_bytes",
    "maxuploadbytes": "max_attachment_bytes",
    "maxattachmentsize": "max_attachment_bytes",
    "synchronous": "sync",
    "stream": "streaming",
    "sse": "streaming",
    "async": "async_tasks",
    "asynchronous": "async_tasks",
    "tasks": "async_tasks",
    "cancel": "cancellation",
    "files": "attachments",
    "fileuploads": "attachments",
    "version": "agent_version",
    "skills": "actions",
    "tools": "actions",
    "parameters": "input_schema",
    "inputs": "input_modes",
    "outputs": "output_modes",
    "title": "name",
    "summary": "description",
}
"""Names that agents were seen to use, without case, underscores and hyphens, and what they stand for."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that this one looks like or means, or None."""
    candidates = list(known)
    bare = _bare(name)
    for candidate in candidates:
        if _bare(candidate) == bare:
            return candidate
    meant = MEANINGS.get(bare)
    if meant in candidates:
        return meant
    best = max(candidates, key=lambda candidate: _likeness(name, candidate), default=None)
    return best if best is not None and _likeness(name, best) >= GUESS else None


def is_misspelling(name: str, known: str) -> bool:
    """Whether the two differ only by case, separators or a slip of the pen, so that a rename is safe."""
    return _bare(name) == _bare(known) or _likeness(name, known) >= SPELLING


def _bare(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other).ratio()
