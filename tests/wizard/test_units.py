"""Amounts as people type and read them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pond_new.wizard import units
from pond_new.wizard.wording import shorten, wrap


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (units.parse_money, "$1.50", 150),
        (units.parse_money, "1.5", 150),
        (units.parse_money, "19 USD", 1900),
        (units.parse_money, "$1,234.05", 123405),
        (units.parse_money, "0", 0),
        (units.parse_size, "10 MB", 10485760),
        (units.parse_size, "512kb", 524288),
        (units.parse_size, "1.5 MB", 1572864),
        (units.parse_size, "2048 bytes", 2048),
        (units.parse_time, "90", 90),
        (units.parse_time, "2 min", 120),
        (units.parse_time, "1.5 hours", 5400),
        (units.parse_count, "1,000", 1000),
        (units.parse_count, " 7 ", 7),
        (units.parse_number, "-0.5", -0.5),
        (units.parse_number, "3.0", 3),
        (units.parse_integer, "-3", -3),
    ],
)
def test_an_amount_is_read(parse: Callable[[str], float], text: str, value: float) -> None:
    assert parse(text) == value


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (units.parse_money, "1.505"),
        (units.parse_money, "-1"),
        (units.parse_money, "5 euros"),
        (units.parse_money, "9" * 20),
        (units.parse_size, "10"),
        (units.parse_size, "ten MB"),
        (units.parse_size, "0 MB"),
        (units.parse_size, "1.2.3 MB"),
        (units.parse_time, "500 ms"),
        (units.parse_count, "1.5"),
        (units.parse_count, "-1"),
        (units.parse_number, "NaN"),
        (units.parse_number, "1e400"),
        (units.parse_integer, "1.5"),
    ],
)
def test_what_is_no_amount_gets_an_example_instead(parse: Callable[[str], object], text: str) -> None:
    fault = units.fault_of(parse, text)

    assert fault is not None
    assert fault.endswith(".")


@given(st.integers(1, 10**13))
def test_sizes_times_and_money_read_back_as_they_are_shown(amount: int) -> None:
    assert units.parse_size(units.format_size(amount)) == amount
    assert units.parse_time(units.format_time(amount)) == amount
    assert units.parse_money(units.format_money(amount)) == amount


def test_texts_are_wrapped_at_the_width_and_lists_hang() -> None:
    assert wrap("- one two three four five six seven", 30) == "- one two three four five six\n  seven"


def test_long_titles_are_cut() -> None:
    assert shorten("a long title for a choice", 20) == "a long title for ..."
