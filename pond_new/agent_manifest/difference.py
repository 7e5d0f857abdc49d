"""Where two JSON values differ: 1 is 1.0, and neither is true. Pure."""

from __future__ import annotations

from typing import Any

from pond_new.manifest.pointer import join


def first_difference(one: Any, other: Any, pointer: str = "") -> str | None:
    """The JSON pointer of the first place at which two values differ, `/` for the whole, or None.

    Members are compared in the order of the first value, and the order itself means nothing.
    """
    match one, other:
        case dict(), dict():
            for name in [*one, *(name for name in other if name not in one)]:
                below = join(pointer, name)
                if name not in one or name not in other:
                    return below
                if (found := first_difference(one[name], other[name], below)) is not None:
                    return found
            return None
        case list(), list():
            for place, (left, right) in enumerate(zip(one, other, strict=False)):
                if (found := first_difference(left, right, join(pointer, place))) is not None:
                    return found
            return None if len(one) == len(other) else join(pointer, min(len(one), len(other)))
        case _:
            is_same = isinstance(one, bool) == isinstance(other, bool) and one == other
            return None if is_same else pointer or "/"
