"""What stands between an agent and its deployment: what is looked at, and what is found. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pond_new.manifest import Manifest
from pond_new.project.settings import Settings
from pond_new.project.targets import TARGETS, Target

Severity = Literal["problem", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know: a problem has to be solved first, a note may be right as it is.

    `code` is for tools and stays the same; `about` is a variable or a file. No text holds a secret's value.
    """

    code: str
    severity: Severity
    about: str
    message: str
    fix: str


@dataclass(frozen=True, slots=True)
class Environment:
    """The variables that the agent would see, and where they come from in words.

    `is_whole` is false where the place may have further variables of its own that cannot be seen from here.
    """

    variables: Mapping[str, str]
    source: str
    is_whole: bool = True

    def get(self, name: str) -> str:
        """The value as the agent reads it: empty is as good as not set."""
        return self.variables.get(name, "").strip()

    @property
    def missing(self) -> Severity:
        """How bad it is that a variable that the agent needs is not here."""
        return "problem" if self.is_whole else "note"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An agent that is about to be deployed; `files` has the texts of the files that matter."""

    manifest: Manifest
    settings: Settings
    environment: Environment
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def target(self) -> Target:
        """The place where it will run."""
        return TARGETS[self.settings.deploy]
