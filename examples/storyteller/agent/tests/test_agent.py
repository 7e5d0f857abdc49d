"""What the examples cannot say: a language model that is missing, fails or breaks off."""

from typing import Any

import pytest

from tests.fake_model import BREAKS_OFF
from tests.generated.client import Pond, parse_events, run_request


def tell(pond: Pond, subject: str) -> list[tuple[str, dict[str, Any]]]:
    """The events of a story."""
    request = run_request(
        "tell_story", text="Tell me a story.", parameters={"subject": subject}, mode="stream"
    )
    return parse_events(pond.run(request).text)


def test_a_story_is_told_before_it_is_repeated_whole(pond: Pond) -> None:
    *told, (name, whole) = tell(pond, "a lighthouse")

    deltas = [data["delta"] for event, data in told if event == "message.delta"]
    assert "".join(deltas).startswith("# The Lamp\n\nEvery night")
    assert (name, whole["output"]) == ("run.completed", [{"type": "text", "text": "".join(deltas)}])


def test_a_story_that_breaks_off_is_a_failure_after_its_beginning(pond: Pond) -> None:
    events = tell(pond, BREAKS_OFF)

    assert [name for name, _ in events] == ["run.started", "message.delta", "run.error"]
    assert events[-1][1]["error"]["code"] == "temporarily_unavailable"


def test_a_model_that_fails_is_a_failure_without_its_words(pond: Pond) -> None:
    name, data = tell(pond, "a story that the local model does not know")[-1]

    assert (name, data["error"]["code"]) == ("run.error", "temporarily_unavailable")
    assert "500" not in str(data["error"])


def test_an_agent_without_a_model_says_so(pond: Pond, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LLM_BASE_URL")

    name, data = tell(pond, "a lighthouse")[-1]

    assert name == "run.error"
    assert data["error"]["message"] == "This agent has no language model yet."
