"""What pond-new remembers of its last write."""

import json
from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from pond_new.project.digests import digest
from pond_new.project.lock import DamagedLock, Lock, MadeByNewerVersion, next_lock, parse_lock
from pond_new.project.origin import ActionOrigin, Origin

ORIGIN = Origin(
    template="t",
    manifest="m",
    agent_version="1",
    promises="p",
    settings={"python": "3.13", "standards": ["pond"]},
    parts={"limits": "l"},
    actions={"b": ActionOrigin("s", "w", {"text": "string"}), "a": ActionOrigin("s", "w", {})},
)
LOCK = Lock(
    "0.1.0",
    hashes={PurePosixPath("agent/app.py"): "1", PurePosixPath("Dockerfile"): "2"},
    bases={PurePosixPath("Dockerfile"): "FROM python\n\nno line end"},
    orphans={PurePosixPath("agent/handlers/old.py"): "3"},
    origin=ORIGIN,
)


def test_a_lock_is_read_back_as_it_was() -> None:
    assert parse_lock(LOCK.dump().encode()) == LOCK


def test_a_lock_without_an_origin_is_read_back_too() -> None:
    lock = replace(LOCK, origin=None)

    assert parse_lock(lock.dump().encode()) == lock


def test_a_checkout_with_other_line_ends_is_the_same_lock() -> None:
    assert parse_lock(LOCK.dump().replace("\n", "\r\n").encode()) == LOCK


def test_a_base_stands_in_the_lock_line_by_line_so_that_a_diff_of_it_can_be_read() -> None:
    document = json.loads(LOCK.dump())

    assert document["bases"]["Dockerfile"] == ["FROM python", "", "no line end"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> b\n",
        LOCK.dump()[:-20],
        LOCK.dump().replace('"format": 1', '"format": "x"'),
        LOCK.dump().replace("agent/app.py", "../app.py"),
        LOCK.dump().replace("agent/app.py", "/etc/passwd"),
        LOCK.dump().replace("agent/app.py", "C:/windows"),
    ],
)
def test_a_damaged_or_dangerous_lock_is_told_apart_from_a_good_one(text: str) -> None:
    with pytest.raises(DamagedLock):
        parse_lock(text.encode())


def test_a_lock_of_a_later_format_is_refused_with_the_command_that_updates() -> None:
    text = LOCK.dump().replace('"format": 1', '"format": 2').replace("0.1.0", "9.0.0")

    with pytest.raises(MadeByNewerVersion, match=r"9\.0\.0.*pip install --upgrade pond-new"):
        parse_lock(text.encode())


def test_a_file_of_yours_keeps_the_hash_of_what_was_first_written() -> None:
    path = PurePosixPath("agent/handlers/a.py")
    first = next_lock({path: "stub"}, None, version="1", origin=ORIGIN)

    second = next_lock({path: "another stub"}, first, version="1", origin=ORIGIN)

    assert second.hashes == {path: digest("stub")}


def test_the_contract_is_not_remembered_as_a_file() -> None:
    lock = next_lock({PurePosixPath("manifest.json"): "{}"}, None, version="1", origin=ORIGIN)

    assert not lock.hashes


def test_what_an_agent_version_stands_for_stays_until_the_version_changes() -> None:
    first = next_lock({}, None, version="1", origin=ORIGIN)

    second = next_lock({}, first, version="1", origin=replace(ORIGIN, promises="other"))
    third = next_lock({}, second, version="1", origin=replace(ORIGIN, promises="other", agent_version="2"))

    assert second.origin is not None
    assert second.origin.promises == "p"
    assert third.origin is not None
    assert third.origin.promises == "other"


def test_a_lock_of_another_version_that_remembers_the_same_says_the_same() -> None:
    other = replace(LOCK, version="0.1.1", origin=replace(ORIGIN, template="t2", manifest="m2"))

    assert LOCK.says_the_same(other)


def test_a_lock_with_another_hash_says_something_else() -> None:
    other = replace(LOCK, hashes={})

    assert not LOCK.says_the_same(other)
