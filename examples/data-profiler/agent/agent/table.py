"""CSV bytes -> a table of texts, as tolerant as people's files need it. Pure."""

import codecs
import csv
from dataclasses import dataclass
from io import StringIO

DELIMITERS = ",;\t|"


class NoTable(Exception):
    """The bytes are no table; the text says why, in words for the user."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of equal length under the names of their columns; what is missing is empty."""

    columns: tuple[str, ...]
    rows: list[list[str]]


def parse_table(content: bytes) -> Table:
    """The table in a CSV file with a line of names. Raises `NoTable`."""
    text = decode(content)
    first_line = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first_line.count)
    try:
        names, *rows = (row for row in csv.reader(StringIO(text), delimiter=delimiter) if any(row))
    except ValueError:
        raise NoTable("The file has no line with the names of the columns.") from None
    except csv.Error:
        raise NoTable("The file cannot be read as CSV.") from None
    columns = tuple(clean(name) or f"Column {number}" for number, name in enumerate(names, start=1))
    return Table(columns, [fit(row, len(columns)) for row in rows])


def decode(content: bytes) -> str:
    """The text of a file: UTF-8, UTF-16 with its mark, or what older spreadsheets write."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def fit(row: list[str], length: int) -> list[str]:
    """The row, cut or filled up to a length."""
    return [clean(value) for value in row[:length]] + [""] * (length - len(row))


def clean(value: str) -> str:
    """The value on one line, without control characters and the white space around it."""
    if not value.isprintable():
        value = " ".join("".join(letter if letter.isprintable() else " " for letter in value).split())
    return value.strip()
