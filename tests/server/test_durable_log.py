"""What a generated agent logs while the database of its tasks is away."""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.conftest import ROOT

REFUSED = (
    "Exception listing queues: (psycopg.OperationalError) connection refused\n"
    "[SQL: INSERT INTO operation_outputs][parameters: {'output': 'what a user wrote'}]"
)


class Engine:
    """A logger as the durable engine's, with a clock that tests move."""

    def __init__(self, make: Callable[..., Any], caplog: pytest.LogCaptureFixture) -> None:
        self.now = 100.0
        self.complaints = make(lambda: self.now)
        self.logger = logging.getLogger("engine-of-these-tests")
        self.logger.filters.clear()
        self.logger.handlers.clear()
        self.logger.propagate = False
        self.logger.setLevel(logging.WARNING)
        self.logger.addHandler(caplog.handler)
        self.logger.addFilter(self.complaints)
        self._caplog = caplog

    @property
    def lines(self) -> list[str]:
        """What was logged."""
        return [record.getMessage() for record in self._caplog.records]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterator[Engine]:
    monkeypatch.syspath_prepend(str(ROOT / "template"))
    yield Engine(importlib.import_module("agent.pond.durable_log").Complaints, caplog)
    for name in [name for name in sys.modules if name.partition(".")[0] == "agent"]:
        del sys.modules[name]


def test_a_database_that_is_away_is_one_line_without_user_data(engine: Engine) -> None:
    for _ in range(1000):
        engine.logger.warning(REFUSED)

    assert len(engine.lines) == 1
    assert "cannot be used" in engine.lines[0]
    assert "OperationalError" in engine.lines[0]
    assert "user" not in engine.lines[0]


def test_a_database_that_is_back_is_one_line_and_the_next_outage_is_told_again(engine: Engine) -> None:
    engine.logger.warning(REFUSED)
    engine.now += 60
    engine.logger.warning(REFUSED)
    engine.complaints.settle()
    engine.now += 4
    for _ in range(2):
        engine.complaints.settle()
    engine.logger.warning(REFUSED)

    assert ["cannot be used" in line for line in engine.lines] == [True, False, True]
    assert "back after 60 s and 2 complaints" in engine.lines[1]


def test_an_exception_of_the_database_is_known_by_its_type(engine: Engine) -> None:
    try:
        importlib.import_module("psycopg").connect("host=/nowhere")
    except Exception:
        engine.logger.exception("The engine failed to launch:")

    assert len(engine.lines) == 1
    assert "OperationalError" in engine.lines[0]


def test_other_lines_of_the_engine_stay_as_they_are(engine: Engine) -> None:
    for number in range(2):
        engine.logger.warning("a workflow of the engine is odd: %d", number)

    assert engine.lines == [f"a workflow of the engine is odd: {number}" for number in range(2)]


def test_with_the_level_debug_nothing_is_held_back(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        engine.logger.warning(REFUSED)
        engine.logger.warning(REFUSED)

    assert engine.lines == [REFUSED] * 2
