"""Three versions of a text become one, and no line that a side wrote is lost."""

from hypothesis import given
from hypothesis import strategies as st

from pond_new.project.merge import has_conflict, merge

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n", "e\n"]), max_size=8)
TEXTS = LINES.map("".join)


def test_changes_of_one_side_are_taken() -> None:
    merged = merge("a\nb\nc\n", "a\nb\nc\n", "a\nB\nc\n")

    assert (merged.text, merged.conflicts) == ("a\nB\nc\n", 0)


def test_changes_of_both_sides_at_different_places_are_both_taken() -> None:
    merged = merge("a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n")

    assert (merged.text, merged.conflicts) == ("A\nb\nc\nd\nE\n", 0)


def test_the_same_change_on_both_sides_is_no_conflict() -> None:
    merged = merge("a\nb\nc\n", "a\nX\nc\n", "a\nX\nc\n")

    assert (merged.text, merged.conflicts) == ("a\nX\nc\n", 0)


def test_a_conflict_shows_all_three_versions_between_markers() -> None:
    merged = merge("a\nb\nc\n", "a\nmine\nc\n", "a\ntheirs\nc\n")

    assert merged.conflicts == 1
    assert merged.text == (
        "a\n<<<<<<< yours\nmine\n||||||| last written by pond-new\nb\n=======\ntheirs\n>>>>>>> pond-new\nc\n"
    )


def test_a_marker_never_shares_the_line_of_a_text_without_a_last_line_end() -> None:
    merged = merge("a", "mine", "theirs")

    assert merged.text.splitlines()[:2] == ["<<<<<<< yours", "mine"]
    assert merged.text.endswith(">>>>>>> pond-new\n")


def test_form_feeds_and_other_exotic_line_ends_stay_inside_their_lines() -> None:
    merged = merge("a\x0cb\u2028c\n", "a\x0cb\u2028c\n", "a\x0cb\u2028C\n")

    assert (merged.text, merged.conflicts) == ("a\x0cb\u2028C\n", 0)


def test_the_markers_of_git_count_as_an_unresolved_conflict() -> None:
    assert has_conflict("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n")


def test_a_heading_underlined_with_equal_signs_is_no_conflict() -> None:
    assert not has_conflict("Title\n=======\n<<<<<<<<<<\n")


@given(base=TEXTS, yours=TEXTS)
def test_an_unchanged_other_side_leaves_yours_as_it_is(base: str, yours: str) -> None:
    merged = merge(base, yours, base)

    assert (merged.text, merged.conflicts) == (yours, 0)


@given(base=TEXTS, theirs=TEXTS)
def test_an_unchanged_own_side_takes_the_other(base: str, theirs: str) -> None:
    merged = merge(base, base, theirs)

    assert (merged.text, merged.conflicts) == (theirs, 0)


@given(base=TEXTS, yours=TEXTS)
def test_merging_what_is_merged_already_changes_nothing(base: str, yours: str) -> None:
    merged = merge(base, yours, yours)

    assert (merged.text, merged.conflicts) == (yours, 0)


@given(base=TEXTS, theirs=TEXTS, data=st.data())
def test_a_line_that_only_you_wrote_is_always_in_the_result(
    base: str, theirs: str, data: st.DataObject
) -> None:
    lines = base.splitlines(keepends=True)
    place = data.draw(st.integers(0, len(lines)))
    yours = "".join([*lines[:place], "written by hand\n", *lines[place:]])

    merged = merge(base, yours, theirs)

    assert "written by hand\n" in merged.text
