"""What happens to a file, by its owner, what is there and what was written last: one table of cases."""

from dataclasses import dataclass, field
from pathlib import PurePosixPath

import pytest

from pond_new.project.compare import Change, Choices, FileChange, State, compare
from pond_new.project.digests import digest
from pond_new.project.lock import Lock

GENERATED = "agent/app.py"
SHARED = "Dockerfile"
YOURS = "agent/handlers/a.py"
CONTRACT = "manifest.json"

OLD = "one\ntwo\nthree\nfour\nfive\n"
NEW = "one\ntwo\nthree\nfour\nFIVE\n"
EDITED = b"ONE\ntwo\nthree\nfour\nfive\n"
BOTH = b"ONE\ntwo\nthree\nfour\nFIVE\n"
CLASH = b"one\ntwo\nthree\nfour\n5\n"
CONFLICTED = b"<<<<<<< yours\na\n=======\nb\n>>>>>>> pond-new\n"
RESTORED = Choices(restore=frozenset({PurePosixPath(YOURS), PurePosixPath(SHARED)}))


@dataclass(frozen=True)
class Case:
    path: str
    there: bytes | None
    written: str | None
    now: str | None
    change: Change
    content: bytes | None = None
    choices: Choices = field(default_factory=Choices)


CASES = {
    "a new generated file is created": Case(GENERATED, None, None, NEW, Change.CREATE, NEW.encode()),
    "a generated file that was deleted comes back": Case(
        GENERATED, None, OLD, NEW, Change.CREATE, NEW.encode()
    ),
    "an untouched generated file is updated": Case(
        GENERATED, OLD.encode(), OLD, NEW, Change.UPDATE, NEW.encode()
    ),
    "an edited generated file is refused": Case(GENERATED, EDITED, OLD, NEW, Change.REFUSED, NEW.encode()),
    "an edited generated file is refused even if nothing new is written": Case(
        GENERATED, EDITED, OLD, OLD, Change.REFUSED, OLD.encode()
    ),
    "force overwrites an edited generated file": Case(
        GENERATED, EDITED, OLD, NEW, Change.UPDATE, NEW.encode(), Choices(force=True)
    ),
    "a file in the way of a new generated one is refused": Case(
        GENERATED, EDITED, None, NEW, Change.REFUSED, NEW.encode()
    ),
    "an untouched generated file without a source is deleted": Case(
        GENERATED, OLD.encode(), OLD, None, Change.DELETE
    ),
    "an edited generated file without a source stays": Case(GENERATED, EDITED, OLD, None, Change.ORPHAN),
    "a stub is created": Case(YOURS, None, None, NEW, Change.CREATE, NEW.encode()),
    "a file of yours is never touched": Case(YOURS, EDITED, OLD, NEW, Change.KEEP),
    "an untouched stub is not touched either": Case(YOURS, OLD.encode(), OLD, NEW, Change.KEEP),
    "a file of yours stays deleted": Case(YOURS, None, OLD, NEW, Change.DELETED_BY_YOU),
    "restore brings back a file of yours": Case(
        YOURS, None, OLD, NEW, Change.CREATE, NEW.encode(), RESTORED
    ),
    "an untouched stub without an action is deleted": Case(YOURS, OLD.encode(), OLD, None, Change.DELETE),
    "an edited handler without an action stays": Case(YOURS, EDITED, OLD, None, Change.ORPHAN),
    "the contract is never touched": Case(CONTRACT, EDITED, None, NEW, Change.KEEP),
    "an untouched shared file is updated": Case(SHARED, OLD.encode(), OLD, NEW, Change.UPDATE, NEW.encode()),
    "an edited shared file is merged": Case(SHARED, EDITED, OLD, NEW, Change.MERGE, BOTH),
    "an edited shared file with nothing new is kept": Case(SHARED, EDITED, OLD, OLD, Change.KEEP),
    "a shared file that has the new lines already is kept": Case(SHARED, BOTH, OLD, NEW, Change.KEEP),
    "edits of the same line conflict": Case(SHARED, CLASH, OLD, NEW, Change.CONFLICT),
    "an unresolved conflict is refused": Case(SHARED, CONFLICTED, OLD, NEW, Change.REFUSED),
    "an unresolved conflict is refused also when nothing is new": Case(
        SHARED, CONFLICTED, NEW, NEW, Change.REFUSED
    ),
    "an unresolved conflict is refused also with force": Case(
        SHARED, CONFLICTED, NEW, NEW, Change.REFUSED, None, Choices(force=True, adopt=True)
    ),
    "a shared file stays deleted": Case(SHARED, None, OLD, NEW, Change.DELETED_BY_YOU),
    "restore brings back a shared file": Case(
        SHARED, None, OLD, NEW, Change.CREATE, NEW.encode(), RESTORED
    ),
    "a shared file that nothing is known of is refused": Case(
        SHARED, EDITED, None, NEW, Change.REFUSED, NEW.encode()
    ),
    "adopt keeps a shared file that nothing is known of": Case(
        SHARED, EDITED, None, NEW, Change.KEEP, None, Choices(adopt=True)
    ),
    "force overwrites a shared file that nothing is known of": Case(
        SHARED, EDITED, None, NEW, Change.UPDATE, NEW.encode(), Choices(force=True)
    ),
    "force merges a shared file that is known": Case(
        SHARED, EDITED, OLD, NEW, Change.MERGE, BOTH, Choices(force=True)
    ),
    "a file with other line ends is the same": Case(
        GENERATED, NEW.replace("\n", "\r\n").encode(), OLD, NEW, Change.SAME
    ),
    "an update keeps the line ends": Case(
        GENERATED, OLD.replace("\n", "\r\n").encode(), OLD, NEW, Change.UPDATE,
        NEW.replace("\n", "\r\n").encode(),
    ),
    "a merge keeps the line ends and the byte order mark": Case(
        SHARED, b"\xef\xbb\xbf" + EDITED.replace(b"\n", b"\r\n"), OLD, NEW, Change.MERGE,
        b"\xef\xbb\xbf" + BOTH.replace(b"\n", b"\r\n"),
    ),
}  # fmt: skip


