"""The one handler of this agent: it answers anything."""

from agent.actions import Parameters
from agent.language_model import complete
from agent.pond import Run

TONES = {
    "friendly": "You are a friendly assistant. Answer in a few plain sentences.",
    "formal": "You are a formal assistant. Answer precisely and politely.",
    "brief": "Answer in one sentence.",
}
HONEST = "Use the language of the question, format with Markdown, and say so when you do not know."


async def handle(parameters: Parameters, run: Run) -> str:
    """Answer the instruction in the tone that was asked for."""
    tone = TONES[parameters.get("tone", "friendly")]
    completion = await complete(f"{tone} {HONEST}", run.text, seconds=run.seconds_left)
    run.usage(completion.tokens)
    return completion.text
