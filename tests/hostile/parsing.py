"""What every hostile agent has to stand: its files parse, and it can be written anywhere."""

from __future__ import annotations

import ast
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import yaml

from pond_new.project.names import WINDOWS_DEVICES


def parse_all(texts: Mapping[PurePosixPath, str]) -> None:
    """Parse every file as what its name says; no name is one of a Windows device."""
    for path, text in texts.items():
        match path.suffix:
            case ".py":
                ast.parse(text, str(path))
            case ".toml":
                assert tomllib.loads(text)["tool"]["pond-new"]
            case ".json":
                json.loads(text)
            case ".yml" | ".yaml":
                yaml.safe_load(text)
        assert path.stem.lower() not in WINDOWS_DEVICES


def write_all(root: Path, texts: Mapping[PurePosixPath, str]) -> Path:
    """Write the files below a folder."""
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    return root
