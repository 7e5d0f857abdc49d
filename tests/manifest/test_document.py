"""Documents know where everything stands, and say exactly why something is no document."""

from typing import Any

import pytest

from pond_new.manifest import InvalidManifest, parse_document

JSON = b'{\n  "a": {"b/c": [1, {"~": "x"}]},\n  "d": true\n}\n'
YAML = b"a:\n  b/c:\n    - 1\n    - '~': x\nd: true\n"


@pytest.mark.parametrize(("content", "name"), [(JSON, "a.json"), (YAML, "a.yaml"), (JSON, "-"), (YAML, "-")])
def test_json_and_yaml_say_the_same(content: bytes, name: str) -> None:
    assert parse_document(content, name=name).value == {"a": {"b/c": [1, {"~": "x"}]}, "d": True}


@pytest.mark.parametrize(
    ("pointer", "place"),
    [
        ("", (1, 1)),
        ("/a", (2, 3)),
        ("/a/b~1c", (2, 9)),
        ("/a/b~1c/0", (2, 17)),
        ("/a/b~1c/1/~0", (2, 21)),
        ("/d", (3, 3)),
        ("/a/missing/deeper", (2, 3)),
        ("/missing", (1, 1)),
    ],
)
def test_a_place_in_json_is_that_of_the_key_or_the_nearest_parent(
    pointer: str, place: tuple[int, int]
) -> None:
    assert parse_document(JSON, name="a.json").position(pointer) == place


@pytest.mark.parametrize(
    ("pointer", "place"), [("/a", (1, 1)), ("/a/b~1c", (2, 3)), ("/a/b~1c/1/~0", (4, 7)), ("/d", (5, 1))]
)
def test_a_place_in_yaml_is_that_of_the_key(pointer: str, place: tuple[int, int]) -> None:
    assert parse_document(YAML, name="a.yaml").position(pointer) == place


def test_two_documents_of_one_text_share_nothing() -> None:
    first, second = (parse_document(b"a: [1]", name="a.yaml") for _ in range(2))

    first.value["a"].append(2)

    assert second.value == {"a": [1]}


def test_places_in_yaml_count_characters_and_windows_line_ends() -> None:
    document = parse_document("a: '🌊🌊'\r\nb: {c: '🌊', d: 1}\r\n".encode(), name="a.yaml")

    assert document.position("/b") == (2, 1)
    assert document.position("/b/d") == (2, 13)
    assert document.text[document.spans["/b/d"].start] == "1"


def test_columns_count_characters() -> None:
    assert parse_document('{"🌊": 1, "b": 2}'.encode(), name="a.json").position("/b") == (1, 10)


def test_keys_keep_their_order() -> None:
    assert list(parse_document(b'{"z": 1, "a": 2}', name="a.json").value) == ["z", "a"]


def test_a_byte_order_mark_is_accepted_and_remembered() -> None:
    document = parse_document(b'\xef\xbb\xbf{"a": 1}', name="a.json")

    assert document.has_mark
    assert document.position("/a") == (1, 2)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("yes", "yes"),
        ("2026-08-21", "2026-08-21"),
        ("1:30", "1:30"),
        ("1_000", "1_000"),
        ("~", None),
        ("true", True),
        ("1.0", 1.0),
        ("1e3", 1000.0),
        ("'1'", "1"),
        ("null", None),
    ],
)
def test_yaml_words_mean_what_they_mean_in_json(written: str, value: Any) -> None:
    assert parse_document(f"a: {written}\n".encode(), name="a.yml").value == {"a": value}


