"""What a check says that found nothing to do, and what every report on a regeneration begins with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pond_new import console

JSON_VERSION = 1


def show_clean(root: Path, *, as_json: bool) -> None:
    """The answer of a check that found nothing to do."""
    if as_json:
        head = head_of("regenerate", str(root), "in-step", is_written=False)
        console.show_json(head | {"files": [], "work": [], "note": ""})
        return
    console.show(in_step(str(root)))


def head_of(command: str, directory: str, status: str, *, is_written: bool) -> dict[str, Any]:
    """The first members of the JSON report."""
    return {
        "version": JSON_VERSION,
        "command": command,
        "directory": directory,
        "status": status,
        "written": is_written and status != "in-step",
    }


def in_step(directory: str) -> str:
    """The sentence for a repository in which nothing is to be done."""
    return f"{shown(directory)} is in step with its manifest."


def shown(directory: str) -> str:
    """The directory by its name where the user did not name it."""
    return Path(directory).resolve().name if directory == "." else directory
