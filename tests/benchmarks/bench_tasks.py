"""The row on async tasks: accepted over HTTP and finished, beside the same workflows on DBOS alone."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2

from tests.benchmarks.table import Row
from tests.server.agents import HEADERS, Served, serving, write_agent
from tests.server.task_agents import ASYNC, task_request

TASKS = 300
AT_ONCE = 16
ROUNDS = 3
BARE = Path(__file__).with_name("bare_tasks.py")
HANDLER = """
from agent.actions import TideTable
from agent.pond import Run


async def handle(parameters: TideTable, run: Run) -> str:
    run.usage(1)
    return "Hello"
"""


def task_rows(folder: Path) -> Iterator[Row]:
    """The row; `folder` is an empty directory. Rounds alternate between the two."""
    root = write_agent(folder / "agent", manifest=ASYNC, handler=HANDLER)
    pairs = [(_ours(root, folder / f"ours-{number}"), _bare(folder, number)) for number in range(ROUNDS)]
    ours, bare = (statistics.median(side) for side in zip(*pairs, strict=True))
    yield Row("async tasks", ours, bare, "tasks/s", "bare DBOS", least=0.6)


def _ours(root: Path, folder: Path) -> float:
    folder.mkdir()
    database = folder / "ledger.sqlite"
    environment = {
        "DATABASE_URL": f"sqlite:///{database}",
        "POND_MAX_RUNS": str(AT_ONCE),
        "LOG_FORMAT": "text",
    }
    with serving(root, **environment) as served:
        asyncio.run(_accept(served, 0, 1))  # the first task launches the engine
        _wait(database, 1)
        began = time.perf_counter()
        asyncio.run(_accept(served, 1, TASKS))
        _wait(database, TASKS + 1)
        return TASKS / (time.perf_counter() - began)


async def _accept(served: Served, first: int, count: int) -> None:
    places = asyncio.Semaphore(AT_ONCE)
    async with httpx2.AsyncClient(timeout=60) as client:

        async def post(number: int) -> None:
            run = task_request(run_id=f"run_{number}")
            async with places:
                headers = HEADERS | {"Idempotency-Key": run["run_id"]}
                answer = await client.post(f"{served.url}/runs", json=run, headers=headers)
            assert answer.status_code == 202, answer.text

        await asyncio.gather(*map(post, range(first, first + count)))


def _wait(path: Path, count: int) -> None:
    """Until the ledger has so many results."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    while database.execute("SELECT count(*) FROM runs WHERE result IS NOT NULL").fetchone()[0] < count:
        time.sleep(0.01)
    database.close()


def _bare(folder: Path, number: int) -> float:
    command = [sys.executable, str(BARE), str(folder / f"bare-{number}.sqlite"), str(TASKS), str(AT_ONCE)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
