"""What it costs: one unit for all plans, money as people type it, and the sentence that users read. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pond_new.manifest.rules.pricing import PLANS, check_plan
from pond_new.wizard.checks import fault_at
from pond_new.wizard.draft import Draft, Offer, Section
from pond_new.wizard.lists import Entries, edit_list
from pond_new.wizard.question import Choice, Conversation, Question
from pond_new.wizard.sections.plans import Plan, Unit, ask_plan, sentence

INTRO = (
    "Pond bills what your agent reports: at its end each run says how many units it used. These plans fill in"
    " the publishing page, where you can still change them."
)
UNIT_INTRO = "One unit for all plans, because a run reports one number. The generated code counts in it too."
UNITS = (
    Choice("result", "Result", "one for each run; the simplest"),
    Choice("token", "Token", "what language models count"),
    Choice("other", "Something else", "a word of your own, such as report or minute"),
)


def ask_pricing(draft: Draft, _offer: Offer) -> Conversation[Draft]:
    """Ask for the plans; without any the key is left out."""
    metadata = dict(draft.metadata)
    plans = takeable(metadata.pop("pricing_plans", None))
    has_price = yield Question(
        "pricing.now",
        "confirm",
        "Do you want to set a price now, or a free plan?",
        INTRO,
        "metadata.pricing_plans",
        default=bool(plans),
    )
    if has_price:
        unit = yield from _ask_unit(plans)
        asked = yield from edit_list(
            [_in_unit(plan, unit) for plan in plans],
            Entries("pricing.plans", "plan", done="These are all plans", topic="metadata.pricing_plans"),
            name_of=lambda plan: str(plan["name"]),
            ask_one=lambda key, current, others: ask_plan(key, current, others, unit),
        )
        if asked:
            metadata["pricing_plans"] = [
                {**plan, "sort_order": place} for place, plan in enumerate(asked, start=1)
            ]
    return draft.with_parts(metadata=metadata)


def show_pricing(draft: Draft) -> list[tuple[str, str]]:
    """Each plan with its sentence."""
    plans = takeable(draft.metadata.get("pricing_plans"))
    return [(plan["name"], plan.get("description") or sentence(plan)) for plan in plans] or [
        ("Price", "none yet; you set it on the publishing page")
    ]


def takeable(plans: Any) -> list[Plan]:
    """The plans that Pond would take, of a list that may come from a file and be anything."""
    return [plan for plan in plans if not any(check_plan(plan, PLANS))] if isinstance(plans, list) else []


def _ask_unit(plans: Sequence[Plan]) -> Conversation[Unit]:
    former: Mapping[str, Any] = plans[0] if plans else {}
    unit = yield Question(
        "pricing.unit",
        "choice",
        "What is counted?",
        UNIT_INTRO,
        "plan.usage_unit",
        default=former.get("usage_unit", UNITS[0].value),
        choices=UNITS,
    )
    if unit != "other":
        return {"usage_unit": unit}
    word = yield Question(
        "pricing.custom_unit",
        "text",
        "Which word, for one of it?",
        "Such as report, minute or page.",
        "plan.custom_usage_unit",
        default=former.get("custom_usage_unit", ""),
        check=_word_fault,
    )
    return {"usage_unit": unit, "custom_usage_unit": word.strip()}


def _word_fault(text: str) -> str | None:
    plan = {"usage_unit": "other", "custom_usage_unit": text.strip()}
    pointer = "/metadata/pricing_plans/0/custom_usage_unit"
    return fault_at({"metadata": {"pricing_plans": [plan]}}, pointer)


def _in_unit(plan: Plan, unit: Unit) -> Plan:
    """The plan counted in this unit; a sentence that was made from the numbers is made again."""
    bare = {key: value for key, value in plan.items() if key not in {"usage_unit", "custom_usage_unit"}}
    changed = {**bare, **unit}
    if plan.get("description") == sentence(plan):
        changed["description"] = sentence(changed)
    return changed


PRICING = Section("pricing", "What it costs", ("metadata",), (), ask_pricing, show_pricing)
