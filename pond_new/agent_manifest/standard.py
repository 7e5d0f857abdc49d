"""Our reading of the standard, from its one data file `standard.json`. Pure but for reading it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from pond_new.manifest.problem import Problem, Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """What is said about a part: the id of the rule, how to mend it and why it matters."""

    id: str
    fix: str
    why: str

    def problem(self, pointer: str, message: str, *, fix: str = "", severity: Severity = "error") -> Problem:
        """A finding of this rule at a JSON pointer."""
        return Problem(self.id, severity, pointer, message, fix or self.fix, self.why)


@cache
def load_standard() -> Mapping[str, Any]:
    """The schema with the rules of both rounds in it. Shared: read it, do not change it."""
    text = files(__package__).joinpath("standard.json").read_text(encoding="utf-8")
    return MappingProxyType(json.loads(text))


def editor_schema() -> dict[str, Any]:
    """The schema for editors: the words of our rules become the descriptions that an editor shows."""
    schema: dict[str, Any] = _described(dict(load_standard()))
    return {name: value for name, value in schema.items() if name != "$comment"}


def known(name: str) -> tuple[str, ...]:
    """The values of an open list that we know of."""
    return tuple(load_standard()["x-known"][name])


def rule_at(path: str) -> Rule:
    """The rule of a part by its dotted name, such as `source.ref`; the nearest one above it."""
    node: Any = load_standard()
    rule = _rule(node)
    for step in path.split(".") if path else ():
        node = node["items"] if step == "[]" else node["properties"][step]
        rule = _rule(node) or rule
    assert rule
    return rule


def served_rule(name: str) -> Rule:
    """A rule of round two: what the endpoint itself must be like."""
    rule = _rule(load_standard()["x-served"][name])
    assert rule
    return rule


def rule_on(schema_path: list[str | int]) -> Rule:
    """The rule that stands nearest above a place in the schema."""
    node: Any = load_standard()
    rule = _rule(node)
    for step in schema_path:
        if step != "$ref":
            node = node[step]
        if isinstance(node, dict) and "$ref" in node:
            node = load_standard()["$defs"][node["$ref"].rpartition("/")[2]]
        rule = (_rule(node) if isinstance(node, dict) else None) or rule
    assert rule
    return rule


def _described(node: Any) -> Any:
    if isinstance(node, list):
        return [_described(each) for each in node]
    if not isinstance(node, dict):
        return node
    rule = _rule(node)
    described = {name: _described(value) for name, value in node.items() if not name.startswith("x-")}
    return described | ({"description": f"{rule.why} {rule.fix}"} if rule else {})


def _rule(node: Mapping[str, Any]) -> Rule | None:
    return Rule(node["x-id"], node["x-fix"], node["x-why"]) if "x-id" in node else None
