"""How the agent answers: at once, piece by piece, or later. Pure."""

from __future__ import annotations

from pond_new.protocol.facts import CAPABILITIES
from pond_new.wizard.draft import Draft, Offer, Section
from pond_new.wizard.question import Choice, Conversation, Question

WAYS = (
    Choice("sync", "At once", "one answer when the work is done; right for anything under a minute"),
    Choice("streaming", "While it works", "the text appears piece by piece; right for long texts"),
    Choice("async_tasks", "Later", "the run becomes a task that Pond asks about; right for minutes and more"),
)
INTRO = "This is how a result reaches the user. The same code of yours serves every way that you choose."
NONE = "Choose at least one way: without any, Pond cannot start a run."


def ask_modes(draft: Draft, _offer: Offer) -> Conversation[Draft]:
    """Ask for the ways of answering; the flag of files is kept as it is."""
    former = [way.value for way in WAYS if draft.capabilities.get(way.value)]
    chosen = yield Question(
        "capabilities.modes",
        "choices",
        "How does it answer?",
        INTRO,
        "capabilities",
        default=former or [WAYS[0].value],
        choices=WAYS,
        check=lambda reply: None if reply else NONE,
    )
    flags = {
        row.name: row.name in chosen
        or (row.name == "attachments" and draft.capabilities.get(row.name, False))
        for row in CAPABILITIES
    }
    return draft.with_parts(capabilities=flags)


def show_modes(draft: Draft) -> list[tuple[str, str]]:
    """The ways of answering."""
    return [("Answers", ", ".join(mode.title.lower() for mode in WAYS if draft.capabilities.get(mode.value)))]


MODES = Section("modes", "How it answers", ("capabilities",), (), ask_modes, show_modes)
