"""tell_story: a language model writes, the reader follows."""

from collections.abc import AsyncIterator

from agent.actions import TellStory
from agent.language_model import stream
from agent.pond import Failure, Run

INSTRUCTION = (
    "Tell a story for {audience} in about {words} words, in the language of the subject."
    " Begin with its title as a Markdown heading, and write nothing after its end."
)
DEFAULT_WORDS = 300


async def handle(parameters: TellStory, run: Run) -> AsyncIterator[str]:
    """Hand on each piece as it is written, and count the tokens that it took."""
    subject = parameters["subject"].strip()
    if not subject:
        raise Failure("invalid_input", "A story needs a subject.", field="parameters.subject")
    instruction = INSTRUCTION.format(
        audience=parameters.get("audience", "adults"), words=parameters.get("words", DEFAULT_WORDS)
    )
    async for piece in stream(instruction, subject, seconds=run.seconds_left):
        run.usage(piece.tokens)
        yield piece.text
