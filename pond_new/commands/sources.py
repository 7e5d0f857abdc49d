"""Where manifests come from: files, directories, standard input, an agent's URL, an earlier commit.

The only module of `validate` that touches the world. No key is ever printed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

from pond_new.errors import UnreadableInput, WrongUsage
from pond_new.protocol.facts import MANIFEST_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pond_new.agent_manifest.served import Served
    from pond_new.commands.fetch import Answer

STANDARD_INPUT = "-"
CONTRACT_FILES = ("manifest.json", "manifest.yaml", "manifest.yml", "agent-manifest.json")
LOCK = ".pond/lock.json"
GIT_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Source:
    """Something to judge: its name for people, its first bytes (one more than allowed at most), its size.

    `path` is None where nothing can be written back; `media_type` is known for a URL only; `is_chosen` says
    whether the user named this very file.
    """

    name: str
    content: bytes
    size: int
    path: Path | None = None
    media_type: str | None = None
    is_chosen: bool = True


def fetch(url: str, headers: Mapping[str, str], limit: int) -> Answer:
    """One request to an agent, with the network's modules loaded only now: they cost 60 ms."""
    from pond_new.commands import fetch as network  # noqa: PLC0415

    return network.fetch(url, headers, limit)


def call_endpoint(address: str, manifest: Mapping[str, Any]) -> Served:
    """What an MCP endpoint serves, with the SDK loaded only now."""
    from pond_new.commands import endpoint  # noqa: PLC0415

    return endpoint.call_endpoint(address, manifest)


@dataclass(frozen=True, slots=True)
class Outside:
    """The world as arguments, so that tests bring their own: standard input, the network, the environment."""

    read_input: Callable[[int], bytes] = field(default_factory=lambda: sys.stdin.buffer.read)
    fetch: Callable[[str, Mapping[str, str], int], Answer] = fetch
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    call_endpoint: Callable[[str, Mapping[str, Any]], Served] = call_endpoint


def load_sources(names: Sequence[str], *, key: str | None, outside: Outside) -> tuple[Source, ...]:
    """Everything that the names stand for; no name is the directory here.

    Raises `UnreadableInput`, and `WrongUsage` for an address that no agent can have.
    """
    return tuple(source for name in names or (".",) for source in _load(name, key, outside))


def read_key(variable: str | None, outside: Outside) -> str | None:
    """The access key from an environment variable; raises WrongUsage where it is not set."""
    if variable is None:
        return None
    key = outside.environ.get(variable, "").strip()
    if not key:
        raise WrongUsage(f"--key-env names {variable}, but that variable is empty or not set.")
    return key


def read_earlier(path: Path, reference: str) -> bytes | None:
    """The file as it was at a git reference, or None if it was not there; raises WrongUsage."""
    if reference.startswith("-") or not _git(
        path, "rev-parse", "--verify", "--quiet", f"{reference}^{{commit}}"
    ):
        raise WrongUsage(
            f"git knows no {reference} here. Name a tag, a branch or a commit, or the word lock."
        )
    return _git(path, "show", f"{reference}:./{path.name}")


def read_lock(path: Path) -> bytes:
    """The lock of the repository that a manifest stands in; raises UnreadableInput."""
    lock = path.parent / LOCK
    if not lock.is_file():
        raise UnreadableInput(f"There is no {lock.as_posix()}; only a generated repository has one.")
    return lock.read_bytes()


def write_text(path: Path, text: str) -> None:
    """Put a corrected text in the place of a file, all or nothing, with the same permissions."""
    target = path.resolve()
    with NamedTemporaryFile("wb", dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        file.write(text.encode("utf-8"))
    shutil.copymode(target, file.name)
    Path(file.name).replace(target)


def _load(name: str, key: str | None, outside: Outside) -> Iterator[Source]:
    if name == STANDARD_INPUT:
        content = outside.read_input(MANIFEST_BYTES + 1)
        yield Source("-", content, len(content))
    elif name.startswith(("http://", "https://")):
        yield _load_address(name, key, outside)
    elif Path(name).is_dir():
        yield from _load_directory(Path(name))
    else:
        yield _load_file(Path(name), is_chosen=True)


def _load_directory(directory: Path) -> Iterator[Source]:
    found = [directory / name for name in CONTRACT_FILES if (directory / name).is_file()]
    if not found:
        looked_for = ", ".join(CONTRACT_FILES)
        raise UnreadableInput(f"There is no manifest in {directory.as_posix()} (looked for {looked_for}).")
    for path in found:
        yield _load_file(path, is_chosen=False)


def _load_file(path: Path, *, is_chosen: bool) -> Source:
    try:
        with path.open("rb") as file:
            content = file.read(MANIFEST_BYTES + 1)
        size = max(path.stat().st_size, len(content))
    except FileNotFoundError:
        raise UnreadableInput(f"There is no file {path.as_posix()}.") from None
    except OSError as failure:
        raise UnreadableInput(f"{path.as_posix()} cannot be read: {failure.strerror}.") from failure
    return Source(path.as_posix(), content, size, path, is_chosen=is_chosen)


def _load_address(name: str, key: str | None, outside: Outside) -> Source:
    from pond_new.commands.fetch import manifest_address, refuse_answer  # noqa: PLC0415 -- see fetch above

    address = manifest_address(name, has_key=key is not None)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    answer = outside.fetch(address, headers, MANIFEST_BYTES + 1)
    refuse_answer(answer, address, has_key=key is not None)
    return Source(address, answer.body, len(answer.body), media_type=answer.media_type)


def _git(path: Path, *arguments: str) -> bytes | None:
    """What git prints for a file's directory, or None if it fails."""
    command = ["git", "-C", str(path.parent), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=GIT_SECONDS)  # noqa: S603 -- no shell
    except FileNotFoundError:
        raise UnreadableInput("--changed-since needs git, which is not installed here.") from None
    except subprocess.TimeoutExpired:
        raise UnreadableInput(f"git did not answer within {GIT_SECONDS} seconds.") from None
    return done.stdout if done.returncode == 0 else None
