"""Templates and data -> the text of each file, in memory.

The template folder is also a copier template: the options of the environment are the ones that its
`copier.yml` names, and a test proves that both ways give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from pond_new.project.plan import SUFFIX, PlannedFile

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.sandbox import SandboxedEnvironment

ENVIRONMENT: Mapping[str, Any] = {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}


def render(
    files: Sequence[PlannedFile], templates: Mapping[str, str], data: Mapping[str, Any]
) -> dict[PurePosixPath, str]:
    """The text of every planned file. A file without the suffix `.jinja` is copied as it is."""
    return {planned.path: _render_file(planned, templates[planned.template], data) for planned in files}


def _render_file(planned: PlannedFile, text: str, data: Mapping[str, Any]) -> str:
    if not planned.template.endswith(SUFFIX):
        return text
    return _compiled(text).render(**data, **planned.variables)


@lru_cache(maxsize=64)
def _compiled(text: str) -> Template:
    return _environment().from_string(text)


@lru_cache(maxsize=1)
def _environment() -> SandboxedEnvironment:
    from jinja2 import StrictUndefined  # noqa: PLC0415 -- costs 100 ms, and not every command renders
    from jinja2.sandbox import SandboxedEnvironment  # noqa: PLC0415

    return SandboxedEnvironment(**ENVIRONMENT, undefined=StrictUndefined)
