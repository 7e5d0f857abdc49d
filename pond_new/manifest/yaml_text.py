"""YAML as JSON data: the plain scalars of YAML 1.2, text keys, one document, no tags, no cycles. Pure.

The only module that imports PyYAML, and only while it reads.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pond_new.manifest.json_spans import Span
from pond_new.manifest.json_text import DEPTH, DIGITS, nested_too_deep
from pond_new.manifest.place import place
from pond_new.manifest.pointer import join
from pond_new.manifest.problem import InvalidManifest, Problem, error

INTEGER = re.compile(r"[-+]?[0-9]+")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
WORDS: dict[str, bool | None] = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
WORDS |= dict.fromkeys(("true", "True", "TRUE"), True) | dict.fromkeys(("false", "False", "FALSE"), False)


@dataclass(frozen=True, slots=True)
class YamlText:
    """What a YAML text says, and where."""

    value: Any
    spans: dict[str, Span]


@lru_cache(maxsize=4)
def yaml_spans(text: str) -> dict[str, Span]:
    """Where each value of a YAML text stands, by JSON pointer. Shared: read it, do not change it."""
    return read_yaml(text).spans


def read_yaml(text: str) -> YamlText:
    """The value of a YAML text with its places; raises InvalidManifest for what JSON could not hold."""
    import yaml  # noqa: PLC0415 -- heavy, and only needed here

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder(text)
    try:
        for event in yaml.parse(text, Loader=loader):
            builder.take(event)
    except yaml.MarkedYAMLError as failure:
        raise InvalidManifest([_syntax(text, failure)]) from failure
    except yaml.reader.ReaderError as failure:
        problem = error(
            "MAN-03", "", "YAML does not allow this character.", fix="Remove it, or write it as an escape."
        )
        raise InvalidManifest([place(problem, text, failure.position)]) from failure
    return YamlText(builder.finish(), builder.spans)


def _syntax(text: str, failure: Any) -> Problem:
    mark = failure.problem_mark or failure.context_mark
    offset = mark.index if mark else 0
    said = failure.problem or "something is out of place"
    if "nesting depth" in said:
        return nested_too_deep(text, offset)
    is_tab = text[offset : offset + 1] == "\t"
    fix = (
        "Indent with spaces; YAML takes no tabs."
        if is_tab
        else "Look at the indentation and the quotes here."
    )
    return place(error("MAN-03", "", f"This is not YAML: {said}.", fix=fix), text, offset)


@dataclass(slots=True)
class _Open:
    pointer: str
    span: tuple[int, tuple[int, int] | None]
    value: Any
    name: str | None = None
    name_at: tuple[int, int] | None = None


@dataclass(slots=True)
class _Builder:
    """Builds plain data from YAML events, without recursion."""

    text: str
    spans: dict[str, Span] = field(default_factory=dict)
    stack: list[_Open] = field(default_factory=list)
    roots: list[Any] = field(default_factory=list)

    def take(self, event: Any) -> None:
        kind = type(event).__name__
        if kind in {"MappingStartEvent", "SequenceStartEvent"}:
            self._open(event, {} if kind == "MappingStartEvent" else [])
        elif kind in {"MappingEndEvent", "SequenceEndEvent"}:
            closed = self.stack.pop()
            start, key = closed.span
            self.spans[closed.pointer] = Span(start, event.end_mark.index, key)
        elif kind == "ScalarEvent":
            self._scalar(event)
        elif kind == "AliasEvent":
            self._refuse(
                event, "References (*name) have no counterpart in JSON.", "Write the value out here."
            )

    def finish(self) -> Any:
        if not self.roots:
            problem = error(
                "MAN-03", "", "The file is empty.", fix="Write the manifest; `pond-new` makes one for you."
            )
            raise InvalidManifest([place(problem, self.text, 0)])
        return self.roots[0]

    def _open(self, event: Any, value: Any) -> None:
        if len(self.stack) >= DEPTH:
            raise InvalidManifest([nested_too_deep(self.text, event.start_mark.index)])
        self._refuse_tag(event)
        if self._awaits_key():
            self._refuse(event, "A key of a mapping must be a string.", "Write the key as a word.")
        pointer, key = self._place()
        self._put(value, event)
        self.stack.append(_Open(pointer, (event.start_mark.index, key), value))

    def _scalar(self, event: Any) -> None:
        self._refuse_tag(event)
        value = self._resolve(event) if event.implicit[0] else event.value
        if self._awaits_key():
            self._take_key(event, value)
            return
        pointer, key = self._place()
        self.spans[pointer] = Span(event.start_mark.index, event.end_mark.index, key)
        self._put(value, event)

    def _take_key(self, event: Any, value: Any) -> None:
        if not isinstance(value, str):
            self._refuse(
                event, f"The key {event.value} is not a string.", f'Write "{event.value}" in quotes.'
            )
        if value == "<<":
            self._refuse(event, "Merge keys (<<) have no counterpart in JSON.", "Write the keys out here.")
        current = self.stack[-1]
        pointer = join(current.pointer, value)
        if value in current.value:
            line = self.text.count("\n", 0, self.spans[pointer].anchor) + 1
            self._refuse(
                event, f"The key {value} is here a second time; the first is in line {line}.", "Keep one."
            )
        current.name, current.name_at = value, (event.start_mark.index, event.end_mark.index)

    def _put(self, value: Any, event: Any) -> None:
        if not self.stack:
            if self.roots:
                self._refuse(
                    event, "The file holds several YAML documents.", "Keep one; remove the --- line."
                )
            self.roots.append(value)
            return
        current = self.stack[-1]
        if isinstance(current.value, list):
            current.value.append(value)
        else:
            current.value[current.name] = value
            current.name = None

    def _place(self) -> tuple[str, tuple[int, int] | None]:
        if not self.stack:
            return "", None
        current = self.stack[-1]
        if isinstance(current.value, list):
            return join(current.pointer, len(current.value)), None
        return join(current.pointer, str(current.name)), current.name_at

    def _awaits_key(self) -> bool:
        return bool(self.stack) and isinstance(self.stack[-1].value, dict) and self.stack[-1].name is None

    def _resolve(self, event: Any) -> Any:
        written: str = event.value
        if written in WORDS:
            return WORDS[written]
        if INTEGER.fullmatch(written) and len(written) <= DIGITS:
            return int(written)
        if NOT_FINITE.fullmatch(written) or (FLOAT.fullmatch(written) and math.isinf(float(written))):
            self._refuse(event, f"{written} is a number that JSON cannot hold.", "Write a finite number.")
        return float(written) if FLOAT.fullmatch(written) else written

    def _refuse_tag(self, event: Any) -> None:
        if event.tag and event.tag != "!":
            self._refuse(event, f"Tags such as {event.tag} have no counterpart in JSON.", "Remove the tag.")

    def _refuse(self, event: Any, message: str, fix: str) -> None:
        problem = error("MAN-03", self.stack[-1].pointer if self.stack else "", message, fix=fix)
        raise InvalidManifest([place(problem, self.text, event.start_mark.index)])
