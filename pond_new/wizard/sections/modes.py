"""How the agent answers: at once, piece by piece, or later. Pure, and opened by what the runtime supports."""

from __future__ import annotations

from pond_new.protocol.facts import CAPABILITIES
from pond_new.wizard.draft import Draft, Offer, Section
from pond_new.wizard.question import Choice, Conversation, Question, Tell

WAYS = (
    Choice("sync", "At once", "one answer when the work is done; right for anything under a minute"),
    Choice("streaming", "While it works", "the text appears piece by piece; right for long texts"),
    Choice("async_tasks", "Later", "the run becomes a task that Pond asks about; right for minutes and more"),
)
INTRO = "This is how a result reaches the user. The same code of yours serves every way that you choose."
NONE = "Choose at least one way: without any, Pond cannot start a run."


def ask_modes(draft: Draft, offer: Offer) -> Conversation[Draft]:
    """Ask for the ways of answering that this version can make; the flags of files are kept as they are."""
    offered = [mode for mode in WAYS if offer.makes(mode.value)]
    later = [mode.title.lower() for mode in WAYS if mode not in offered]
    chosen = [mode.value for mode in offered]
    if later:
        yield Tell(_tell_later(offered, later))
    if len(offered) > 1:
        former = [mode for mode in chosen if draft.capabilities.get(mode)]
        chosen = yield Question(
            "capabilities.modes",
            "choices",
            "How does it answer?",
            INTRO,
            "capabilities",
            default=former or [chosen[0]],
            choices=offered,
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


def _tell_later(offered: list[Choice], later: list[str]) -> str:
    now = " or ".join(f"{mode.title.lower()} ({mode.meaning})" for mode in offered)
    return f"How it answers: {now}. Answering {' or '.join(later)} comes with a later version of pond-new."


MODES = Section("modes", "How it answers", ("capabilities",), (), ask_modes, show_modes)
