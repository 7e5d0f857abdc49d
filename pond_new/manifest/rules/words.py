"""Texts that say nothing: blank ones, empty phrases, and actions that read alike. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from pond_new.manifest.pointer import join
from pond_new.manifest.problem import Problem, warning
from pond_new.manifest.rules.listing import ENTRIES, FIELDS, LISTS
from pond_new.manifest.rules.pricing import PLANS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pond_new.manifest.walk import Subject

WORD = re.compile(r"[^\W\d_]+|\d+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")

QUOTED = 60

COMMON = 40
"""A word in more actions than this tells none of them apart."""

ALIKE = 0.75
"""From this share of common words on two actions count as alike."""

FILLERS = frozenset(
    """
    a an and any are as at be by can do does for from has have if in is it its of on or that the their them
    there this to use used user users want wants when which who whose will with you your
    """.split()  # noqa: SIM905 -- a list of words reads best as words
)
EMPTY_PHRASES = frozenset(
    """
    action agent array boolean data do execute field handle handles input integer item number object parameter
    perform performs process processes request run something string stuff task text thing todo tbd value
    """.split()  # noqa: SIM905 -- a list of words reads best as words
)
"""Words that say nothing about what a thing is for."""


def check_blank_texts(subject: Subject) -> Iterator[Problem]:
    """Texts of nothing but blanks, which the schema counts as filled."""
    yield from _blank(subject.manifest, "agent_version", "", "MAN-06")
    for pointer, action in subject.actions:
        yield from _blank(action, "name", pointer, "ACT-05")
        yield from _blank(action, "description", pointer, "ACT-05")
    for pointer, schema in subject.schemas:
        yield from _blank(schema, "description", pointer, "SCH-05")
    for field in FIELDS:
        yield from _blank(subject.metadata, field.name, "/metadata", field.requirement)
    for name, keys in ENTRIES.items():
        entries = subject.metadata.get(name)
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            for key in keys if isinstance(entry, dict) else ():
                yield from _blank(entry, key, join("/metadata", name, index), LISTS[name][0])
    for index, plan in subject.plans:
        yield from _blank(plan, "name", join(PLANS, index), "PRC-02")
        yield from _blank(plan, "custom_usage_unit", join(PLANS, index), "PRC-05")


def check_action_descriptions(subject: Subject) -> Iterator[Problem]:
    """Descriptions by which nobody could choose an action (ACT-08)."""
    for pointer, action in subject.actions:
        description = action.get("description")
        if not isinstance(description, str) or not description.strip():
            continue
        names = _words(str(action.get("name", ""))) | _words(str(action.get("id", "")))
        if len(_words(description)) > 1 and not _words(description) - EMPTY_PHRASES <= names - EMPTY_PHRASES:
            continue
        yield warning(
            "ACT-08",
            join(pointer, "description"),
            f"This description says no more than the name: {_quoted(description)}",
            fix="Say when to choose the action and what comes out: Use when the user wants …",
        )


def check_value_descriptions(subject: Subject) -> Iterator[Problem]:
    """Descriptions of parameters that repeat the name or say nothing (SCH-05)."""
    for pointer, schema in subject.schemas:
        description = schema.get("description")
        above, _, name = pointer.rpartition("/")
        if not isinstance(description, str) or not description.strip() or not above.endswith("/properties"):
            continue
        if not _words(description) - EMPTY_PHRASES - _words(name):
            yield warning(
                "SCH-05",
                join(pointer, "description"),
                f"This description says nothing that the name does not: {_quoted(description)}",
                fix="Say what the value is for, in which form, with an example.",
            )


def check_alike_actions(subject: Subject) -> Iterator[Problem]:
    """Actions whose texts share most of their words (ACT-08): a weak sign, so never more than a warning."""
    found = [(pointer, action) for pointer, action in subject.actions if _is_described(action)]
    texts = [_words(f"{action['name']} {action['description']}") for _, action in found]
    pairs = {index: (other, share) for index, other, share in _alike_pairs(texts)}
    pairs |= {index: (other, 1.0) for index, other in _same_descriptions([action for _, action in found])}
    for index, (other, share) in sorted(pairs.items()):
        pointer, name = found[index][0], found[other][1].get("id")
        yield warning(
            "ACT-08",
            join(pointer, "description"),
            f"{share:.0%} of the words are those of action {name}; Pond can hardly tell the two apart.",
            fix="Say in each description what the other one is not for, or make one action of the two.",
        )


def _same_descriptions(actions: list[dict[str, Any]]) -> Iterator[tuple[int, int]]:
    """Each action whose description has the same words as that of an earlier one, whatever the names are."""
    first: dict[frozenset[str], int] = {}
    for index, action in enumerate(actions):
        words = _words(action["description"])
        if words and words in first:
            yield index, first[words]
        first.setdefault(words, index)


def _alike_pairs(texts: list[frozenset[str]]) -> Iterator[tuple[int, int, float]]:
    """For each text the most alike earlier one, if it is alike enough.

    Two sets can only be that alike if they are equal or share one of their rarest words, so only those are
    looked up, and words that nearly everybody uses are not: a thousand actions take the time of a few.
    """
    count = Counter(word for words in texts for word in words)
    by_word: dict[str, list[int]] = defaultdict(list)
    by_text: dict[frozenset[str], int] = {}
    for index, words in enumerate(texts):
        rare = _telling_words(words, count)
        others = {other for word in rare for other in by_word[word]}
        others |= {by_text[words]} if words in by_text else set()
        best = max(sorted(others), key=lambda other: _share(words, texts[other]), default=None)
        if best is not None and (share := _share(words, texts[best])) >= ALIKE:
            yield index, best, share
        by_text.setdefault(words, index)
        for word in rare:
            by_word[word].append(index)


def _telling_words(words: frozenset[str], count: Counter[str]) -> list[str]:
    """The rarest words, so many that two sets without a common one among them cannot be alike."""
    rarest = sorted(words, key=lambda word: (count[word], word))
    return [
        word for word in rarest[: len(words) - math.ceil(ALIKE * len(words)) + 1] if count[word] <= COMMON
    ]


def _blank(owner: dict[str, Any], key: str, pointer: str, requirement: str) -> Iterator[Problem]:
    value = owner.get(key)
    if isinstance(value, str) and value and not value.strip():
        yield warning(
            requirement, join(pointer, key), f"{key} holds nothing but blanks.", fix="Write something."
        )


def _is_described(action: dict[str, Any]) -> bool:
    return isinstance(action.get("name"), str) and isinstance(action.get("description"), str)


def _words(text: str) -> frozenset[str]:
    """The words of a text without fillers, in the singular as far as a final s tells."""
    spaced = CAMEL.sub(" ", text)
    plain = (word.casefold() for word in WORD.findall(spaced))
    return frozenset(
        _singular(word) for word in plain if word not in FILLERS and (len(word) > 1 or word.isdigit())
    )


def _singular(word: str) -> str:
    if word.endswith("sses"):
        return word.removesuffix("es")
    return word[:-1] if len(word) > len("his") and word.endswith("s") and not word.endswith("ss") else word


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    common = len(one & other)
    return common / (len(one) + len(other) - common) if common else 0.0


def _quoted(text: str) -> str:
    return f'"{text}"' if len(text) <= QUOTED else f'"{text[: QUOTED - 1]}…"'
