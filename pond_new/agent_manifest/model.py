"""An agent manifest as values: what the server and the generator need of it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class AgentManifest:
    """A manifest that passed round one: what one tool promises.

    `tool` is the tool's name, `input` and `output` its schemas. `document` is the whole manifest as it was
    read, in the order of its keys.
    """

    id: str
    version: str
    name: str
    summary: str
    license: str
    tool: str
    input: Mapping[str, Any]
    output: Mapping[str, Any]
    errors: tuple[str, ...]
    endpoint: str
    timeout_s: float
    egress: tuple[str, ...]
    examples: tuple[Mapping[str, Any], ...]
    document: Mapping[str, Any]

    @property
    def first_success(self) -> Mapping[str, Any]:
        """The first example that succeeds; there always is one."""
        return next(example for example in self.examples if "output" in example)
