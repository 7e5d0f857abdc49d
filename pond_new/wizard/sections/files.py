"""What goes in and out: files from users, texts and files as results. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from pond_new.wizard.checks import fault_at
from pond_new.wizard.draft import Draft, Offer, Section
from pond_new.wizard.question import Choice, Conversation, Question

TEXT_IN = "text/plain"
DEFAULT_OUT = ("text/markdown",)
OTHER = "other"

TEXTS = (
    Choice("text/markdown", "Text with Markdown", "headings, lists, tables; Pond shows it formatted"),
    Choice("text/plain", "Plain text"),
    Choice("application/json", "JSON"),
)
MEDIA = (
    Choice("application/pdf", "PDF"),
    Choice("image/png", "PNG picture"),
    Choice("image/jpeg", "JPEG picture"),
    Choice("text/csv", "CSV table"),
    Choice("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "Word document"),
    Choice("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "Excel workbook"),
    Choice("audio/mpeg", "MP3 sound"),
    Choice("video/mp4", "MP4 video"),
    Choice("application/zip", "ZIP archive"),
)
OTHERS = Choice(OTHER, "Something else", "you type its media type")
IN_INTRO = "Pond hands a file on only if you take files and its kind is in your list."
OUT_INTRO = (
    "Pond asks only for results that you say you can give. Pictures and documents reach the user as files"
    " that belong to the answer."
)


def ask_files(draft: Draft, _offer: Offer) -> Conversation[Draft]:
    """Ask what users may hand in and what comes out."""
    attachments, inputs = yield from _ask_inputs(draft)
    outputs = yield from _ask_kinds(
        "output_modes", "What does it give back?", OUT_INTRO, (*TEXTS, *MEDIA), draft
    )
    flags = {**draft.capabilities, "attachments": attachments}
    return draft.with_parts(capabilities=flags, input_modes=inputs, output_modes=outputs)


def show_files(draft: Draft) -> list[tuple[str, str]]:
    """The kinds of what goes in and out, by name."""
    return [
        ("Goes in", _named(draft.manifest.get("input_modes", ()))),
        ("Comes out", _named(draft.manifest.get("output_modes", ()))),
    ]


def _texts_in(draft: Draft) -> list[str]:
    """The kinds of text that may come in: they need no files."""
    texts = {choice.value for choice in TEXTS}
    former = draft.manifest.get("input_modes", [])
    return [mode for mode in former if mode.startswith("text/") or mode in texts] or [TEXT_IN]


def _ask_inputs(draft: Draft) -> Conversation[tuple[bool, list[str]]]:
    has_files = yield Question(
        "capabilities.attachments",
        "confirm",
        "May users hand it files?",
        IN_INTRO,
        "capabilities.attachments",
        default=bool(draft.capabilities.get("attachments")),
    )
    if not has_files:
        return False, _texts_in(draft)
    kinds = yield from _ask_kinds("input_modes", "Which files does it take?", "", MEDIA, draft)
    return True, list(dict.fromkeys([TEXT_IN, *kinds]))


def _ask_kinds(
    part: str, message: str, intro: str, known: Sequence[Choice], draft: Draft
) -> Conversation[list[str]]:
    """Ask for media types by their names; rare ones are typed."""
    former = draft.manifest.get(part, DEFAULT_OUT if part == "output_modes" else ())
    values = [choice.value for choice in known]
    rare = [mode for mode in former if mode not in values and (part == "output_modes" or mode != TEXT_IN)]
    chosen = yield Question(
        part,
        "choices",
        message,
        intro,
        part,
        default=[mode for mode in former if mode in values] + ([OTHER] if rare else []),
        choices=(*known, OTHERS),
        check=lambda reply: None if reply else "Choose at least one.",
    )
    kinds = [value for value in chosen if value != OTHER]
    if OTHER in chosen:
        typed = yield Question(
            f"{part}.other",
            "text",
            "Which media types, with commas between them?",
            "Such as text/html, image/svg+xml.",
            part,
            default=", ".join(rare),
            check=lambda text: _fault(part, _split(text)),
        )
        kinds = list(dict.fromkeys([*kinds, *_split(typed)]))
    return kinds


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _fault(part: str, modes: list[str]) -> str | None:
    return fault_at({part: modes}, f"/{part}")


def _named(modes: Sequence[str]) -> str:
    titles = {choice.value: choice.title for choice in (*TEXTS, *MEDIA)}
    return ", ".join(titles.get(mode, mode) for mode in modes)


FILES = Section("files", "What goes in and out", ("input_modes", "output_modes"), (), ask_files, show_files)
