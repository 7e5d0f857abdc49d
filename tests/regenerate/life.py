"""A repository that lives: things happen to it, `regenerate` follows, and every promise is checked.

Every line that the user writes carries a mark of its own, so that a lost one is noticed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from pond_new.project.compare import Change, Choices
from pond_new.project.disk import list_files
from pond_new.project.merge import has_conflict
from pond_new.project.plan import Owner, owner_of
from pond_new.project.project_file import InvalidSettings
from pond_new.project.regenerate import Regeneration, Request, regenerate_repository
from pond_new.project.shape import plain_text
from tests.project.disks import Failing, Killed
from tests.regenerate.conftest import Agent
from tests.regenerate.releases import RELEASES

MARK = re.compile(r"mark-\d+-of-the-user")
ENOUGH = 16  # effects of a write among which a kill is drawn
CONFLICT = re.compile(
    r"<<<<<<< yours\n(.*?)\|{7} last written by pond-new\n.*?=======\n(.*?)>>>>>>> pond-new\n", re.DOTALL
)


@dataclass
class Life:
    """One repository and what is known of it: the marks that the user wrote and did not delete again."""

    agent: Agent
    random: Random
    happenings: Sequence[Callable[[Life], None]]
    meanwhile: Callable[[Life], None]
    release: int = 0
    marks: set[str] = field(default_factory=set)
    counter: int = 0
    log: list[str] = field(default_factory=list)

    def step(self) -> None:
        """Something happens, and `regenerate` follows; every promise is checked."""
        happening = self.random.choice(self.happenings)
        self.log.append(happening.__name__)
        happening(self)
        self.settle()
        self.check()

    def request(self, **more: Any) -> Request:
        """A request of the pond-new that is installed now."""
        release = RELEASES[self.release]
        return Request(
            templates=release.templates, version=release.version, migrations=release.migrations, **more
        )

    def settle(self, **more: Any) -> None:
        """Regenerate, sometimes killed on the way, and decide what it refuses, as a user would."""
        if self.random.random() < 0.2:
            self.run_killed(**more)
            if self.random.random() < 0.5:
                self.meanwhile(self)
        resolve_conflicts(self)
        done = self.regenerate(**more)
        if done.is_refused:
            self.log.append("force")
            resolve_conflicts(self)
            done = regenerate_repository(self.agent.root, self.request(choices=Choices(force=True), **more))
        assert not done.is_refused, self.told(done)
        resolve_conflicts(self)

    def regenerate(self, **more: Any) -> Regeneration:
        """One run; where it finishes a killed one, that may leave a conflict in the settings to resolve."""
        try:
            return regenerate_repository(self.agent.root, self.request(**more))
        except InvalidSettings:
            resolve_conflicts(self)
            return regenerate_repository(self.agent.root, self.request(**more))

    def run_killed(self, **more: Any) -> None:
        """One run that dies somewhere, or comes to its end before that."""
        resolve_conflicts(self)
        at = self.random.randint(1, ENOUGH)
        self.log.append(f"killed at {at}")
        disk = Failing(self.agent.root, at, Killed(), late=self.random.random() < 0.5)
        try:
            regenerate_repository(self.agent.root, self.request(**more), disk=disk)
        except Killed:
            return

    def check(self) -> None:
        """No mark is lost, a second run changes nothing, and what is generated is as if it were new."""
        before = self.agent.tree()
        lost = self.marks - marks_in(before)
        assert not lost, (lost, self.log)
        again = regenerate_repository(self.agent.root, self.request())
        assert again.is_in_step, self.told(again)
        assert self.agent.tree() == before, self.log
        fresh = again.built.texts
        for path, text in fresh.items():
            if owner_of(path) is Owner.GENERATED:
                assert plain_text(before[str(path)]) == text, (path, self.log)

    def mark(self) -> str:
        self.counter += 1
        mark = f"mark-{self.counter}-of-the-user"
        self.marks.add(mark)
        return mark

    def forget(self, text: str) -> None:
        """The user took this text away on purpose."""
        self.marks -= set(MARK.findall(text))

    def told(self, regeneration: Regeneration) -> object:
        quiet = {Change.SAME, Change.KEEP, Change.DELETED_BY_YOU}
        due = [
            (str(each.path), each.change, each.reason)
            for each in regeneration.changes
            if each.change not in quiet
        ]
        return due, self.log

    def files(self) -> list[str]:
        """The files that a user may edit, delete or convert."""
        found = sorted(str(path) for path in list_files(self.agent.root))
        return [path for path in found if not path.startswith(".pond/") and path != "manifest.json"]


def marks_in(tree: Mapping[str, bytes]) -> set[str]:
    """Every mark of the user in these files."""
    return {mark for content in tree.values() for mark in MARK.findall(content.decode())}


def resolve_conflicts(life: Life) -> None:
    """Keep your own lines, and those of pond-new as comments."""
    for path in life.files():
        text = plain_text((life.agent.root / path).read_bytes())
        if has_conflict(text):
            life.log.append(f"resolve {path}")
            life.agent.write(path, CONFLICT.sub(_resolution, text))


def _resolution(conflict: re.Match[str]) -> str:
    return conflict[1] + "".join(f"# {line}\n" for line in conflict[2].splitlines())
