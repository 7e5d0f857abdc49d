"""What is asked of the shared ledger, in SQL: a batch of items -> one answer for each.

Doing a batch twice is as good as doing it once, so each can be tried again when its outcome is not known.
"""

import hashlib
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from agent.pond.ledger import NewTask
from agent.pond.postgres import Connection

LOCK = 0x506F6E64  # an advisory lock, held for one transaction: who makes the table, who forgets
FORGOTTEN_AT_ONCE = 1000
LONGEST_KEY = 512  # characters of a run id that is its own key: Postgres indexes some 2,700 bytes

PRESENT = "SELECT to_regclass('pond_runs') IS NOT NULL"
SCHEMA = f"""
SELECT pg_advisory_xact_lock({LOCK});
CREATE TABLE IF NOT EXISTS pond_runs (
    key text PRIMARY KEY,
    run_id bytea NOT NULL,
    fingerprint bytea NOT NULL,
    claimed_by uuid NOT NULL,
    deadline timestamptz NOT NULL,
    keep_until timestamptz NOT NULL,
    updated timestamptz NOT NULL DEFAULT now(),
    result bytea,
    task_id text UNIQUE,
    request bytea,
    progress bytea,
    attempts integer NOT NULL DEFAULT 0,
    begun_by uuid
);
CREATE INDEX IF NOT EXISTS pond_runs_keep_until ON pond_runs (keep_until);
CREATE INDEX IF NOT EXISTS pond_runs_unfinished_tasks ON pond_runs (deadline)
    WHERE task_id IS NOT NULL AND result IS NULL;
"""
# Ordered, so that replicas that insert the same ids never wait for each other in a circle.
CLAIM = """
INSERT INTO pond_runs (key, run_id, fingerprint, claimed_by, deadline, keep_until, task_id, request)
SELECT key, run_id, fingerprint, claimed_by, now() + seconds * interval '1 second',
       now() + greatest(seconds, kept) * interval '1 second', task_id, request
FROM unnest(%s::text[], %s::bytea[], %s::bytea[], %s::uuid[], %s::float8[], %s::float8[],
            %s::text[], %s::bytea[])
     AS given (key, run_id, fingerprint, claimed_by, seconds, kept, task_id, request)
ORDER BY key
ON CONFLICT (key) DO NOTHING
RETURNING claimed_by
"""
CLAIMED = """
SELECT key, fingerprint, claimed_by, extract(epoch FROM deadline - now())::float8, result
FROM pond_runs WHERE key = ANY(%s)
"""
RELEASE = "DELETE FROM pond_runs WHERE key = %s AND claimed_by = %s AND result IS NULL"
FINISH = """
UPDATE pond_runs SET result = given.result, request = NULL, updated = greatest(updated, now())
FROM unnest(%s::text[], %s::bytea[]) AS given (key, result)
WHERE pond_runs.key = given.key AND pond_runs.result IS NULL
RETURNING pond_runs.key
"""
FINISHED = """
SELECT pond_runs.key FROM pond_runs JOIN unnest(%s::text[], %s::bytea[]) AS given (key, result)
ON pond_runs.key = given.key AND pond_runs.result = given.result
"""
RESULTS = "SELECT key, result FROM pond_runs WHERE key = ANY(%s) AND result IS NOT NULL"
TASK = """
SELECT run_id, task_id, extract(epoch FROM deadline - now())::float8, extract(epoch FROM updated)::float8,
       progress, result, attempts
FROM pond_runs
"""
TASKS = f"{TASK} WHERE task_id = ANY(%s)"
UNFINISHED_TASKS = f"{TASK} WHERE task_id IS NOT NULL AND result IS NULL ORDER BY deadline"
REQUEST = "SELECT request FROM pond_runs WHERE key = %s"
# `begun_by` tells one attempt from the next, so that a statement that is repeated counts once.
BEGIN_TASK = """
UPDATE pond_runs
SET attempts = attempts + (begun_by IS DISTINCT FROM given.token)::integer, begun_by = given.token,
    progress = coalesce(progress, '{}'), updated = greatest(updated, now())
FROM (SELECT %s::text AS key, %s::uuid AS token) AS given
WHERE pond_runs.key = given.key AND task_id IS NOT NULL AND result IS NULL
RETURNING request, extract(epoch FROM deadline - now())::float8, progress, attempts
"""
RELEASE_TASK = """
UPDATE pond_runs SET attempts = attempts - 1, begun_by = NULL
WHERE key = %s AND begun_by = %s AND result IS NULL
"""
PROGRESS = """
UPDATE pond_runs SET progress = %s, updated = greatest(updated, now()) WHERE key = %s AND result IS NULL
"""
FORGET = """
WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(%s) AS ours)
DELETE FROM pond_runs WHERE key IN (
    SELECT key FROM pond_runs, turn WHERE ours AND keep_until < now() LIMIT %s
)
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A claim to be made. `token` tells it from all others, of this replica and of the others."""

    run_id: str
    fingerprint: bytes
    token: uuid.UUID
    seconds: float
    kept: float
    task: NewTask | None
    may_insert: bool

    @property
    def key(self) -> str:
        """The run id as the table finds it."""
        return key_of(self.run_id)

    def row(self) -> tuple[object, ...]:
        """What `CLAIM` takes."""
        task_id, request = self.task or (None, None)
        times = (self.seconds, self.kept)
        return (self.key, self.run_id.encode(), self.fingerprint, self.token, *times, task_id, request)


