"""Line ends and byte order marks are form, not content."""

import pytest

from pond_new.project.digests import digest
from pond_new.project.shape import like, plain, plain_text


@pytest.mark.parametrize(
    "content", [b"a\nb\n", b"a\r\nb\r\n", b"\xef\xbb\xbfa\nb\n", b"\xef\xbb\xbfa\r\nb\r\n"]
)
def test_the_same_text_in_any_form_has_the_same_digest(content: bytes) -> None:
    assert digest(content) == digest("a\nb\n")


@pytest.mark.parametrize("current", [b"x\r\ny\r\n", b"\xef\xbb\xbfx\ny\n", b"x\ny\n", b""])
def test_new_content_takes_the_form_that_the_file_has(current: bytes) -> None:
    content = like(current, "a\nb\n")

    assert plain(content) == b"a\nb\n"
    assert (b"\r\n" in content) == (b"\r\n" in current)
    assert content.startswith(b"\xef\xbb\xbf") == current.startswith(b"\xef\xbb\xbf")


def test_a_single_stray_line_end_does_not_change_a_whole_file() -> None:
    assert like(b"a\nb\r\nc\nd\n", "a\nb\n") == b"a\nb\n"


def test_bytes_that_are_no_text_survive_the_way_through_a_merge() -> None:
    content = b"caf\xe9\n"

    assert like(content, plain_text(content)) == content
