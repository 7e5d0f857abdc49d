"""What the examples cannot say: a language model that is missing or fails."""

import pytest

from tests.generated.client import Pond, run_request


def translate(pond: Pond, text: str) -> dict[str, object]:
    parameters = {"text": text, "target_language": "Spanish"}
    result: dict[str, object] = pond.run(
        run_request("translate_text", text="Translate this.", parameters=parameters)
    ).json()
    return result


def test_a_model_that_fails_is_a_failure_without_its_words(pond: Pond) -> None:
    result = translate(pond, "A text that the local model does not know.")

    assert result["status"] == "failed"
    assert "temporarily_unavailable" in str(result["error"])
    assert "500" not in str(result["error"])


def test_an_agent_without_a_model_says_so(pond: Pond, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LLM_BASE_URL")

    assert "no language model" in str(translate(pond, "Hello world")["error"])
