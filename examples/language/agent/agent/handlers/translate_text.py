"""translate_text: by a language model."""

from agent.actions import TranslateText
from agent.language_model import complete
from agent.pond import Failure, Run

PLAIN = "Translate the user's text into {language}. Answer with the translation and nothing else."
FORMATTED = PLAIN + " Keep its paragraphs, lists and Markdown as they are."


async def handle(parameters: TranslateText, run: Run) -> str:
    """Translate the text and count the tokens that it took."""
    text = parameters["text"]
    if not text.strip():
        raise Failure("invalid_input", "The source text cannot be empty.", field="parameters.text")
    instruction = FORMATTED if parameters.get("preserve_formatting") else PLAIN
    completion = await complete(
        instruction.format(language=parameters["target_language"]), text, seconds=run.seconds_left
    )
    run.usage(completion.tokens)
    return completion.text
