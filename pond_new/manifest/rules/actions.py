"""Action ids are unique. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pond_new.manifest.pointer import join
from pond_new.manifest.problem import Problem, error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pond_new.manifest.walk import Subject


def check_unique_ids(subject: Subject) -> Iterator[Problem]:
    """No two actions share an id (ACT-03); the schema cannot see this."""
    first: dict[str, str] = {}
    for pointer, action in subject.actions:
        name = action.get("id")
        if not isinstance(name, str):
            continue
        if name in first:
            yield error(
                "ACT-03",
                join(pointer, "id"),
                f"The id {name} is taken: {first[name]} has it already.",
                fix="Give one of the two another id.",
            )
        first.setdefault(name, pointer)
