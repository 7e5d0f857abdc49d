"""A write is all or nothing: stopped at any step, it is undone or finished, and nothing is lost."""

from __future__ import annotations

import stat
import sys
from pathlib import Path, PurePosixPath

import pytest

from pond_new.project.compare import Change, FileChange
from pond_new.project.disk import Disk, SymlinkInTheWay, list_files
from pond_new.project.lock import Lock
from pond_new.project.plan import Owner
from pond_new.project.write import (
    NotFinished,
    NotWritable,
    finish_interrupted,
    is_interrupted,
    write_changes,
)
from tests.project.disks import Failing, Killed

LOCK = Lock("0.1.0", hashes={PurePosixPath("a.txt"): "1"})
POSIX_ONLY = pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")


class CaseBlind(Disk):
    """A disk that ignores case, as on Windows and macOS: a name finds the entry that is there."""

    def at(self, path: PurePosixPath) -> Path:
        place = self.root
        for part in path.parts:
            entries = (
                {entry.name.casefold(): entry.name for entry in place.iterdir()} if place.is_dir() else {}
            )
            place /= entries.get(part.casefold(), part)
        return place

    def rename(self, old: PurePosixPath, new: PurePosixPath) -> None:
        self.at(old).replace(self.at(old).with_name(new.name))


def make(root: Path) -> dict[str, bytes]:
    files = {"a.txt": b"old\n", "gone.txt": b"bye\n", "deep/moved.txt": b"mine\n", "edited.txt": b"my edit\n"}
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    return files


def change(path: str, kind: Change, content: bytes | None, before: bytes | None = None) -> FileChange:
    return FileChange(PurePosixPath(path), Owner.SHARED, kind, "", content, before)


CHANGES = (
    change("a.txt", Change.UPDATE, b"new\n", b"old\n"),
    change("folder/new.txt", Change.CREATE, b"fresh\n"),
    change("gone.txt", Change.DELETE, None, b"bye\n"),
    FileChange(
        PurePosixPath("other/moved.txt"), Owner.YOURS, Change.MOVE, "", b"mine\n", b"mine\n",
        source=PurePosixPath("deep/moved.txt"),
    ),
    FileChange(
        PurePosixPath("edited.txt"), Owner.GENERATED, Change.UPDATE, "", b"ours\n", b"my edit\n",
        keeps_backup=True,
    ),
)  # fmt: skip


def contents(root: Path) -> dict[str, bytes]:
    return {str(path): (root / path).read_bytes() for path in list_files(root)}


AFTER = {
    "a.txt": b"new\n",
    "folder/new.txt": b"fresh\n",
    "other/moved.txt": b"mine\n",
    "edited.txt": b"ours\n",
    ".pond/backup/edited.txt": b"my edit\n",
    ".pond/lock.json": LOCK.dump().encode(),
}


def count_effects(root: Path) -> int:
    make(root)
    disk = Failing(root, 0, Killed())
    write_changes(root, CHANGES, LOCK, disk=disk)
    return disk.effects


def test_everything_planned_is_done_and_nothing_else_is_left(tmp_path: Path) -> None:
    make(tmp_path)

    write_changes(tmp_path, CHANGES, LOCK)

    assert contents(tmp_path) == AFTER
    assert not list(tmp_path.rglob("*.pond-new"))
    assert not (tmp_path / "deep").exists()


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
def test_killed_at_any_step_the_next_run_finishes(tmp_path: Path, late: bool) -> None:
    steps = count_effects(tmp_path / "count")

    for step in range(1, steps + 1):
        root = tmp_path / f"{step}"
        make(root)
        with pytest.raises(Killed):
            write_changes(root, CHANGES, LOCK, disk=Failing(root, step, Killed(), late=late))

        write_changes(root, CHANGES, LOCK)

        assert contents(root) == AFTER, step
        assert not is_interrupted(root), step
        assert not list(root.rglob("*.pond-new")), step


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
def test_killed_at_any_step_finishing_alone_leaves_all_or_nothing(tmp_path: Path, late: bool) -> None:
    steps = count_effects(tmp_path / "count")

    for step in range(1, steps + 1):
        root = tmp_path / f"{step}"
        before = make(root)
        with pytest.raises(Killed):
            write_changes(root, CHANGES, LOCK, disk=Failing(root, step, Killed(), late=late))

        finish_interrupted(root)

        assert contents(root) in (before, AFTER), step


def attempt(root: Path, disk: Disk) -> type[Exception]:
    try:
        write_changes(root, CHANGES, LOCK, disk=disk)
    except (NotWritable, NotFinished) as refused:
        return type(refused)
    raise AssertionError("the disk did not fail")


