"""profile_table: a CSV file comes in, a report and a chart come out."""

import asyncio
import math

from agent.actions import ProfileTable
from agent.chart import draw_chart
from agent.measures import Column, Profile, measure
from agent.pond import Failure, Run
from agent.report import count, write_report
from agent.table import NoTable, parse_table

COMMON_VALUES = 3


async def handle(parameters: ProfileTable, run: Run) -> str:
    """Measure the table once, even across a crash; then write down what was found."""
    if len(run.files) != 1:
        raise Failure("invalid_input", "Upload exactly one CSV file.", field="messages.0.parts")
    run.progress(10, "Reading the table")
    profile = await run.step("measure", measure_upload, run)
    column = choose_column(profile, parameters.get("column"))
    run.usage(math.ceil(profile["rows"] / 1000))

    run.progress(70, "Writing the report")
    common_values = parameters.get("common_values", COMMON_VALUES)
    report = await run.step("report", write_report, profile, common_values)
    run.artifact("report.md", report.encode(), "text/markdown")

    run.progress(90, "Drawing the chart")
    chart = await run.step("chart", draw_chart, column)
    run.artifact("chart.svg", chart.encode(), "image/svg+xml")
    size = f"{count(profile['rows'], 'row')} and {count(len(profile['columns']), 'column')}"
    return f"The table has {size}. The report describes each column, the chart shows {column['name']}."


async def measure_upload(run: Run) -> Profile:
    """Fetch the file and measure it, in a thread: other runs go on meanwhile."""
    content = await run.files[0].read()
    run.progress(40, "Measuring the columns")
    try:
        return await asyncio.to_thread(lambda: measure(parse_table(content)))
    except NoTable as reason:
        raise Failure("invalid_input", str(reason), field="messages.0.parts") from None


def choose_column(profile: Profile, name: str | None) -> Column:
    """The column to draw: the named one, else the first with numbers, else the first."""
    columns = {column["name"].lower(): column for column in profile["columns"]}
    if name is None:
        return next((column for column in columns.values() if "spread" in column), profile["columns"][0])
    if name.strip().lower() not in columns:
        raise Failure("invalid_input", "The table has no such column.", field="parameters.column")
    return columns[name.strip().lower()]
