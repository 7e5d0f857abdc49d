"""Certain corrections written into the text itself: order, indentation and line ends stay. Pure."""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pond_new.manifest.check import check_manifest
from pond_new.manifest.document import parse_document
from pond_new.manifest.pointer import last_step, parent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pond_new.manifest.document import Document
    from pond_new.manifest.json_spans import Span
    from pond_new.manifest.problem import Correction

ROUNDS = 100
"""One correction can make room for the next; after so many rounds the rest is left to the user."""

TRAILING_COMMA = re.compile(r'(?P<string>"[^"\\]*(?:\\.[^"\\]*)*")|,(?P<rest>\s*[}\]])', re.DOTALL)

Edit = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Fixed:
    """A text with its certain corrections, and how many were made."""

    text: str
    count: int


def fix_document(document: Document) -> Fixed:
    """Apply every certain correction until none is left. YAML takes new values and names, nothing else."""
    done: set[str] = set()
    count = 0
    for _ in range(ROUNDS):
        corrections = _next_corrections(document, done)
        if not corrections:
            break
        count += len(corrections)
        done.update(repr(correction) for correction in corrections if correction.verb != "drop")
        text = _edited(document, corrections)
        document = parse_document(
            text.encode("utf-8"), name=document.name, limit=2 * len(text.encode("utf-8"))
        )
    return Fixed(document.text, count)


def without_trailing_commas(text: str) -> str:
    """JSON without the commas after last entries; texts in quotes stay as they are."""
    return TRAILING_COMMA.sub(lambda match: match["string"] or match["rest"], text)


def show_difference(before: str, after: str, *, name: str) -> str:
    """A unified diff, without a time."""
    old, new = before.splitlines(), after.splitlines()
    return "\n".join(difflib.unified_diff(old, new, f"{name} (as it is)", f"{name} (fixed)", lineterm=""))


def _next_corrections(document: Document, done: set[str]) -> list[Correction]:
    """What can be changed in one go: what adds or drops has its container for itself, with all below it."""
    found = [problem.correction for problem in check_manifest(document) if problem.correction is not None]
    fresh = [
        correction
        for correction in found
        if repr(correction) not in done and _is_possible(document, correction)
    ]
    alone: dict[str, Correction] = {}
    for correction in fresh:
        if correction.verb == "drop" or correction.pointer not in document.spans:
            alone.setdefault(parent(correction.pointer), correction)
    together = [correction for correction in fresh if not _is_inside(correction.pointer, alone)]
    outermost = [each for place, each in alone.items() if not _is_inside(place, alone)]
    return [*{repr(correction): correction for correction in (*together, *outermost)}.values()]


def _is_inside(pointer: str, containers: Iterable[str]) -> bool:
    return any(pointer.startswith(container + "/") for container in containers)


def _is_possible(document: Document, correction: Correction) -> bool:
    if document.format == "json":
        return True
    is_scalar = not isinstance(correction.value, dict | list)
    return is_scalar and correction.verb != "drop" and correction.pointer in document.spans


def _edited(document: Document, corrections: Iterable[Correction]) -> str:
    edits = [_edit(document, correction) for correction in corrections]
    text = document.text
    for start, end, replacement in sorted(edits, key=lambda edit: edit[0], reverse=True):
        text = text[:start] + replacement + text[end:]
    return text


def _edit(document: Document, correction: Correction) -> Edit:
    span = document.spans.get(correction.pointer)
    if span is None:
        return _insertion(document, correction.pointer, correction.value)
    if correction.verb == "drop":
        return _removal(document.text, span)
    if correction.verb == "rename" and span.key is not None:
        return (*span.key, _json(correction.value))
    return span.start, span.end, _json(correction.value)


def _removal(text: str, span: Span) -> Edit:
    """The entry with the comma behind it, or else the one before it, and the blank space around."""
    start, end = span.anchor, span.end
    after = len(text) - len(text[end:].lstrip())
    if text[after] == ",":
        following = len(text) - len(text[after + 1 :].lstrip())
        return start, following, ""
    before = text[:start].rstrip()
    return (len(before) - 1 if before.endswith(",") else len(before)), end, ""


def _insertion(document: Document, pointer: str, value: Any) -> Edit:
    """A new last member of an object, laid out like the ones before it."""
    text, owner = document.text, document.spans[parent(pointer)]
    member = f"{_json(last_step(pointer))}: {_json(value)}"
    inner = text[owner.start + 1 : owner.end - 1]
    end = owner.start + 1 + len(inner.rstrip())
    if not inner.strip():
        return owner.start + 1, owner.end - 1, member
    return end, end, f",{_gap(inner)}{member}"


def _gap(inner: str) -> str:
    """What stands before the first member: a line break with its indentation, or a blank."""
    lead = inner[: len(inner) - len(inner.lstrip())]
    return lead if "\n" in lead else " "


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