def judge(case: Case) -> FileChange:
    path = PurePosixPath(case.path)
    hashes = {} if case.written is None else {path: digest(case.written)}
    bases = {path: case.written} if case.written is not None and case.path == SHARED else {}
    state = State({path: case.there}, Lock("0.1.0", hashes, bases))
    changes = compare({} if case.now is None else {path: case.now}, state, case.choices)
    return changes[0]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_file_is_changed_as_its_owner_allows(case: Case) -> None:
    change = judge(case)

    assert change.change is case.change
    if case.content is not None:
        assert change.content == case.content


@pytest.mark.parametrize(
    "name",
    [
        "force overwrites an edited generated file",
        "force overwrites a shared file that nothing is known of",
        "edits of the same line conflict",
    ],
)
def test_a_backup_is_kept_where_your_text_does_not_stay_as_it_was(name: str) -> None:
    change = judge(CASES[name])

    assert change.keeps_backup
    assert change.before == CASES[name].there


@pytest.mark.parametrize("name", ["an edited generated file is refused", "edits of the same line conflict"])
def test_a_reason_says_what_to_do(name: str) -> None:
    change = judge(CASES[name])

    assert "--force" in change.reason or "markers" in change.reason


@pytest.mark.parametrize(("path", "expected"), [(YOURS, Change.KEEP), (SHARED, Change.REFUSED)])
def test_what_is_no_plain_file_is_left_alone_or_refused(path: str, expected: Change) -> None:
    place = PurePosixPath(path)
    state = State({place: None}, blocked={place: "it is a symbolic link"})

    (change,) = compare({place: NEW}, state)

    assert change.change is expected
    assert "symbolic link" in change.reason


def test_an_orphan_of_an_earlier_run_is_deleted_once_its_edit_is_taken_back() -> None:
    path = PurePosixPath(YOURS)
    state = State({path: OLD.encode()}, Lock("0.1.0", orphans={path: digest(OLD)}))

    (change,) = compare({}, state)

    assert change.change is Change.DELETE
