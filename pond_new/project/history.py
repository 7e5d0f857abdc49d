"""What git knows of an agent's code: its commit, where it is published, what changed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from pond_new.errors import PondError
from pond_new.project.git import call_git


class NoHistory(PondError):
    """There is no commit that could be named."""


def load_head(root: Path) -> str:
    """The full hash of the commit that is checked out. Raises `NoHistory`."""
    if shutil.which("git") is None:
        raise NoHistory(
            "git is not installed, and a release names a commit. Install git, then run this again."
        )
    found = call_git(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if found.returncode != 0:
        raise NoHistory(
            f"{root} has no commit, and a release names one. Commit the agent, then run this again."
        )
    return found.stdout.strip()


def list_uncommitted(root: Path) -> list[str]:
    """The files below `root` that are changed or new and not committed."""
    found = call_git(root, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", ".")
    return [entry[3:] for entry in found.stdout.split("\0") if entry]


def find_remote(root: Path) -> str | None:
    """The address that the branch is pushed to, as git has it: its own remote, else origin."""
    branch = call_git(root, "symbolic-ref", "--quiet", "--short", "HEAD").stdout.strip()
    own = call_git(root, "config", "--get", f"branch.{branch}.remote").stdout.strip() if branch else ""
    for name in filter(None, (own, "origin")):
        found = call_git(root, "remote", "get-url", name)
        if found.returncode == 0 and found.stdout.strip():
            return found.stdout.strip()
    return None


def is_commit(root: Path, ref: str) -> bool:
    """Whether this repository has a commit of this hash."""
    return call_git(root, "cat-file", "-e", f"{ref}^{{commit}}").returncode == 0


def list_changes(root: Path, since: str) -> list[str]:
    """The files below `root` that differ between a commit and the one that is checked out."""
    found = call_git(root, "diff", "--name-only", "-z", "--relative", since, "HEAD", "--", ".")
    return [name for name in found.stdout.split("\0") if name]


def read_committed(root: Path, ref: str, name: str) -> bytes | None:
    """A file below `root` as it was in a commit, or None."""
    found = call_git(root, "show", f"{ref}:./{name}")
    return found.stdout.encode() if found.returncode == 0 else None


def commit_files(root: Path, names: Sequence[str], message: str) -> str | None:
    """Commit these files and nothing else; what git said when it did not."""
    done = call_git(root, "add", "--", *names)
    if done.returncode == 0:
        done = call_git(root, "commit", "--quiet", "--message", message, "--", *names)
    return None if done.returncode == 0 else (done.stderr or done.stdout).strip()


def is_tracked(root: Path, name: str) -> bool:
    """Whether git keeps a file below `root`; false also without git."""
    if shutil.which("git") is None or not root.is_dir():
        return False
    return call_git(root, "ls-files", "--error-unmatch", "--", name).returncode == 0