def test_a_full_disk_changes_nothing_or_leaves_work_that_can_be_finished(tmp_path: Path) -> None:
    steps = count_effects(tmp_path / "count")
    outcomes: set[type[Exception]] = set()

    for step in range(1, steps + 1):
        root = tmp_path / f"{step}"
        before = make(root)
        outcome = attempt(root, Failing(root, step, OSError(28, "No space left on device", "a.txt")))
        outcomes.add(outcome)
        is_undone = outcome is NotWritable
        assert is_interrupted(root) is not is_undone, step
        finish_interrupted(root)
        assert contents(root) == (before if is_undone else AFTER), step

    assert outcomes == {NotWritable, NotFinished}


def test_what_was_edited_after_a_kill_is_kept_as_a_backup(tmp_path: Path) -> None:
    make(tmp_path)
    with pytest.raises(Killed):
        write_changes(tmp_path, CHANGES, LOCK, disk=Failing(tmp_path, 11, Killed()))
    assert is_interrupted(tmp_path)
    (tmp_path / "edited.txt").write_bytes(b"edited meanwhile\n")
    (tmp_path / "gone.txt").write_bytes(b"needed after all\n")

    finish_interrupted(tmp_path)

    kept = {content for name, content in contents(tmp_path).items() if name.startswith(".pond/backup/")}
    assert kept == {b"my edit\n", b"edited meanwhile\n"}
    assert (tmp_path / "gone.txt").read_bytes() == b"needed after all\n"


def test_what_was_edited_while_the_plan_was_made_is_kept_as_a_backup_and_not_deleted(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "a.txt").write_bytes(b"just saved\n")
    (tmp_path / "gone.txt").write_bytes(b"just saved too\n")

    write_changes(tmp_path, CHANGES, LOCK)

    assert (tmp_path / "a.txt").read_bytes() == b"new\n"
    assert (tmp_path / ".pond/backup/a.txt").read_bytes() == b"just saved\n"
    assert (tmp_path / "gone.txt").read_bytes() == b"just saved too\n"


def test_a_second_backup_does_not_overwrite_the_first(tmp_path: Path) -> None:
    for number in range(3):
        content = f"edit {number}\n".encode()
        (tmp_path / "edited.txt").write_bytes(content)
        update = FileChange(
            PurePosixPath("edited.txt"),
            Owner.GENERATED,
            Change.UPDATE,
            "",
            b"ours\n",
            content,
            keeps_backup=True,
        )
        write_changes(tmp_path, [update], LOCK)

    backups = {path.read_bytes() for path in (tmp_path / ".pond/backup").iterdir()}
    assert backups == {b"edit 0\n", b"edit 1\n", b"edit 2\n"}


def test_nothing_is_touched_when_there_is_nothing_to_do(tmp_path: Path) -> None:
    make(tmp_path)
    write_changes(tmp_path, CHANGES, LOCK)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}

    write_changes(tmp_path, [], LOCK)

    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@POSIX_ONLY
def test_an_executable_file_stays_executable(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "a.txt").chmod(0o755)

    write_changes(tmp_path, CHANGES, LOCK)

    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o755


def test_a_read_only_file_is_written_and_stays_read_only(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "a.txt").chmod(stat.S_IREAD)

    write_changes(tmp_path, CHANGES, LOCK)

    assert (tmp_path / "a.txt").read_bytes() == b"new\n"
    assert not (tmp_path / "a.txt").stat().st_mode & stat.S_IWUSR


@POSIX_ONLY
def test_nothing_is_written_through_a_symbolic_link(tmp_path: Path) -> None:
    root, outside = tmp_path / "agent", tmp_path / "outside"
    make(root)
    outside.mkdir()
    (root / "folder").symlink_to(outside)

    with pytest.raises(SymlinkInTheWay, match="folder is a symbolic link"):
        write_changes(root, CHANGES, LOCK)

    assert not list(outside.iterdir())
    finish_interrupted(root)
    assert (root / "a.txt").read_bytes() == b"old\n"


def test_a_file_that_changes_only_the_case_of_its_name_survives_on_a_disk_that_ignores_case(
    tmp_path: Path,
) -> None:
    (tmp_path / "README.md").write_bytes(b"mine\n")
    move = FileChange(
        PurePosixPath("Readme.md"), Owner.YOURS, Change.MOVE, "", b"mine\n", b"mine\n",
        source=PurePosixPath("README.md"),
    )  # fmt: skip

    write_changes(tmp_path, [move], LOCK, disk=CaseBlind(tmp_path))

    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["Readme.md"]
    assert (tmp_path / "Readme.md").read_bytes() == b"mine\n"


def test_a_file_that_changes_only_the_case_of_its_name_moves_on_any_other_disk(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_bytes(b"mine\n")
    gone = change("README.md", Change.DELETE, None, b"mine\n")
    fresh = change("Readme.md", Change.CREATE, b"new\n")

    write_changes(tmp_path, [gone, fresh], LOCK)

    assert contents(tmp_path) == {"Readme.md": b"new\n", ".pond/lock.json": LOCK.dump().encode()}
