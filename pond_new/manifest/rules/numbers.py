"""Numbers that are allowed and yet hardly meant. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pond_new.manifest.pointer import join
from pond_new.manifest.problem import Correction, Problem, note, warning
from pond_new.manifest.rules.pricing import PLANS
from pond_new.manifest.schema_check import is_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pond_new.manifest.walk import Subject

HOURS = 10_000
"""A run of more seconds than this was probably meant in milliseconds."""

SILENCE = 100
"""After so many seconds of silence proxies cut a connection."""

ENVELOPE = 1024
"""A run request of fewer bytes has hardly room for its instruction."""

SCHEMA_INTEGERS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
PLAN_INTEGERS = ("amount_minor", "usage_quantity", "included_units", "validity_days", "sort_order")


def check_limits(subject: Subject) -> Iterator[Problem]:
    """Limits in the wrong unit, or too small for any request (LIM-01)."""
    limits, flags = subject.manifest.get("limits"), subject.manifest.get("capabilities")
    if not isinstance(limits, dict) or not isinstance(flags, dict):
        return
    seconds = limits.get("max_run_seconds")
    if is_type(seconds, "integer") and isinstance(seconds, int | float):
        yield from _check_seconds(seconds, flags)
    size = limits.get("max_request_bytes")
    if is_type(size, "integer") and isinstance(size, int | float) and 1 <= size < ENVELOPE:
        message = f"max_request_bytes is {size}; the envelope of a request alone takes several hundred."
        yield warning("LIM-01", "/limits/max_request_bytes", message, fix="1048576 (1 MiB) is a good start.")


def _check_seconds(seconds: float, flags: dict[str, Any]) -> Iterator[Problem]:
    place = "/limits/max_run_seconds"
    if seconds >= HOURS:
        message = f"max_run_seconds is {seconds:,.0f}, which is {seconds / 3600:.1f} hours."
        yield warning("LIM-01", place, message, fix=f"It counts seconds. Did you mean {seconds / 1000:.0f}?")
    elif seconds > SILENCE and flags.get("streaming") is not True and flags.get("async_tasks") is not True:
        message = f"A run may take {seconds:.0f} seconds, and there is only sync to wait for it."
        yield note("LIM-02", place, message, fix="Offer streaming or async_tasks for long runs.")


def check_whole_numbers(subject: Subject) -> Iterator[Problem]:
    """Integers written with a decimal point: JSON Schema takes 300.0 for one, other readers do not."""
    limits = subject.manifest.get("limits")
    for key, value in limits.items() if isinstance(limits, dict) else ():
        yield from _check_whole(value, join("/limits", key), "LIM-01")
    for pointer, schema in subject.schemas:
        for key in SCHEMA_INTEGERS:
            yield from _check_whole(schema.get(key), join(pointer, key), "SCH-09")
    for index, plan in subject.plans:
        for key in PLAN_INTEGERS:
            yield from _check_whole(plan.get(key), join(PLANS, index, key), "PRC-03")


def _check_whole(value: Any, pointer: str, requirement: str) -> Iterator[Problem]:
    if isinstance(value, float) and value.is_integer():
        yield warning(
            requirement,
            pointer,
            f"{value} is an integer with a decimal point; some readers refuse it.",
            fix=f"Write {int(value)}.",
            correction=Correction("set", pointer, int(value)),
        )
