"""The protocol's modules as the template has them, and a Postgres for the tests that need one.

A cluster for each test process, a database for each test.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.server.clusters import Cluster, NoPostgres, running_cluster

REQUIRED = "POND_NEW_REQUIRE_POSTGRES"  # set in CI, where a test that is skipped is a test that is missing


@pytest.fixture(scope="session")
def shared_cluster() -> Iterator[Cluster]:
    with ExitStack() as stack:
        try:
            yield stack.enter_context(running_cluster())
        except NoPostgres as reason:
            if os.environ.get(REQUIRED):
                pytest.fail(str(reason))
            pytest.skip(str(reason))


@pytest.fixture
def cluster(shared_cluster: Cluster) -> Cluster:
    """The cluster, running whatever the test before did to it."""
    shared_cluster.start()
    return shared_cluster


@pytest.fixture
def database(cluster: Cluster) -> str:
    """The URL of an empty database."""
    return cluster.new_database()


@pytest.fixture
def pond(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """Import a module of `agent.pond` from the template, where it lies as plain Python."""
    monkeypatch.syspath_prepend(str(ROOT / "template"))
    yield lambda name: importlib.import_module(f"agent.pond.{name}")
    for name in [name for name in sys.modules if name.partition(".")[0] == "agent"]:
        del sys.modules[name]
