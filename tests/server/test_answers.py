"""What an agent says in the end, and where it keeps quiet, by the ids of the requirements."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from pond_new.protocol.facts import ERROR_CODES
from tests.server.agents import HEADERS, TIDE_CLERK, Served, request, serving, write_agent
from tests.server.task_agents import accept, follow, write_task_agent

PLAN = {
    "name": "Pay",
    "pricing_model": "pay_as_you_go",
    "amount_minor": 100,
    "usage_quantity": 9,
    "usage_unit": "token",
}
CLERK = TIDE_CLERK | {
    "metadata": TIDE_CLERK["metadata"] | {"pricing_plans": [PLAN]},
    "output_modes": ["text/markdown", "text/csv"],
    "actions": [
        *TIDE_CLERK["actions"],
        TIDE_CLERK["actions"][0] | {"id": "tide_list", "name": "Tide list"},
    ],
}
KNOWN = {row.code for row in ERROR_CODES if not row.is_pond_only}
SENTENCE = re.compile(r"[A-Z][ -~]{3,500}\.")

# The harbour says how the handler ends.
HANDLER = """
from agent.actions import TideTable
from agent.pond import Failure, Run


def handle(parameters: TideTable, run: Run) -> str:
    run.usage(3)
    match parameters["harbour"]:
        case "crash":
            raise RuntimeError("password of db.internal: hunter2")
        case "own code":
            raise Failure("quota_exceeded", "The quota is used up.", left=0)
        case "pond's code":
            raise Failure("agent_timeout", "This is for Pond to say.")
        case "file":
            run.artifact("tides.csv", b"time,height\\n06:12,4.1\\n", "text/csv")
    return "High water at 06:12."
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("answers")
    agent = write_agent(folder / "agent", manifest=CLERK, handler=HANDLER)
    with serving(agent, DATABASE_URL=f"sqlite:///{(folder / 'ledger.sqlite').as_posix()}") as process:
        yield process


def end_of(served: Served, harbour: str) -> dict[str, Any]:
    answer = served.post(request(harbour, run_id=f"run_{harbour.replace(' ', '_')}"))
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body


@pytest.mark.parametrize("harbour", ["crash", "own code", "pond's code"])
def test_a_failure_has_a_known_code_a_readable_sentence_and_details_that_are_an_object(
    served: Served, harbour: str
) -> None:
    """ERR-03, ERR-04, ERR-06, ERR-07."""
    error = end_of(served, harbour)["error"]

    assert error["code"] in KNOWN
    assert SENTENCE.fullmatch(error["message"])
    assert isinstance(error.get("details", {}), dict)


def test_what_a_crash_knows_stays_in_the_process(served: Served) -> None:
    """ERR-05."""
    body = json.dumps(end_of(served, "crash"))

    assert not re.search(r"password|hunter2|internal:|RuntimeError|Traceback|File|/agent", body)


def test_the_units_are_those_of_the_plan_in_every_end(served: Served) -> None:
    """USE-04."""
    ends = [end_of(served, harbour) for harbour in ("Brest", "crash", "own code")]

    assert [end["usage"] for end in ends] == [{"unit_of_measurement": "token", "quantity": 3}] * 3


def test_files_are_defined_beside_the_output_which_refers_to_them(served: Served) -> None:
    """FIL-09, FIL-10."""
    body = end_of(served, "file")

    [artifact] = body["artifacts"]
    assert {"type": "artifact_ref", "artifact_id": artifact["id"]} in body["output"]
    assert all("file" not in entry for entry in body["output"])
    assert artifact["file"]["media_type"] in CLERK["output_modes"]


def test_a_request_in_another_layout_is_the_same(served: Served) -> None:
    """IDM-05: other order of keys, other white space, other escapes."""
    asked = request("Brest", run_id="run_layout")
    headers = HEADERS | {"Idempotency-Key": "run_layout", "Content-Type": "application/json"}
    turned = json.dumps(dict(reversed(asked.items())), indent=3).replace("Brest", "\\u0042rest")

    first = served.post(asked)
    second = httpx2.post(f"{served.url}/runs", content=turned, headers=headers, timeout=60)

    assert (second.status_code, second.json()) == (200, first.json())


@pytest.mark.parametrize(
    "change",
    [
        {"action_id": "tide_list"},
        {"parameters": {"harbour": "Brest", "days": 2}},
        {"messages": [request()["messages"][0] | {"parts": [{"type": "text", "text": "Another."}]}]},
        {"user": {"id": "usr_another", "locale": "en-GB", "timezone": "Europe/Paris"}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_run_id_stands_for_one_request_in_all_its_parts(served: Served, change: dict[str, Any]) -> None:
    """IDM-04."""
    asked = request("Brest", run_id=f"run_{next(iter(change))}")

    first, other = served.post(asked), served.post(asked | change)

    assert first.status_code == 200
    assert (other.status_code, other.json()["error"]["code"]) == (409, "idempotency_conflict")


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/runs"), ("POST", "/manifest"), ("GET", "/nope"), ("DELETE", "/tasks/x")]
)
def test_a_wrong_method_or_path_is_answered_in_the_protocols_words(
    served: Served, method: str, path: str
) -> None:
    """ERR-13."""
    answer = httpx2.request(method, served.url + path, headers=HEADERS, timeout=60)

    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["error"]["code"] in KNOWN


def test_the_task_of_another_agent_is_no_task(tmp_path: Path) -> None:
    """ASY-12: a task that the caller may not see is as good as none."""
    agent = write_task_agent(tmp_path / "agent")
    ledgers = [f"sqlite:///{(tmp_path / name / 'ledger.sqlite').as_posix()}" for name in ("one", "two")]

    with serving(agent, DATABASE_URL=ledgers[0]) as one, serving(agent, DATABASE_URL=ledgers[1]) as two:
        task_id = accept(one, "Brest")
        seen, hidden = follow(one, task_id), two.get(f"/tasks/{task_id}")

    assert seen["status"] == "completed"
    assert (hidden.status_code, hidden.json()["error"]["code"]) == (404, "task_not_found")


def test_a_fault_of_the_server_itself_is_500_with_a_fixed_sentence(tmp_path: Path) -> None:
    """ERR-10: here a mode whose answerer is broken."""
    agent = write_agent(tmp_path / "agent")
    modes = agent / "agent/modes.py"
    broken = (
        'async def answer_at_once(runs: object, request: object) -> None:\n    raise RuntimeError("secret")'
    )
    modes.write_text(
        modes.read_text("utf-8").replace("\nMODES:", f"\n\n{broken}\n\n\nMODES:"), encoding="utf-8"
    )

    with serving(agent, DATABASE_URL=f"sqlite:///{(tmp_path / 'ledger.sqlite').as_posix()}") as process:
        answer = process.post(request())

    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal_error")
    assert "secret" not in answer.text
