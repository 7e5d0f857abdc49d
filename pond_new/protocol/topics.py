"""Short pages about one thing each, shipped as data beside this module. Pure but for reading them."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pond_new.protocol.facts import ERROR_CODES
from pond_new.protocol.reasons import load_reasons
from pond_new.protocol.requirements import Requirement, load_requirements

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FOLDER = "topics"
FILES = "Files of a generated repository"
GROUPS: Mapping[str, str] = {
    "fields": "Manifest",
    "listing": "Listing and prices",
    "running": "Running",
    "errors": "Error codes",
    "repository": FILES,
    "agent_manifest": "Agent manifest (the second standard)",
}
"""The data files and what their topics have in common."""

REQUIREMENTS = "Requirements"
LEVELS: Mapping[str, str] = {
    "MUST": "Needed: an agent without it is refused or fails.",
    "SHOULD": "Wanted: a warning where it is missing.",
    "PLATFORM": "A duty of Pond itself, not of the agent.",
    "QUALITY": "Good practice; the specification does not ask for it.",
}
LIKENESS = 0.65
MOST = 5


@dataclass(frozen=True, slots=True)
class Topic:
    """One page: what it is, why it matters, an example, the usual mistake, the section that says so.

    The example of a requirement is how it is judged, its mistake a broken agent that must be caught.
    """

    name: str
    group: str
    what: str
    why: str
    example: str
    mistake: str
    section: str
    see: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


@cache
def load_topics() -> Mapping[str, Topic]:
    """Every topic by its name, requirements last."""
    written = [topic for file in GROUPS for topic in _read(file)]
    requirements = (_of_requirement(row, written) for row in load_requirements().values())
    topics = [*_with_short_names(written), *requirements]
    return MappingProxyType({topic.name: topic for topic in topics})


def find_topic(name: str) -> Topic | None:
    """The topic of this name or alias in any case, or of the folder above a file; None for another name."""
    known = {_plain(alias): topic for topic in load_topics().values() for alias in topic.aliases}
    known |= {_plain(topic.name): topic for topic in load_topics().values()}
    while name and _plain(name) not in known:
        name = name.rpartition("/")[0]
    return known.get(_plain(name))


def near_topics(name: str) -> tuple[str, ...]:
    """Names of topics that this one may have been meant to be, the likeliest first."""
    wanted = _plain(name)
    names = {topic: {_plain(topic), *_plain(topic).split(".")} for topic in load_topics()}
    known = {part for parts in names.values() for part in parts}
    likely = [wanted, *get_close_matches(wanted, known, n=4, cutoff=LIKENESS)]
    return tuple(dict.fromkeys(topic for part in likely for topic, parts in names.items() if part in parts))[
        :MOST
    ]


def _read(file: str) -> Iterator[Topic]:
    path = Path(__file__).with_name(FOLDER) / f"{file}.toml"
    for name, page in tomllib.loads(path.read_text(encoding="utf-8")).items():
        facts = _facts_of(name) if file == "errors" else {}
        lists = {key: tuple(page.get(key, ())) for key in ("see", "aliases")}
        yield Topic(name=name, group=GROUPS[file], **{**page, **facts, **lists})


def _facts_of(code: str) -> dict[str, Any]:
    row = next(row for row in ERROR_CODES if row.code == code)
    status = "Pond's own code, never sent by an agent." if row.is_pond_only else f"HTTP {row.status}."
    return {"what": f"{status} {row.meaning}", "section": row.section}


def _with_short_names(topics: list[Topic]) -> Iterator[Topic]:
    """Let limits.max_run_seconds be found as max_run_seconds, if no other topic is called so or ends so."""
    count = Counter(
        short for topic in topics for short in {*_endings(topic.name), *topic.aliases, topic.name}
    )
    for topic in topics:
        free = [ending for ending in _endings(topic.name) if count[ending] == 1]
        yield replace(topic, aliases=(*topic.aliases, *free))


def _endings(name: str) -> list[str]:
    """limits.timeout_s and timeout_s of runtime.limits.timeout_s; a path of a file has none."""
    steps = [] if "/" in name else name.split(".")
    return [".".join(steps[start:]) for start in range(1, len(steps))]


def _of_requirement(row: Requirement, written: list[Topic]) -> Topic:
    """The page of a requirement, from the catalogue, with the topics that name it."""
    reason = load_reasons().get(row.id, "")
    return Topic(
        name=row.id,
        group=REQUIREMENTS,
        what=row.requirement,
        why=f"{LEVELS[row.level]} {reason}".strip(),
        example=row.test,
        mistake=row.mutant,
        section=row.section,
        see=tuple(topic.name for topic in written if row.id in topic.see),
    )


def _plain(name: str) -> str:
    return name.casefold().strip().replace("-", "_").removeprefix("/").replace("/", ".")
