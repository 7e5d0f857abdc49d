"""The files that a person wrote, read for the list of what is left to do by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import PurePosixPath

from pond_new.manifest.versions import next_version
from pond_new.project import names
from pond_new.project.compare import WRITES, Change, FileChange
from pond_new.project.hand_written import load_hand_written, load_python
from pond_new.project.handlers import find_imports
from pond_new.project.plan import Owner, owner_of
from pond_new.project.regenerate import Regeneration
from pond_new.project.shape import plain_text
from pond_new.project.work import Situation, Work, WorkKind, find_work


def work_after(planned: Regeneration, *, today: date) -> tuple[Work, ...]:
    """What is left to do by hand once the plan is carried out; it is the same before and after that."""
    repository = planned.repository
    before = repository.lock.origin if repository.lock else None
    modules = _modules(planned, before.actions if before else ())
    situation = Situation(
        document=repository.document,
        tool=repository.tool,
        manifest=planned.manifest,
        before=before,
        after=planned.built.origin,
        actions=planned.built.data["actions"],
        changes=planned.changes,
        files=afterwards(load_hand_written(repository.root, modules), planned.changes),
        bumped=next_version(planned.manifest.agent_version, today),
        is_rename=planned.rename is not None,
    )
    imports = _imports(planned, planned.rename[0]) if planned.rename else ()
    return (*imports, *find_work(situation))


def afterwards(
    files: Mapping[PurePosixPath, bytes], changes: Iterable[FileChange]
) -> dict[PurePosixPath, bytes]:
    """The files as they are when the changes are carried out."""
    result = dict(files)
    for change in changes:
        if change.change is Change.DELETE:
            result.pop(change.path, None)
        if change.change in WRITES and change.path.parts[0] in {"agent", "examples"}:
            result.pop(change.source or change.path, None)
            result[change.path] = change.content or b""
    return dict(sorted(result.items()))


def _modules(planned: Regeneration, earlier: Iterable[str]) -> list[str]:
    """The modules of the actions that there are, and of those that there were."""
    now = [str(action["module"]) for action in planned.built.data["actions"]]
    before = [names.module_name(action) for action in earlier] or [names.GENERAL_MODULE]
    return list(dict.fromkeys([*now, *before]))


def _imports(planned: Regeneration, old: str) -> Iterator[Work]:
    """The places that still import the handler by its old name; pond-new edits no file of yours for that."""
    module = names.module_name(old)
    for path, content in load_python(planned.repository.root).items():
        if path in planned.built.texts and owner_of(path) is Owner.GENERATED:
            continue
        for line in find_imports(plain_text(content), module):
            yield Work(WorkKind.IMPORT, path, line, f"it imports the handler {module} by its old name")
