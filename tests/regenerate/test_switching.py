"""A mode that is offered later, or no longer: an edit of the manifest and `regenerate`."""

from __future__ import annotations

from pond_new.project.plan import CONDITIONS
from tests.conftest import PondNew
from tests.regenerate.conftest import Agent


def offer_streaming(agent: Agent, *, streaming: bool) -> None:
    offer(agent, streaming=streaming)


def offer(agent: Agent, **capabilities: bool) -> None:
    agent.edit_manifest(lambda document: document["capabilities"].update(capabilities))


def test_attachments_come_and_go(pond_new: PondNew, agent: Agent) -> None:
    before = agent.tree()

    offer(agent, attachments=True)
    assert pond_new("regenerate", agent.root).code == 0
    assert all(agent.root.glob(path) for path in CONDITIONS["attachments"])
    assert '"h11' in agent.read("pyproject.toml")
    assert pond_new("regenerate", agent.root, "--check").code == 0

    offer(agent, attachments=False)
    assert pond_new("regenerate", agent.root).code == 0
    assert agent.tree().keys() == before.keys()
    assert agent.read("pyproject.toml").encode() == before["pyproject.toml"]


def test_offering_streams_later_brings_their_files(pond_new: PondNew, agent: Agent) -> None:
    offer_streaming(agent, streaming=True)

    assert pond_new("regenerate", agent.root).code == 0

    assert all(agent.exists(path) for path in CONDITIONS["streaming"])
    assert '"stream": answer_with_events' in agent.read("agent/modes.py")
    assert pond_new("regenerate", agent.root, "--check").code == 0


def test_offering_streams_no_longer_takes_their_files_away(pond_new: PondNew, agent: Agent) -> None:
    before = agent.tree()
    offer_streaming(agent, streaming=True)
    pond_new("regenerate", agent.root)

    offer_streaming(agent, streaming=False)
    assert pond_new("regenerate", agent.root).code == 0

    after = agent.tree()
    state = {path for path in before if path.startswith(".pond/")}
    assert after.keys() == before.keys()
    assert {path for path in after if after[path] != before[path]} <= state | {"manifest.json"}


def test_a_streaming_file_that_was_edited_is_not_deleted_in_silence(pond_new: PondNew, agent: Agent) -> None:
    offer_streaming(agent, streaming=True)
    pond_new("regenerate", agent.root)
    agent.write("agent/pond/streaming.py", "# mine\n")

    offer_streaming(agent, streaming=False)
    outcome = pond_new("regenerate", agent.root)

    assert "agent/pond/streaming.py" in outcome.out + outcome.err
    assert agent.read("agent/pond/streaming.py") == "# mine\n"
