"""What the examples cannot say: files as people really have them, and a user's text that would like to be code."""

import pytest

from agent.chart import draw_chart
from agent.measures import measure, to_number
from agent.report import write_report
from agent.table import NoTable, Table, parse_table
from tests.generated.client import Pond, examples, result_of


@pytest.mark.parametrize(
    "content",
    [
        "a,b\n1,é\n".encode(),
        "a;b\r\n1;é\r\n".encode("utf-8-sig"),
        "a\tb\n1\té\n".encode("utf-16"),
        "a|b\n\n1|é\n".encode("cp1252"),
        b'a,b\n"1","\xc3\xa9"\n',
    ],
    ids=["plain", "german-spreadsheet", "utf-16", "older-spreadsheet", "quoted"],
)
def test_a_table_is_read_however_it_was_written(content: bytes) -> None:
    assert parse_table(content) == Table(("a", "b"), [["1", "é"]])


def test_ragged_rows_and_nameless_columns_are_made_even() -> None:
    assert parse_table(b"a,\n1\n1,2,3\n") == Table(("a", "Column 2"), [["1", ""], ["1", "2"]])


@pytest.mark.parametrize("content", [b"", b"\n\n", b",,\n"])
def test_what_has_no_names_is_no_table(content: bytes) -> None:
    with pytest.raises(NoTable, match="names of the columns"):
        parse_table(content)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("-1.5", -1.5),
        ("1,5", 1.5),
        ("1,234.5", 1234.5),
        ("1e3", 1000),
        ("nan", None),
        ("", None),
        ("x", None),
    ],
)
def test_numbers_are_what_people_write_as_numbers(text: str, number: float | None) -> None:
    assert to_number(text) == number


def test_a_column_is_numbers_although_a_few_values_are_not() -> None:
    rows = [[str(number)] for number in range(20)] + [["none"], ["1000"], [""]]

    [column] = measure(Table(("units",), rows))["columns"]

    assert (column["kind"], column["missing"], column["strays"]) == ("numbers", 1, 1)
    assert (column["spread"]["outliers"], sum(column["spread"]["bars"])) == (1, 21)


def test_a_table_without_rows_is_described_too() -> None:
    profile = measure(parse_table(b"a,b\n"))

    assert "0 rows, 2 columns" in write_report(profile, 3)
    assert draw_chart(profile["columns"][0]).endswith("</svg>\n")


def test_a_users_text_stays_text() -> None:
    profile = measure(Table(("<b>|`x`",), [["</svg><script>"], ["[a](b)\\"]]))

    assert "\\<b\\>\\|\\`x\\`" in write_report(profile, 3)
    assert "<script>" not in draw_chart(profile["columns"][0])


def test_every_thousand_rows_that_were_begun_are_counted_once(pond: Pond) -> None:
    request = next(example for example in examples() if example.name.endswith("/sales")).request()

    first, again = pond.run(request), pond.run(request)

    assert result_of(first)["usage"] == {"unit_of_measurement": "other", "quantity": 1}
    assert result_of(again) == result_of(first)
