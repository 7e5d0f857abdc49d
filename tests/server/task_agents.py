"""A generated agent whose tasks take steps, wait and die on demand, and a client that asks for them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from pond_new.project.settings import Settings
from tests.server.agents import TIDE_CLERK, Served, request, write_agent

ASYNC = TIDE_CLERK | {
    "capabilities": TIDE_CLERK["capabilities"] | {"async_tasks": True},
    "limits": TIDE_CLERK["limits"] | {"max_run_seconds": 600},
}

# The harbour says what the handler does. A step writes its number to a file of the run.
HANDLER = """
import asyncio
import os
import signal
import threading
from pathlib import Path

from agent.actions import TideTable
from agent.pond import Run


async def write(run: Run, folder: str, number: int) -> int:
    with Path(folder, run.run_id).open("a") as diary:
        diary.write(f"{number}\\n")
    await asyncio.sleep(0.03)
    return number


async def handle(parameters: TideTable, run: Run) -> str:
    word, _, rest = parameters["harbour"].partition(" ")
    run.usage(2)
    match word:
        case "steps":
            for number in range(4):
                run.progress(25 * number, f"Step {number}")
                await run.step("write", write, run, rest, number)
                with Path(rest, run.run_id).open("a") as diary:
                    diary.write(f"{number} is finished\\n")
        case "wait":
            await run.step("begin", write, run, rest, 0)
            assert threading.current_thread() is threading.main_thread()  # the server's own event loop
            run.progress(50, "Waiting")
            began = Path(rest, f"begins-{run.attempt}")
            began.write_text(str(os.getpid()))
            began.rename(Path(rest, f"began-{run.attempt}"))
            while not Path(rest, "go").exists():
                await asyncio.sleep(0.01)
        case "pause":
            Path(rest, "paused").touch()
            while not Path(rest, "go").exists():
                await asyncio.sleep(0.01)
            Path(rest, "goes-on").touch()
            await run.step("write", write, run, rest, 0)
        case "die":
            Path(rest, f"died-{run.attempt}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return f"{word} {run.attempt}"
"""

ENDED = {"completed", "failed", "expired"}


def write_task_agent(root: Path, settings: Settings | None = None) -> Path:
    """The Tide Clerk that takes its time."""
    return write_agent(root, manifest=ASYNC, handler=HANDLER, settings=settings or Settings())


def task_request(harbour: str = "Brest", *, run_id: str = "run_k7", **execution: Any) -> dict[str, Any]:
    """A valid run in mode `async`."""
    return request(harbour, run_id=run_id, mode="async", **execution)


def accept(served: Served, harbour: str, *, run_id: str = "run_k7", **execution: Any) -> str:
    """The id of a task that is accepted."""
    answer = served.post(task_request(harbour, run_id=run_id, **execution))
    assert answer.status_code == 202, answer.text
    return str(answer.json()["task_id"])


def follow(served: Served, task_id: str, *, seconds: float = 40) -> dict[str, Any]:
    """The last state of a task."""
    give_up = time.monotonic() + seconds
    while True:
        state: dict[str, Any] = served.get(f"/tasks/{task_id}").json()
        if state["status"] in ENDED:
            return state
        assert time.monotonic() < give_up, state
        time.sleep(0.02)


def steps_of(folder: Path, run_id: str) -> list[int]:
    """The steps of a run in the order in which they were begun, over all attempts."""
    return [int(line) for line in _diary(folder, run_id) if line.isdigit()]


def repeated_steps(folder: Path, run_id: str) -> list[int]:
    """The steps of a run that were begun although they were finished."""
    finished, repeated = set(), []
    for line in _diary(folder, run_id):
        if line.isdigit() and int(line) in finished:
            repeated.append(int(line))
        elif not line.isdigit():
            finished.add(int(line.split()[0]))
    return repeated


def _diary(folder: Path, run_id: str) -> list[str]:
    return (folder / run_id).read_text("utf-8").splitlines()
