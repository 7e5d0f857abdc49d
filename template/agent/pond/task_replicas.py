"""Which replicas live, and the tasks of those that do not: they are taken up by the others.

Each replica that has tasks says now and then, in the shared database, that it lives. It needs no session that
lasts, so that a pooler may stand between. Everything here waits for the database: call it in a thread.
"""

import psycopg
from dbos import DBOS

LOCK = 0x506F6E65  # an advisory lock, held for one transaction: who makes the table, who takes up
LOST_SECONDS = 15  # without a word: the replica is taken for dead

TABLE = "CREATE TABLE IF NOT EXISTS pond_replicas (name text PRIMARY KEY, seen timestamptz NOT NULL)"
BEAT = """
INSERT INTO pond_replicas VALUES (%s, now()) ON CONFLICT (name) DO UPDATE SET seen = excluded.seen
"""
LIVING = "SELECT name FROM pond_replicas WHERE seen > now() - %s * interval '1 second'"
FORGET = "DELETE FROM pond_replicas WHERE seen < now() - interval '1 day'"


class PostgresReplicas:
    """One replica, among all that share a database."""

    def __init__(self, url: str, name: str) -> None:
        """`name` is different for each process."""
        self._url = url
        self._name = name

    def join(self) -> None:
        """Live from now on."""
        with self._connection() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            connection.execute(TABLE)
            connection.execute(BEAT, (self._name,))

    def take_up(self) -> int:
        """Say that this replica lives, and take up the tasks of those that do not; how many."""
        with self._connection() as connection:
            connection.execute(BEAT, (self._name,))
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
        with self._connection() as connection:
            connection.execute("DELETE FROM pond_replicas WHERE name = %s", (self._name,))

    def _connection(self) -> "psycopg.Connection[tuple[object, ...]]":
        """One transaction: committed at the end of its block."""
        return psycopg.connect(self._url, connect_timeout=5, prepare_threshold=None)
