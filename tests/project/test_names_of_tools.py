"""The name of a tool becomes the name of a handler."""

import pytest

from pond_new.project.contracts import action_id_of


@pytest.mark.parametrize(
    ("tool", "action_id"),
    [
        ("text_stats", "text_stats"),
        ("text.Stats-2", "text_stats_2"),
        ("2-fast", "tool_2_fast"),
        ("..", "tool"),
        ("x" * 128, "x" * 64),
        ("x" * 63 + ".y", "x" * 63),
    ],
)
def test_a_tool_is_an_action_of_that_name_as_far_as_one_may_be_called_so(tool: str, action_id: str) -> None:
    assert action_id_of(tool) == action_id
