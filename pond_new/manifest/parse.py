"""A document becomes a manifest, or all the problems that it has. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pond_new.manifest.document import Document, too_large
from pond_new.manifest.model import Action, Capabilities, Limits, Manifest, PricingPlan
from pond_new.manifest.problem import InvalidManifest, Problem
from pond_new.manifest.rules import ERROR_RULES
from pond_new.manifest.rules.listing import FIELDS
from pond_new.manifest.rules.pricing import PLANS, check_plan
from pond_new.manifest.structure import check_structure
from pond_new.manifest.walk import look_at
from pond_new.protocol.facts import CAPABILITIES, LIMITS, MANIFEST_BYTES, USAGE_UNITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pond_new.protocol.facts import UsageUnit


def parse_manifest(document: Document | dict[str, Any]) -> Manifest:
    """The typed manifest; raises InvalidManifest with every error at once, in the order of the file."""
    value = document.value if isinstance(document, Document) else document
    errors = in_order([*check_errors(value), *check_size(document)], document)
    if errors:
        raise InvalidManifest(errors, name=document.name if isinstance(document, Document) else "manifest")
    return _build(value)


def check_errors(value: Any) -> list[Problem]:
    """Every fault that makes Pond refuse this value as a manifest, or an action impossible to call."""
    problems = check_structure(value)
    if isinstance(value, dict):
        subject = look_at(value)
        problems.extend(problem for rule in ERROR_RULES for problem in rule(subject))
    return problems


def in_order(problems: Iterable[Problem], document: Document | dict[str, Any]) -> list[Problem]:
    """The problems with their places, in the order of the file; without a text they keep their order."""
    if not isinstance(document, Document):
        return list(problems)
    placed = [document.locate(problem) for problem in problems]
    return sorted(placed, key=lambda problem: (problem.line or 0, problem.column or 0))


def check_size(document: Document | dict[str, Any]) -> list[Problem]:
    """A manifest that is written as YAML, or only in memory, is measured as the JSON that will be served."""
    if isinstance(document, Document) and document.format == "json":
        return []
    value = document.value if isinstance(document, Document) else document
    size = len(
        json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode(
            "utf-8", "surrogatepass"
        )
    )
    return [too_large(size)] if size > MANIFEST_BYTES else []


def _build(value: dict[str, Any]) -> Manifest:
    metadata = value.get("metadata", {})
    return Manifest(
        agent_version=value["agent_version"],
        metadata=metadata,
        name=_listing_name(metadata),
        actions=tuple(_action(action) for action in value.get("actions", ())),
        input_schema=value.get("input_schema"),
        capabilities=Capabilities(**{row.name: value["capabilities"][row.name] for row in CAPABILITIES}),
        input_modes=tuple(value["input_modes"]),
        output_modes=tuple(value["output_modes"]),
        limits=Limits(**{row.name: int(value["limits"][row.name]) for row in LIMITS}),
        pricing_plans=_plans(value),
        usage_unit=_usage_unit(metadata),
        document=value,
    )


def _action(value: dict[str, Any]) -> Action:
    return Action(value["id"], value["name"], value["description"], value.get("input_schema"))


def _listing_name(metadata: Mapping[str, Any]) -> str | None:
    name = metadata.get("name")
    field = next(field for field in FIELDS if field.name == "name")
    return None if field.fault(name) else name


def _plans(value: dict[str, Any]) -> tuple[PricingPlan, ...]:
    plans = value.get("metadata", {}).get("pricing_plans")
    if not isinstance(plans, list) or any(problem for plan in plans for problem in check_plan(plan, PLANS)):
        return ()
    return tuple(PricingPlan(**plan) for plan in plans)


def _usage_unit(metadata: Mapping[str, Any]) -> UsageUnit | None:
    plans = metadata.get("pricing_plans")
    units = (
        [plan.get("usage_unit") for plan in plans if isinstance(plan, dict)]
        if isinstance(plans, list)
        else []
    )
    return next((known for unit in units for known in USAGE_UNITS if unit == known), None)
