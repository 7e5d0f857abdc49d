"""Hosted artifacts in a real Postgres: kept by one replica, served by all."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pond_new.project.settings import Settings
from tests.conftest import ROOT
from tests.server.agents import TIDE_CLERK, request, serving, write_agent
from tests.server.clusters import Cluster

CONTENT = bytes(range(256)) * 4000
LABEL = ("report.pdf", "application/pdf", len(CONTENT))

Module = Callable[[str], Any]


@pytest.fixture
def pond(monkeypatch: pytest.MonkeyPatch) -> Iterator[Module]:
    """Import a module of `agent.pond` from the template, where it lies as plain Python."""
    monkeypatch.syspath_prepend(str(ROOT / "template"))
    yield lambda name: importlib.import_module(f"agent.pond.{name}")
    for name in [name for name in sys.modules if name.partition(".")[0] == "agent"]:
        del sys.modules[name]


def stores(pond: Module, database: str, count: int) -> list[Any]:
    """The stores of so many replicas."""
    return [pond("artifact_store_postgres").PostgresStore(database) for _ in range(count)]


def test_what_one_replica_keeps_another_reads_in_parts(pond: Module, database: str) -> None:
    first, second = stores(pond, database, 2)
    first.put("artifact_1", 5000, pond("artifact_store").Label(*LABEL), CONTENT)

    stored = second.open("artifact_1", 5000)

    assert (stored.label.name, stored.label.media_type, stored.label.size) == LABEL
    assert stored.read(0, len(CONTENT)) == CONTENT
    for place, length in ((0, 1), (262_143, 2), (262_144, 10), (len(CONTENT) - 3, 3), (100_000, 800_000)):
        assert stored.read(place, length) == CONTENT[place : place + length]
    assert second.open("artifact_2", 5000) is None


def test_replicas_that_start_together_all_keep_theirs(pond: Module, database: str) -> None:
    """They make the tables at the same time."""
    label = pond("artifact_store").Label(*LABEL)
    with ThreadPoolExecutor() as replicas:
        kept = [
            replicas.submit(store.put, f"artifact_{number}", 5000, label, CONTENT)
            for number, store in enumerate(stores(pond, database, 8))
        ]
    for each in kept:
        each.result()

    [store] = stores(pond, database, 1)
    assert all(store.open(f"artifact_{number}", 5000) for number in range(8))


def test_a_file_that_breaks_off_is_not_kept_and_another_attempt_takes_its_place(
    pond: Module, database: str, tmp_path: Path
) -> None:
    [store] = stores(pond, database, 1)
    label = pond("artifact_store").Label(*LABEL)
    (tmp_path / "a").write_bytes(CONTENT[::-1])
    store.put("artifact_1", 5000, label, CONTENT)

    with pytest.raises(OSError, match="missing"):
        store.put("artifact_1", 6000, label, tmp_path / "missing")
    assert store.open("artifact_1", 5000).read(0, 9) == CONTENT[:9]

    store.put("artifact_1", 7000, label, tmp_path / "a")
    assert store.open("artifact_1", 5000).read(0, 9) == CONTENT[::-1][:9]


def test_what_has_expired_is_deleted_with_its_content(pond: Module, database: str, cluster: Cluster) -> None:
    [store] = stores(pond, database, 1)
    label = pond("artifact_store").Label(*LABEL)
    store.put("artifact_1", 5000, label, CONTENT)
    store.put("artifact_2", 9000, label, CONTENT)

    assert store.purge(5000 + 3601) == 1

    assert store.open("artifact_1", 5000) is None
    with cluster.connect(database) as connection:
        pieces = connection.execute("SELECT DISTINCT id FROM pond_artifact_pieces").fetchall()
    assert pieces == [("artifact_2",)]


def test_a_database_that_is_away_keeps_nothing(pond: Module, tmp_path: Path) -> None:
    [store] = stores(pond, f"postgresql://postgres@/none?host={tmp_path}", 1)

    with pytest.raises(OSError, match="cannot be kept"):
        store.put("artifact_1", 5000, pond("artifact_store").Label(*LABEL), CONTENT)


MAKES = """
from agent.actions import TideTable
from agent.pond import Run


async def handle(parameters: TideTable, run: Run) -> None:
    run.artifact("tides.pdf", bytes(range(256)) * 4000, "application/pdf")
"""


def test_a_link_of_one_replica_opens_at_another(tmp_path: Path, database: str) -> None:
    """FIL-07, on a shared database."""
    manifest = TIDE_CLERK | {"output_modes": ["text/markdown", "application/pdf"]}
    agent = write_agent(
        tmp_path / "agent", manifest=manifest, handler=MAKES, settings=Settings(database="postgres")
    )
    environment = {
        "DATABASE_URL": database,
        "PUBLIC_URL": "https://agent.example.com",
        "POND_INLINE_ARTIFACT_BYTES": "1000",
    }

    with serving(agent, **environment) as first, serving(agent, **environment) as second:
        result = first.post(request()).json()
        url = result["artifacts"][0]["file"]["url"].removeprefix("https://agent.example.com")
        answer = second.get(url, Range="bytes=-300000")

    assert (answer.status_code, answer.content) == (206, CONTENT[-300000:])
