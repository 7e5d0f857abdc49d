"""The template and the examples that travel with the package, read from disk."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).parent.parent
IGNORED_FOLDERS = frozenset({"__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".data"})


def find_folder(name: str) -> Path:
    """`template` or `examples`: inside an installed package, else beside it in the source tree."""
    installed = PACKAGE / f"_{name}"
    return installed if installed.is_dir() else PACKAGE.parent / name


def load_templates() -> dict[str, str]:
    """The text of every template, by its path in the folder."""
    return {path: content.decode() for path, content in load_folder(find_folder("template")).items()}


def load_folder(root: Path) -> dict[str, bytes]:
    """Every file below a folder, by path; what tools leave behind (compiled Python) is passed over."""
    found: dict[str, bytes] = {}
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - IGNORED_FOLDERS)
        for name in sorted(names):
            file = Path(folder, name)
            if not name.endswith(".pyc"):
                found[file.relative_to(root).as_posix()] = file.read_bytes().replace(b"\r\n", b"\n")
    return found
