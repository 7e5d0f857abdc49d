"""What the examples cannot say: the counting itself, in small pieces."""

import pytest

from agent.handlers.measure_text import duration, measure
from tests.generated.client import Pond, run_request


@pytest.mark.parametrize(
    ("text", "words", "sentences", "paragraphs"),
    [
        ("Hello", 1, 1, 1),
        ("It's well-known. Isn't it?", 4, 2, 1),
        ("One.\n\nTwo.\n \nThree.", 3, 3, 3),
        ("Version 1.5 is out.", 5, 1, 1),
        ("你好。再见。", 2, 2, 1),
    ],
)
def test_a_text_is_counted(text: str, words: int, sentences: int, paragraphs: int) -> None:
    numbers = measure(text, top_words=0)

    assert (numbers.words, numbers.sentences, numbers.paragraphs) == (words, sentences, paragraphs)


def test_frequent_words_are_ranked_by_count_and_then_by_alphabet() -> None:
    numbers = measure("pear apple pear plum apple the the the", top_words=2)

    assert numbers.frequent == (("apple", 2), ("pear", 2))


def test_times_are_whole_seconds_and_minutes() -> None:
    assert [duration(words, 60) for words in (0, 59, 60, 125)] == ["1 s", "59 s", "1 min 0 s", "2 min 5 s"]


def test_white_space_alone_is_a_failure_that_names_the_field(pond: Pond) -> None:
    request = run_request("measure_text", text="Measure this.", parameters={"text": "  \n "})

    result = pond.run(request).json()

    assert result["status"] == "failed"
    assert result["error"]["details"] == {"code": "empty_text", "field": "parameters.text"}
