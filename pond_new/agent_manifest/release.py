"""The next version of an agent manifest, and the address of its source as the standard wants it. Pure."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

SEMANTIC = re.compile(r"^(\d+)\.(\d+)\.(\d+)")
SCP_LIKE = re.compile(r"^(?:[^@/:]+@)?([^/:]+):(?!//)(.+)$")  # git@github.com:ada/text-stats.git
# Names that nobody owns (RFC 2606).
PLACEHOLDER = re.compile(r"(^|\.)(example|example\.(com|net|org)|invalid)$")


def next_version(version: str, part: str = "patch") -> str:
    """The semantic version after another one: `1.4.2` -> `1.4.3`, `1.5.0` or `2.0.0`.

    The patch after a pre-release is the release itself: `1.0.0-rc.1` -> `1.0.0`. Raises `ValueError` for
    what is no semantic version, and for another part.
    """
    found = SEMANTIC.match(version)
    if found is None:
        raise ValueError(f"{version} is no semantic version such as 1.0.0")
    major, minor, patch = map(int, found.groups())
    is_pre_release = "-" in version.partition("+")[0]
    match part:
        case "major":
            return f"{major + 1}.0.0"
        case "minor":
            return f"{major}.{minor + 1}.0"
        case "patch":
            return f"{major}.{minor}.{patch if is_pre_release else patch + 1}"
        case _:
            raise ValueError(f"{part} is none of major, minor and patch")


def https_address(remote: str) -> str | None:
    """The https address of a git remote, without user, password and `.git`; None for one on a disk."""
    address = remote.strip()
    if "://" in address:
        url = urlsplit(address)
        host = url.hostname or ""
        if url.scheme == "https" and url.port:
            host = f"{host}:{url.port}"
        path = url.path
        if url.scheme not in {"https", "http", "ssh", "git", "git+ssh"}:
            return None
    elif found := SCP_LIKE.match(address):
        host, path = found.groups()
    else:
        return None
    name = path.strip("/").removesuffix(".git")
    return f"https://{host}/{name}" if "." in host and name else None


def is_placeholder(address: str) -> bool:
    """Whether an address only stands in for one that nobody knew yet."""
    return bool(PLACEHOLDER.search(urlsplit(address).hostname or ""))
