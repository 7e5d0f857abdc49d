"""The ledger in an SQLite file.

The statements of requests that arrive together share a transaction, on the event loop: in SQLite's WAL mode
a commit is one append to a file, cheaper than a change of threads. The loop never waits for a lock: a busy
database is tried again a moment later.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agent.pond.errors import ProtocolError
from agent.pond.ledger import (
    Begun,
    Claim,
    Known,
    Ledger,
    LedgerInUse,
    LedgerUnavailable,
    NewTask,
    Task,
    conclude,
)

TABLE = """
CREATE TABLE IF NOT EXISTS runs (
    run_id TEXT PRIMARY KEY,
    fingerprint BLOB NOT NULL,
    deadline REAL NOT NULL,
    keep_until REAL NOT NULL,
    result BLOB,
    task_id TEXT,
    request BLOB,
    progress BLOB,
    updated REAL,
    attempts INTEGER
)
"""
LATER_COLUMNS = ("task_id TEXT", "request BLOB", "progress BLOB", "updated REAL", "attempts INTEGER")
INDEXES = (
    "CREATE INDEX IF NOT EXISTS runs_keep_until ON runs (keep_until)",
    "CREATE UNIQUE INDEX IF NOT EXISTS runs_task_id ON runs (task_id) WHERE task_id IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS runs_open ON runs (deadline) WHERE task_id IS NOT NULL AND result IS NULL",
)
TASK = "SELECT run_id, task_id, deadline, updated, progress, result, attempts FROM runs"
PATIENCE = 5.0  # seconds that a request waits for a database that somebody else has locked
RETRY = 0.02  # seconds between two tries
CHECKPOINT_PAGES = 4000  # about 16 MB of WAL: `tidy` keeps it far below

Statement = Callable[[sqlite3.Connection], Any]


class SqliteLedger:
    """A `Ledger` in an SQLite file; one process at a time."""

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
        _create(self._database)
        self._database.execute("PRAGMA busy_timeout = 0")
        self._waiting: list[tuple[Statement, asyncio.Future[Any]]] = []

    async def claim(
        self,
        run_id: str,
        fingerprint: bytes,
        seconds: float,
        *,
        task: NewTask | None = None,
        refusal: ProtocolError | None = None,
    ) -> Claim:
        """Accept a run that has `seconds` until its deadline, or find what became of it."""
        now = self._clock()
        deadline = now + seconds
        row = (run_id, fingerprint, deadline, max(deadline, now + self._retention))

        def statement(database: sqlite3.Connection) -> Known | None:
            insert = (
                "INSERT OR IGNORE INTO runs (run_id, fingerprint, deadline, keep_until) VALUES (?, ?, ?, ?)"
            )
            if refusal is None and database.execute(insert, row).rowcount:
                if task is not None:
                    note = (
                        "UPDATE runs SET task_id = ?, request = ?, updated = ?, attempts = 0 WHERE run_id = ?"
                    )
                    database.execute(note, (*task, now, run_id))
                return None
            known = "SELECT fingerprint, deadline, result FROM runs WHERE run_id = ?"
            found = database.execute(known, (run_id,)).fetchone()
            return found and Known(*found)

        known: Known | None = await self._submit(statement)
        return conclude(known, fingerprint, deadline=deadline, refusal=refusal)

    async def finish(self, run_id: str, result: bytes) -> bool:
        """Save a run's terminal body; a run that has one keeps it. Whether this call has ended the run."""
        update = (
            "UPDATE runs SET result = ?, request = NULL, updated = max(updated, ?)"
            " WHERE run_id = ? AND result IS NULL"
        )
        values = (result, self._clock(), run_id)
        saved: int = await self._submit(lambda database: database.execute(update, values).rowcount)
        return saved == 1

    async def read(self, run_id: str) -> bytes | None:
        """The terminal body of a run, or None while there is none."""
        select = "SELECT result FROM runs WHERE run_id = ?"
        row = await self._submit(lambda database: database.execute(select, (run_id,)).fetchone())
        return row[0] if row else None

    async def lost(self) -> list[str]:
        """The runs without a result that are no tasks: at start, with one process, theirs is dead."""
        select = "SELECT run_id FROM runs WHERE result IS NULL AND task_id IS NULL"
        rows = await self._submit(lambda database: database.execute(select).fetchall())
        return [run_id for (run_id,) in rows]

    async def read_task(self, task_id: str) -> Task | None:
        """An async run by its task id."""
        select = f"{TASK} WHERE task_id = ?"
        row = await self._submit(lambda database: database.execute(select, (task_id,)).fetchone())
        return Task(*row) if row else None

    async def read_request(self, run_id: str) -> bytes | None:
        """What was asked by an async run; None once it has ended."""
        select = "SELECT request FROM runs WHERE run_id = ?"
        row = await self._submit(lambda database: database.execute(select, (run_id,)).fetchone())
        return row[0] if row else None

    async def begin_task(self, run_id: str) -> Begun | None:
        """Count an attempt of an async run, which is running from now on; None once it has ended."""
        update = (
            "UPDATE runs SET attempts = attempts + 1, progress = coalesce(progress, ?),"
            " updated = max(updated, ?) WHERE run_id = ? AND task_id IS NOT NULL AND result IS NULL"
            " RETURNING request, deadline, progress, attempts"
        )
        values = (b"{}", self._clock(), run_id)
        rows = await self._submit(lambda database: database.execute(update, values).fetchall())
        return Begun(*rows[0]) if rows else None

    async def release_task(self, run_id: str) -> None:
        """Take the last attempt back: this process stops in good order, and another one goes on."""
        update = "UPDATE runs SET attempts = attempts - 1 WHERE run_id = ? AND result IS NULL"
        await self._submit(lambda database: database.execute(update, (run_id,)))

    async def save_progress(self, run_id: str, progress: bytes) -> None:
        """Say that an async run goes on and how far it is; one that has ended keeps its end."""
        update = "UPDATE runs SET progress = ?, updated = max(updated, ?) WHERE run_id = ? AND result IS NULL"
        values = (progress, self._clock(), run_id)
        await self._submit(lambda database: database.execute(update, values))

    async def unfinished_tasks(self) -> list[Task]:
        """Every async run without a result, the oldest deadline first."""
        select = f"{TASK} WHERE task_id IS NOT NULL AND result IS NULL ORDER BY deadline"
        rows = await self._submit(lambda database: database.execute(select).fetchall())
        return [Task(*row) for row in rows]

    async def tidy(self) -> int:
        """Forget results whose time is over and move the WAL into the file, in another thread."""
        try:
            return await asyncio.to_thread(self._tidy)
        except sqlite3.Error as error:
            raise LedgerUnavailable(str(error)) from error

    async def close(self) -> None:
        """Write what waits and let the file go."""
        self._write()
        self._database.close()
        self._lock.close()

    def _tidy(self) -> int:
        with _connect(self._path, timeout=PATIENCE) as database:
            expired = "SELECT rowid FROM runs WHERE keep_until < ? LIMIT 1000"
            delete = f"DELETE FROM runs WHERE rowid IN ({expired})"  # noqa: S608 -- both halves stand above
            forgotten = database.execute(delete, (self._clock(),)).rowcount
        database.execute("PRAGMA wal_checkpoint(PASSIVE)")
        database.close()
        return forgotten

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
                self._refuse(LedgerUnavailable(str(error)))
            return
        except sqlite3.Error as error:
            self._refuse(LedgerUnavailable(str(error)))
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
            self._refuse(LedgerUnavailable(str(error)))
            return
        for (_, future), answer in zip(waiting, answers, strict=True):
            if not future.done():
                future.set_result(answer)

    def _refuse(self, error: LedgerUnavailable) -> None:
        waiting, self._waiting = self._waiting, []
        for _, future in waiting:
            if not future.done():
                future.set_exception(error)


def open_file(url: str, retention: float) -> Ledger:
    """The ledger at `sqlite:///PATH`. Raises `LedgerInUse`."""
    return SqliteLedger(Path(url.partition(":///")[2]), retention=retention)


def _connect(path: Path, *, timeout: float) -> sqlite3.Connection:
    """A connection in WAL mode that begins and commits only when told to."""
    database = sqlite3.connect(path, timeout=timeout, isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    return database


def _create(database: sqlite3.Connection) -> None:
    """Make the table, or add the columns that an older one lacks."""
    database.execute(TABLE)
    present = {row[1] for row in database.execute("PRAGMA table_info(runs)")}
    for column in LATER_COLUMNS:
        if column.partition(" ")[0] not in present:
            database.execute(f"ALTER TABLE runs ADD COLUMN {column}")
    for index in INDEXES:
        database.execute(index)


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
