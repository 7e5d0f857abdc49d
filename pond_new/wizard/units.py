"""Amounts as people type them: money, sizes, times, counts. Pure.

Each `parse_` raises ValueError with a sentence that says what to type instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

NUMBER_AND_UNIT = re.compile(r"([0-9][0-9_,.]*)\s*([a-zA-Z]*)")
MONEY = re.compile(r"(?:US)?\$?\s*([0-9][0-9,]*(?:\.[0-9]{1,2})?)\s*(?:USD|\$)?", re.IGNORECASE)
COUNT = re.compile(r"[0-9]{1,3}(?:[,_ ][0-9]{3})+|[0-9]+")
MOST_DIGITS = 15

KIB, MIB, GIB = 1024, 1024**2, 1024**3
SIZES: Mapping[str, int] = {
    "b": 1,
    "byte": 1,
    "bytes": 1,
    "k": KIB,
    "kb": KIB,
    "kib": KIB,
    "m": MIB,
    "mb": MIB,
    "mib": MIB,
    "g": GIB,
    "gb": GIB,
    "gib": GIB,
}
TIMES: Mapping[str, int] = {
    "": 1,
    "s": 1,
    "sec": 1,
    "second": 1,
    "seconds": 1,
    "m": 60,
    "min": 60,
    "minute": 60,
    "minutes": 60,
    "h": 3600,
    "hour": 3600,
    "hours": 3600,
}


def parse_money(text: str) -> int:
    """`$1.50`, `1.5`, `19 USD` -> US cents. Raises `ValueError` with a sentence that says what to type."""
    match = MONEY.fullmatch(text.strip())
    if match is None:
        raise ValueError("Type dollars, such as $1.50 or 19.")
    amount = Decimal(match[1].replace(",", "")) * 100
    if amount >= 10**MOST_DIGITS:
        raise ValueError("That is more money than there is.")
    return int(amount)


def format_money(cents: int) -> str:
    """US cents as `$1.50`, whole dollars as `$19`."""
    dollars, rest = divmod(cents, 100)
    return f"${dollars:,}.{rest:02d}" if rest else f"${dollars:,}"


def parse_size(text: str) -> int:
    """`10 MB`, `512 kB`, `2048 bytes` -> bytes; MB counts 1,048,576 bytes, as the protocol's examples do.

    Raises `ValueError` as the others do.
    """
    return _parse_amount(text, SIZES, example="10 MB or 512 kB")


def format_size(size: int) -> str:
    """Bytes in the largest unit that leaves no fraction."""
    for unit, factor in (("GB", GIB), ("MB", MIB), ("kB", KIB)):
        if size >= factor and size % factor == 0:
            return f"{size // factor:,} {unit}"
    return f"{size:,} {'byte' if size == 1 else 'bytes'}"


def parse_time(text: str) -> int:
    """`90`, `90 s`, `2 min` -> seconds. Raises `ValueError`."""
    return _parse_amount(text, TIMES, example="60 s or 2 min")


def format_time(seconds: int) -> str:
    """Seconds, in minutes or hours too where that leaves no fraction."""
    for unit, factor in (("h", 3600), ("min", 60)):
        if seconds >= factor and seconds % factor == 0 and seconds > TIMES["min"]:
            return f"{seconds // factor:,} {unit}"
    return f"{seconds:,} s"


def parse_count(text: str) -> int:
    """`1000`, `1,000` -> an integer from 0 up. Raises `ValueError`."""
    digits = text.strip()
    if not COUNT.fullmatch(digits) or len(digits) > MOST_DIGITS:
        raise ValueError("Type a whole number, such as 1000.")
    return int(re.sub(r"[,_ ]", "", digits))


def parse_number(text: str) -> int | float:
    """`3`, `-0.5` -> a number of JSON. Raises `ValueError`."""
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or abs(number) >= 10**MOST_DIGITS:
        raise ValueError("Type a number, such as 3 or -0.5.")
    return int(number) if number == number.to_integral_value() else float(number)


def parse_integer(text: str) -> int:
    """`-3` -> an integer. Raises `ValueError`."""
    number = parse_number(text)
    if isinstance(number, float):
        raise ValueError("Type a whole number, such as 3.")  # noqa: TRY004 -- the text is wrong, not a type
    return number


def fault_of(parse: Callable[[str], Any], text: str) -> str | None:
    """Why `parse` cannot take this text, or None."""
    try:
        parse(text)
    except ValueError as fault:
        return str(fault)
    return None


def _parse_amount(text: str, units: Mapping[str, int], *, example: str) -> int:
    match = NUMBER_AND_UNIT.fullmatch(text.strip())
    factor = units.get(match[2].casefold()) if match else None
    if match is None or factor is None:
        raise ValueError(f"Type a number and its unit, such as {example}.")
    try:
        amount = Decimal(match[1].replace(",", "").replace("_", "")) * factor
    except InvalidOperation:
        raise ValueError(f"Type a number and its unit, such as {example}.") from None
    if amount < 1 or amount >= 10**MOST_DIGITS:
        raise ValueError(f"That is out of reach; type something such as {example}.")
    return int(amount)
