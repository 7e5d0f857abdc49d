"""Which marketplaces the agent speaks to. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from pond_new.errors import WrongUsage
from pond_new.project.settings import MCP, POND, parse_settings
from pond_new.wizard.draft import Draft, Offer, Section
from pond_new.wizard.question import Choice, Conversation, Question
from pond_new.wizard.sections.tool import ask_tool, lacks_parts, show_tool

STANDARDS: Mapping[str, Choice] = {
    POND: Choice(POND, "Pond", "Pond Protocol V1, over HTTP"),
    MCP: Choice(MCP, "Agent manifest", "the agent manifest standard, as an MCP tool"),
}


def ask_marketplaces(draft: Draft, offer: Offer) -> Conversation[Draft]:
    """Ask for the standards, and for what the second one needs; a single one is said and not asked."""
    offered = offer.settings["standards"]
    chosen = list(draft.settings.get("standards", offered[:1]))
    if len(offered) > 1:
        chosen = yield Question(
            "settings.standards",
            "choices",
            "Which marketplaces?",
            "The same code of yours serves all of them.",
            "settings.standards",
            default=[each for each in chosen if each in offered],
            choices=[STANDARDS[each] for each in offered],
            check=partial(_fault, draft),
        )
    draft = draft.with_settings(standards=chosen)
    return (yield from ask_tool(draft)) if MCP in chosen else draft


def _fault(draft: Draft, chosen: list[str]) -> str | None:
    """Why these marketplaces cannot be taken: none at all, or none for the place that was chosen before."""
    if not chosen:
        return "Choose at least one."
    try:
        parse_settings({**draft.settings, "standards": chosen})
    except WrongUsage as refusal:
        return f"{refusal} Mark Pond too, or go back to Where it runs."
    return None


def show_marketplaces(draft: Draft) -> list[tuple[str, str]]:
    """The marketplaces by name."""
    return [
        ("Marketplaces", ", ".join(STANDARDS[each].title for each in draft.standards)),
        *show_tool(draft),
    ]


def lacks_tool(draft: Draft) -> bool:
    """Whether the second standard is chosen and its contract is not there."""
    return MCP in draft.standards and lacks_parts(draft)


MARKETPLACES = Section(
    "marketplaces", "Marketplaces", (), ("standards",), ask_marketplaces, show_marketplaces, lacks_tool
)
