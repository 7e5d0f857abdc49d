"""Fixtures for all tests: every story comes from the local model."""

from collections.abc import Iterator

import pytest

from tests.fake_model import fake_model
from tests.generated.fixtures import make_pond, pond

__all__ = ["language_model", "make_pond", "pond"]


@pytest.fixture(scope="session", autouse=True)
def language_model() -> Iterator[str]:
    """Point the agent at the local model; gives its base URL."""
    with fake_model() as base_url, pytest.MonkeyPatch.context() as environment:
        environment.setenv("LLM_BASE_URL", base_url)
        environment.setenv("LLM_API_KEY", "not-a-real-key")
        environment.setenv("LLM_MODEL", "local")
        yield base_url
