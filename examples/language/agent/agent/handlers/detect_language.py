"""detect_language: offline, by letter statistics."""

from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from agent.actions import DetectLanguage
from agent.pond import Failure, Run

LANGUAGES = {
    "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan", "cs": "Czech", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian", "fa": "Persian",
    "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian",
    "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean", "lt": "Lithuanian",
    "lv": "Latvian", "ms": "Malay", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish",
    "sw": "Swahili", "ta": "Tamil", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu",
    "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
SURE = 0.8
TOKENS = 1  # what a detection costs: it asks no model


def handle(parameters: DetectLanguage, run: Run) -> str:
    """Name the language, and the next likely one where a text is too short to be sure."""
    text = parameters["text"]
    if not any(letter.isalpha() for letter in text):
        raise Failure("invalid_input", "The text has no letters.", field="parameters.text")
    (best, confidence), (second, _) = identifier().rank(text)[:2]
    run.usage(TOKENS)
    if confidence >= SURE:
        return f"The text is in **{LANGUAGES[best]}**."
    return f"The text is probably in **{LANGUAGES[best]}**, perhaps in {LANGUAGES[second]}: it is short."


@cache
def identifier() -> LanguageIdentifier:
    """The model, read from its package once."""
    model = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    model.set_languages(list(LANGUAGES))
    return model
