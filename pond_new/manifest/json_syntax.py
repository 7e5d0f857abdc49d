"""Why a text is not JSON, in the words of what the writer probably meant. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pond_new.manifest.place import place
from pond_new.manifest.problem import Problem, error

if TYPE_CHECKING:
    from json import JSONDecodeError

WORD = re.compile(r"[A-Za-z_$][\w$]*")
LITERALS = {"True": "true", "False": "false", "None": "null", "undefined": "null", "nil": "null"}
SIGNS = (
    (
        ("//", "/*", "#"),
        "JSON has no comments.",
        "Remove the comment, or keep the manifest as YAML, where # starts one.",
    ),
    (("<",), "This is a web page or XML, not JSON.", "Look at what answers there; it is not the manifest."),
    (("'",), "JSON strings stand in double quotes.", "Write \"…\" instead of '…'."),
    (
        ("\u201c", "\u201d", "\u201e", "\u2018", "\u2019", "\u00ab", "\u00bb"),
        "These are typographic quotes.",
        'Write straight double quotes: "…".',
    ),
)
"""What a text starts with where JSON stops, what that is, and what to do."""

CLOSERS = {"{": "}", "[": "]"}


def explain_syntax(text: str, failure: JSONDecodeError) -> Problem:
    """The one problem that stopped the JSON reader, with its place."""
    offset = failure.pos if failure.msg.startswith("Invalid control") else _first_sign(text, failure.pos)
    message, fix = _explain(text, offset, failure.msg)
    return place(error("MAN-03", "", message, fix=fix), text, min(offset, len(text)))


def _first_sign(text: str, offset: int) -> int:
    """The place a person should look at: behind blanks, and on the comma itself where it is one too many."""
    while offset < len(text) and text[offset] in " \t\r\n":
        offset += 1
    if offset < len(text) and text[offset] in "}]":
        before = text[:offset].rstrip()
        if before.endswith(","):
            return len(before) - 1
    return offset


def _explain(text: str, offset: int, reader_says: str) -> tuple[str, str]:
    rest = text[offset : offset + 200]
    return (
        _explain_emptiness(text, rest)
        or _explain_string(reader_says)
        or _explain_sign(text, offset, rest)
        or _explain_number(text, offset)
        or _explain_rest(rest, reader_says)
        or _explain_comma(reader_says)
        or (f"This is not JSON: {reader_says.lower()}.", "Compare the line with the ones around it.")
    )


def _explain_emptiness(text: str, rest: str) -> tuple[str, str] | None:
    if not text.strip():
        return "The file is empty.", "Write the manifest; `pond-new` makes one for you."
    if rest:
        return None
    missing = _unclosed(text)
    if missing:
        return (
            f"The text ends too early: {missing} is missing.",
            "Close what is open; perhaps the file was cut off.",
        )
    return "The text ends too early.", "Perhaps the file was cut off."


def _unclosed(text: str) -> str:
    closers: list[str] = []
    for sign in re.sub(r'"[^"\\]*(?:\\.[^"\\]*)*"', "", text):
        if sign in CLOSERS:
            closers.append(CLOSERS[sign])
        elif closers and sign == closers[-1]:
            closers.pop()
    return "".join(reversed(closers))


def _explain_sign(text: str, offset: int, rest: str) -> tuple[str, str] | None:
    for signs, message, fix in SIGNS:
        if rest.startswith(signs):
            return message, fix
    if rest[0] != ",":
        return None
    is_last = text[offset + 1 :].lstrip()[:1] in {"}", "]"}
    return (
        "There is a comma after the last entry." if is_last else "There is a comma too many.",
        "Remove this comma.",
    )


def _explain_number(text: str, offset: int) -> tuple[str, str] | None:
    """A sign that cannot start a number, or one that cannot go on after it."""
    goes_on = offset > 0 and text[offset - 1] in "+-.0123456789" and text[offset] in "+-.0123456789eExX_"
    if not goes_on and text[offset] not in "+.":
        return None
    return (
        "This number is not written as JSON wants it.",
        "No plus sign, no leading zero, a digit around the dot.",
    )


def _explain_rest(rest: str, reader_says: str) -> tuple[str, str] | None:
    if reader_says.startswith("Extra data"):
        return "Something stands after the end of the JSON.", "Remove it; a manifest is one object."
    word = WORD.match(rest)
    if word is None:
        return None
    if word[0] in LITERALS:
        return f"{word[0]} is not JSON.", f"Write {LITERALS[word[0]]}."
    return f"The word {word[0]} has no quotes.", f'Write "{word[0]}".'


def _explain_string(reader_says: str) -> tuple[str, str] | None:
    if reader_says.startswith("Invalid control character"):
        return "A string goes over the end of its line.", "Close the quote, or write the line break as \\n."
    if reader_says.startswith("Unterminated string"):
        return "A string that starts here is never closed.", "Add the closing double quote."
    if reader_says.startswith("Invalid \\"):
        return "This backslash means nothing in JSON.", "Write \\\\ for a backslash itself."
    return None


def _explain_comma(reader_says: str) -> tuple[str, str] | None:
    if "',' delimiter" in reader_says:
        return "A comma is missing before this.", "Put a comma after the entry before it."
    if "':' delimiter" in reader_says:
        return "A colon is missing before this.", 'Write "key": value.'
    return None
