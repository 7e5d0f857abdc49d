"""Send broken requests to the agent in a folder: `python -m tests.broken.drive FOLDER [lenient]`.

A process of its own, because the packages of every agent have the same names. Ends with 1 and a traceback
that has the smallest request that was found.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from hypothesis import given, note
from hypothesis import strategies as st

from tests.broken.agent_in_process import Agent
from tests.broken.messages import Message
from tests.broken.model import is_acceptable
from tests.broken.oracle import check_answer
from tests.broken.profile import effort
from tests.broken.requests import any_messages, run_messages
from tests.broken.sequences import Accepted, Step, exchange, steps


def check_message(agent: Agent, template: Message) -> None:
    """One message gets a possible answer, the right one where the model knows it, and the agent goes on."""
    run_id = agent.new_run_id()
    message = template.named(run_id)
    note(message.as_curl())
    answer = agent.send(message)
    note(f"-> {answer}")
    check_answer(message, answer)
    if not agent.lenient and (wanted := is_acceptable(message, agent.manifest, run_id)) is not None:
        assert (answer.status < 300) == wanted, answer
    if answer.status == 202:
        agent.result(answer)
    check_that_it_works(agent)


def check_that_it_works(agent: Agent) -> None:
    """A valid run is completed."""
    answer = agent.send(agent.valid(agent.new_run_id(), agent.modes[0]))
    assert agent.result(answer)["status"] == "completed", answer


def check_sequence(agent: Agent, mode: str, taken: Sequence[Step]) -> None:
    """An accepted run has the same result whatever comes after it."""
    run_id = agent.new_run_id()
    message = agent.valid(run_id, mode)
    answer = exchange(agent, message)
    task_id = answer.json["task_id"] if answer.status == 202 else f"task_{'0' * 32}"
    run = Accepted(message, run_id, mode, task_id, agent.result(answer))
    assert run.result["status"] == "completed"

    for step in taken:
        step.take(agent, run)

    assert agent.result(exchange(agent, message)) == run.result


def tests_of(agent: Agent) -> tuple[Callable[[], None], ...]:
    """The tests, as Hypothesis runs them."""

    @effort()
    @given(any_messages())
    def anything(message: Message) -> None:
        check_message(agent, message)

    @effort()
    @given(run_messages(agent.modes))
    def requests(message: Message) -> None:
        check_message(agent, message)

    @effort(0.5)
    @given(st.sampled_from(agent.modes), st.lists(steps(agent.modes), max_size=4))
    def sequences(mode: str, steps: list[Step]) -> None:
        check_sequence(agent, mode, steps)

    return anything, requests, sequences


def main(folder: str, *rest: str) -> int:
    """Run every test against one agent."""
    agent = Agent(Path(folder), lenient="lenient" in rest)
    try:
        for test in tests_of(agent):
            test()
    finally:
        agent.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
