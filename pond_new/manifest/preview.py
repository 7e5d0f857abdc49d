"""What the publishing page would be prefilled with: every field, entry and plan, taken or skipped. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pond_new.manifest.rules.listing import ENTRIES, FIELDS, LISTS, check_entries, check_entry, check_field
from pond_new.manifest.rules.pricing import PLANS, check_plan, title
from pond_new.manifest.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pond_new.manifest.problem import Problem

Fate = Literal["imported", "skipped", "missing"]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the preview: a field, a demo material, a question or a plan.

    `text` is what Pond would show, `reason` why it skips it (empty otherwise).
    """

    key: str
    title: str
    fate: Fate
    text: str = ""
    reason: str = ""


def preview_import(manifest: Mapping[str, Any]) -> tuple[Row, ...]:
    """The rows of the publishing page, in its order; entries of lists are rows of their own."""
    metadata = manifest.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    rows = [_field_row(field.name, field.title, metadata) for field in FIELDS]
    for name in ENTRIES:
        rows.extend(_entry_rows(name, metadata))
    rows.extend(_plan_rows(metadata))
    return tuple(rows)


def price_sentence(plan: Mapping[str, Any]) -> str:
    """A valid plan as a person would say it, such as "$19 a month with 100,000 tokens"."""
    included = plan.get("included_units")
    match plan["pricing_model"]:
        case "free":
            days = plan.get("validity_days")
            end = f" for {days:,} days" if days else ""
            return f"free, with {_units(included, plan)}{end}"
        case "subscription":
            return f"{_dollars(plan['amount_minor'])} a month with {_units(included, plan)}"
    quantity = plan.get("usage_quantity", 1)
    count = f"each {_unit(plan)}" if quantity == 1 else _units(quantity, plan)
    return f"{_dollars(plan['amount_minor'])} for {count}"


def _field_row(name: str, row_title: str, metadata: dict[str, Any]) -> Row:
    if name not in metadata:
        return Row(name, row_title, "missing")
    field = next(field for field in FIELDS if field.name == name)
    problem = check_field(field, metadata[name])
    if problem is None:
        return Row(name, row_title, "imported", text=str(metadata[name]))
    return Row(name, row_title, "skipped", text=shown(metadata[name]), reason=problem.message)


def _entry_rows(name: str, metadata: dict[str, Any]) -> Iterator[Row]:
    entries, row_title = metadata.get(name), LISTS[name][1]
    if name not in metadata or entries == []:
        yield Row(name, row_title, "missing")
        return
    if not isinstance(entries, list):
        yield Row(
            name, row_title, "skipped", text=shown(entries), reason=_first(check_entries(name, entries))
        )
        return
    for index, entry in enumerate(entries):
        reason = _first(check_entry(name, entry, ""))
        fate: Fate = "skipped" if reason else "imported"
        yield Row(f"{name}/{index}", row_title, fate, text=_entry_text(entry), reason=reason)


def _entry_text(entry: Any) -> str:
    if not isinstance(entry, dict):
        return shown(entry)
    return str(entry.get("file_name") or entry.get("question") or entry.get("url") or shown(entry))


def _plan_rows(metadata: dict[str, Any]) -> Iterator[Row]:
    plans, row_title = metadata.get("pricing_plans"), LISTS["pricing_plans"][1]
    if "pricing_plans" not in metadata:
        yield Row("pricing_plans", row_title, "missing")
        return
    if not isinstance(plans, list) or not plans:
        yield Row(
            "pricing_plans", row_title, "skipped", text=shown(plans), reason="A list of plans is expected."
        )
        return
    reasons = [_first(check_plan(plan, PLANS)) for plan in plans]
    broken = ", ".join(title(plan, index) for index, plan in enumerate(plans) if reasons[index])
    for index, plan in enumerate(plans):
        key = f"pricing_plans/{index}"
        if not broken:
            yield Row(key, row_title, "imported", text=f"{plan['name']}: {price_sentence(plan)}")
        else:
            reason = reasons[index] or f"Pond takes all plans or none, and refuses {broken}."
            yield Row(key, row_title, "skipped", text=title(plan, index).strip('"'), reason=reason)


def _first(problems: Iterator[Problem]) -> str:
    return next((problem.message for problem in problems), "")


def _dollars(cents: float) -> str:
    return f"${cents // 100:,.0f}" if cents % 100 == 0 else f"${cents / 100:,.2f}"


def _unit(plan: Mapping[str, Any]) -> str:
    return str(plan["custom_usage_unit"] if plan["usage_unit"] == "other" else plan["usage_unit"])


def _units(quantity: Any, plan: Mapping[str, Any]) -> str:
    unit = _unit(plan)
    return f"{quantity:,.0f} {unit}" if quantity == 1 or unit.endswith("s") else f"{quantity:,.0f} {unit}s"
