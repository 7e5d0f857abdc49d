"""`pond-new explain`: one short page about one thing."""

from __future__ import annotations

import textwrap
from itertools import groupby
from typing import TYPE_CHECKING

from pond_new import console
from pond_new.errors import WrongUsage
from pond_new.protocol.topics import FILES, REQUIREMENTS, Topic, find_topic, load_topics, near_topics

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH = 88
INDENT = 10


def explain(name: str | None) -> int:
    """Print the page of a topic, or all topics by group; returns 0. Raises WrongUsage for an unknown one."""
    if name is None:
        console.show("\n\n".join(_list()))
        return 0
    topic = find_topic(name)
    if topic is None:
        raise WrongUsage(_unknown(name))
    console.show("\n".join(_page(topic)))
    return 0


def _list() -> Iterator[str]:
    for group, topics in groupby(load_topics().values(), key=lambda topic: topic.group):
        names = [topic.name for topic in topics]
        listed = ", ".join(_ranges(names) if group == REQUIREMENTS else names)
        lines = textwrap.wrap(listed, WIDTH - 2, break_on_hyphens=False)
        yield "\n".join([console.paint(group, "bold"), *(f"  {line}" for line in lines)])
    yield "Read one with: pond-new explain max_run_seconds"


def _ranges(ids: list[str]) -> Iterator[str]:
    """MAN-01 to MAN-14 instead of fourteen names."""
    for prefix, members in groupby(ids, key=lambda name: name.partition("-")[0]):
        listed = list(members)
        yield f"{prefix}-01 to {listed[-1]}"


def _page(topic: Topic) -> Iterator[str]:
    yield f"{console.paint(topic.name, 'bold')} ({topic.group})"
    yield ""
    is_requirement = topic.group == REQUIREMENTS
    parts = (
        ("What", topic.what),
        ("Why", topic.why),
        ("Judged" if is_requirement else "Example", topic.example),
        ("Broken" if is_requirement else "Mistake", topic.mistake),
        ("Owner" if topic.group == FILES else "Section", topic.section),
        ("See", ", ".join(topic.see)),
    )
    for label, text in parts:
        if text:
            yield from _part(label, text)


def _part(label: str, text: str) -> Iterator[str]:
    lines = text.strip("\n").splitlines()
    if len(lines) == 1:
        lines = textwrap.wrap(text, WIDTH - INDENT, break_long_words=False, break_on_hyphens=False)
    yield f"{label:<{INDENT}}{lines[0]}"
    for line in lines[1:]:
        yield f"{'':<{INDENT}}{line}".rstrip()


def _unknown(name: str) -> str:
    near = near_topics(name)
    hint = f"Did you mean {' or '.join(near)}?" if near else "pond-new explain lists all topics."
    return f"There is no topic {name}. {hint}"
