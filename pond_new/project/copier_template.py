"""Somebody else's copier template, run with our answers: the only module that imports copier."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pond_new.errors import PondError


class TemplateFailed(PondError):
    """Copier could not make a project of the template."""


def run_template(source: str, destination: Path, data: Mapping[str, Any], *, trust: bool) -> None:
    """Copy a template (a folder, a git URL or a bundle) into `destination`.

    Its tasks, migrations and Jinja extensions run only with `trust`. Nothing is asked: questions that our
    data does not answer take their defaults. Raises `TemplateFailed`.
    """
    from copier import Settings, run_copy  # noqa: PLC0415 -- half a second, only for --template
    from copier.errors import CopierError  # noqa: PLC0415

    try:
        run_copy(
            source,
            destination,
            data=dict(data),
            defaults=True,
            unsafe=trust,
            settings=Settings(),
            quiet=True,
        )
    except (CopierError, ValueError, OSError) as error:
        hint = "" if trust else " If it needs tasks or extensions and you trust its author, add --trust."
        raise TemplateFailed(f"The template {source} cannot be used: {error}.{hint}") from error