@dataclass(slots=True)
class Finishing:
    """A terminal body to be saved; `is_repeated` when it was tried before, and a connection was lost."""

    key: str
    result: bytes
    is_repeated: bool = False

    def row(self) -> tuple[object, ...]:
        """What `FINISH` and `FINISHED` take."""
        return (self.key, self.result)


@dataclass(frozen=True, slots=True)
class Claimed:
    """What the table says of a run: with which request it was claimed, by whom, for how long, its end."""

    fingerprint: bytes
    token: uuid.UUID
    seconds_left: float
    result: bytes | None


def key_of(name: str) -> str:
    """An id as the table finds it: itself, unless Postgres could not index it or not keep it."""
    if len(name) <= LONGEST_KEY and "\0" not in name:
        return name
    return f"sha256:{hashlib.sha256(name.encode()).hexdigest()}"


async def connect(url: str) -> Connection:
    """A connection that commits each statement by itself, with the table in place."""
    connection = await psycopg.AsyncConnection.connect(url, autocommit=True, prepare_threshold=None)
    if await rows(connection, PRESENT) != [(True,)]:
        await connection.execute(SCHEMA)
    return connection


async def claim_all(connection: Connection, batch: Sequence[Wanted]) -> Sequence[Claimed | None]:
    """Whose each run is now: the claim's own when it was new, None when it is new and must not be claimed."""
    answers: dict[uuid.UUID, Claimed] = {}
    wanting = list(batch)
    while wanting:  # again only when a run was forgotten between the two statements
        answers |= await _insert(connection, [wanted for wanted in wanting if wanted.may_insert])
        others = [wanted for wanted in wanting if wanted.token not in answers]
        found = await _find(connection, [wanted.key for wanted in others])
        answers |= {wanted.token: found[wanted.key] for wanted in others if wanted.key in found}
        wanting = [wanted for wanted in others if wanted.may_insert and wanted.token not in answers]
    return [answers.get(wanted.token) for wanted in batch]


async def finish_all(connection: Connection, batch: Sequence[Finishing]) -> Sequence[bool]:
    """Save terminal bodies; a run that has one keeps it. Which of them have ended their runs."""
    again = [finishing.row() for finishing in batch if finishing.is_repeated]
    for finishing in batch:
        finishing.is_repeated = True
    ended = {key for (key,) in await rows(connection, FINISH, _columns([each.row() for each in batch]))}
    if again:
        ended |= {key for (key,) in await rows(connection, FINISHED, _columns(again))}
    return [finishing.key in ended for finishing in batch]


async def read_results(connection: Connection, batch: Sequence[str]) -> Sequence[bytes | None]:
    """The terminal bodies of runs by their keys, None where there is none yet."""
    found = dict(await rows(connection, RESULTS, (list(batch),)))
    return [found.get(key) for key in batch]


async def read_tasks(connection: Connection, batch: Sequence[str]) -> Sequence[tuple[Any, ...] | None]:
    """The rows of async runs by their task ids, None where there is no such task."""
    found = {row[1]: row for row in await rows(connection, TASKS, (list(batch),))}
    return [found.get(task_id) for task_id in batch]


async def do_each(
    connection: Connection, batch: Sequence[Callable[[Connection], Awaitable[Any]]]
) -> Sequence[Any]:
    """Whatever is rare enough to go by itself."""
    return [await statement(connection) for statement in batch]


async def forget(connection: Connection) -> int:
    """Delete some results whose time is over, unless another replica does that now; how many."""
    return (await connection.execute(FORGET, (LOCK, FORGOTTEN_AT_ONCE))).rowcount


async def rows(connection: Connection, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """All rows that a query gives."""
    return await (await connection.execute(query, values)).fetchall()


async def _insert(connection: Connection, new: Sequence[Wanted]) -> Mapping[uuid.UUID, Claimed]:
    """Claim the runs that nobody has claimed; these claims by their tokens."""
    if not new:
        return {}
    made = {token for (token,) in await rows(connection, CLAIM, _columns([wanted.row() for wanted in new]))}
    return {
        wanted.token: Claimed(wanted.fingerprint, wanted.token, wanted.seconds, None)
        for wanted in new
        if wanted.token in made
    }


async def _find(connection: Connection, keys: Sequence[str]) -> Mapping[str, Claimed]:
    if not keys:
        return {}
    return {key: Claimed(*known) for key, *known in await rows(connection, CLAIMED, (list(keys),))}


def _columns(table: Sequence[Sequence[object]]) -> tuple[list[object], ...]:
    """Rows as the columns that `unnest` takes."""
    return tuple(list(column) for column in zip(*table, strict=True))
