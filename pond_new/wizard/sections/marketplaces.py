"""Which marketplaces the agent speaks to. Pure, and opened by what this version can make."""

from __future__ import annotations

from collections.abc import Mapping

from pond_new.wizard.draft import Draft, Offer, Section
from pond_new.wizard.question import Choice, Conversation, Question, Tell

STANDARDS: Mapping[str, Choice] = {
    "pond": Choice("pond", "Pond", "Pond Protocol V1, over HTTP"),
    "mcp": Choice("mcp", "Agent manifest", "the agent manifest standard, as an MCP tool"),
}


def ask_marketplaces(draft: Draft, offer: Offer) -> Conversation[Draft]:
    """Ask for the standards; a single one is said and not asked."""
    offered = offer.settings["standards"]
    chosen = list(draft.settings.get("standards", offered[:1]))
    if later := offer.later_settings.get("standards"):
        planned = ", ".join(STANDARDS[each].title for each in later)
        now = ", ".join(STANDARDS[each].title for each in offered)
        yield Tell(f"Marketplaces: {now}. A later version of pond-new knows more: {planned}.")
    if len(offered) > 1:
        chosen = yield Question(
            "settings.standards",
            "choices",
            "Which marketplaces?",
            "The same code of yours serves all of them.",
            "settings.standards",
            default=[each for each in chosen if each in offered],
            choices=[STANDARDS[each] for each in offered],
            check=lambda reply: None if reply else "Choose at least one.",
        )
    return draft.with_settings(standards=chosen)


def show_marketplaces(draft: Draft) -> list[tuple[str, str]]:
    """The marketplaces by name."""
    return [
        ("Marketplaces", ", ".join(STANDARDS[each].title for each in draft.settings.get("standards", ())))
    ]


MARKETPLACES = Section(
    "marketplaces", "Marketplaces", (), ("standards",), ask_marketplaces, show_marketplaces
)
