"""Files that change their place take their edits along."""

from itertools import pairwise
from pathlib import PurePosixPath

from pond_new.project.compare import Change, FileChange, State, compare
from pond_new.project.digests import digest
from pond_new.project.lock import Lock
from pond_new.project.migrations import Migration, is_newer, plan_migrations
from pond_new.project.moves import Move, arrive, relocate

OLD, NEW = PurePosixPath("compose.yml"), PurePosixPath("compose.yaml")
BASE = "a\nb\nc\nd\ne\n"


def moved(
    content: bytes | None,
    rendered: str,
    *,
    old: PurePosixPath = OLD,
    new: PurePosixPath = NEW,
    **there: bytes,
) -> list[FileChange]:
    lock = Lock("0.1.0", {old: digest(BASE)}, {old: BASE})
    current = {old: content, new: there.get("there")}
    relocated = relocate(State(current, lock), [Move(old, new)], {new: rendered})
    changes = arrive(compare({new: rendered}, relocated.state), relocated)
    return [change for change in changes if change.change is not Change.SAME]


def test_an_untouched_file_moves() -> None:
    (change,) = moved(BASE.encode(), BASE)

    assert (change.change, change.path, change.source) == (Change.MOVE, NEW, OLD)
    assert change.content == BASE.encode()


def test_an_edited_shared_file_moves_and_merges() -> None:
    (change,) = moved(BASE.replace("a", "A").encode(), BASE.replace("e", "E"))

    assert (change.change, change.source) == (Change.MERGE, OLD)
    assert change.content == b"A\nb\nc\nd\nE\n"


def test_a_file_that_was_deleted_stays_deleted_in_its_new_place() -> None:
    (change,) = moved(None, BASE)

    assert change.change is Change.DELETED_BY_YOU


def test_a_file_of_the_user_in_the_new_place_is_never_overwritten() -> None:
    changes = moved(b"edited", BASE, there=b"something else")

    assert [change.change for change in changes] == [Change.REFUSED]
    assert "by hand" in changes[0].reason


def test_an_untouched_stub_becomes_the_new_stub() -> None:
    old, new = PurePosixPath("agent/handlers/a.py"), PurePosixPath("agent/handlers/b.py")

    (change,) = moved(BASE.encode(), "the new stub", old=old, new=new)

    assert (change.change, change.content) == (Change.MOVE, b"the new stub")


def test_a_file_that_two_migrations_move_moves_once() -> None:
    first = Migration("0.2.0", lambda _: [Move(PurePosixPath("a"), PurePosixPath("b"))])
    second = Migration("0.3.0", lambda _: [Move(PurePosixPath("b"), PurePosixPath("c"))])

    moves = plan_migrations(Lock("0.1.0"), [first, second])

    assert moves == (Move(PurePosixPath("a"), PurePosixPath("c")),)


def test_a_migration_that_the_repository_has_behind_it_does_nothing() -> None:
    migration = Migration("0.2.0", lambda _: [Move(PurePosixPath("a"), PurePosixPath("b"))])

    assert plan_migrations(Lock("0.2.0"), [migration]) == ()


def test_versions_are_compared_as_numbers_and_a_candidate_comes_before_its_release() -> None:
    ordered = ["0.1.0", "0.2.0.dev1", "0.2.0rc1", "0.2.0", "0.2.0.post1", "0.10.0", "1.0"]

    pairs = pairwise(ordered)

    assert all(is_newer(later, earlier) for earlier, later in pairs)
    assert not is_newer("1.0.0", "1.0")
