"""Where the answers come from: a file, a manifest, an example, the command line. Asks nobody."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from pond_new.agent_manifest.model import AgentManifest
from pond_new.agent_manifest.parse import parse_agent_manifest
from pond_new.errors import UnreadableInput, WrongUsage
from pond_new.manifest import Document, InvalidManifest, Manifest, parse_document, parse_manifest
from pond_new.manifest.kinds import AGENT_MANIFEST, other_kind
from pond_new.project.answers import Answers, missing_answers, parse_answers, with_defaults
from pond_new.project.contracts import refuse_disagreement, stand_in
from pond_new.project.examples import Example, find_example
from pond_new.project.settings import MCP, POND, Settings

ANSWERS_LIMIT = 1024 * 1024  # bytes of an answers file: a manifest of 256 KiB in YAML, with room
STDIN = "-"

CONTRACTS = ("manifest.json", "agent-manifest.json")

T = TypeVar("T")
Place = tuple[Document, str]  # a document, and the JSON pointer of the contract in it


class Source:
    """One way to give answers: what they are, and the documents they were read from."""

    def __init__(self, answers: Answers, places: Mapping[str, Place] | None = None) -> None:
        """`places` says where the contract of each standard was read from."""
        self.answers = answers
        self.places = places or {}

    def parse(self, manifest: Mapping[str, Any]) -> Manifest:
        """The manifest as typed values. Raises `InvalidManifest` with places in its file."""
        return self._placed(POND, lambda: parse_manifest(dict(manifest)))

    def parse_tool(self, agent_manifest: Mapping[str, Any]) -> AgentManifest:
        """The agent manifest as typed values. Raises `InvalidManifest` with places in its file."""
        return self._placed(MCP, lambda: parse_agent_manifest(dict(agent_manifest)))

    def _placed(self, standard: str, parse: Callable[[], T]) -> T:
        try:
            return parse()
        except InvalidManifest as invalid:
            if standard not in self.places:
                raise
            document, prefix = self.places[standard]
            placed = [
                document.locate(replace(problem, pointer=prefix + problem.pointer))
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
    return (_manifests(manifest) if manifest else Source(Answers())), None


def complete(
    source: Source, *, settings: Mapping[str, str], use_defaults: bool, agent_name: str
) -> tuple[Manifest, Settings, AgentManifest | None]:
    """The whole contracts and the settings; without Pond its manifest is a stand-in.

    Raises `WrongUsage` with every answer that is missing, `InvalidManifest`, `ContractsDisagree`.
    """
    answers = source.answers
    parsed = answers.parse_settings(settings)
    missing = missing_answers(answers, parsed.standards)
    if missing and not use_defaults:
        raise WrongUsage(_describe_missing(missing))
    if use_defaults:
        answers = with_defaults(answers, parsed.standards, agent_name=agent_name)
    return _contracts(source, answers, parsed)


def _contracts(
    source: Source, answers: Answers, settings: Settings
) -> tuple[Manifest, Settings, AgentManifest | None]:
    if MCP not in settings.standards:
        return source.parse(answers.manifest), settings, None
    if POND not in settings.standards:
        tool = source.parse_tool(answers.agent_manifest)
        return stand_in(tool), settings, tool
    manifest, tool = source.parse(answers.manifest), source.parse_tool(answers.agent_manifest)
    refuse_disagreement(manifest, tool)
    return manifest, settings, tool


def load_document(name: str, *, limit: int = ANSWERS_LIMIT) -> Document:
    """A JSON or YAML file, or standard input for `-`. Raises `UnreadableInput` and `InvalidManifest`."""
    if name == STDIN:
        return parse_document(sys.stdin.buffer.read(limit + 1), name=STDIN, limit=limit)
    try:
        with Path(name).open("rb") as file:
            return parse_document(file.read(limit + 1), name=name, limit=limit)
    except OSError as error:
        raise UnreadableInput(f"{name} cannot be read: {error.strerror}.") from error


def _manifests(name: str) -> Source:
    """A manifest, an agent manifest, or a directory with one or both of them."""
    paths = [name]
    if Path(name).is_dir():
        paths = [str(Path(name) / each) for each in CONTRACTS if (Path(name) / each).is_file()]
        if not paths:
            raise UnreadableInput(f"{name} has neither {' nor '.join(CONTRACTS)}.")
    places: dict[str, Place] = {}
    for path in paths:
        document = load_document(path)
        if not isinstance(document.value, dict):
            raise UnreadableInput(f"{path} is no manifest: expected a JSON object.")
        places[MCP if other_kind(document.value) is AGENT_MANIFEST else POND] = (document, "")
    values = {standard: document.value for standard, (document, _) in places.items()}
    answers = Answers(
        manifest=values.get(POND, {}),
        agent_manifest=values.get(MCP, {}),
        settings={"standards": list(values)} if MCP in values else {},
    )
    return Source(answers, places)


def _answers_file(name: str) -> Source:
    document = load_document(name)
    answers = parse_answers(document.value, name=name)
    return Source(answers, {POND: (document, "/manifest"), MCP: (document, "/agent_manifest")})


def _describe_missing(missing: list[str]) -> str:
    lines = "\n".join(f"  - {each}" for each in missing)
    return (
        f"These answers are missing, and nobody is asked here:\n{lines}\n"
        "Give them in a file (--answers FILE, or - for standard input), start from a manifest (--from FILE)"
        " or an example (--example NAME), or take the defaults (--yes)."
    )
