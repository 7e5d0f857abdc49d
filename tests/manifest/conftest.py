"""Manifests that were changed at random, always in the same way for the same seed."""

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

JUNK: list[Any] = [
    None, True, False, 0, 1, -1, 1.0, 0.5, "", " ", "a", "1.0", "object", "string", "month", "other",
    [], ["a"], ["a", "a"], [1, True], [1, 1.0], {}, {"type": "object"}, "Bad Id", "x" * 101, "x" * 1001,
    {"type": "string", "description": "d"}, {"properties": {}}, [{}],
    [{"id": "a", "name": "a", "description": "a"}],
]  # fmt: skip
KEYS = [
    "type",
    "description",
    "enum",
    "items",
    "properties",
    "required",
    "x_extra",
    "input_schema",
    "minLength",
]


def containers(value: Any) -> list[Any]:
    if not isinstance(value, (dict, list)):
        return []
    children = value.values() if isinstance(value, dict) else value
    return [value, *(inner for child in children for inner in containers(child))]


def mutate(manifest: Any, dice: random.Random) -> None:
    """One change somewhere: a value replaced, dropped, doubled or moved, or a key added."""
    container = dice.choice(containers(manifest))
    keys = list(container) if isinstance(container, dict) else list(range(len(container)))
    change = dice.choice(["replace", "drop", "add", "copy"])
    if not keys or change == "add":
        if isinstance(container, dict):
            container[dice.choice(KEYS)] = copy.deepcopy(dice.choice(JUNK))
        else:
            container.append(copy.deepcopy(dice.choice([*JUNK, *container])))
    elif change == "replace":
        container[dice.choice(keys)] = copy.deepcopy(dice.choice(JUNK))
    elif change == "drop":
        del container[dice.choice(keys)]
    else:
        source = dice.choice(containers(manifest))
        container[dice.choice(keys)] = copy.deepcopy(source)


@pytest.fixture(scope="session")
def mutated() -> Callable[[int, str | None], Any]:
    """A function of a seed and a key: the example, or the part of it under the key, with a few changes."""
    example = json.loads((Path(__file__).parent / "example.json").read_text(encoding="utf-8"))

    def changed(seed: int, key: str | None) -> Any:
        dice = random.Random(seed)
        part = copy.deepcopy(example if key is None else example[key])
        for _ in range(dice.choice([1, 1, 1, 2, 3, 6])):
            mutate(part, dice)
        return part

    return changed
