"""Answers that outlive their conversation: in a file, or as the command that makes the same agent again."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pond_new.errors import UnwritableOutput
from pond_new.manifest import dump_manifest
from pond_new.project.settings import MCP, POND, Settings


def save_answers(path: str, contracts: Mapping[str, Mapping[str, Any]], settings: Settings) -> None:
    """Write an answers file: JSON for a name that ends in .json, else YAML. Raises `UnwritableOutput`.

    `contracts` has `manifest`, `agent_manifest` or both.
    """
    parts = {name: dict(contract) for name, contract in contracts.items()}
    text = _dump(parts | {"settings": settings.dump()}, is_json=path.endswith(".json"))
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as fault:
        raise UnwritableOutput(
            f"{path} cannot be written: {fault.strerror}. Name a file where you may write."
        ) from None


def same_again(directory: str, settings: Settings, *, answers: str | None) -> str:
    """The command that makes the same agent without a question, in a directory beside this one."""
    beside = f"{Path(directory).as_posix()}-2"
    if answers:
        return _command(["pond-new", beside, "--answers", answers])
    usual = Settings().dump()
    changed = {name: value for name, value in settings.dump().items() if value != usual[name]}
    sets = [
        part
        for name, value in changed.items()
        if name != "standards"  # the contracts say them
        for part in ("--set", f"{name}={','.join(value) if isinstance(value, list) else value}")
    ]
    contracts = {POND: "manifest.json", MCP: "agent-manifest.json"}
    named = [contracts[standard] for standard in settings.standards]
    source = Path(directory) / named[0] if len(named) == 1 else Path(directory)
    return _command(["pond-new", beside, "--from", source.as_posix(), *sets])


def _dump(answers: Mapping[str, Any], *, is_json: bool) -> str:
    if is_json:
        return dump_manifest(answers)
    import yaml  # noqa: PLC0415 -- only here

    return yaml.safe_dump(dict(answers), sort_keys=False, allow_unicode=True, width=100)


def _command(words: list[str]) -> str:
    """The command as a shell reads it; cmd.exe knows double quotes only."""
    if sys.platform == "win32":
        return " ".join(f'"{word}"' if " " in word else word for word in words)
    return shlex.join(words)
