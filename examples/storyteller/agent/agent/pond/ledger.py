"""Which run was accepted with which request, and how it ended: idempotency and results in one SQL table.

Specification, "Make runs idempotent". The statements of requests that arrive together share a
transaction, on the event loop: in SQLite's WAL mode a commit is one append to a file, cheaper than a
change of threads. The loop never waits for a lock: a busy database is tried again a moment later.
"""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.pond.errors import IdempotencyConflict, ProtocolError, TemporarilyUnavailable

logger = logging.getLogger(__name__)

TABLE = """
CREATE TABLE IF NOT EXISTS runs (
    run_id TEXT PRIMARY KEY,
    fingerprint BLOB NOT NULL,
    deadline REAL NOT NULL,
    keep_until REAL NOT NULL,
    result BLOB
)
"""
PATIENCE = 5.0  # seconds that a request waits for a database that somebody else has locked
RETRY = 0.02  # seconds between two tries
CHECKPOINT_PAGES = 4000  # about 16 MB of WAL: `tidy` keeps it far below

Statement = Callable[[sqlite3.Connection], Any]


class LedgerInUse(Exception):
    """Another process serves this agent from the same SQLite file."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What the ledger knows of a run: it is new, or it has a deadline and perhaps a result (JSON)."""

    is_new: bool
    deadline: float
    result: bytes | None = None


class Ledger:
    """The ledger in an SQLite file; one process at a time."""

    def __init__(self, path: Path, *, retention: float, clock: Callable[[], float] = time.time) -> None:
        """`retention` is how many seconds a result is kept, and never less than until its deadline.

        Raises `LedgerInUse` when another process has this file.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._retention = retention
        self._clock = clock
        self._lock = _only_process(path)
        self._database = _connect(path, timeout=PATIENCE)
        self._database.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        self._database.execute(TABLE)
        self._database.execute("CREATE INDEX IF NOT EXISTS runs_keep_until ON runs (keep_until)")
        self._database.execute("PRAGMA busy_timeout = 0")
        self._waiting: list[tuple[Statement, asyncio.Future[Any]]] = []

    async def claim(
        self, run_id: str, fingerprint: bytes, seconds: float, *, refusal: ProtocolError | None = None
    ) -> Claim:
        """Accept a run that has `seconds` until its deadline, or find what became of it.

        With a `refusal` a run that is new is not accepted: that is raised. Raises `IdempotencyConflict` when
        the id belongs to another request, and `TemporarilyUnavailable` when nothing can be written.
        """
        now = self._clock()
        deadline = now + seconds
        row = (run_id, fingerprint, deadline, max(deadline, now + self._retention))

        def statement(database: sqlite3.Connection) -> tuple[bytes, float, bytes | None] | None:
            insert = "INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?, NULL)"
            if refusal is None and database.execute(insert, row).rowcount:
                return None
            known = "SELECT fingerprint, deadline, result FROM runs WHERE run_id = ?"
            found: tuple[bytes, float, bytes | None] | None = database.execute(known, (run_id,)).fetchone()
            return found

        try:
            known = await self._submit(statement)
        except sqlite3.Error as error:
            logger.error("the ledger cannot be written: %s", error)  # noqa: TRY400 -- the text says it all
            raise TemporarilyUnavailable("This agent cannot take runs at the moment.") from error
        if known is None and refusal is not None:
            raise refusal
        if known is None:
            return Claim(is_new=True, deadline=deadline)
        if known[0] != fingerprint:
            raise IdempotencyConflict("This run_id was used before, with a different request.")
        return Claim(is_new=False, deadline=known[1], result=known[2])

    async def finish(self, run_id: str, result: bytes) -> None:
        """Save a run's terminal body; a run that has one keeps it. Raises `sqlite3.Error`."""
        update = "UPDATE runs SET result = ? WHERE run_id = ? AND result IS NULL"
        await self._submit(lambda database: database.execute(update, (result, run_id)))

    async def read(self, run_id: str) -> bytes | None:
        """The terminal body of a run, or None while there is none."""
        select = "SELECT result FROM runs WHERE run_id = ?"
        row = await self._submit(lambda database: database.execute(select, (run_id,)).fetchone())
        return row[0] if row else None

    def unfinished(self) -> list[str]:
        """The runs without a result. At start these are the ones whose process died."""
        return [row[0] for row in self._database.execute("SELECT run_id FROM runs WHERE result IS NULL")]

    def tidy(self) -> int:
        """Forget results whose time is over and move the WAL into the file; how many were forgotten.

        It uses a connection of its own and may run in another thread.
        """
        with _connect(self._path, timeout=PATIENCE) as database:
            expired = "SELECT rowid FROM runs WHERE keep_until < ? LIMIT 1000"
            delete = f"DELETE FROM runs WHERE rowid IN ({expired})"  # noqa: S608 -- both halves stand above
            forgotten = database.execute(delete, (self._clock(),)).rowcount
        database.execute("PRAGMA wal_checkpoint(PASSIVE)")
        database.close()
        return forgotten

    def close(self) -> None:
        """Write what waits and let the file go."""
        self._write()
        self._database.close()
        self._lock.close()

    def _submit(self, statement: Statement) -> asyncio.Future[Any]:
        """The future answer of a statement, in one transaction with all that are submitted meanwhile."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        self._waiting.append((statement, answer))
        if len(self._waiting) == 1:
            loop.call_soon(self._write_or_retry, loop.time() + PATIENCE)
        return answer

    def _write_or_retry(self, give_up: float) -> None:
        loop = asyncio.get_running_loop()
        try:
            self._database.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY and loop.time() < give_up:
                loop.call_later(RETRY, self._write_or_retry, give_up)
            else:
                self._refuse(error)
            return
        except sqlite3.Error as error:
            self._refuse(error)
            return
        self._write()

    def _write(self) -> None:
        """Do every waiting statement and commit; all of them fail together."""
        waiting, self._waiting = self._waiting, []
        try:
            answers = [statement(self._database) for statement, _ in waiting]
            if self._database.in_transaction:
                self._database.execute("COMMIT")
        except sqlite3.Error as error:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            self._waiting = waiting
            self._refuse(error)
            return
        for (_, future), answer in zip(waiting, answers, strict=True):
            if not future.done():
                future.set_result(answer)

    def _refuse(self, error: sqlite3.Error) -> None:
        waiting, self._waiting = self._waiting, []
        for _, future in waiting:
            if not future.done():
                future.set_exception(error)


def _connect(path: Path, *, timeout: float) -> sqlite3.Connection:
    """A connection in WAL mode that begins and commits only when told to."""
    database = sqlite3.connect(path, timeout=timeout, isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    return database


def _only_process(path: Path) -> sqlite3.Connection:
    """Hold a lock as long as this process lives: the system lets it go even after kill -9."""
    lock = sqlite3.connect(
        path.with_name(path.name + ".lock"), timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        raise LedgerInUse(
            f"{path} is in use by another process: with SQLite this agent runs as one process with one worker"
        ) from error
    return lock
