"""A manifest as typed values: what the rest of the program works with. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pond_new.protocol.facts import UsageUnit


@dataclass(frozen=True, slots=True)
class Action:
    """One thing an agent can do (Declare multiple actions)."""

    id: str
    name: str
    description: str
    input_schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The six flags; `cancellation` and `feedback` are false in V1."""

    sync: bool
    streaming: bool
    async_tasks: bool
    cancellation: bool
    attachments: bool
    feedback: bool


@dataclass(frozen=True, slots=True)
class Limits:
    """The three limits, integers from 1."""

    max_request_bytes: int
    max_attachment_bytes: int
    max_run_seconds: int


@dataclass(frozen=True, slots=True)
class PricingPlan:
    """One plan; the amount is in US cents (Pricing plans)."""

    name: str
    pricing_model: Literal["free", "pay_as_you_go", "subscription"]
    amount_minor: int
    usage_unit: UsageUnit
    usage_quantity: int | None = None
    custom_usage_unit: str | None = None
    billing_interval: Literal["month"] | None = None
    included_units: int | None = None
    validity_days: int | None = None
    description: str | None = None
    sort_order: int | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """A valid manifest.

    `name` is the listing's name, None where Pond would not import it. `pricing_plans` is empty where Pond
    would import none. `usage_unit` is the unit of the first plan that names a known one. `document` is the
    whole manifest as it was read, in the order of its keys.
    """

    agent_version: str
    metadata: Mapping[str, Any]
    name: str | None
    actions: tuple[Action, ...]
    input_schema: Mapping[str, Any] | None
    capabilities: Capabilities
    input_modes: tuple[str, ...]
    output_modes: tuple[str, ...]
    limits: Limits
    pricing_plans: tuple[PricingPlan, ...]
    usage_unit: UsageUnit | None
    document: Mapping[str, Any]
