"""`pond-new validate` as a command: what it writes with --fix, and what changed since a release."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pond_new.commands.sources import Outside
from pond_new.commands.validate import ValidateOptions, validate
from pond_new.errors import PondError, WrongUsage
from pond_new.manifest.promises import promises_digest
from pond_new.project.lock import Lock
from pond_new.project.origin import Origin
from tests.manifest.validating import GOOD, write


def test_fix_shows_the_difference_and_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(
        tmp_path / "manifest.json", GOOD.replace('"protocol_version": "1.0"', '"protocol_version": 1.0')
    )

    assert validate([path], ValidateOptions(fix=True)) == 0
    printed = capsys.readouterr().out
    assert '-  "protocol_version": 1.0,' in printed
    assert '+  "protocol_version": "1.0",' in printed
    assert Path(path).read_text(encoding="utf-8") == GOOD


def test_fix_leaves_a_file_without_certain_corrections_alone(tmp_path: Path) -> None:
    text = GOOD.replace('"max_run_seconds": 60', '"max_run_seconds": 0')
    path = write(tmp_path / "manifest.json", text)

    assert validate([path], ValidateOptions(fix=True)) == 1
    assert Path(path).read_text(encoding="utf-8") == text


@pytest.mark.skipif(sys.platform == "win32", reason="making a link needs a privilege there")
def test_fix_writes_through_a_link(tmp_path: Path) -> None:
    real = tmp_path / "real.json"
    write(real, GOOD.replace('"protocol_version": "1.0"', '"protocol_version": 1.0'))
    link = tmp_path / "manifest.json"
    link.symlink_to(real)

    validate([str(link)], ValidateOptions(fix=True))

    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == GOOD


def test_fix_takes_the_byte_order_mark_away(tmp_path: Path) -> None:
    path = write(tmp_path / "manifest.json", "\ufeff" + GOOD)

    validate([path], ValidateOptions(fix=True))

    assert Path(path).read_bytes() == GOOD.encode()


def test_fix_takes_trailing_commas_away(tmp_path: Path) -> None:
    text = GOOD.replace('"max_run_seconds": 60', '"max_run_seconds": 60,').replace(
        "Word Desk", "Word, } ,] Desk"
    )
    path = write(tmp_path / "manifest.json", text)

    assert validate([path], ValidateOptions(fix=True)) == 0
    assert Path(path).read_text(encoding="utf-8") == text.replace("60,", "60")


def test_fix_leaves_a_file_that_cannot_be_read_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "manifest.json", '{"a": }')

    assert validate([path], ValidateOptions(fix=True)) == 1
    assert Path(path).read_text(encoding="utf-8") == '{"a": }'


def test_fix_needs_a_file() -> None:
    with pytest.raises(WrongUsage):
        validate(["-"], ValidateOptions(fix=True), outside=Outside(read_input=lambda _: GOOD.encode()))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository with a committed manifest in a subdirectory."""
    folder = tmp_path / "agent"
    folder.mkdir()
    write(folder / "manifest.json", GOOD)
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q"], ["add", "."], [*identity, "commit", "-q", "-m", "First"], ["tag", "v1"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True, capture_output=True)
    return folder


def test_a_changed_contract_needs_a_new_version(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(repository / "manifest.json", GOOD.replace('"max_run_seconds": 60', '"max_run_seconds": 90'))

    assert validate([path], ValidateOptions(changed_since="v1")) == 1
    assert "agent_version is the same as at v1, but this changed: limits." in capsys.readouterr().out


def test_a_changed_contract_with_a_new_version_is_fine(repository: Path) -> None:
    text = GOOD.replace('"max_run_seconds": 60', '"max_run_seconds": 90').replace('"1.0.0"', '"1.1.0"')
    path = write(repository / "manifest.json", text)

    assert validate([path], ValidateOptions(changed_since="v1", is_strict=True)) == 0


def test_a_new_name_and_another_order_of_keys_need_no_new_version(repository: Path) -> None:
    value = json.loads(GOOD)
    value["metadata"]["name"] = "Other name"
    value["actions"][0]["name"] = "Shorten"
    path = write(repository / "manifest.json", json.dumps(dict(reversed(value.items()))))

    assert validate([path], ValidateOptions(changed_since="v1", is_strict=True)) == 0


def test_a_renamed_action_is_pointed_out(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GOOD.replace('"summarize_text"', '"summarise_texts"').replace('"1.0.0"', '"1.1.0"')

    validate([write(repository / "manifest.json", text)], ValidateOptions(changed_since="v1"))

    told = "Action summarize_text, there at v1, seems to be called summarise_texts now"
    assert told in capsys.readouterr().out


def test_a_manifest_that_was_not_there_before_has_nothing_to_compare(repository: Path) -> None:
    assert validate([write(repository / "new.json", GOOD)], ValidateOptions(changed_since="v1")) == 0


@pytest.mark.parametrize("reference", ["v9", "--output=x"])
def test_an_unknown_reference_is_wrong_usage(repository: Path, reference: str) -> None:
    with pytest.raises(WrongUsage, match="git knows no"):
        validate([str(repository / "manifest.json")], ValidateOptions(changed_since=reference))


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    """A directory whose lock remembers the example."""
    origin = Origin(
        template="",
        manifest="",
        agent_version="1.0.0",
        promises=promises_digest(json.loads(GOOD)),
        settings={},
        parts={},
        actions={},
    )
    (tmp_path / ".pond").mkdir()
    write(tmp_path / ".pond" / "lock.json", Lock("0.1.0", origin=origin).dump())
    return tmp_path / "manifest.json"


def test_the_lock_remembers_the_contract(locked: Path) -> None:
    assert validate([write(locked, GOOD)], ValidateOptions(changed_since="lock", is_strict=True)) == 0


def test_a_contract_that_the_lock_does_not_know_needs_a_new_version(
    locked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(locked, GOOD.replace('"max_run_seconds": 60', '"max_run_seconds": 90'))

    assert validate([path], ValidateOptions(changed_since="lock")) == 1
    assert "agent_version is the same as in the lock" in capsys.readouterr().out


def test_a_new_version_may_change_what_the_lock_remembers(locked: Path) -> None:
    text = GOOD.replace('"max_run_seconds": 60', '"max_run_seconds": 90').replace('"1.0.0"', '"1.1.0"')

    assert validate([write(locked, text)], ValidateOptions(changed_since="lock", is_strict=True)) == 0


def test_the_lock_needs_a_generated_repository(tmp_path: Path) -> None:
    with pytest.raises(PondError, match="only a generated repository has one"):
        validate([write(tmp_path / "manifest.json", GOOD)], ValidateOptions(changed_since="lock"))


def test_standard_input_has_no_history() -> None:
    with pytest.raises(WrongUsage, match="no history"):
        validate(
            ["-"], ValidateOptions(changed_since="v1"), outside=Outside(read_input=lambda _: GOOD.encode())
        )
