"""The finished agents that travel with the package: their answers, and what was written by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

from pond_new.errors import WrongUsage
from pond_new.project.layout import CONTRACT, EXAMPLES
from pond_new.project.merge import merge
from pond_new.project.plan import Owner, owner_of
from pond_new.project.template_folder import find_folder, load_folder

ANSWERS = "answers.yaml"
AGENT = "agent"
README = PurePosixPath("README.md")
WRITTEN_BY_HAND = frozenset({Owner.YOURS, Owner.SHARED})


@dataclass(frozen=True, slots=True)
class Example:
    """A finished agent by name, with the folder that it lies in."""

    name: str
    folder: Path

    @property
    def answers(self) -> Path:
        """The file whose answers make this agent."""
        return self.folder / ANSWERS

    def load_files(self) -> dict[PurePosixPath, str]:
        """The files of this agent that a person wrote or changed, by path."""
        agent = load_folder(self.folder / AGENT) if (self.folder / AGENT).is_dir() else {}
        files = {PurePosixPath(path): content.decode() for path, content in agent.items()}
        return {path: text for path, text in files.items() if owner_of(path) in WRITTEN_BY_HAND}


def list_examples() -> list[Example]:
    """Every example, by name."""
    root = find_folder("examples")
    return [Example(folder.name, folder) for folder in sorted(root.iterdir()) if (folder / ANSWERS).is_file()]


def find_example(name: str) -> Example:
    """The example of this name. Raises `WrongUsage` with the names that there are."""
    known = {example.name: example for example in list_examples()}
    if name in known:
        return known[name]
    close = get_close_matches(name, list(known), n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise WrongUsage(f"There is no example {name!r}.{hint} There are: {', '.join(known)}.")


def overlay(
    texts: Mapping[PurePosixPath, str], example: Example, own: Mapping[PurePosixPath, str]
) -> dict[PurePosixPath, str]:
    """The rendered files with those of the example in place of stubs, and its further files beside them.

    `own` is what the example's own settings render: what a person changed of that in a shared file, such as
    a dependency more, is brought into the file that the chosen settings render. The README tells of the
    settings, so another choice has its own.
    """
    files = {path: text for path, text in example.load_files().items() if path in texts or path not in own}
    if CONTRACT not in texts:  # the files in examples/ are requests of Pond
        files = {path: text for path, text in files.items() if not path.is_relative_to(EXAMPLES)}
    stubs = {path for path in texts if path.is_relative_to("examples")} if files else set()
    for path in files.keys() & own.keys():
        if own[path] == texts[path]:
            continue
        if owner_of(path) is Owner.SHARED:
            files[path] = merge(own[path], files[path], texts[path]).text
        elif path == README:
            files[path] = texts[path]
    return {path: text for path, text in texts.items() if path not in stubs} | files
