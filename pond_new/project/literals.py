"""Text from a manifest, made harmless for the file that it goes into. Pure.

Whatever the text holds (quotes, `{{ }}`, newlines, emoji, escapes of a terminal), the file that receives
it still parses and nothing of it is executed.
"""

from __future__ import annotations

import re
import textwrap

DOCSTRING_WIDTH = 96
MARKDOWN_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")


def python_text(text: str) -> str:
    """A Python string literal on one line, quoted as a formatter would quote it."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    return quote + "".join(_python_character(letter, quote) for letter in text) + quote


def one_line(text: str) -> str:
    """The text on one line: white space runs become one space, unprintable characters vanish."""
    words = " ".join(text.split())
    return "".join(letter for letter in words if letter.isprintable())


def docstring(text: str, *, indent: int = 0) -> str:
    """A triple-quoted docstring: wrapped, its first line unindented, the others by `indent` spaces."""
    # A quote before another one, or before the closing ones, could end the string too early.
    safe = re.sub(r'"(?="|$)', r'\\"', one_line(text).replace("\\", "\\\\")) or "Not described."
    lines = textwrap.wrap(safe, DOCSTRING_WIDTH - indent, break_long_words=False, break_on_hyphens=False)
    margin = "\n" + " " * indent
    closing = margin if len(lines) > 1 else ""
    return '"""' + margin.join(lines) + closing + '"""'


def markdown(text: str) -> str:
    """The text as one paragraph of Markdown that shows exactly these characters."""
    return MARKDOWN_SPECIAL.sub(r"\\\1", one_line(text))


def toml_text(text: str) -> str:
    """A TOML basic string on one line."""
    return '"' + one_line(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _python_character(letter: str, quote: str) -> str:
    if letter in {quote, "\\"}:
        return "\\" + letter
    if letter.isprintable():
        return letter
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(letter) or _escape(ord(letter))


def _escape(code: int) -> str:
    if code < 0x100:  # noqa: PLR2004 -- one byte, four hex digits, eight hex digits
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004
