"""The rows on the generated server: throughput, latency and memory, beside a bare Starlette route."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from pond_new.project.settings import Settings
from tests.benchmarks.load import Load, apply_load, post
from tests.benchmarks.table import Row
from tests.server.agents import HEADERS, KEY, request, start, write_agent
from tests.server.collectors import collecting

HANDLER = """
from agent.actions import TideTable
from agent.pond import Run


async def handle(parameters: TideTable, run: Run) -> str:
    run.usage(1)
    return "Hello"
"""
BARE = Path(__file__).with_name("bare.py")
CONNECTIONS = 32
REQUESTS = 5000
ROUNDS = 5
IDLE_MEGABYTES = 70
OWN_MILLISECONDS = 3


def server_rows(folder: Path) -> Iterator[Row]:
    """Every row; `folder` is an empty directory."""
    root = write_agent(folder / "agent")
    (root / "agent/handlers/tide_table.py").write_text(HANDLER, "utf-8")
    schema = root / "agent/pond/run-request.schema.json"
    served = start(root)
    bare = subprocess.Popen([sys.executable, BARE, schema, KEY], stdout=subprocess.PIPE, text=True)
    try:
        assert bare.stdout
        idle = _megabytes(served.process.pid)
        ports = int(served.url.rpartition(":")[2]), int(bare.stdout.readline())
        yield from _load_rows(*ports)
        if idle:
            yield Row("memory of an idle agent", idle, IDLE_MEGABYTES, "MB", "the limit", most=1)
        yield _telemetry_row(folder / "watched", ports[0])
    finally:
        served.kill()
        bare.kill()
        bare.wait()


def _load_rows(ours: int, bare: int) -> Iterator[Row]:
    """Throughput and latency beside a bare route."""
    make = _requests()
    yield Row("sync runs", *_rates(ours, bare), "runs/s", "bare Starlette", least=0.5)
    single = [(_load(ours, make, 1), _load(bare, make, 1)) for _ in range(3)]
    waits = [statistics.median(load.median for load in side) * 1000 for side in zip(*single, strict=True)]
    yield Row("latency of our own, p50", waits[0] - waits[1], OWN_MILLISECONDS, "ms", "the limit", most=1)


def _telemetry_row(folder: Path, plain: int) -> Row:
    """The same agent with metrics and traces, beside the one without."""
    root = write_agent(folder, settings=Settings(telemetry="on"))
    (root / "agent/handlers/tide_table.py").write_text(HANDLER, "utf-8")
    with collecting() as collector:
        environment = {"POND_METRICS_TOKEN": KEY, "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}
        served = start(root, **environment)
        try:
            rates = _rates(int(served.url.rpartition(":")[2]), plain)
        finally:
            served.kill()
    return Row("sync runs, measured and traced", *rates, "runs/s", "neither")


def _rates(ours: int, peer: int) -> tuple[float, float]:
    """Runs a second of two servers. Rounds alternate, so that a change of the machine's pace meets both."""
    make = _requests()
    pairs = [(_load(ours, make, CONNECTIONS), _load(peer, make, CONNECTIONS)) for _ in range(ROUNDS)]
    first, second = (statistics.median(load.rate for load in side) for side in zip(*pairs, strict=True))
    return first, second


def _requests() -> Callable[[], bytes]:
    """Requests that are all new: each has a run id of its own."""
    numbers = iter(range(10**9))
    headers = [*HEADERS.items(), ("content-type", "application/json")]

    def make() -> bytes:
        run = request(run_id=f"run_{next(numbers)}")
        return post("/runs", json.dumps(run).encode(), [*headers, ("idempotency-key", run["run_id"])])

    return make


def _load(port: int, make: Callable[[], bytes], connections: int) -> Load:
    count = REQUESTS if connections > 1 else REQUESTS // 10
    return apply_load(port, lambda _: make(), requests=count, connections=connections)


def _megabytes(pid: int) -> float | None:
    """Resident memory of a process, where the system tells (Linux)."""
    status = Path(f"/proc/{pid}/status")
    if not status.is_file():
        return None
    line = next(line for line in status.read_text("utf-8").splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024
