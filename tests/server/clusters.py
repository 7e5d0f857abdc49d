"""A throwaway Postgres: its own data directory and Unix socket, no port, gone at the end of the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql

UNPRIVILEGED = ("postgres", "nobody")  # who runs it when the tests run as root, which initdb refuses
QUICK = "fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=60"


class NoPostgres(Exception):
    """This machine has no initdb; the text says what would bring it."""


class Cluster:
    """A Postgres server that tests start, stop and break as they like."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._folder = folder
        self._data = folder / "data"
        self._names = iter(range(1_000_000))
        self._user = _other_user() if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(folder, self._user)
        self._call("initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8")
        configuration = [*QUICK, "listen_addresses=''", f"unix_socket_directories='{folder}'"]
        with (self._data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.write("\n".join(configuration) + "\n")

    def start(self) -> None:
        """Start it, unless it runs, and wait until it takes connections."""
        if not (self._data / "postmaster.pid").exists():
            self._call("pg_ctl", "start", "--wait", f"--log={self._folder / 'log'}")

    def stop(self) -> None:
        """Stop it as an operator in a hurry would: connections are cut, what was committed stays."""
        if (self._data / "postmaster.pid").exists():
            self._call("pg_ctl", "stop", "--wait", "--mode=fast")

    def new_database(self) -> str:
        """The URL of a database that nobody has used before."""
        name = f"test_{next(self._names)}"
        with self.connect() as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url(name)

    def url(self, database: str = "postgres") -> str:
        """Where a database is, as `DATABASE_URL` says it."""
        return f"postgresql://postgres@/{database}?host={self._folder}"

    def connect(self, url: str | None = None) -> psycopg.Connection:
        """A connection that commits each statement."""
        return psycopg.connect(url or self.url(), autocommit=True)

    def _call(self, program: str, *arguments: str) -> None:
        """Run one of Postgres' programs on the data directory; into a file, as a server keeps its output."""
        with (self._folder / "output").open("w+", encoding="utf-8") as output:
            done = subprocess.run(
                [self._programs / program, *arguments, "-D", self._data],
                cwd=self._folder,
                user=self._user,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=120,
                check=False,
            )
            output.seek(0)
            assert done.returncode == 0, output.read()


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A cluster that runs, and is gone at the end. Raises `NoPostgres`."""
    programs = _find_programs()
    folder = Path(tempfile.mkdtemp(prefix="pond-pg-"))  # short, as the path of a socket has to be
    try:
        cluster = Cluster(programs, folder)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder)


def _find_programs() -> Path:
    """The folder with initdb: on the PATH, named by PG_CONFIG, or where Debian puts the newest."""
    if sys.platform == "win32":
        raise NoPostgres("these tests reach Postgres by a Unix socket")
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    if configured := os.environ.get("PG_CONFIG"):
        asked = subprocess.run([configured, "--bindir"], capture_output=True, text=True, check=True)
        return Path(asked.stdout.strip())
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3])
    )
    if not installed:
        raise NoPostgres("no initdb on this machine: install Postgres (Debian: apt-get install postgresql)")
    return installed[-1].parent


def _other_user() -> str:
    import pwd  # not on Windows

    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in UNPRIVILEGED if name in known)
