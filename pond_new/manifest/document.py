"""Bytes of JSON or YAML become plain data that knows where in the text each value stands. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal

from pond_new.manifest.json_spans import Span, scan
from pond_new.manifest.json_text import parse_json
from pond_new.manifest.place import line_and_column
from pond_new.manifest.pointer import parent
from pond_new.manifest.problem import InvalidManifest, Problem, error
from pond_new.manifest.yaml_text import read_yaml, yaml_spans
from pond_new.protocol.facts import MANIFEST_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping

BYTE_ORDER_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
Form = Literal["json", "yaml"]

UTF8_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read: its plain data, its text without a byte order mark, and its places."""

    name: str
    value: Any
    text: str
    format: Form
    size: int
    has_mark: bool = False

    @property
    def spans(self) -> Mapping[str, Span]:
        """Where each value stands in `text`, by JSON pointer."""
        return scan(self.text).spans if self.format == "json" else yaml_spans(self.text)

    def position(self, pointer: str) -> tuple[int, int]:
        """Line and column (from 1) of the key or value at a pointer, or of the nearest parent that exists."""
        spans = self.spans
        while pointer and pointer not in spans:
            pointer = parent(pointer)
        span = spans.get(pointer)
        return line_and_column(self.text, span.anchor if span else 0)

    def locate(self, problem: Problem) -> Problem:
        """The problem with its line and column; one that has them keeps them."""
        if problem.line is not None:
            return problem
        line, column = self.position(problem.pointer)
        return replace(problem, line=line, column=column)


def parse_document(
    content: bytes, *, name: str, limit: int = MANIFEST_BYTES, form: Form | None = None
) -> Document:
    """Read JSON or YAML: as `form` says, or by the suffix of `name`; for other names the text decides.

    Raises InvalidManifest with the exact place for anything that is not clean UTF-8 text of one document:
    syntax, duplicate keys, NaN, numbers too large, half characters, nesting over 64, more than `limit` bytes.
    """
    _refuse_size(content, name=name, limit=limit)
    text = _decode(content, name=name)
    form = form or _form(text, PurePath(name).suffix.lower())
    try:
        value = parse_json(text, name=name) if form == "json" else _parse_yaml(text)
    except InvalidManifest as failure:
        raise InvalidManifest(failure.problems, name=name) from None
    return Document(name, value, text, form, len(content), content.startswith(UTF8_MARK))


def too_large(size: int, *, limit: int = MANIFEST_BYTES) -> Problem:
    """The problem of a manifest with too many bytes; one byte too many means that nobody counted on."""
    counted = "" if size == limit + 1 else f" It has {size:,}."
    return error(
        "MAN-02",
        "",
        f"The manifest has more than the {limit:,} bytes (256 KiB) that are allowed.{counted}",
        fix="Shorten the texts of metadata first; they are usually the largest part.",
    )


def _refuse_size(content: bytes, *, name: str, limit: int) -> None:
    if len(content) > limit:
        raise InvalidManifest([too_large(len(content), limit=limit)], name=name)


def _form(text: str, suffix: str) -> Form:
    if suffix in {".yaml", ".yml"}:
        return "yaml"
    if suffix == ".json" or text.lstrip()[:1] in {"", "{", "[", '"', "/"}:
        return "json"
    return "yaml"


def _parse_yaml(text: str) -> Any:
    value = read_yaml(text).value
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        problem = error(
            "MAN-03", "", "A string holds half a character.", fix="Write the whole character, as UTF-8."
        )
        raise InvalidManifest([problem]) from None
    return value


def _decode(content: bytes, *, name: str) -> str:
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            raise InvalidManifest([_wrong_encoding(f"The file is {encoding}.")], name=name)
    body = content.removeprefix(UTF8_MARK)
    if b"\x00" in body[:4]:
        raise InvalidManifest([_wrong_encoding("The file looks like UTF-16 or UTF-32.")], name=name)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as failure:
        problem = _broken_utf8(body, failure.start)
        raise InvalidManifest([problem], name=name) from failure


def _wrong_encoding(message: str) -> Problem:
    return replace(error("MAN-03", "", message, fix="Save it as UTF-8."), line=1, column=1)


def _broken_utf8(body: bytes, offset: int) -> Problem:
    before = body[:offset].decode("utf-8", "replace")
    line, column = line_and_column(before, len(before))
    guess = body[offset : offset + 1].decode("cp1252", "replace")
    likely = "" if guess == "\ufffd" else f" As Windows-1252 it would be {guess!r}."
    message = f"Byte 0x{body[offset]:02x} is not UTF-8.{likely}"
    return replace(error("MAN-03", "", message, fix="Save the file as UTF-8."), line=line, column=column)
