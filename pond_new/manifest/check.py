"""Everything there is to say about a manifest: errors, warnings and notes, in the order of the file. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pond_new.manifest.parse import check_errors, check_size, in_order
from pond_new.manifest.problem import error, warning
from pond_new.manifest.rules import ADVICE_RULES
from pond_new.manifest.rules.satisfiable import check_satisfiable
from pond_new.manifest.walk import look_at, texts_in
from pond_new.protocol.facts import MANIFEST_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pond_new.manifest.document import Document
    from pond_new.manifest.problem import Problem

NEARLY_FULL = 0.9


def check_manifest(document: Document, *, key: str | None = None) -> tuple[Problem, ...]:
    """Every finding about a document; `key` is the access key, which must not stand in it."""
    value = document.value
    problems = [*check_errors(value), *check_size(document), *_check_file(document)]
    if isinstance(value, dict):
        subject = look_at(value)
        if not problems or all(problem.severity != "error" for problem in problems):
            problems.extend(check_satisfiable(subject))
        problems.extend(problem for rule in ADVICE_RULES for problem in rule(subject))
        problems.extend(_check_key(value, key))
    distinct = {(problem.id, problem.pointer, problem.message): problem for problem in problems}
    return tuple(in_order(distinct.values(), document))


def _check_file(document: Document) -> Iterator[Problem]:
    if document.has_mark:
        message = "The file starts with a byte order mark, which some JSON readers refuse."
        yield warning("MAN-03", "", message, fix="Save it as UTF-8 without BOM.")
    if MANIFEST_BYTES * NEARLY_FULL < document.size <= MANIFEST_BYTES:
        message = f"The manifest has {document.size:,} bytes, nearly the {MANIFEST_BYTES:,} that are allowed."
        yield warning("MAN-02", "", message, fix="Shorten it before the next addition makes it too large.")


def _check_key(value: Any, key: str | None) -> Iterator[Problem]:
    for pointer, text in texts_in(value) if key else ():
        if key and key in text:
            fix = "Take it out, and make a new key: this one has been seen."
            yield error("AUT-06", pointer, "The access key stands here.", fix=fix)
