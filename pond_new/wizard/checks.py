"""The wizard's way to the rules of `validate`: one answer, or the whole manifest, in the same words. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pond_new.manifest import InvalidManifest, Problem, dump_manifest, parse_document
from pond_new.manifest.check import check_manifest
from pond_new.manifest.parse import check_errors
from pond_new.manifest.rules import ADVICE_RULES
from pond_new.manifest.walk import look_at
from pond_new.protocol.facts import CAPABILITIES, PROTOCOL, PROTOCOL_VERSION

SKIPPED_BY_POND = ("META-", "PRC-", "MAN-14")
"""Warnings of these requirements mean that the answer would be dropped: the wizard takes no such answer."""

SMALLEST: Mapping[str, Any] = {
    "protocol": PROTOCOL,
    "protocol_version": PROTOCOL_VERSION,
    "agent_version": "0.1.0",
    "capabilities": {row.name: row.name == "sync" for row in CAPABILITIES},
    "input_modes": ["text/plain"],
    "output_modes": ["text/markdown"],
    "limits": {"max_request_bytes": 1024**2, "max_attachment_bytes": 1024**2, "max_run_seconds": 60},
}
"""A valid manifest into which one answer is put to be judged."""


def fault_at(parts: Mapping[str, Any], pointer: str) -> str | None:
    """Why Pond would refuse or skip what stands at `pointer`, or None.

    `parts` are the parts of a manifest around the answer; what is missing is taken from `SMALLEST`.
    """
    for problem in _at(parts, pointer):
        if problem.severity == "error" or problem.id.startswith(SKIPPED_BY_POND):
            return in_words(problem)
    return None


def advice_at(parts: Mapping[str, Any], pointer: str) -> list[str]:
    """What `validate` warns of at `pointer`, although Pond takes it."""
    return [
        in_words(problem)
        for problem in _at(parts, pointer)
        if problem.severity != "error" and not problem.id.startswith(SKIPPED_BY_POND)
    ]


def check_whole(manifest: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Everything that `validate` says of this manifest, errors first."""
    try:
        document = parse_document(dump_manifest(manifest).encode(), name="manifest.json")
    except InvalidManifest as invalid:
        return invalid.problems
    found = check_manifest(document)
    return tuple(sorted(found, key=lambda problem: ("error", "warning", "note").index(problem.severity)))


def in_words(problem: Problem) -> str:
    """What is wrong and what to do, as sentences."""
    stop = "" if problem.message.endswith((".", "!", "?")) else "."
    return f"{problem.message}{stop} {problem.fix}"


def _at(parts: Mapping[str, Any], pointer: str) -> Iterator[Problem]:
    manifest = {**SMALLEST, **parts}
    subject = look_at(manifest)
    yield from _below(pointer, check_errors(manifest))
    for rule in ADVICE_RULES:
        yield from _below(pointer, rule(subject))


def _below(pointer: str, problems: Any) -> Iterator[Problem]:
    for problem in problems:
        if problem.pointer == pointer or problem.pointer.startswith(pointer + "/"):
            yield problem
