"""JSON pointers (RFC 6901). Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


def join(pointer: str, *steps: str | int) -> str:
    """The pointer to a member or an entry below `pointer`."""
    return pointer + "".join(f"/{_escape(str(step))}" for step in steps)


def pointer_to(path: Iterable[str | int]) -> str:
    """The pointer that leads along a path of keys and indexes."""
    return join("", *path)


def split(pointer: str) -> list[str]:
    """The steps of a pointer, unescaped."""
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def parent(pointer: str) -> str:
    """The pointer one level up; the root is its own parent."""
    return pointer.rpartition("/")[0]


def last_step(pointer: str) -> str:
    """The last key or index of a pointer, unescaped; empty for the root."""
    return split(pointer)[-1] if pointer else ""


def look_up(value: Any, pointer: str) -> Any:
    """What stands at the pointer; raises LookupError where nothing does."""
    for step in split(pointer):
        if isinstance(value, list):
            value = value[int(step)]
        elif isinstance(value, dict):
            value = value[step]
        else:
            raise LookupError(pointer)  # noqa: TRY004 -- nothing stands there, whatever its parent is
    return value


def _escape(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")
