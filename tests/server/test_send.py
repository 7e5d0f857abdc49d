"""`python -m tests.generated.send`: the first thing that a newcomer does with an agent that runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.agents import KEY, TIDE_CLERK, Served, serving, write_agent

MODES = {"sync": True, "streaming": True, "async_tasks": True}
EXAMPLE = "examples/tide_table"


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    manifest = TIDE_CLERK | {"capabilities": TIDE_CLERK["capabilities"] | MODES}
    return write_agent(tmp_path_factory.mktemp("send") / "agent", manifest=manifest)


@pytest.fixture(scope="module")
def served(agent: Path) -> Iterator[Served]:
    with serving(agent) as served:
        yield served


def send(agent: Path, *arguments: str, key: str = KEY) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.generated.send", *arguments],
        cwd=agent,
        env={**os.environ, "POND_ACCESS_KEY": key},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def last_object(text: str) -> dict[str, object]:
    """The last JSON object that was printed."""
    found: dict[str, object] = json.loads(text[text.rindex("\n{\n") :])
    return found


def test_an_example_is_sent_and_its_answer_printed(agent: Path, served: Served) -> None:
    done = send(agent, EXAMPLE, served.url)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"POST {served.url}/runs\n{{")
    assert "\n200\n" in done.stdout
    assert last_object(done.stdout)["status"] == "completed"


def test_events_are_printed_as_they_come(agent: Path, served: Served) -> None:
    done = send(agent, EXAMPLE, served.url, "stream")

    assert done.returncode == 0, done.stderr
    events = [line for line in done.stdout.splitlines() if line.startswith("event: ")]
    assert (events[0], events[-1]) == ("event: run.started", "event: run.completed")


def test_a_task_is_asked_for_until_it_ends(agent: Path, served: Served) -> None:
    done = send(agent, EXAMPLE, served.url, "async")

    assert done.returncode == 0, done.stderr
    assert "\n202\n" in done.stdout
    assert f"\nGET {served.url}/tasks/task_" in done.stdout
    assert last_object(done.stdout)["status"] == "completed"


def test_a_refusal_is_printed_and_is_no_success(agent: Path, served: Served) -> None:
    done = send(agent, EXAMPLE, served.url, key="another-key-of-the-same-kind")

    assert done.returncode == 1
    assert "\n401\n" in done.stdout
    assert '"unauthorized"' in done.stdout


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "nonsense", "http://[bad"])
def test_nobody_there_is_one_sentence(agent: Path, url: str) -> None:
    done = send(agent, EXAMPLE, url)

    assert done.returncode == 1
    assert done.stderr.startswith(f"No answer from {url}: ")
    assert "python -m agent" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "EXAMPLE URL [MODE]"),
        ([EXAMPLE, "http://127.0.0.1:1", "later"], "This agent offers: sync, stream, async."),
        (["examples/other", "http://127.0.0.1:1"], "there are tide_table/first"),
    ],
)
def test_wrong_usage_says_what_there_is(agent: Path, arguments: list[str], said: str) -> None:
    done = send(agent, *arguments)

    assert done.returncode == 2
    assert said in done.stderr
