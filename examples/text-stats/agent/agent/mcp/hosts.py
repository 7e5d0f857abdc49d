"""The environment -> the names under which this server may be called.

A server that answers to any name can be called by a page in somebody's browser whose name was made to point
here (DNS rebinding), so the `Host` of every request is checked.
"""

import os
import re
from collections.abc import Mapping

from agent.settings import UnusableSettings

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
NAME = re.compile(r"(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")


def load_allowed_hosts(public: str, environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """The host of the public endpoint, loopback, and those of `MCP_ALLOWED_HOSTS` (divided by commas).

    Raises `UnusableSettings`.
    """
    given = [name.strip() for name in environment.get("MCP_ALLOWED_HOSTS", "").split(",") if name.strip()]
    if wrong := [name for name in given if not NAME.fullmatch(name)]:
        raise UnusableSettings(
            f"MCP_ALLOWED_HOSTS: {', '.join(map(repr, wrong))} is no host name;"
            " write agent.example.com, without scheme and path"
        )
    return tuple(dict.fromkeys([*filter(None, [public]), *given, *LOOPBACK]))
