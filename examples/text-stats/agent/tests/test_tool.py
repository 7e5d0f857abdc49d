"""Tests of your own. The examples of agent-manifest.json are replayed by tests/generated/; say here what they
cannot."""

import asyncio
import time

from tests.generated.tool import TOOL, make_calls


def test_every_example_is_answered_within_a_second_of_work() -> None:
    calls = make_calls()
    for example in TOOL.examples:
        began = time.monotonic()
        asyncio.run(calls.call(example.arguments))

        assert time.monotonic() - began < 1, example.name
