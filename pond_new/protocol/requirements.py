"""The catalogue of conformance requirements, shipped as data beside this module. Pure but for reading it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Level = Literal["MUST", "SHOULD", "PLATFORM", "QUALITY"]


@dataclass(frozen=True, slots=True)
class Requirement:
    """One numbered requirement: what is asked, how it is tested, and the broken agent it must catch.

    `basis` is E (said by the specification) or D (derived); `reach` says from where it can be judged:
    S the manifest alone, B a live agent, B* a live agent with a sample, T a public address, H a test hook,
    X nobody from outside, P the platform.
    """

    id: str
    group: str
    level: Level
    basis: Literal["E", "D"]
    reach: str
    section: str
    requirement: str
    test: str
    false_verdict: str
    mutant: str


@cache
def load_requirements() -> Mapping[str, Requirement]:
    """Every requirement by its id, in the order of the catalogue."""
    text = Path(__file__).with_name("requirements.json").read_text(encoding="utf-8")
    rows = (Requirement(**row) for row in json.loads(text))
    return MappingProxyType({row.id: row for row in rows})


def find_requirement(requirement_id: str) -> Requirement:
    """The requirement with this id; raises KeyError for an id that the catalogue does not have."""
    return load_requirements()[requirement_id]
