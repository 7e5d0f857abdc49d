"""Large artifacts in the database of the ledger, where every replica finds them.

Each call has a connection of its own and waits for it, so a server that only runs text holds none.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from io import BytesIO

import psycopg

from agent.pond.artifact_store import HOUR, Label, Stored
from agent.pond.artifacts import Content

LOCK = 0x506F6E65  # an advisory lock, held while the tables are made
PATIENCE = 5  # seconds that a connection may take
PIECE = 256 * 1024  # bytes of a row: a part of a file is read without the rest

PRESENT = "SELECT to_regclass('pond_artifact_pieces') IS NOT NULL"
SCHEMA = f"""
SELECT pg_advisory_xact_lock({LOCK});
CREATE TABLE IF NOT EXISTS pond_artifacts (
    id text PRIMARY KEY,
    expires bigint NOT NULL,
    name text NOT NULL,
    media_type text NOT NULL,
    size bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS pond_artifacts_expires ON pond_artifacts (expires);
CREATE TABLE IF NOT EXISTS pond_artifact_pieces (
    id text NOT NULL REFERENCES pond_artifacts ON DELETE CASCADE,
    number integer NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (id, number)
);
"""
REMOVE = "DELETE FROM pond_artifacts WHERE id = %s"
ADD = "INSERT INTO pond_artifacts (id, expires, name, media_type, size) VALUES (%s, %s, %s, %s, %s)"
ADD_PIECE = "INSERT INTO pond_artifact_pieces (id, number, content) VALUES (%s, %s, %s)"
FIND = "SELECT name, media_type, size FROM pond_artifacts WHERE id = %s"
READ = "SELECT content FROM pond_artifact_pieces WHERE id = %s AND number BETWEEN %s AND %s ORDER BY number"
PURGE = "DELETE FROM pond_artifacts WHERE expires < %s"

Connection = psycopg.Connection[tuple[object, ...]]


class PostgresStore:
    """An `ArtifactStore` in two tables."""

    def __init__(self, url: str) -> None:
        self._url = url

    def put(self, identifier: str, expires: int, label: Label, content: Content) -> None:
        """Keep an artifact, wholly or not at all. Raises `OSError`."""
        try:
            with closing(self._connect()) as database, database.transaction():
                database.execute(REMOVE, (identifier,))
                database.execute(ADD, (identifier, expires, label.name, label.media_type, label.size))
                for number, piece in enumerate(_pieces(content)):
                    database.execute(ADD_PIECE, (identifier, number, piece))
        except psycopg.Error as error:
            raise OSError("the artifact cannot be kept in the database") from error

    def open(self, identifier: str, expires: int) -> Stored | None:
        """The artifact, or None where there is none."""
        del expires  # the latest attempt of a run has its artifact, and earlier links open that too
        with closing(self._connect()) as database:
            row = database.execute(FIND, (identifier,)).fetchone()
        return Stored(Label(*row), self._reader(identifier)) if row else None  # type: ignore[arg-type]

    def purge(self, now: float) -> int:
        """Delete what has expired; how many artifacts."""
        with closing(self._connect()) as database:
            return database.execute(PURGE, (int(now) - HOUR,)).rowcount

    def _reader(self, identifier: str) -> Callable[[int, int], bytes]:
        def read(place: int, length: int) -> bytes:
            first, last = place // PIECE, (place + length - 1) // PIECE
            with closing(self._connect()) as database:
                rows = database.execute(READ, (identifier, first, last)).fetchall()
            skipped = place - first * PIECE
            return b"".join(bytes(row[0]) for row in rows)[skipped : skipped + length]  # type: ignore[call-overload]

        return read

    def _connect(self) -> Connection:
        """A connection that commits each statement by itself, with the tables in place."""
        database = psycopg.connect(
            self._url, autocommit=True, prepare_threshold=None, connect_timeout=PATIENCE
        )
        if database.execute(PRESENT).fetchone() != (True,):
            database.execute(SCHEMA)
        return database


def _pieces(content: Content) -> Iterator[bytes]:
    with BytesIO(content) if isinstance(content, bytes) else content.open("rb") as source:
        while piece := source.read(PIECE):
            yield piece
