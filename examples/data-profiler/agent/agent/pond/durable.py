"""Durable execution: which tasks go on, and which of their steps are finished. The only importer of DBOS.

A task is one DBOS workflow with the task's id; its only input is the run id. What was asked and how it ended
stand in the ledger, so a workflow that has ended is worth nothing and is deleted. DBOS is one for the whole
process, and so is this.
"""

import asyncio
import contextlib
import logging
import sqlite3
import sys
import time
import uuid
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from dbos import DBOS, DBOSPortableJSONSerializer, SetWorkflowID

from agent.pond.durable_log import Complaints
from agent.pond.execution import in_thread

WORKFLOW = "task"
APPLICATION = "pond-agent"
APPLICATION_VERSION = "1"  # fixed: a task that a new release of the agent finds is taken up by it
SQLITE_CONNECTIONS = 2
POSTGRES_CONNECTIONS = 4
THREADS = 32
GOING_ON = frozenset({"PENDING", "ENQUEUED", "DELAYED"})
KEPT = timedelta(minutes=10)  # a workflow that has ended, before it is deleted
BATCH = 500
SUBSEC_SINCE = (3, 42)  # the SQLite that knows unixepoch('subsec'); Debian 12 has an older one
LISTEN_SECONDS = 0.25  # between two looks for notifications, which nobody sends: a stop waits for the last
LAUNCH_SECONDS = 10.0  # for a launch that goes on when the process is told to stop

logger = logging.getLogger("dbos")
complaints = Complaints()

Work = Callable[[str], Coroutine[Any, Any, None]]  # executes the run of this id
Workflow = Callable[[str], Coroutine[Any, Any, None]]


class Replicas(Protocol):
    """The processes that share one database of tasks. Everything waits for it."""

    def join(self) -> None:
        """Live from now on."""

    def connect(self) -> Any:
        """One more connection to the database, for the engine."""

    def take_up(self) -> int:
        """Take up the tasks of processes that are gone; how many."""

    def leave(self) -> None:
        """What goes on here may be taken up by others."""


class Durable:
    """The engine, launched when the first task needs it: an agent without tasks does not pay for it."""

    def __init__(self, url: str, *, executor: str, replicas: Replicas | None = None) -> None:
        """`url` names the database; `executor` this process, among all that are alive."""
        self._url = url
        self._executor = executor
        self._replicas = replicas
        self._is_launched = False
        self._launching: asyncio.Task[None] | None = None
        self._workflow: Workflow | None = None

    async def launch(self, work: Work) -> None:
        """Start, and take up what an earlier process of this name left; the work is done on this event loop.

        The first tasks wait for it together, and the server answers meanwhile: the engine makes its tables.
        """
        if self._is_launched:
            return
        if self._launching is None:
            self._launching = asyncio.create_task(self._launch(work))
        await asyncio.shield(self._launching)

    async def start(self, task_id: str, run_id: str) -> None:
        """Begin a task, on disk when this returns; one that was begun before is left alone."""
        assert self._workflow is not None
        with SetWorkflowID(task_id):
            await DBOS.start_workflow_async(self._workflow, run_id)

    async def going_on(self, task_ids: Iterable[str]) -> dict[str, bool]:
        """Whether each of the tasks goes on, here or elsewhere; those that were never begun are left out."""
        found = await DBOS.list_workflows_async(
            workflow_ids=list(task_ids), load_input=False, load_output=False
        )
        return {each.workflow_id: each.status in GOING_ON for each in found}

    async def take_up(self) -> int:
        """Take up the tasks of replicas that are gone; how many."""
        complaints.settle()
        if self._replicas is None or not self._is_launched:
            return 0
        return int(await in_thread(self._replicas.take_up))

    async def tidy(self) -> None:
        """Delete the workflows that have ended."""
        if not self._is_launched:
            return
        before = (datetime.now(UTC) - KEPT).isoformat()
        while ended := await DBOS.list_workflows_async(
            completed_before=before, limit=BATCH, load_input=False, load_output=False
        ):
            await DBOS.delete_workflows_async([each.workflow_id for each in ended])

    async def close(self) -> None:
        """Stop. What goes on is taken up by the next process."""
        if self._launching is not None:
            await asyncio.wait({self._launching}, timeout=LAUNCH_SECONDS)
        if not self._is_launched:
            return
        self._is_launched = False
        logger.setLevel(logging.ERROR)
        await in_thread(_destroy)
        if self._replicas is not None:
            with contextlib.suppress(Exception):  # they notice by themselves, a little later
                await in_thread(self._replicas.leave)
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())  # DBOS had put its own there

    async def _launch(self, work: Work) -> None:
        try:
            self._workflow = await in_thread(self._launch_engine, work, asyncio.get_running_loop())
            self._is_launched = True
        finally:
            self._launching = None

    def _launch_engine(self, work: Work, home: asyncio.AbstractEventLoop) -> Workflow:
        """The workflow of all tasks, with the engine running. Waits for the database."""
        if self._replicas is not None:
            self._replicas.join()
        logger.addFilter(complaints)
        try:
            DBOS(
                config={
                    "name": APPLICATION,
                    "system_database_url": self._url,
                    "db_engine_kwargs": _engine_options(self._url, self._replicas),
                    "executor_id": self._executor,
                    "application_version": APPLICATION_VERSION,
                    "serializer": DBOSPortableJSONSerializer(),
                    "max_executor_threads": THREADS,
                    "notification_listener_polling_interval_sec": LISTEN_SECONDS,
                    "use_listen_notify": False,
                    "enable_otlp": False,  # its spans and lines would name tasks; ours do not (`traces.py`)
                    "log_level": "WARNING",
                }
            )
            logger.handlers.clear()  # its lines go where all lines go
            logger.propagate = True
            workflow = _workflow(work, home)
            DBOS.launch()
        except BaseException:
            _destroy()
            raise
        return workflow


