"""The files that a person wrote around an action, its handler and its examples, read from disk."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from pond_new.project.disk import list_files, load_what_can_be
from pond_new.project.layout import EXAMPLES, HAND_WRITTEN_CODE, HANDLERS


def load_hand_written(root: Path, modules: Iterable[str]) -> dict[PurePosixPath, bytes]:
    """The handlers and all files in the example folders of these modules, as far as they can be read."""
    paths: list[PurePosixPath] = []
    for module in modules:
        paths.append(HANDLERS / f"{module}.py")
        folder = root / EXAMPLES / module
        if folder.is_dir() and not folder.is_symlink():
            paths += [EXAMPLES / module / path for path in sorted(list_files(folder))]
    return _load(root, paths)


def load_python(root: Path) -> dict[PurePosixPath, bytes]:
    """Every Python file of the agent and its tests."""
    paths = {
        PurePosixPath(folder) / path
        for folder in HAND_WRITTEN_CODE
        if (root / folder).is_dir() and not (root / folder).is_symlink()
        for path in list_files(root / folder)
        if path.suffix == ".py"
    }
    return _load(root, sorted(paths))


def _load(root: Path, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, bytes]:
    contents, _ = load_what_can_be(root, paths)
    return {path: content for path, content in contents.items() if content is not None}
