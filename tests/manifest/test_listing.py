"""The rules for the listing and its plans agree with the shapes that the specification says are imported."""

import copy
import random
from typing import Any

from jsonschema import Draft202012Validator

from pond_new.manifest.rules.listing import ENTRIES, FIELDS, check_entry, check_field
from pond_new.manifest.rules.pricing import check_plan
from pond_new.protocol.schemas import load_manifest_schema

DEFINITIONS = load_manifest_schema()["$defs"]
JUNK: list[Any] = [
    None, True, 0, 1, -1, 1.0, 2.5, "", "a", "month", "other", "token", "free", "subscription",
    [], {}, ["a"], "https://", "https://example.com/a", "http://example.com", "https://x.com/a", "image",
    "x" * 300, "pay_as_you_go",
    "https://github.com/a/b", "https://github.com/a/b/", "https://github.com/a", "sales", "Sales", "é" * 200,
    "https://www.linkedin.com/in/a", "ftp://example.com", "x" * 501, "https://github.com/a/b\n",
]  # fmt: skip
PLANS: list[dict[str, Any]] = [
    {"name": "a", "pricing_model": "free", "amount_minor": 0, "usage_unit": "token", "included_units": 1},
    {
        "name": "a",
        "pricing_model": "pay_as_you_go",
        "amount_minor": 5,
        "usage_unit": "token",
        "usage_quantity": 3,
    },
    {
        "name": "a",
        "pricing_model": "subscription",
        "amount_minor": 5,
        "usage_unit": "other",
        "custom_usage_unit": "report",
        "billing_interval": "month",
        "included_units": 9,
    },
]
ENTRY_EXAMPLES: dict[str, tuple[str, dict[str, Any]]] = {
    "demo_materials": (
        "importableDemoMaterial",
        {"url": "https://example.com/a", "file_type": "image", "file_name": "a"},
    ),
    "faqs": ("importableFaq", {"question": "a", "answer": "b"}),
}


def judge(definition: str) -> Draft202012Validator:
    return Draft202012Validator({**DEFINITIONS[definition], "$defs": DEFINITIONS})


def changed(value: dict[str, Any], keys: list[str], dice: random.Random) -> dict[str, Any]:
    result = copy.deepcopy(value)
    for _ in range(dice.choice([1, 1, 2, 3])):
        if result and dice.random() < 0.3:
            del result[dice.choice(sorted(result))]
        else:
            result[dice.choice(keys)] = copy.deepcopy(dice.choice(JUNK))
    return result


def test_thousands_of_changed_plans_get_the_verdict_of_jsonschema() -> None:
    schema, dice = judge("importablePricingPlan"), random.Random(1)
    keys = [*DEFINITIONS["importablePricingPlan"]["properties"], "currency"]

    for _ in range(4000):
        plan = changed(dice.choice(PLANS), keys, dice)
        assert (not list(check_plan(plan, ""))) == schema.is_valid(plan), plan


def test_changed_entries_are_skipped_where_the_schema_refuses_them() -> None:
    dice = random.Random(2)

    for name, (definition, example) in ENTRY_EXAMPLES.items():
        schema = judge(definition)
        for _ in range(1500):
            entry = changed(example, [*ENTRIES[name], "caption"], dice)
            is_taken = not list(check_entry(name, entry, ""))
            is_no_address = entry.get("url") in ("https://", "https://github.com/a/b\n")
            assert is_taken == (schema.is_valid(entry) and not is_no_address), entry


def test_values_that_the_schema_refuses_are_skipped_and_others_only_for_their_bytes_or_host() -> None:
    for field in FIELDS:
        schema = Draft202012Validator(DEFINITIONS["importableMetadata"]["properties"][field.name])
        for value in JUNK:
            is_taken = check_field(field, value) is None
            is_stricter = value in ("é" * 200, "https://", "https://github.com/a/b\n")
            assert is_taken == schema.is_valid(value) or (is_stricter and not is_taken), (field.name, value)
