"""Bodies of run requests: valid ones that were changed in a few places, and bytes of any kind."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

from tests.broken.messages import FRESH
from tests.server.agents import request

MODES = ("sync", "stream", "async")
FILE = {"type": "file", "file": {"url": "https://files.example/a.csv", "name": "a", "media_type": "text/csv"}}


class Raw(str):
    """Text that stands in the JSON as it is, whether JSON or not."""

    __slots__ = ()


class Twice(tuple[Any, Any]):
    """Two values for one name."""

    __slots__ = ()


any_text = st.text(st.characters(exclude_categories=()), max_size=12)  # lone surrogates and NUL too
names = st.sampled_from(["", "x", "run_id", "mode", "type", "__class__", "$ref", "\x00", "a.b"]) | any_text
raw = st.sampled_from(
    [
        *("NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1e-400", "-0", "0.0", "5.0", "1E2", "01", "+1"),
        *(".5", "1.", "0x1", "True", "undefined", "'x'", '"\x00"', '"\\ud800"', '"\\u0000"', '"\\x"', '"\t"'),
        *("9" * 30, "9" * 5000, "-" + "9" * 19, "18446744073709551616", "0.1e1", "1" + "0" * 400 + "e-400"),
        *("[" * depth + "]" * depth for depth in (100, 240, 252, 255, 300, 1023, 1100)),
        *('{"a":' * depth + "1" + "}" * depth for depth in (240, 255, 900)),
        *("[" * 5000, '"', "{", "[1,]", '{"a":1,}', "/**/1", "", "[" + "1," * 3000 + "1]"),
    ]
).map(Raw)
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([0, -1, 1, 2**31, 2**53, 2**63, 2**64, -(2**63) - 1, 10**30])
    | st.floats(allow_nan=False, allow_infinity=False)
    | any_text
    | st.sampled_from([*MODES, "text", "file", "user", FRESH, "tide_table", "text/markdown", "1.0"])
)
values = raw | st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner | raw, max_size=3),
    max_leaves=6,
)
noise = st.binary(max_size=3) | st.sampled_from(
    [b"\xff", b"\xf0\x9f", b"\xed\xa0\x80", b"\x00", b'"', b"\\u"]
)


def valid_request(mode: str, *, files: int = 0) -> dict[str, Any]:
    """A request that an agent of these tests accepts."""
    body = request(run_id=FRESH, mode=mode, accepted_output_modes=["text/markdown", "image/png"])
    body["messages"][0]["parts"] += [copy.deepcopy(FILE) for _ in range(files)]
    return body


def write(value: Any, *, plain: bool = True) -> str:
    """The JSON of a value that may hold `Raw` and `Twice`; with `plain` all of it is ASCII."""
    match value:
        case Raw():
            return str(value)
        case Twice():
            return write(value[1], plain=plain)
        case dict():
            members = [_member(name, inner, plain=plain) for name, inner in value.items()]
            return "{" + ", ".join(members) + "}"
        case list():
            return "[" + ", ".join(write(inner, plain=plain) for inner in value) + "]"
    return json.dumps(value, ensure_ascii=plain)


def _member(name: str, value: Any, *, plain: bool) -> str:
    both = value if isinstance(value, Twice) else (value,)
    return ", ".join(f"{json.dumps(name, ensure_ascii=plain)}: {write(each, plain=plain)}" for each in both)


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every member and entry of a value: what holds it, and its name or index."""
    for step in list(node) if isinstance(node, dict) else range(len(node)):
        yield node, step
        if isinstance(node[step], dict | list):
            yield from places(node[step])


def _put(draw: st.DrawFn, holder: Any, step: Any) -> None:
    holder[step] = draw(values)


def _remove(draw: st.DrawFn, holder: Any, step: Any) -> None:
    del holder[step]


def _add(draw: st.DrawFn, holder: Any, step: Any) -> None:
    if isinstance(holder, dict):
        holder[draw(names)] = draw(values)
    else:
        holder.insert(draw(st.integers(0, len(holder))), draw(values))


def _wrap(draw: st.DrawFn, holder: Any, step: Any) -> None:
    holder[step] = [holder[step]] if draw(st.booleans()) else {draw(names): holder[step]}


def _repeat(draw: st.DrawFn, holder: Any, step: Any) -> None:
    times = draw(st.sampled_from([2, 100, 20_000]))
    if isinstance(holder[step], str | list) and not isinstance(holder[step], Raw):
        holder[step] = holder[step] * times


def _say_twice(draw: st.DrawFn, holder: Any, step: Any) -> None:
    holder[step] = Twice((holder[step], draw(values)))


def _rename(draw: st.DrawFn, holder: Any, step: Any) -> None:
    if isinstance(holder, dict):
        holder[draw(names)] = holder.pop(step)


CHANGES: tuple[Callable[[st.DrawFn, Any, Any], None], ...] = (
    *(_put, _put, _remove, _add),
    *(_wrap, _repeat, _say_twice, _rename),
)


@st.composite
def changed_requests(draw: st.DrawFn, modes: tuple[str, ...] = MODES) -> bytes:
    """A valid request with up to three changes anywhere, and perhaps other bytes somewhere."""
    document = valid_request(draw(st.sampled_from(modes)), files=draw(st.sampled_from([0, 0, 1, 3])))
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3, 0]))):
        if found := list(places(document)):
            draw(st.sampled_from(CHANGES))(draw, *draw(st.sampled_from(found)))
    text = write(document, plain=draw(st.booleans()))
    return draw(damaged(text.encode("utf-8", "surrogatepass")))


@st.composite
def damaged(draw: st.DrawFn, body: bytes) -> bytes:
    """The bytes, one time in four not quite."""
    place = draw(st.integers(0, len(body)))
    match draw(st.sampled_from(["", "", "", "", "", "", "", "in", "cut", "bom", "utf-16", "more"])):
        case "in":
            return body[:place] + draw(noise) + body[place + draw(st.integers(0, 2)) :]
        case "cut":
            return body[:place]
        case "bom":
            return b"\xef\xbb\xbf" + body
        case "utf-16":
            return body.decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass")
        case "more":
            return body + draw(noise)
    return body


any_bodies = st.binary(max_size=300) | values.map(
    lambda value: write(value, plain=False).encode("utf-8", "surrogatepass")
)
