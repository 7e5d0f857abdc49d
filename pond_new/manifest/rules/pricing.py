"""Pricing plans: Pond imports all of them or none. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pond_new.manifest.near import nearest
from pond_new.manifest.pointer import join
from pond_new.manifest.problem import Problem, warning
from pond_new.manifest.schema_check import is_type
from pond_new.manifest.wording import shown
from pond_new.protocol.facts import PRICING_MODELS, USAGE_UNITS, PricingModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pond_new.manifest.walk import Subject

PLANS = "/metadata/pricing_plans"
NEEDED = ("name", "pricing_model", "amount_minor", "usage_unit")
MODEL_RULES: Mapping[str, str] = {"free": "PRC-07", "pay_as_you_go": "PRC-08", "subscription": "PRC-06"}
FREE_PLAN = '{"pricing_model": "free", "amount_minor": 0, "included_units": 50, …}, without usage_quantity'


def _whole(least: int) -> Callable[[Any], bool]:
    return lambda value: is_type(value, "integer") and value >= least


def _filled(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _one_of(*names: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and value in names


MODEL_NAMES = tuple(model.name for model in PRICING_MODELS)
CHOICES: Mapping[str, tuple[str, ...]] = {"pricing_model": MODEL_NAMES, "usage_unit": USAGE_UNITS}
KEYS: Mapping[str, tuple[str, Callable[[Any], bool], str]] = {
    "name": ("PRC-02", _filled, "a string"),
    "pricing_model": ("PRC-02", _one_of(*MODEL_NAMES), f"one of {', '.join(MODEL_NAMES)}"),
    "amount_minor": ("PRC-03", _whole(0), "an integer of US cents: 1900 for $19"),
    "usage_quantity": ("PRC-04", _whole(1), "an integer from 1 up"),
    "usage_unit": ("PRC-02", _one_of(*USAGE_UNITS), f"one of {', '.join(USAGE_UNITS)}"),
    "custom_usage_unit": ("PRC-05", _filled, "a word such as report"),
    "billing_interval": ("PRC-06", _one_of("month"), 'the string "month"'),
    "included_units": ("PRC-07", _whole(1), "an integer from 1 up"),
    "validity_days": ("PRC-07", _whole(0), "an integer from 0 up; 0 means for good"),
    "description": ("PRC-02", lambda value: isinstance(value, str), "a string"),
    "sort_order": ("PRC-09", _whole(1), "an integer from 1 up"),
}
"""Each key of a plan: its requirement, what is right, and that in words."""


def check_pricing(subject: Subject) -> Iterator[Problem]:
    """Everything that keeps Pond from importing the plans (PRC-01 to PRC-08)."""
    if "pricing_plans" not in subject.metadata:
        return
    plans = subject.metadata["pricing_plans"]
    if not isinstance(plans, list) or not plans:
        fix = "Leave the key out, or write at least one plan."
        yield warning("PRC-01", PLANS, f"pricing_plans is {shown(plans)}. Pond imports no pricing.", fix=fix)
        return
    faults = {index: list(check_plan(plan, join(PLANS, index))) for index, plan in enumerate(plans)}
    broken = [title(plans[index], index) for index, problems in faults.items() if problems]
    if broken:
        yield _sunk(broken, len(plans))
    for problems in faults.values():
        yield from problems


def check_plan(plan: Any, pointer: str) -> Iterator[Problem]:
    """Why Pond would refuse this plan; nothing if it is a valid one."""
    if not isinstance(plan, dict):
        yield warning("PRC-02", pointer, f"This plan is {shown(plan)} and not an object.", fix="Write {…}.")
        return
    for key in NEEDED:
        if key not in plan:
            yield warning("PRC-02", pointer, f"This plan lacks {key}.", fix=f"Add {key}: {KEYS[key][2]}.")
    for key, value in plan.items():
        if (problem := _check_key(plan, key, value, join(pointer, key))) is not None:
            yield problem
    yield from _check_unit(plan, pointer)
    model = next((row for row in PRICING_MODELS if row.name == plan.get("pricing_model")), None)
    if model is not None:
        yield from _check_model(plan, model, pointer)


def title(plan: Any, index: int) -> str:
    """The name of a plan for a message, or its number."""
    name = plan.get("name") if isinstance(plan, dict) else None
    return f'"{name}"' if _filled(name) else f"number {index + 1}"


def _sunk(broken: list[str], count: int) -> Problem:
    many = f"none of the {count} plans" if count > 1 else "no pricing at all"
    return warning(
        "PRC-01",
        PLANS,
        f"Pond imports {many}, because of plan {', '.join(broken)}.",
        fix="Correct what is named at the plan, or take the plan out.",
    )


def _check_key(plan: dict[str, Any], key: str, value: Any, pointer: str) -> Problem | None:
    if key not in KEYS:
        meant = nearest(key, [known for known in KEYS if known not in plan])
        fix = f"Did you mean {meant}?" if meant else "Remove it. Pond itself sets currency, ids and billing."
        return warning("PRC-02", pointer, f"{key} is not a key of a plan.", fix=fix)
    requirement, is_right, words = KEYS[key]
    if is_right(value):
        return None
    if key == "included_units":
        requirement = MODEL_RULES.get(str(plan.get("pricing_model")), requirement)
    meant = nearest(value, CHOICES.get(key, ())) if isinstance(value, str) else None
    fix = f"Did you mean {meant}?" if meant else f"Write {words}."
    return warning(requirement, pointer, f"{key} is {shown(value)}; it must be {words}.", fix=fix)


def _check_unit(plan: dict[str, Any], pointer: str) -> Iterator[Problem]:
    is_other, has_word = plan.get("usage_unit") == "other", "custom_usage_unit" in plan
    if is_other and not has_word:
        yield warning(
            "PRC-05",
            pointer,
            "usage_unit is other, but no word for the unit is given.",
            fix="Add custom_usage_unit.",
        )
    if has_word and not is_other:
        yield warning(
            "PRC-05",
            join(pointer, "custom_usage_unit"),
            "custom_usage_unit goes only with usage_unit other.",
            fix='Remove it, or set usage_unit to "other".',
        )


def _check_model(plan: dict[str, Any], model: PricingModel, pointer: str) -> Iterator[Problem]:
    for key in model.requires:
        if key not in plan:
            yield warning(
                MODEL_RULES[model.name],
                pointer,
                f"A {model.name} plan needs {key}.",
                fix=f"Add {key}: {KEYS[key][2]}.",
            )
    for key in model.excludes:
        if key in plan:
            place = join(pointer, key)
            requirement = "PRC-04" if key == "usage_quantity" else MODEL_RULES[model.name]
            message = f"A {model.name} plan has no {key}."
            yield warning(requirement, place, message, fix="Remove it, or use another pricing_model.")
    yield from _check_amount(plan, model, pointer)


def _check_amount(plan: dict[str, Any], model: PricingModel, pointer: str) -> Iterator[Problem]:
    amount = plan.get("amount_minor")
    if not isinstance(amount, int | float) or not KEYS["amount_minor"][1](amount):
        return
    place = join(pointer, "amount_minor")
    if amount < model.amount_minimum:
        message = f"A {model.name} plan costs at least 1 cent; this one costs {amount}."
        yield warning("PRC-03", place, message, fix=f"Set a price, or make it a free plan: {FREE_PLAN}.")
    if model.amount_maximum is not None and amount > model.amount_maximum:
        message = f"A free plan costs 0; this one costs {amount} {'cent' if amount == 1 else 'cents'}."
        yield warning("PRC-07", place, message, fix="Set it to 0, or use another pricing_model.")
