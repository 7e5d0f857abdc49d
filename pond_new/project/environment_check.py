"""Is the environment of an agent ready: its key, its database, the names of its variables? Pure."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from difflib import get_close_matches

from pond_new.project.env_file import mentioned_names
from pond_new.project.findings import Candidate, Environment, Finding

KEY = "POND_ACCESS_KEY"
KEY_FILE = "POND_ACCESS_KEY_FILE"
DATABASE = "DATABASE_URL"
PUBLIC_URL = "PUBLIC_URL"
KEY_LENGTH = 16
KEY_LETTERS = 6  # a key of fewer different characters was typed and not drawn
MAKE_KEY = 'python -c "import secrets; print(secrets.token_urlsafe(32))" makes one; enter the same at Pond.'
DATA = "/data"
SQLITE, POSTGRES = "sqlite:///", ("postgresql://", "postgres://")
# Places whose compose file says where the database is, whatever the environment says.
SAY_DATABASE = frozenset({"docker", "vps"})
EXAMPLE = ".env.example"


def check_key(environment: Environment) -> Iterator[Finding]:
    """The access key, which is the only variable that every agent needs."""
    key = environment.get(KEY)
    if not key:
        if not environment.get(KEY_FILE):
            message = (
                f"is not set in {environment.source}: without it where the agent runs, every request of Pond"
                " is answered with 503."
            )
            yield Finding("no-key", environment.missing, KEY, message, MAKE_KEY)
        return
    if len(key) < KEY_LENGTH:
        message = f"has {len(key)} characters, and the agent does not start with fewer than {KEY_LENGTH}."
        yield Finding("short-key", "problem", KEY, message, MAKE_KEY)
    elif len(set(key)) < KEY_LETTERS:
        yield Finding("weak-key", "problem", KEY, "can be guessed.", MAKE_KEY)
    if any(letter.isspace() for letter in key):
        message = "has white space inside, and the agent does not start with that."
        yield Finding("broken-key", "problem", KEY, message, MAKE_KEY)


def check_database(candidate: Candidate) -> Iterator[Finding]:
    """Whether the database is the one of the settings, and lies where it lasts."""
    url = candidate.environment.get(DATABASE)
    source, settings = candidate.environment.source, candidate.settings
    if settings.database == "sqlite":
        yield from _check_file(url, source, deploy=settings.deploy)
    elif not url:
        if settings.deploy not in SAY_DATABASE:
            message = f"is not set in {source}, and the setting database is postgres."
            fix = "Give it the address of your database: postgresql://USER:PASSWORD@HOST/NAME."
            yield Finding("no-database", candidate.environment.missing, DATABASE, message, fix)
    elif not url.startswith(POSTGRES):
        message = f"in {source} is no address of a Postgres, and the setting database is postgres."
        fix = "Give it one: postgresql://USER:PASSWORD@HOST/NAME, or set database to sqlite."
        yield Finding("wrong-database", "problem", DATABASE, message, fix)


def _check_file(url: str, source: str, *, deploy: str) -> Iterator[Finding]:
    """An SQLite file has to lie on the disk that outlives the container."""
    if not url:
        return
    if not url.startswith(SQLITE):
        message = f"in {source} is no SQLite file, and the setting database is sqlite."
        fix = (
            "Leave it out (the Dockerfile has one), or set database to postgres and run pond-new regenerate."
        )
        yield Finding("wrong-database", "problem", DATABASE, message, fix)
        return
    path = posixpath.normpath(url.removeprefix(SQLITE))
    if path.startswith(f"{DATA}/"):
        return
    message = f"in {source} leads to a file outside {DATA}, which is all that outlives the container."
    if deploy in SAY_DATABASE:
        fix = "compose sets its own, so this counts only outside a container."
        yield Finding("database-elsewhere", "note", DATABASE, message, fix)
        return
    fix = "Leave it out where the agent is deployed (the Dockerfile has sqlite:////data/ledger.sqlite)."
    yield Finding("database-elsewhere", "problem", DATABASE, message, fix)


def check_names(candidate: Candidate) -> Iterator[Finding]:
    """Variables of Pond that the agent does not read: a slip of the pen that nobody else would notice."""
    known = mentioned_names(candidate.files.get(EXAMPLE, ""))
    if not known:
        return
    for name in sorted(candidate.environment.variables):
        if name.startswith("POND_") and name not in known:
            close = get_close_matches(name, sorted(known), n=1)
            hint = f"Did you mean {close[0]}?" if close else f"{EXAMPLE} names those that it reads."
            message = f"in {candidate.environment.source} is a variable that the agent does not read."
            yield Finding("unknown-variable", "problem", name, message, hint)


def check_public_url(candidate: Candidate) -> Iterator[Finding]:
    """The agent's own address, where it hands out addresses of files that it hosts."""
    if PUBLIC_URL not in mentioned_names(candidate.files.get(EXAMPLE, "")):
        return
    url = candidate.environment.get(PUBLIC_URL)
    if not url:
        message = (
            f"is not set in {candidate.environment.source}: large files cannot be handed over by address."
        )
        fix = "Give it the public address of the agent, https://YOUR-HOST."
        yield Finding("no-public-url", "note", PUBLIC_URL, message, fix)
    elif not url.startswith("https://"):
        message = f"in {candidate.environment.source} is no https address, and Pond takes no other."
        yield Finding("public-url", "problem", PUBLIC_URL, message, "Write https://YOUR-HOST.")
