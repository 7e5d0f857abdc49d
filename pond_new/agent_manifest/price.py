"""The most that one call can cost: computed with decimals, or said to be unknowable. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from pond_new.agent_manifest.standard import known


def worst_case(pricing: Mapping[str, Any]) -> Decimal | None:
    """The most that a call can cost, in the plan's currency, or None where a caller cannot know it.

    `max` bounds every model. Without it only a price that does not depend on the call is known.
    """
    if "max" in pricing:
        return _amount(pricing["max"])
    if pricing.get("model") == "free":
        return _amount(pricing.get("amount", 0))
    return _amount(pricing.get("amount")) if pricing.get("model") in known("flat_models") else None


def describe_price(pricing: Mapping[str, Any]) -> str:
    """The price as a caller reads it."""
    most = worst_case(pricing)
    if most is None:
        return "A caller cannot tell what a call costs at most."
    if most == 0:
        return "A call costs nothing."
    money = f"{most.normalize():f} {pricing.get('currency', '')}".strip()
    charged = f", charged on {pricing['charge_on']}" if pricing.get("charge_on") else ""
    return f"A call costs at most {money}{charged}."


def _amount(value: Any) -> Decimal | None:
    """A price from 0 up, exactly as it is written."""
    if value is None or isinstance(value, bool):
        return None
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        return None
    return amount if amount.is_finite() and amount >= 0 else None
