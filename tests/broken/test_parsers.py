"""What strangers wrote is read by a generated agent, or refused in its own words, whatever it is."""

from __future__ import annotations

import gzip
import importlib
import ipaddress
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.broken.profile import effort
from tests.broken.requests import header_values, right_headers
from tests.conftest import ROOT
from tests.server.agents import KEY

Pond = Callable[[str], Any]

ODD_URLS = (
    "https://",
    "https://a:0",
    "https://a:99999",
    "https://[",
    "https://a@b/",
    "HTTPS://A",
    "https://a\\b",
)
url_text = st.sampled_from(ODD_URLS) | st.text(max_size=30) | st.text("htps:/[]@.%0aé\n ?#\\", max_size=30)


@pytest.fixture
def pond(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pond]:
    """Import a module of `agent.pond` from the template, where it lies as plain Python."""
    monkeypatch.syspath_prepend(str(ROOT / "template"))
    yield lambda name: importlib.import_module(f"agent.pond.{name}")
    for name in [name for name in sys.modules if name.partition(".")[0] == "agent"]:
        del sys.modules[name]


def decoded(decoding: Any, pieces: list[bytes]) -> bytes | None:
    """What pieces of gzip stand for, none of it larger than promised; None where they are refused."""
    decoder = decoding.Gunzip()
    made = []
    try:
        for piece in pieces:
            for chunk in decoder.decode(piece):
                assert 0 < len(chunk) <= decoding.PIECE
                made.append(chunk)
        decoder.end()
    except decoding.CorruptStream:
        return None
    return b"".join(made)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    """The data in pieces, some of them empty."""
    stops = sorted(place % (len(data) + 1) for place in places)
    return [data[start:stop] for start, stop in zip([0, *stops], [*stops, len(data)], strict=True)]


places = st.lists(st.integers(0, 10**6), max_size=6)


@effort()
@given(
    st.lists(st.tuples(st.binary(max_size=40), st.sampled_from([1, 2, 5000])), min_size=1, max_size=3), places
)
def test_gzip_of_any_members_in_any_pieces_is_decoded(
    pond: Pond, members: list[tuple[bytes, int]], places: list[int]
) -> None:
    contents = [content * times for content, times in members]
    data = b"".join(gzip.compress(content) for content in contents)

    assert decoded(pond("decoding"), cut(data, places)) == b"".join(contents)


@effort()
@given(st.binary(max_size=60), st.binary(max_size=60), st.integers(0, 10**6), places)
def test_damaged_gzip_is_refused_or_what_the_standard_library_reads(
    pond: Pond, content: bytes, noise: bytes, place: int, places: list[int]
) -> None:
    whole = gzip.compress(content)
    place %= len(whole) + 1
    data = whole[:place] + noise

    made = decoded(pond("decoding"), cut(data, places))

    assert made is None or made == (gzip.decompress(data) if data else b"")


@effort()
@given(
    header_values.map(lambda value: value.decode("latin-1"))
    | st.builds("bytes={}-{}".format, st.integers(-1, 40) | st.just(""), st.integers(-1, 40) | st.just("")),
    st.integers(0, 30),
)
@example("bytes=-", 10)
@example("bytes=-0", 10)
@example("bytes=0-", 0)
def test_a_range_lies_within_the_file_or_is_refused(pond: Pond, header: str, size: int) -> None:
    ranges = pond("byte_ranges")
    try:
        wanted = ranges.parse_range(header, size)
    except ranges.RangeNotSatisfiable:
        return

    assert wanted is None or (wanted and wanted[0] >= 0 and wanted[-1] < size)


@effort()
@given(st.ip_addresses().map(str) | st.text("0123456789abcdef:.%", max_size=40) | st.text(max_size=20))
def test_no_address_is_public_that_the_standard_library_calls_private(pond: Pond, address: str) -> None:
    if pond("addresses").is_public(address):
        parsed = ipaddress.ip_address(address)

        assert parsed.is_global
        assert not any((parsed.is_private, parsed.is_loopback, parsed.is_link_local, parsed.is_multicast))


@effort()
@given(st.ip_addresses(v=4))
def test_no_private_address_is_public_in_the_disguise_of_ipv6(
    pond: Pond, address: ipaddress.IPv4Address
) -> None:
    number = int(address)
    disguises = [0xFFFF << 32 | number, number, 0x64FF9B << 96 | number, 0x2002 << 112 | number << 80]

    assert not any(pond("addresses").is_public(str(ipaddress.IPv6Address(each))) for each in disguises)


@effort()
@given(url_text)
def test_an_address_of_a_file_is_plain_https_or_refused(pond: Pond, url: str) -> None:
    download = pond("download")
    try:
        place = download.parse_url(url)
    except download.NotFetched:
        return

    assert url.lower().startswith("https://")
    assert place.host
    assert place.port in range(1, 65536)
    assert place.target.startswith("/")
    assert place.target.isprintable()


@effort()
@given(st.lists(st.tuples(st.sampled_from(list(right_headers())), header_values), max_size=4))
def test_nobody_passes_without_the_key_whatever_the_headers(
    pond: Pond, headers: list[tuple[bytes, bytes]]
) -> None:
    access, errors = pond("access"), pond("errors")

    with pytest.raises(errors.Unauthorized):
        access.Access(KEY).check(headers)
