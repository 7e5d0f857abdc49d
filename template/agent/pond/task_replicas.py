"""Which replicas live, and the tasks of those that do not: they are taken up by the others.

Each replica that has tasks says every two seconds, in the shared database, that it lives: in a thread of its
own, so that a handler that keeps the event loop does not make its replica look dead. It needs no session that
lasts, so that a pooler may stand between. `join`, `take_up` and `leave` wait for the database.
"""

import logging
import math
import threading
import time

import psycopg
from dbos import DBOS

LOCK = 0x506F6E66  # an advisory lock, held for one transaction: who makes the table, who takes up
BEAT_SECONDS = 2.0
LOST_SECONDS = 15  # without a word: the replica is taken for dead
CONNECT_SECONDS = 5
TCP_MILLISECONDS = 8000  # without an answer of the network, then a connection is lost

TABLE = "CREATE TABLE IF NOT EXISTS pond_replicas (name text PRIMARY KEY, seen timestamptz NOT NULL)"
BEAT = """
INSERT INTO pond_replicas VALUES (%s, now()) ON CONFLICT (name) DO UPDATE SET seen = excluded.seen
"""
LIVING = "SELECT name FROM pond_replicas WHERE seen > now() - %s * interval '1 second'"
FORGET = "DELETE FROM pond_replicas WHERE seen < now() - interval '1 day'"

logger = logging.getLogger(__name__)


class PostgresReplicas:
    """One replica, among all that share a database."""

    def __init__(self, url: str, name: str) -> None:
        """`name` is different for each process."""
        self._url = url
        self._name = name
        self._heard_since = math.inf  # since when every word of this replica was heard
        self._is_leaving = threading.Event()
        self._thread: threading.Thread | None = None

    def join(self) -> None:
        """Live from now on."""
        with self._connection() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            connection.execute(TABLE)
            connection.execute(BEAT, (self._name,))
        if self._thread is None:
            self._thread = threading.Thread(target=self._live, name="replicas", daemon=True)
            self._thread.start()

    def connect(self) -> "psycopg.Connection[tuple[object, ...]]":
        """A connection for the engine, which tries again only what reads "connection failed".

        A host without an address and a socket that is gone read otherwise, and are what a database that is
        stopped looks like.
        """
        try:
            return self._connection()
        except psycopg.OperationalError as error:
            raise psycopg.OperationalError(f"connection failed: {error}") from error

    def take_up(self) -> int:
        """Take up the tasks of replicas that do not live; how many.

        Not before this one was heard for as long as it takes to be lost: when the database was away, nobody
        takes up the tasks of others that had no chance to say a word.
        """
        if time.monotonic() - self._heard_since < LOST_SECONDS:
            return 0
        with self._connection() as connection:
            turn = connection.execute("SELECT pg_try_advisory_xact_lock(%s)", (LOCK,)).fetchone()
            if turn is None or not turn[0]:
                return 0
            living = {name for (name,) in connection.execute(LIVING, (LOST_SECONDS,)).fetchall()}
            going_on = DBOS.list_workflows(status="PENDING", load_input=False, load_output=False)
            orphans = [each.workflow_id for each in going_on if each.executor_id not in living]
            if orphans:
                DBOS.resume_workflows(orphans)
            connection.execute(FORGET)
            return len(orphans)

    def leave(self) -> None:
        """The others need not wait before they take up what is left."""
        self._is_leaving.set()
        if self._thread is not None:
            self._thread.join()
        with self._connection() as connection:
            connection.execute("DELETE FROM pond_replicas WHERE name = %s", (self._name,))

    def _live(self) -> None:
        """Say that this replica lives, until it leaves."""
        is_heard = True
        while not self._is_leaving.wait(BEAT_SECONDS):
            try:
                with self._connection() as connection:
                    connection.execute(BEAT, (self._name,))
            except psycopg.Error as error:
                self._heard_since = math.inf
                if is_heard:
                    logger.warning("the other replicas do not hear this one: %s", type(error).__name__)
                is_heard = False
            else:
                self._heard_since = min(self._heard_since, time.monotonic())
                if not is_heard:
                    logger.warning("the other replicas hear this one again")
                is_heard = True

    def _connection(self) -> "psycopg.Connection[tuple[object, ...]]":
        """One transaction: committed at the end of its block."""
        return psycopg.connect(
            self._url,
            connect_timeout=CONNECT_SECONDS,
            prepare_threshold=None,
            tcp_user_timeout=TCP_MILLISECONDS,
        )
