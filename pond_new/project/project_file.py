"""The settings in `[tool.pond-new]` of a repository's `pyproject.toml`. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from pond_new.errors import PondError, WrongUsage
from pond_new.project.layout import PROJECT_FILE
from pond_new.project.lock import Lock
from pond_new.project.merge import has_conflict
from pond_new.project.settings import Settings, parse_settings
from pond_new.project.shape import plain_text

TABLE = "[tool.pond-new]"


class InvalidSettings(PondError):
    """The settings in `pyproject.toml` cannot be used."""


def project_settings(content: bytes | None, lock: Lock | None) -> Settings:
    """The settings of a `pyproject.toml`; where it has none, those that were last written, or the defaults.

    Raises `InvalidSettings`.
    """
    text = plain_text(content or b"")
    if has_conflict(text):
        raise InvalidSettings(
            f"{PROJECT_FILE} has a conflict that is not resolved yet: edit the lines between the <<<<<<< and"
            " >>>>>>> markers, remove the markers, then run this again."
        )
    try:
        table = _table(text)
        earlier: Mapping[str, Any] = lock.origin.settings if lock and lock.origin else {}
        return parse_settings({**earlier, **table} if table is not None else earlier)
    except tomllib.TOMLDecodeError as error:
        raise InvalidSettings(f"{PROJECT_FILE} is no TOML: {error}. Correct it, then try again.") from error
    except WrongUsage as error:
        raise InvalidSettings(f"{PROJECT_FILE}, {TABLE}: {error}") from error


def _table(text: str) -> dict[str, Any] | None:
    tool = tomllib.loads(text).get("tool", {})
    table = tool.get("pond-new") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else None
