"""measure_text: the numbers of a text, counted and not guessed."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from agent.actions import MeasureText
from agent.pond import Failure, Run

WORD = re.compile(r"\w+(?:['’-]\w+)*")
SENTENCE_END = re.compile(r"[.!?…。！？]+(?=\s|$)|[。！？]")
PARAGRAPH_BREAK = re.compile(r"\n\s*\n")

READ_SILENTLY = 238  # words a minute, adults reading English
READ_ALOUD = 150
LITTLE_WORD = 3  # letters up to which a word is not counted among the frequent ones
DEFAULT_TOP_WORDS = 5


@dataclass(frozen=True, slots=True)
class Numbers:
    """What can be counted in a text."""

    characters: int
    words: int
    sentences: int
    paragraphs: int
    frequent: tuple[tuple[str, int], ...]


def handle(parameters: MeasureText, run: Run) -> dict[str, Any]:
    """Measure the text: a table for people, which Pond shows, and the same numbers for programs."""
    text = parameters["text"].strip()
    if not text:
        raise Failure("empty_text", "The text is only white space.", field="parameters.text")
    numbers = measure(text, top_words=parameters.get("top_words", DEFAULT_TOP_WORDS))
    run.usage(1)
    run.write(write(numbers))
    return as_object(numbers)


def measure(text: str, *, top_words: int) -> Numbers:
    """Count a text that has at least one character that is no white space."""
    words = WORD.findall(text)
    longer = Counter(word.lower() for word in words if len(word) > LITTLE_WORD)
    ranked = sorted(longer.items(), key=lambda counted: (-counted[1], counted[0]))
    return Numbers(
        characters=len(text),
        words=len(words),
        sentences=max(1, len(SENTENCE_END.findall(text))),
        paragraphs=len(PARAGRAPH_BREAK.split(text)),
        frequent=tuple(ranked[:top_words]),
    )


def write(numbers: Numbers) -> str:
    """The numbers as Markdown."""
    rows = {
        "Characters": f"{numbers.characters:,}",
        "Words": f"{numbers.words:,}",
        "Sentences": f"{numbers.sentences:,}",
        "Paragraphs": f"{numbers.paragraphs:,}",
        "Time to read": duration(numbers.words, READ_SILENTLY),
        "Time to read aloud": duration(numbers.words, READ_ALOUD),
    }
    table = "\n".join(["| | |", "|---|---:|", *(f"| {name} | {value} |" for name, value in rows.items())])
    if not numbers.frequent:
        return table
    frequent = "\n".join(
        f"{place}. {word} ({count})" for place, (word, count) in enumerate(numbers.frequent, 1)
    )
    return f"{table}\n\nMost frequent words:\n\n{frequent}"


def as_object(numbers: Numbers) -> dict[str, Any]:
    """The numbers as `interface.output` of agent-manifest.json wants them."""
    return {
        "characters": numbers.characters,
        "words": numbers.words,
        "sentences": numbers.sentences,
        "paragraphs": numbers.paragraphs,
        "seconds_to_read": seconds(numbers.words, READ_SILENTLY),
        "seconds_to_read_aloud": seconds(numbers.words, READ_ALOUD),
        "frequent_words": [{"word": word, "count": count} for word, count in numbers.frequent],
    }


def seconds(words: int, words_a_minute: int) -> int:
    """How many seconds so many words take."""
    return max(1, round(words * 60 / words_a_minute))


def duration(words: int, words_a_minute: int) -> str:
    """How long so many words take: `1 min 5 s`."""
    minutes, rest = divmod(seconds(words, words_a_minute), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
