"""One pricing plan: its model, its numbers, and the sentence that users read. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pond_new.manifest.preview import price_sentence
from pond_new.protocol.facts import PRICING_MODELS
from pond_new.wizard.checks import fault_at
from pond_new.wizard.question import Choice, Conversation, Question
from pond_new.wizard.units import fault_of, format_money, parse_count, parse_money

Plan = Mapping[str, Any]
Unit = Mapping[str, Any]

MODELS = (
    Choice("free", "Free", "a number of units as a gift, to try it"),
    Choice("pay_as_you_go", "Pay as you go", "a price for what was used"),
    Choice("subscription", "Subscription", "a price a month, with a number of units"),
)
NAMES: Mapping[str, str] = {
    "free": "Free trial",
    "pay_as_you_go": "Pay as you go",
    "subscription": "Monthly",
}
ORDER = (
    "name",
    "pricing_model",
    "amount_minor",
    "usage_quantity",
    "usage_unit",
    "custom_usage_unit",
    "billing_interval",
    "included_units",
    "validity_days",
    "description",
)


def ask_plan(key: str, current: Plan | None, others: Sequence[Plan], unit: Unit) -> Conversation[Plan]:
    """Ask for one plan beside `others`, counted in `unit`."""
    former = current or {}
    model = yield Question(
        f"{key}.model",
        "choice",
        "What kind of plan is it?",
        topic="plan.pricing_model",
        default=former.get("pricing_model", "pay_as_you_go"),
        choices=MODELS,
    )
    plan: dict[str, Any] = {"name": NAMES[model], "pricing_model": model, "amount_minor": 0, **unit}
    ask = _Ask(key, plan, others, former)
    yield from {"free": _ask_free, "pay_as_you_go": _ask_usage, "subscription": _ask_month}[model](ask)
    yield from _ask_name(ask)
    yield from _ask_sentence(ask)
    return {field: plan[field] for field in ORDER if field in plan}


def sentence(plan: Plan) -> str:
    """What a user reads, in the words of `validate`: `$1.50 for 1,000 tokens`."""
    words = price_sentence(plan)
    return words[:1].upper() + words[1:]


class _Ask:
    """The plan that is being filled in, with what its questions have in common."""

    def __init__(self, key: str, plan: dict[str, Any], others: Sequence[Plan], former: Plan) -> None:
        self.key = key
        self.plan = plan
        self.former = former
        self._others = others

    def question(
        self, field: str, message: str, intro: str, default: str, parse: Callable[[str], Any] = str.strip
    ) -> Question:
        """A text question whose reply, parsed, goes into this field of the plan."""
        return Question(
            f"{self.key}.{field}",
            "text",
            message,
            intro,
            f"plan.{field}",
            default=default,
            check=lambda text: fault_of(parse, text) or self.fault(field, parse(text)),
        )

    def fault(self, field: str, value: Any) -> str | None:
        """Why Pond would refuse the plan with this value in this field."""
        plans = [*self._others, {**self.plan, field: value}]
        return fault_at(
            {"metadata": {"pricing_plans": plans}}, f"/metadata/pricing_plans/{len(self._others)}/{field}"
        )


def _ask_free(ask: _Ask) -> Conversation[None]:
    units = _units(ask.plan, 2)
    yield from _ask_included(ask, f"How many {units} are free?", "", "20")
    days = yield ask.question(
        "validity_days",
        "For how many days? (0 for good)",
        "",
        str(ask.former.get("validity_days", 0)),
        parse_count,
    )
    if parse_count(days):
        ask.plan["validity_days"] = parse_count(days)


def _ask_usage(ask: _Ask) -> Conversation[None]:
    units = _units(ask.plan, 2)
    default = "1,000" if ask.plan["usage_unit"] == "token" else "1"
    quantity = yield ask.question(
        "usage_quantity",
        f"The price is for how many {units}?",
        "Small prices are said for packs, such as 1,000 tokens.",
        f"{ask.former['usage_quantity']:,}" if "usage_quantity" in ask.former else default,
        parse_count,
    )
    ask.plan["usage_quantity"] = parse_count(quantity)
    yield from _ask_amount(ask, f"What do {_units(ask.plan, parse_count(quantity))} cost?")


def _ask_month(ask: _Ask) -> Conversation[None]:
    ask.plan["billing_interval"] = "month"
    yield from _ask_amount(ask, "What does a month cost?")
    units = _units(ask.plan, 2)
    yield from _ask_included(
        ask, f"How many {units} a month are in it?", "Without an allowance Pond refuses the plan.", "100"
    )


def _ask_amount(ask: _Ask, message: str) -> Conversation[None]:
    least = next(row.amount_minimum for row in PRICING_MODELS if row.name == ask.plan["pricing_model"])
    former = ask.former.get("amount_minor", 0)
    reply = yield ask.question(
        "amount_minor",
        message,
        "In US dollars, such as $1.50. Pond takes no other currency.",
        format_money(former) if former >= least else "",
        parse_money,
    )
    ask.plan["amount_minor"] = parse_money(reply)


def _ask_included(ask: _Ask, message: str, intro: str, default: str) -> Conversation[None]:
    former = ask.former.get("included_units")
    reply = yield ask.question(
        "included_units", message, intro, f"{former:,}" if former else default, parse_count
    )
    ask.plan["included_units"] = parse_count(reply)


def _ask_name(ask: _Ask) -> Conversation[None]:
    default = ask.former.get("name", ask.plan["name"])
    ask.plan["name"] = (yield ask.question("name", "What is the plan called?", "", default)).strip()


def _ask_sentence(ask: _Ask) -> Conversation[None]:
    made = sentence(ask.plan)
    former = ask.former.get("description")
    is_own = former is not None and former != sentence(ask.former)
    reply = yield ask.question(
        "description",
        "What do users read? (Enter takes it as it is)",
        f"From your numbers: {made}.",
        former if is_own and former else made,
    )
    if reply.strip():
        ask.plan["description"] = reply.strip()


def _units(plan: Plan, quantity: int) -> str:
    """`1,000 tokens`, or only the word where the number says nothing."""
    word = _word(plan, quantity)
    return word if quantity in {1, 2} else f"{quantity:,} {word}"


def _word(plan: Plan, quantity: int) -> str:
    word = str(plan.get("custom_usage_unit") or plan["usage_unit"])
    return word if quantity == 1 or word.endswith("s") else f"{word}s"
