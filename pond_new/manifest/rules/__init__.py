"""The rules that the specification's schema cannot say: each takes a manifest and yields problems. Pure.

A rule copes with any shape: what the schema already refuses it passes over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pond_new.manifest.rules import (
    advice,
    keys,
    keywords,
    listing,
    media,
    numbers,
    pricing,
    references,
    secrets,
    words,
)
from pond_new.manifest.rules.actions import check_unique_ids
from pond_new.manifest.rules.schemas import check_bounds, check_choices, check_patterns, check_required_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pond_new.manifest.problem import Problem
    from pond_new.manifest.walk import Subject

    Rule = Callable[[Subject], Iterable[Problem]]

ERROR_RULES: tuple[Rule, ...] = (
    check_unique_ids,
    check_required_names,
    check_choices,
    check_bounds,
    check_patterns,
    keywords.check_keywords,
    references.check_references,
)
"""What Pond refuses, or what makes an action impossible to call."""

ADVICE_RULES: tuple[Rule, ...] = (
    keys.check_top_keys,
    keys.check_listing_keys,
    words.check_blank_texts,
    words.check_action_descriptions,
    words.check_value_descriptions,
    words.check_alike_actions,
    media.check_media_modes,
    media.check_attachments,
    numbers.check_limits,
    numbers.check_whole_numbers,
    keywords.check_effects,
    keywords.check_entries_described,
    keywords.check_dialect,
    references.check_dialect_words,
    listing.check_listing,
    pricing.check_pricing,
    advice.check_completeness,
    advice.check_category,
    advice.check_rich_texts,
    advice.check_addresses,
    advice.check_plans_together,
    advice.check_dollars,
    secrets.check_secrets,
)
"""What Pond accepts, but skips something for, or what a user will trip over."""
