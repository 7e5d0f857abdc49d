"""What Pond takes from a listing, although it is hardly meant that way. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pond_new.manifest.pointer import join
from pond_new.manifest.problem import Correction, Problem, note, warning
from pond_new.manifest.rules.listing import FIELDS, LISTS
from pond_new.manifest.rules.pricing import PLANS, title
from pond_new.protocol.facts import CATEGORIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pond_new.manifest.walk import Subject

RICH_TEXTS = ("description", "key_features", "use_cases", "setup_instructions")
UNSAFE = re.compile(
    r"<\s*(script|style|iframe|object|embed|form|link|meta)\b|\son\w+\s*=|javascript:", re.IGNORECASE
)
NUMBER = r"(\d[\d,]*(?:\.\d{2})?)"
DOLLARS = re.compile(rf"(?:\$|\bUSD)\s?{NUMBER}|\b{NUMBER}\s?(?:USD|dollars?)\b", re.IGNORECASE)
FRONT_PAGE = re.compile(r"https://[^/]+/+")
PROFILES = ("developer_x_url", "developer_linkedin_url")


def check_completeness(subject: Subject) -> Iterator[Problem]:
    """What the publishing page will have to be filled in with by hand (META-01)."""
    if not isinstance(subject.manifest.get("metadata", {}), dict):
        return
    names = [field.name for field in FIELDS] + list(LISTS)
    absent = [name for name in names if name not in subject.metadata]
    place = "/metadata" if "metadata" in subject.manifest else ""
    if not subject.metadata:
        message = "There is no listing: name, description, category and pricing are missing."
        yield warning(
            "META-01", place, message, fix='Add "metadata" with at least name, category and pricing_plans.'
        )
    elif absent:
        yield note("META-01", place, f"Not in the listing: {', '.join(absent)}.", fix="Add what you have.")


def check_category(subject: Subject) -> Iterator[Problem]:
    """A category that another revision of the specification does not know (META-05)."""
    category = subject.metadata.get("category")
    if any(row.name == category and row.standing == "ours" for row in CATEGORIES):
        message = f"{category} is in this revision of the specification, but not in every one that was seen."
        safe = ", ".join(row.name for row in CATEGORIES if row.standing == "safe")
        fix = f"Fine as it is. These are in all: {safe}."
        yield note("META-05", "/metadata/category", message, fix=fix)


def check_rich_texts(subject: Subject) -> Iterator[Problem]:
    """HTML that no page shows (META-07)."""
    metadata = subject.metadata
    for name in RICH_TEXTS:
        found = UNSAFE.search(metadata[name]) if isinstance(metadata.get(name), str) else None
        if found:
            message = f"{name} holds {found[0].strip()}, which Pond cleans away."
            yield warning(
                "META-07", join("/metadata", name), message, fix="Use plain tags: p, ul, li, strong, a."
            )


def check_addresses(subject: Subject) -> Iterator[Problem]:
    """Addresses on the right site that lead to nobody, or to git instead of a page (META-08)."""
    metadata = subject.metadata
    for name in PROFILES:
        address = metadata.get(name)
        if isinstance(address, str) and FRONT_PAGE.fullmatch(address):
            message = f"{name} is the front page of the site, not a profile."
            yield warning("META-08", join("/metadata", name), message, fix="Add your name to it.")
    repository = metadata.get("github_url")
    if (
        isinstance(repository, str)
        and repository.startswith("https://github.com/")
        and repository.endswith(".git")
    ):
        place = join("/metadata", "github_url")
        page = repository.removesuffix(".git")
        message = "github_url is the address for git clone, not the page of the repository."
        yield warning(
            "META-08", place, message, fix=f"Write {page}.", correction=Correction("set", place, page)
        )


def check_plans_together(subject: Subject) -> Iterator[Problem]:
    """Plans in several units, or with one name or place twice (PRC-09)."""
    plans = subject.plans
    units = {_unit(plan): title(plan, index) for index, plan in reversed(plans) if plan.get("usage_unit")}
    if len(units) > 1:
        listed = ", ".join(f"{unit} in {name}" for unit, name in reversed(units.items()))
        message = f"The plans count in several units ({listed}); a run reports only one."
        yield warning("PRC-09", PLANS, message, fix="Use one unit in all plans.")
    for key in ("name", "sort_order"):
        seen: dict[Any, str] = {}
        for index, plan in plans:
            value = plan.get(key)
            if isinstance(value, str | int) and value in seen:
                message = f"{key} {value} is taken by plan {seen[value]}."
                yield warning("PRC-09", join(PLANS, index, key), message, fix="Give each plan its own.")
            seen.setdefault(value if isinstance(value, str | int) else None, title(plan, index))


def check_dollars(subject: Subject) -> Iterator[Problem]:
    """An amount that is the number of dollars in the plan's own description (PRC-03)."""
    for index, plan in subject.plans:
        amount, description = plan.get("amount_minor"), plan.get("description")
        found = DOLLARS.search(description) if isinstance(description, str) else None
        if found is None or isinstance(amount, bool) or not isinstance(amount, int) or amount == 0:
            continue
        dollars = float((found[1] or found[2]).replace(",", ""))
        if amount == dollars:
            cents = round(dollars * 100)
            message = f"amount_minor is {amount} cents, but the description says {found[0]}."
            yield warning(
                "PRC-03", join(PLANS, index, "amount_minor"), message, fix=f"Write {cents}, in cents."
            )


def _unit(plan: dict[str, Any]) -> str:
    return (
        str(plan.get("custom_usage_unit") or "other")
        if plan["usage_unit"] == "other"
        else str(plan["usage_unit"])
    )
