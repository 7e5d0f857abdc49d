"""The same tasks on DBOS alone: `bare_tasks.py FILE COUNT AT_ONCE` prints no-op workflows a second."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import time

from dbos import DBOS, DBOSPortableJSONSerializer, SetWorkflowID


@DBOS.workflow(name="task")
async def task(run_id: str) -> None:
    """Nothing."""


async def main(path: str, count: int, at_once: int) -> None:
    """Accept all, so many at once, and wait for every end."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.close()
    DBOS(
        config={
            "name": "bare",
            "system_database_url": f"sqlite:///{path}",
            "db_engine_kwargs": {"pool_size": 2, "max_overflow": 0},
            "application_version": "1",
            "serializer": DBOSPortableJSONSerializer(),
            "log_level": "WARNING",
        }
    )
    DBOS.launch()
    places = asyncio.Semaphore(at_once)

    async def perform(number: int) -> None:
        async with places:
            with SetWorkflowID(f"task-{number}"):
                handle = await DBOS.start_workflow_async(task, str(number))
            await handle.get_result()

    began = time.perf_counter()
    await asyncio.gather(*map(perform, range(count)))
    sys.stdout.write(f"{count / (time.perf_counter() - began)}\n")
    await asyncio.to_thread(DBOS.destroy)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
