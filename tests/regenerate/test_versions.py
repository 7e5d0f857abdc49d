"""The next agent_version has the style of the one before."""

from datetime import date

import pytest

from pond_new.manifest.versions import next_version

TODAY = date(2026, 11, 30)
CASES = {
    "1": "2",
    "1.4.2": "1.4.3",
    "1.9": "1.10",
    "v7": "v8",
    "007": "008",
    "1.0.0-beta.2": "1.0.0-beta.3",
    "2.0.0-rc": "2.0.1-rc",
    "beta": "beta-2",
    "beta-2": "beta-3",
    "2026.08.21": "2026.11.30",
    "2026-08-21": "2026-11-30",
    "20260821": "20261130",
    "2026.8.2": "2026.11.30",
    "2026.11.30": "2026.11.30.2",
    "2026-11-30": "2026-11-30-2",
    "2026.11.30.2": "2026.11.30.3",
    "2026-11-30-9": "2026-11-30-10",
    "20261130": "20261130-2",
    "2027.01.01": "2027.01.01.2",
    "2026.21.3": "2026.21.4",
    "2026.08.21-rc1": "2026.11.30",
    "2026.11.30-rc1": "2026.11.30-rc2",
}


@pytest.mark.parametrize(("version", "expected"), CASES.items())
def test_the_next_version_keeps_the_style(version: str, expected: str) -> None:
    assert next_version(version, TODAY) == expected


@pytest.mark.parametrize("version", CASES)
def test_the_next_version_is_always_another_one(version: str) -> None:
    later = next_version(version, TODAY)

    assert next_version(later, TODAY) not in {version, later}
