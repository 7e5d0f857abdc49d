"""An agent with telemetry passes its own checks; one without it does not know of it."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from pond_new.project.settings import Settings
from tests.conftest import ROOT, PondNew
from tests.server.agents import Served, request, serving, write_agent
from tests.server.collectors import collecting
from tests.server.task_agents import ASYNC, accept, follow
from tests.server.test_process import wait_for

PACKAGES = ("prometheus_client", "opentelemetry")


TOKEN = "a-token-that-only-these-tests-know"

# The harbour says what the handler does. It has a span of its own, below that of its run.
HANDLER = """
import time
from pathlib import Path

from opentelemetry import trace

from agent.actions import TideTable
from agent.pond import Run

tracer = trace.get_tracer(__name__)


def handle(parameters: TideTable, run: Run) -> str:
    word, _, folder = parameters["harbour"].partition(" ")
    with tracer.start_as_current_span("look up the tides"):
        if word == "wait":
            Path(folder, "began").touch()
            while not Path(folder, "go").exists():
                time.sleep(0.01)
    run.usage(2)
    return word
"""


def run(agent: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=agent, capture_output=True, text=True, check=False
    )


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    return tmp_path / "agent"


def run_tests(agent: Path, *names: str) -> subprocess.CompletedProcess[str]:
    """Some of the tests that an agent brings with it."""
    files = (f"tests/generated/{name}" for name in names)
    return run(agent, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *files)


def make(pond_new: PondNew, agent: Path, telemetry: str, *, example: str = "text-stats") -> None:
    settings = ("--set", "standards=pond", "--set", f"telemetry={telemetry}")
    assert pond_new("new", agent, "--example", example, *settings, "--no-git").code == 0


def test_an_agent_with_telemetry_passes_its_own_checks(pond_new: PondNew, agent: Path) -> None:
    make(pond_new, agent, "on", example="data-profiler")

    checks = [
        run(agent, "-m", "ruff", "check", "--no-cache"),
        run(agent, "-m", "ruff", "format", "--check", "--no-cache"),
        run(agent, "-m", "mypy", f"--cache-dir={ROOT / '.mypy_cache/examples'}"),
        run_tests(agent, "test_telemetry.py", "test_telemetry_tasks.py"),
    ]

    assert [check.returncode for check in checks] == [0, 0, 0, 0], [check.stdout[-2000:] for check in checks]


def test_an_agent_without_tasks_passes_them_too(pond_new: PondNew, agent: Path) -> None:
    make(pond_new, agent, "on")

    done = run_tests(agent, "test_telemetry.py")

    assert done.returncode == 0, done.stdout[-2000:]
    assert not (agent / "tests/generated/test_telemetry_tasks.py").exists()


def test_an_agent_without_it_imports_nothing_of_it(pond_new: PondNew, agent: Path) -> None:
    make(pond_new, agent, "off")
    script = f"import sys, agent.app; sys.exit(any(name.split('.')[0] in {PACKAGES} for name in sys.modules))"

    assert run(agent, "-c", script).returncode == 0
    assert not any(package in (agent / "pyproject.toml").read_text("utf-8") for package in PACKAGES)


def test_the_second_standard_alone_measures_nothing(pond_new: PondNew, agent: Path) -> None:
    settings = ("--set", "standards=mcp", "--set", "telemetry=on")

    outcome = pond_new("new", agent, "--example", "text-stats", *settings)

    assert outcome.code == 2
    assert "only runs of Pond are measured" in outcome.err


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An agent in modes `sync` and `async` that is measured."""
    root = tmp_path_factory.mktemp("watched") / "agent"
    return write_agent(root, manifest=ASYNC, handler=HANDLER, settings=Settings(telemetry="on"))


def runs_of(served: Served) -> dict[str, float]:
    """The ends that were counted, by their labels as they are written."""
    text = httpx2.get(f"{served.url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
    name = "pond_runs_total"
    lines = [line.rpartition(" ") for line in text.splitlines() if line.startswith(f"{name}{{")]
    return {labels.removeprefix(name): float(value) for labels, _, value in lines}


def counted(mode: str, action: str, outcome: str, code: str) -> str:
    """The labels of one end as they are written."""
    return f'{{action="{action}",code="{code}",mode="{mode}",outcome="{outcome}"}}'


def test_spans_arrive_at_the_collector_with_those_of_the_handler_below(watched: Path, tmp_path: Path) -> None:
    """Those that wait are sent before the process ends. A task sends no more than a run at once."""
    with collecting() as collector:
        environment = {
            "DATABASE_URL": f"sqlite:///{tmp_path}/ledger.sqlite",
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
            "OTEL_SERVICE_NAME": "tides",
        }
        with serving(watched, **environment) as served:
            assert served.post(request("Brest-the-harbour", run_id="run_secret")).status_code == 200
            ended = follow(served, accept(served, "Brest-the-harbour", run_id="run_of_a_task"))
            served.process.send_signal(signal.SIGTERM)
            served.process.wait(timeout=30)

    spans = collector.spans
    assert ended["status"] == "completed"
    assert sorted(span.name for span in spans) == ["look up the tides"] * 2 + ["run tide_table"] * 2
    runs = {span.span_id for span in spans if not span.parent_span_id}
    assert {span.parent_span_id for span in spans if span.parent_span_id} == runs
    assert collector.services == {"tides"}
    for secret in ("Brest", "Tides for", "run_secret", "run_of_a_task", ended["task_id"], "usr_p", "chat_3"):
        assert secret not in collector.text


def test_a_run_that_died_with_its_process_is_counted_by_the_next(watched: Path, tmp_path: Path) -> None:
    environment = {"DATABASE_URL": f"sqlite:///{tmp_path}/ledger.sqlite", "POND_METRICS_TOKEN": TOKEN}
    with serving(watched, **environment) as first:
        accept(first, f"wait {tmp_path}", run_id="run_task")
        wait_for(tmp_path, "began")
        (tmp_path / "began").unlink()
        with ThreadPoolExecutor() as pool:
            lost = pool.submit(first.post, request(f"wait {tmp_path}", run_id="run_sync"))
            wait_for(tmp_path, "began")
            first.kill()
            assert isinstance(lost.exception(), httpx2.HTTPError)
    (tmp_path / "go").touch()

    with serving(watched, **environment) as second:
        follow(second, accept(second, f"wait {tmp_path}", run_id="run_task"))
        ends = runs_of(second)

    assert ends == {
        counted("-", "-", "failed", "internal_error"): 1,
        counted("async", "tide_table", "completed", ""): 1,
    }


def test_a_task_that_is_given_up_is_counted_with_its_action(watched: Path, tmp_path: Path) -> None:
    environment = {"DATABASE_URL": f"sqlite:///{tmp_path}/ledger.sqlite", "POND_METRICS_TOKEN": TOKEN}
    with serving(watched, **environment) as first:
        task_id = accept(first, f"wait {tmp_path}")
        wait_for(tmp_path, "began")
        first.kill()
    with sqlite3.connect(tmp_path / "ledger.sqlite") as ledger:  # as if it had died there again and again
        ledger.execute("UPDATE runs SET attempts = 4")
    ledger.close()

    with serving(watched, **environment) as second:
        ended = follow(second, task_id)
        ends = runs_of(second)

    assert ended["error"]["code"] == "internal_error"
    assert ends == {counted("async", "tide_table", "failed", "internal_error"): 1}
