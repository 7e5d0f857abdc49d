"""What the examples cannot say: a language model that is missing or fails."""

import pytest

from tests.generated.client import Pond, run_request


def ask(pond: Pond, question: str) -> dict[str, object]:
    result: dict[str, object] = pond.run(run_request(None, text=question, parameters={})).json()
    return result


def test_a_model_that_fails_is_a_failure_without_its_words(pond: Pond) -> None:
    result = ask(pond, "A question that the local model does not know.")

    assert result["status"] == "failed"
    assert "temporarily_unavailable" in str(result["error"])
    assert "500" not in str(result["error"])


def test_an_agent_without_a_model_says_so(pond: Pond, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LLM_MODEL")

    assert "no language model" in str(ask(pond, "What is the capital of France?")["error"])