@pytest.mark.parametrize(
    ("content", "words", "place"),
    [
        (b"", "empty", (1, 1)),
        (b'{"a": 1,}', "comma after the last entry", (1, 8)),
        (b'{"a": 1\n, // c\n "b": 2}', "no comments", (2, 3)),
        (b'{"a": 1 /* c */}', "no comments", (1, 9)),
        (b'# c\n{"a": 1}', "no comments", (1, 1)),
        (b"{'a': 1}", "double quotes", (1, 2)),
        ("{“a”: 1}".encode(), "typographic", (1, 2)),
        (b"<html>", "web page", (1, 1)),
        (b'{"a": True}', "True is not JSON", (1, 7)),
        (b'{"a": None}', "None is not JSON", (1, 7)),
        (b"{a: 1}", "has no quotes", (1, 2)),
        (b'{"a": 1 "b": 2}', "comma is missing", (1, 9)),
        (b'{"a" 1}', "colon is missing", (1, 6)),
        (b'{"a": [1, 2', "]} is missing", (1, 12)),
        (b'{"a": "x', "never closed", (1, 7)),
        (b'{"a": "x\ny"}', "end of its line", (1, 9)),
        (b'{"a": "\\q"}', "backslash", (1, 8)),
        (b'{"a": 01}', "number", (1, 8)),
        (b'{"a": 1}{}', "after the end", (1, 9)),
        (b"[1,,2]", "comma too many", (1, 4)),
        (b'{"a": NaN}', "NaN is not JSON", (1, 7)),
        (b'{"a": -Infinity}', "-Infinity is not JSON", (1, 7)),
        (b'{"a": 1e999}', "too large", (1, 7)),
        (b'{"a": ' + b"9" * 5000 + b"}", "too large", (1, 7)),
        (b'{"a": "\\udc00"}', "half a character", (1, 7)),
        (b'{"\\ud800": 1}', "half a character", (1, 2)),
        (b'{"a": 1, "a": 2}', "second time; the first is in line 1", (1, 10)),
        (b"[" * 100_000, "64 deep", (1, 65)),
        (b"\xff\xfe{\x00}\x00", "UTF-16", (1, 1)),
        (b"{\x00}\x00", "UTF-16", (1, 1)),
        (b'{"a": "caf\xe9"}', "Windows-1252 it would be 'é'", (1, 11)),
    ],
)
def test_broken_json_is_explained_where_it_breaks(content: bytes, words: str, place: tuple[int, int]) -> None:
    with pytest.raises(InvalidManifest) as caught:
        parse_document(content, name="a.json")

    problem = caught.value.problems[0]
    assert words in problem.message
    assert (problem.line, problem.column) == place


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"a:\n\tb: 1", "not YAML"),
        (b"a: b: c", "not YAML"),
        (b"a: &x 1\nb: *x", "References"),
        (b"a: !!python/object:os.system x", "Tags"),
        (b"a: 1\n---\nb: 2", "several YAML documents"),
        (b"a: 1\na: 2", "second time"),
        (b"1: a", "is not a string"),
        (b"? [a]\n: 1", "must be a string"),
        (b"<<: {a: 1}", "Merge keys"),
        (b"a: .nan", "JSON cannot hold"),
        (b"a: 1e999", "JSON cannot hold"),
        (b"a: \x01", "character"),
        (b"[" * 100_000, "64 deep"),
        (b"{a: " * 100, "64 deep"),
    ],
)
def test_yaml_that_json_could_not_hold_is_explained(content: bytes, words: str) -> None:
    with pytest.raises(InvalidManifest, match=words):
        parse_document(content, name="a.yaml")


def test_several_faults_of_one_text_are_all_named() -> None:
    with pytest.raises(InvalidManifest) as caught:
        parse_document(b'{"a": NaN, "b": 1e999, "a": 1}', name="a.json")

    assert len(caught.value.problems) == 3


def test_too_many_bytes_are_refused_before_anything_is_read() -> None:
    with pytest.raises(InvalidManifest, match=r"more than the 262,144 bytes"):
        parse_document(b" " * 262_145, name="a.json")


def test_the_limit_is_an_argument() -> None:
    assert parse_document(b'{"a": 1}' + b" " * 300_000, name="a.json", limit=10**6).value == {"a": 1}


def test_a_given_form_wins_over_the_name() -> None:
    with pytest.raises(InvalidManifest, match="no quotes"):
        parse_document(b"a: 1", name="https://example.com/manifest", form="json")


def test_escaped_backslashes_before_u_are_no_half_characters() -> None:
    assert parse_document(b'{"a": "\\\\ud800", "b": "\\ud83c\\udf0a"}', name="a.json").value["b"] == "🌊"
