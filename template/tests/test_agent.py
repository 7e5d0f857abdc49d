"""Tests of your own. The files in examples/ are replayed by tests/generated/; say here what they cannot."""

from tests.generated.client import Pond, examples


def test_every_example_is_answered_within_a_second_of_work(pond: Pond) -> None:
    for example in examples():
        answer = pond.run(example.request())

        assert answer.elapsed.total_seconds() < 1, example.name
