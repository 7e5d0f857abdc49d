"""A generated agent to change and to bring in step again: two actions, no git, hand-written parts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from pond_new.manifest import dump_manifest
from pond_new.project.compare import Change, Choices, FileChange
from pond_new.project.disk import list_files
from pond_new.project.regenerate import Regeneration, Request, regenerate_repository
from pond_new.project.settings import Settings
from pond_new.project.situation import work_after
from pond_new.project.template_folder import load_templates
from pond_new.project.work import Work, WorkKind
from tests.conftest import capabilities

TODAY = date(2026, 11, 30)


def parameters(**types: str) -> dict[str, Any]:
    """An input schema with these parameters, all required."""
    return {
        "type": "object",
        "properties": {
            name: {"type": kind, "description": f"The {name} of the text."} for name, kind in types.items()
        },
        "required": list(types),
        "additionalProperties": False,
    }


MANIFEST: dict[str, Any] = {
    "protocol": "marketplace-agent",
    "protocol_version": "1.0",
    "agent_version": "1.4.2",
    "metadata": {"name": "Language Agent", "short_description": "Translates and sums up."},
    "actions": [
        {
            "id": "translate_text",
            "name": "Translate text",
            "description": "Translates a text into another language.",
            "input_schema": parameters(text="string", language="string"),
        },
        {
            "id": "sum_up",
            "name": "Sum up",
            "description": "Shortens a long text to its main points.",
            "input_schema": parameters(text="string", sentences="integer"),
        },
    ],
    "capabilities": capabilities("sync"),
    "input_modes": ["text/plain"],
    "output_modes": ["text/markdown"],
    "limits": {"max_request_bytes": 100000, "max_attachment_bytes": 1, "max_run_seconds": 30},
}
HANDLER = '''"""Written by hand."""

from agent.actions import TranslateText
from agent.pond import Run


async def handle(parameters: TranslateText, run: Run) -> str:
    run.usage(1)
    return parameters["text"] + parameters["language"]
'''


@dataclass(frozen=True, slots=True)
class Agent:
    """A repository under test."""

    root: Path

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())

    def exists(self, path: str) -> bool:
        return (self.root / path).exists()

    def replace(self, path: str, old: str, new: str) -> None:
        text = self.read(path)
        assert old in text
        self.write(path, text.replace(old, new))

    def delete(self, path: str) -> None:
        (self.root / path).unlink()

    @property
    def manifest(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.read("manifest.json"))
        return document

    def edit_manifest(self, edit: Callable[[dict[str, Any]], object]) -> None:
        document = self.manifest
        edit(document)
        self.write("manifest.json", dump_manifest(document))

    def tree(self) -> dict[str, bytes]:
        return {str(path): (self.root / path).read_bytes() for path in list_files(self.root)}

    def regenerate(self, request: Request | None = None, *, write: bool = True) -> Outcome:
        return Outcome(regenerate_repository(self.root, request, write=write))

    def force(self) -> Outcome:
        return self.regenerate(Request(Choices(force=True)))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a regeneration did, ready to be asked about."""

    planned: Regeneration

    @property
    def changes(self) -> dict[str, Change]:
        quiet = {Change.SAME, Change.KEEP}
        return {
            str(change.path): change.change for change in self.planned.changes if change.change not in quiet
        }

    def of(self, path: str) -> FileChange:
        return next(change for change in self.planned.changes if change.path == PurePosixPath(path))

    @property
    def work(self) -> tuple[Work, ...]:
        return work_after(self.planned, today=TODAY)

    def work_of(self, kind: WorkKind) -> list[tuple[str, int, str]]:
        return [(str(each.path), each.line, each.text) for each in self.work if each.kind is kind]


def make(root: Path, manifest: Mapping[str, Any], templates: Mapping[str, str] | None = None) -> Agent:
    """A fresh repository of this manifest."""
    request = Request(manifest=dump_manifest(manifest).encode(), settings=Settings(), templates=templates)
    regenerate_repository(root, request)
    return Agent(root)


@pytest.fixture(scope="session")
def newborn(tmp_path_factory: pytest.TempPathFactory) -> Agent:
    """The agent as it was made; nobody changes it."""
    return make(tmp_path_factory.mktemp("newborn") / "agent", MANIFEST)


@pytest.fixture
def agent(newborn: Agent, tmp_path: Path) -> Agent:
    """An agent whose handler of translate_text was written by hand; that of sum_up is still the stub."""
    made = Agent(tmp_path / "agent")
    shutil.copytree(newborn.root, made.root)
    made.write("agent/handlers/translate_text.py", HANDLER)
    return made


@pytest.fixture
def here(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """The agent, with its directory as the current one."""
    monkeypatch.chdir(agent.root)
    return agent


@pytest.fixture
def fresh(tmp_path: Path) -> Callable[[Mapping[str, Any]], Agent]:
    """Make another agent, to compare with."""

    def create(manifest: Mapping[str, Any]) -> Agent:
        return make(tmp_path / "fresh", manifest)

    return create


@pytest.fixture
def upgrade() -> Callable[..., Request]:
    """The request of a newer pond-new whose templates were changed: `path=(old, new)` of each text."""

    def newer(changes: Mapping[str, tuple[str, str]], **more: Any) -> Request:
        templates = load_templates()
        for path, (old, new) in changes.items():
            assert old in templates[path]
            templates[path] = templates[path].replace(old, new)
        return replace(Request(templates=templates, version="0.2.0"), **more)

    return newer
