"""The rules that the specification's schema cannot say: each takes a manifest and yields problems. Pure.

A rule copes with any shape: what the schema already refuses it passes over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pond_new.manifest.rules.actions import check_unique_ids
from pond_new.manifest.rules.schemas import check_bounds, check_choices, check_patterns, check_required_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pond_new.manifest.problem import Problem

    Rule = Callable[[dict[str, Any]], Iterable[Problem]]

ERROR_RULES: tuple[Rule, ...] = (
    check_unique_ids,
    check_required_names,
    check_choices,
    check_bounds,
    check_patterns,
)
"""What Pond refuses, or what makes an action impossible to call."""