def durable_beside(database: str, open_replicas: Callable[[str, str], Replicas] | None = None) -> Durable:
    """The engine for a ledger: in a file beside the ledger's, or in the same Postgres, shared by replicas.

    Only one process at a time has a file, so all have one name there and take up what the last one left.
    """
    scheme, _, path = database.partition(":///")
    if scheme == "sqlite":
        return Durable(f"sqlite:///{Path(path).with_suffix('.tasks.sqlite').as_posix()}", executor="agent")
    name = f"agent-{uuid.uuid4().hex}"
    return Durable(database, executor=name, replicas=open_replicas and open_replicas(database, name))


async def record(name: str, do: Callable[[], Awaitable[Any]]) -> Any:
    """Do a step of the task that calls this, or give back what it gave before the process died."""

    async def step() -> Any:
        return await do()

    return await DBOS.run_step_async({"name": name}, step)


def _workflow(work: Work, home: asyncio.AbstractEventLoop) -> Workflow:
    """The workflow of all tasks. How often it may begin is not for DBOS to say: it also counts waiting."""

    @DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)
    async def task(run_id: str) -> None:
        if asyncio.get_running_loop() is home:
            await work(run_id)
        else:  # DBOS takes tasks up on an event loop of its own, where neither ledger nor handlers live
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(run_id), home))

    return task


def _engine_options(url: str, replicas: Replicas | None) -> dict[str, Any]:
    """Options of the database connections; an SQLite file is put into WAL mode first."""
    if replicas is not None:
        return {"pool_size": POSTGRES_CONNECTIONS, "creator": replicas.connect}
    path = url.removeprefix("sqlite:///")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.close()
    lacks_subsec = sys.version_info >= (3, 12) and sqlite3.sqlite_version_info < SUBSEC_SINCE
    factory = {"connect_args": {"factory": OlderSqlite}} if lacks_subsec else {}
    return {"pool_size": SQLITE_CONNECTIONS, "max_overflow": 0, **factory}


class OlderSqlite(sqlite3.Connection):
    """A connection that knows `unixepoch('subsec')`, on which DBOS relies from Python 3.12 on."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.create_function("unixepoch", 1, _unixepoch)


def _unixepoch(modifier: str) -> float | None:
    return time.time() if modifier == "subsec" else None


def _destroy() -> None:
    DBOS.destroy(destroy_registry=True)
