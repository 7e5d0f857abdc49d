"""What was carried over from a foreign schema, and what was not. Pure data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pond_new.errors import PondError


class NotReadable(PondError):
    """There is nothing in the source that could become parameters; the text says why."""


@dataclass(frozen=True, slots=True)
class Carried:
    """An object schema in Pond's form, and sentences about what is lost or needs a look.

    `is_partial` says that running the code would tell more than its text does.
    """

    schema: Mapping[str, Any]
    losses: tuple[str, ...] = ()
    is_partial: bool = False

    def dump(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {"schema": dict(self.schema), "losses": list(self.losses), "is_partial": self.is_partial}


@dataclass(slots=True)
class Losses:
    """Collects sentences about losses, each with the place it is about."""

    found: list[str] = field(default_factory=list)

    def add(self, place: str, sentence: str) -> None:
        """Note a loss once."""
        line = f"{place or 'the whole'}: {sentence}"
        if line not in self.found:
            self.found.append(line)
