"""What can be said of a table, column by column, as plain JSON. Pure."""

import math
from collections import Counter
from collections.abc import Sequence
from datetime import date
from statistics import fmean, quantiles
from typing import NotRequired, TypedDict

from agent.table import Table

MOSTLY = 0.9  # of the values that must be numbers or dates for the column to be one of them
BARS = 12
KEPT = 10  # common values


class Spread(TypedDict):
    """How numbers are distributed; `bars` counts them in intervals of equal width."""

    lowest: float
    median: float
    mean: float
    highest: float
    outliers: int
    bars: list[int]


class Column(TypedDict):
    """What is known of one column. `strays` are values of another kind than the column's."""

    name: str
    kind: str
    missing: int
    distinct: int
    strays: int
    common: list[tuple[str, int]]
    spread: NotRequired[Spread]


class Profile(TypedDict):
    """What is known of a table."""

    rows: int
    columns: list[Column]


def measure(table: Table) -> Profile:
    """Everything that the report and the chart need."""
    values = zip(*table.rows, strict=True) if table.rows else [()] * len(table.columns)
    columns = [measure_column(name, each) for name, each in zip(table.columns, values, strict=True)]
    return {"rows": len(table.rows), "columns": columns}


def measure_column(name: str, values: Sequence[str]) -> Column:
    """What one column has in it."""
    filled = [value for value in values if value]
    counts = Counter(filled)
    known = {value: to_number(value) for value in counts}  # each value once: tables repeat themselves
    numbers = [number for value in filled if (number := known[value]) is not None]
    dates = sum(count for value, count in counts.items() if is_date(value))
    enough = max(1, MOSTLY * len(filled))
    column: Column = {
        "name": name,
        "kind": "text",
        "missing": len(values) - len(filled),
        "distinct": len(counts),
        "strays": 0,
        "common": counts.most_common(KEPT),
    }
    if len(numbers) >= enough:
        column |= {"kind": "numbers", "strays": len(filled) - len(numbers), "spread": spread(numbers)}
    elif dates >= enough:
        column |= {"kind": "dates", "strays": len(filled) - dates}
    return column


def spread(numbers: Sequence[float]) -> Spread:
    """The distribution of at least one number."""
    several = numbers if len(numbers) > 1 else [numbers[0], numbers[0]]
    first, median, third = quantiles(several, method="inclusive")
    lowest, highest = min(numbers), max(numbers)
    reach = 1.5 * (third - first)
    width = (highest - lowest) / BARS or 1.0
    bars = Counter(min(BARS - 1, int((number - lowest) / width)) for number in numbers)
    return {
        "lowest": lowest,
        "median": median,
        "mean": fmean(numbers),
        "highest": highest,
        "outliers": sum(not first - reach <= number <= third + reach for number in numbers),
        "bars": [bars[place] for place in range(BARS)],
    }


def to_number(text: str) -> float | None:
    """The finite number that a text is, with a point or a decimal comma."""
    try:
        number = float(text.replace(",", ".") if "." not in text else text.replace(",", ""))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def is_date(text: str) -> bool:
    """Whether a text is a day as ISO 8601 writes it."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
