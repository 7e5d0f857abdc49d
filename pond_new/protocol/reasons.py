"""Why a requirement matters at Pond, in a sentence: data beside this module. Pure but for reading it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def load_reasons() -> Mapping[str, str]:
    """The reason of each requirement that has one of its own, by its id."""
    return MappingProxyType(json.loads(Path(__file__).with_name("reasons.json").read_text(encoding="utf-8")))


def reason_for(requirement_id: str) -> str:
    """Why this requirement matters; raises KeyError for an id without a reason."""
    return load_reasons()[requirement_id]
