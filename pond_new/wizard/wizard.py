"""The whole conversation: from nothing, or from what is given, to a manifest and settings. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pond_new.wizard.draft import Draft, Offer, Section
from pond_new.wizard.question import Conversation, Tell
from pond_new.wizard.review import review
from pond_new.wizard.sections import SECTIONS
from pond_new.wizard.sections import actions as action_section


def interview(given: Draft, offer: Offer, sections: Sequence[Section] = SECTIONS) -> Conversation[Draft]:
    """Ask for every section that is not given, then show the summary. The result is valid and complete."""
    draft = given
    asked = [section for section in sections if not section.is_given(given)]
    for number, section in enumerate(asked, start=1):
        yield Tell(f"{number} of {len(asked)}: {section.title}", is_heading=True)
        draft = yield from section.ask(draft, offer)
    return (yield from review(draft, offer, sections))


def interview_for_action(
    manifest: Mapping[str, Any], known: Mapping[str, Any] | None = None
) -> Conversation[dict[str, Any]]:
    """Ask for one more action of an agent, offering what is known of it; the result fits into `actions`."""
    others = list(manifest.get("actions", []))
    action = yield from action_section.ask_action(f"actions.{len(others)}", known, others)
    return dict(action)
