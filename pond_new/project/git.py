"""The first commit of a new repository, and how the project calls git."""

from __future__ import annotations

import os
import shutil
import subprocess
from enum import StrEnum
from pathlib import Path

MESSAGE = "Start the agent with pond-new"
LOCATIONS = frozenset(
    {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE"}
)
FALLBACK_AUTHOR = ("pond-new", "pond-new@localhost")


class GitOutcome(StrEnum):
    """What became of the first commit."""

    COMMITTED = "committed"
    INSIDE_REPOSITORY = "inside-a-repository"
    NO_GIT = "no-git"
    FAILED = "failed"
    SKIPPED = "skipped"


def commit_first(root: Path) -> GitOutcome:
    """Make `root` a git repository with one commit, unless it lies in one already.

    It works without a configured author, signs nothing and runs no hook; git's absence is no failure.
    """
    if shutil.which("git") is None:
        return GitOutcome.NO_GIT
    surrounding = call_git(root, "rev-parse", "--is-inside-work-tree")
    if surrounding.returncode == 0 or "dubious ownership" in surrounding.stderr:
        return GitOutcome.INSIDE_REPOSITORY
    steps = (
        ("init", "--quiet", "--template=", "--initial-branch=main"),
        ("add", "--all"),
        ("commit", "--quiet", "--no-verify", "--no-gpg-sign", "--message", MESSAGE),
    )
    for step in steps:
        if call_git(root, *_author(root), "-c", "core.hooksPath=.git/no-hooks", *step).returncode != 0:
            return GitOutcome.FAILED
    return GitOutcome.COMMITTED


def _author(root: Path) -> list[str]:
    """Options that name an author where the user has not."""
    options: list[str] = []
    for key, fallback in zip(("user.name", "user.email"), FALLBACK_AUTHOR, strict=True):
        if not call_git(root, "config", "--get", key).stdout.strip():
            options += ["-c", f"{key}={fallback}"]
    return options


def call_git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git in `root`, apart from the repository that a surrounding hook may have set."""
    environment = {key: value for key, value in os.environ.items() if key not in LOCATIONS}
    environment |= {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    return subprocess.run(  # noqa: S603 -- git with arguments of ours
        ["git", *arguments],  # noqa: S607 -- the user's own git
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
