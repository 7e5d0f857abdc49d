"""The report: a profile in Markdown. Pure."""

from agent.measures import Column, Profile

LONGEST_VALUE = 40


def write_report(profile: Profile, common_values: int) -> str:
    """The whole report."""
    lines = [
        "# What is in the table",
        "",
        f"{count(profile['rows'], 'row')}, {count(len(profile['columns']), 'column')}.",
        "",
        "| Column | Kind | Missing | Distinct | Most common |",
        "|---|---|---:|---:|---|",
        *(overview(column, common_values) for column in profile["columns"]),
    ]
    if numbers := [column for column in profile["columns"] if "spread" in column]:
        lines += [
            "",
            "## Numbers",
            "",
            "| Column | Lowest | Median | Mean | Highest | Outliers |",
            "|---|---:|---:|---:|---:|---:|",
            *(distribution(column) for column in numbers),
        ]
    if remarks := [remark for column in profile["columns"] for remark in look_at(column, profile["rows"])]:
        lines += ["", "## Worth a look", "", *(f"- {remark}" for remark in remarks)]
    return "\n".join(lines) + "\n"


def overview(column: Column, common_values: int) -> str:
    """One row of the first table."""
    common = ", ".join(f"{cell(value)} ({times})" for value, times in column["common"][:common_values])
    return f"| {cell(column['name'])} | {column['kind']} | {column['missing']} | {column['distinct']} | {common} |"


def distribution(column: Column) -> str:
    """One row of the table of numbers."""
    spread = column["spread"]
    values = (spread["lowest"], spread["median"], spread["mean"], spread["highest"])
    return f"| {cell(column['name'])} | {' | '.join(map(number, values))} | {spread['outliers']} |"


def look_at(column: Column, rows: int) -> list[str]:
    """What a careful reader would ask about."""
    name, remarks = cell(column["name"]), []
    if column["missing"] == rows:
        return [f"**{name}** is empty."]
    if column["missing"] * 5 >= rows:
        remarks.append(f"**{name}** lacks {count(column['missing'], 'value')} of {rows}.")
    if column["strays"]:
        remarks.append(
            f"**{name}** has {count(column['strays'], 'value')} of another kind than {column['kind']}."
        )
    if column["distinct"] == 1 and rows > 1:
        remarks.append(f"**{name}** has the same value everywhere.")
    return remarks


def cell(text: str) -> str:
    """A user's text, short and without anything that Markdown or HTML would take as its own."""
    short = text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|#~&" else letter for letter in short)


def number(value: float) -> str:
    """A number with as many digits as one wants to read."""
    return f"{value:,.4g}" if abs(value) < 10_000 else f"{value:,.0f}"


def count(quantity: int, noun: str) -> str:
    """A quantity with its noun."""
    return f"{quantity:,} {noun}{'' if quantity == 1 else 's'}"
