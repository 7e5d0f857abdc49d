"""Where the answers come from: a file, a manifest, an example, the command line. Asks nobody."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pond_new.errors import UnreadableInput, WrongUsage
from pond_new.manifest import Document, InvalidManifest, Manifest, parse_document, parse_manifest
from pond_new.project.answers import Answers, missing_answers, parse_answers, with_defaults
from pond_new.project.examples import Example, find_example
from pond_new.project.settings import Settings, parse_settings

ANSWERS_LIMIT = 1024 * 1024  # bytes of an answers file: a manifest of 256 KiB in YAML, with room
STDIN = "-"


class Source:
    """One way to give answers: the document they were read from, and what they are."""

    def __init__(self, answers: Answers, document: Document | None = None, prefix: str = "") -> None:
        """`prefix` is the JSON pointer of the manifest inside the document."""
        self.answers = answers
        self._document = document
        self._prefix = prefix

    def parse(self, manifest: Mapping[str, Any]) -> Manifest:
        """The manifest as typed values. Raises `InvalidManifest` with places in its file."""
        try:
            return parse_manifest(dict(manifest))
        except InvalidManifest as invalid:
            document = self._document
            if document is None:
                raise
            placed = [
                document.locate(replace(problem, pointer=self._prefix + problem.pointer))
                for problem in invalid.problems
            ]
            raise InvalidManifest(placed, name=document.name) from None


def load_source(
    *, answers: str | None, manifest: str | None, example: str | None
) -> tuple[Source, Example | None]:
    """Read the one source that was named, or none. Raises `WrongUsage` when several were."""
    named = {"--answers": answers, "--from": manifest, "--example": example}
    given = [flag for flag, value in named.items() if value]
    if len(given) > 1:
        raise WrongUsage(f"{' and '.join(given)} exclude each other: give one of them.")
    if example:
        found = find_example(example)
        return _answers_file(str(found.answers)), found
    if answers:
        return _answers_file(answers), None
    if manifest:
        document = load_document(manifest)
        if not isinstance(document.value, dict):
            raise UnreadableInput(f"{manifest} is no manifest: expected a JSON object.")
        return Source(Answers(manifest=document.value), document), None
    return Source(Answers()), None


def complete(
    source: Source, *, settings: Mapping[str, str], use_defaults: bool, agent_name: str
) -> tuple[Manifest, Settings]:
    """The whole contract and settings. Raises `WrongUsage` with every answer that is missing."""
    answers = source.answers
    parsed = parse_settings({**answers.settings, **settings})
    missing = missing_answers(answers)
    if missing and not use_defaults:
        raise WrongUsage(_describe_missing(missing))
    if use_defaults:
        answers = with_defaults(answers, agent_name=agent_name)
    return source.parse(answers.manifest), parsed


def load_document(name: str, *, limit: int = ANSWERS_LIMIT) -> Document:
    """A JSON or YAML file, or standard input for `-`. Raises `UnreadableInput` and `InvalidManifest`."""
    if name == STDIN:
        return parse_document(sys.stdin.buffer.read(limit + 1), name=STDIN, limit=limit)
    try:
        with Path(name).open("rb") as file:
            return parse_document(file.read(limit + 1), name=name, limit=limit)
    except OSError as error:
        raise UnreadableInput(f"{name} cannot be read: {error.strerror}.") from error


def _answers_file(name: str) -> Source:
    document = load_document(name)
    return Source(parse_answers(document.value, name=name), document, prefix="/manifest")


def _describe_missing(missing: list[str]) -> str:
    lines = "\n".join(f"  - {each}" for each in missing)
    return (
        f"These answers are missing, and nobody is asked here:\n{lines}\n"
        "Give them in a file (--answers FILE, or - for standard input), start from a manifest (--from FILE)"
        " or an example (--example NAME), or take the defaults (--yes)."
    )
