"""The chart: how one column is distributed, as an SVG picture. Pure."""

from html import escape

from agent.measures import Column
from agent.report import number

WIDTH, HEIGHT, MARGIN = 640, 320, 48
COLOUR = "#2f6f9f"


def draw_chart(column: Column) -> str:
    """Bars for the intervals of a column with numbers, or for the most common values of any other."""
    bars = intervals(column) if "spread" in column else column["common"]
    tallest = max((count for _, count in bars), default=1)
    step = (WIDTH - 2 * MARGIN) / max(1, len(bars))
    shapes = [
        draw_bar(MARGIN + place * step, step, count / tallest, text=label, count=count)
        for place, (label, count) in enumerate(bars)
    ]
    title = escape(shorten(column["name"], 60))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
            f' font-family="sans-serif" font-size="11" text-anchor="middle">',
            f"<title>{title}</title>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
            f'<text x="{WIDTH / 2:g}" y="24" font-size="16">{title}</text>',
            *shapes,
            "</svg>",
            "",
        ]
    )


def intervals(column: Column) -> list[tuple[str, int]]:
    """Each interval of a column with numbers: where it begins, and how many lie in it."""
    spread = column["spread"]
    width = (spread["highest"] - spread["lowest"]) / len(spread["bars"])
    return [(number(spread["lowest"] + place * width), count) for place, count in enumerate(spread["bars"])]


def draw_bar(left: float, width: float, share: float, *, text: str, count: int) -> str:
    """One bar, as tall as its share of the tallest, with its label below and its count above."""
    tall = round(share * (HEIGHT - 2 * MARGIN - 24), 1)
    top, middle = HEIGHT - MARGIN - tall, left + width / 2
    return (
        f'<rect x="{left + 2:.1f}" y="{top:.1f}" width="{width - 4:.1f}" height="{tall:.1f}" fill="{COLOUR}"/>'
        f'<text x="{middle:.1f}" y="{top - 5:.1f}">{count}</text>'
        f'<text x="{middle:.1f}" y="{HEIGHT - MARGIN + 16}">{escape(shorten(text, int(width / 6)))}</text>'
    )


def shorten(text: str, length: int) -> str:
    """A text that fits into so many letters."""
    return text if len(text) <= length else text[: max(1, length - 1)] + "…"
