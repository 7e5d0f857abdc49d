"""What `validate` would refuse in a schema that was carried over is taken out again, and named. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pond_new.manifest import Problem
from pond_new.manifest.parse import check_errors
from pond_new.manifest.pointer import last_step, look_up, parent, split
from pond_new.wizard.checks import SMALLEST
from pond_new.wizard.imports.carried import Losses, NotReadable

MOST_ROUNDS = 64
NAMELESS = frozenset({"input_schema", "properties", "items"})


def accepted(schema: Mapping[str, Any], losses: Losses) -> dict[str, Any]:
    """The schema without the keywords that Pond would refuse. Raises `NotReadable` if nothing helps."""
    manifest: dict[str, Any] = {**SMALLEST, "input_schema": deepcopy(dict(schema))}
    for _ in range(MOST_ROUNDS):
        problems = check_errors(manifest)
        if not problems:
            turned: dict[str, Any] = manifest["input_schema"]
            return turned
        _take_out(manifest, problems[0], losses)
    raise NotReadable(f"it cannot be made a schema that Pond takes: {problems[0].message}")


def _take_out(manifest: dict[str, Any], problem: Problem, losses: Losses) -> None:
    above, step = parent(problem.pointer), last_step(problem.pointer)
    owner = look_up(manifest, above)
    place = ".".join(part for part in split(above) if part not in NAMELESS)
    losses.add(place, f"{step} is left out. {problem.message}")
    if isinstance(owner, list):
        del owner[int(step)]
    else:
        owner.pop(step, None)
