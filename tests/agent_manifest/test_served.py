"""Round two, judged: whatever an endpoint serves is held against the manifest, without a connection."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pond_new.agent_manifest import check_served
from pond_new.agent_manifest.difference import first_difference
from pond_new.agent_manifest.served import Answer, Served, Tool, error_code

MANIFEST: dict[str, Any] = json.loads(Path(__file__).with_name("text-stats.json").read_text("utf-8"))
INTERFACE = MANIFEST["interface"]
NAME = MANIFEST["runtime"]["tool"]


def answer_to(example: dict[str, Any]) -> Answer:
    if "error" in example:
        return Answer(text=json.dumps({"error": example["error"] | {"message": "No."}}), is_error=True)
    return Answer(example["output"])


GOOD = Served(
    "https://agent.example.com/mcp",
    (Tool(NAME, INTERFACE["input"], INTERFACE["output"]),),
    tuple(map(answer_to, MANIFEST["examples"])),
)
SUCCESS = next(place for place, example in enumerate(MANIFEST["examples"]) if "output" in example)
REFUSED = next(place for place, example in enumerate(MANIFEST["examples"]) if "error" in example)


def with_answer(place: int, answer: Answer) -> Served:
    return replace(GOOD, answers=(*GOOD.answers[:place], answer, *GOOD.answers[place + 1 :]))


def with_tool(**changes: Any) -> Served:
    return replace(GOOD, tools=(replace(GOOD.tools[0], **changes),))


def found(served: Served) -> list[tuple[str, str, str]]:
    return [(problem.severity, problem.id, problem.pointer) for problem in check_served(MANIFEST, served)]


def edited(schema: dict[str, Any], *path: str, value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(schema)
    node = changed
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    return changed


def test_an_endpoint_that_serves_the_manifest_has_no_finding() -> None:
    assert found(GOOD) == []


def test_an_endpoint_that_nobody_reaches_has_that_one_finding() -> None:
    [problem] = check_served(MANIFEST, Served(GOOD.address, failure="Connection refused"))

    assert problem.id == "AMS-19"
    assert problem.message == "https://agent.example.com/mcp cannot be called: Connection refused."


def test_a_name_that_stands_for_a_private_address_is_not_public() -> None:
    served = replace(GOOD, address=MANIFEST["runtime"]["endpoint"], hosts=("93.184.215.14", "10.0.0.7"))

    [problem] = check_served(MANIFEST, served)

    assert problem.id == "AMS-14"
    assert problem.message.endswith("its name stands for 10.0.0.7.")


def test_another_address_that_was_asked_for_may_be_private() -> None:
    assert found(replace(GOOD, address="http://localhost:8000/mcp", hosts=("127.0.0.1",))) == []


def test_a_missing_tool_is_said_with_those_that_are_there() -> None:
    [problem] = check_served(MANIFEST, replace(with_tool(name="other"), answers=()))

    assert (problem.id, problem.pointer) == ("AMS-20", "/runtime/tool")
    assert problem.message.endswith("it lists: other.")


def test_a_second_tool_is_one_too_many() -> None:
    two = replace(GOOD, tools=(*GOOD.tools, Tool("debug", {}, None)))

    assert found(two) == [("error", "AMS-20", "/runtime/tool")]


def test_a_schema_that_takes_other_values_is_an_error_with_its_place() -> None:
    shorter = edited(INTERFACE["input"], "properties", "text", "maxLength", value=10)

    [problem] = check_served(MANIFEST, with_tool(input_schema=shorter))

    assert (problem.severity, problem.id) == ("error", "AMS-21")
    assert "at /properties/text/maxLength: 10 in the first" in problem.message


def test_a_schema_with_other_words_is_a_warning() -> None:
    reworded = edited(INTERFACE["input"], "properties", "text", "description", value="Any text.")

    assert found(with_tool(input_schema=reworded)) == [("warning", "AMS-21", "/interface/input")]


def test_a_property_that_is_called_like_an_annotation_is_a_promise() -> None:
    renamed = edited(INTERFACE["output"], "properties", "title", value={"type": "string"})

    assert found(with_tool(output_schema=renamed)) == [("error", "AMS-21", "/interface/output")]


def test_a_tool_without_an_output_schema_is_an_error() -> None:
    assert found(with_tool(output_schema=None)) == [("error", "AMS-21", "/interface/output")]


@pytest.mark.parametrize(
    ("place", "answer", "severity", "words"),
    [
        (SUCCESS, Answer({"characters": 1}), "error", "answered differently"),
        (SUCCESS, Answer(failure="no answer within 35 seconds"), "error", "not answered: no answer within"),
        (SUCCESS, Answer(text="Eleven."), "error", "without a structured result"),
        (
            SUCCESS,
            Answer(text=json.dumps(MANIFEST["examples"][SUCCESS]["output"])),
            "warning",
            "as text only",
        ),
        (SUCCESS, Answer({"error": {"code": "internal_error"}}, is_error=True), "error", "internal_error"),
        (REFUSED, Answer({"characters": 0}), "error", "succeeds, and was to fail with"),
        (REFUSED, Answer(text="Boom", is_error=True), "error", "fails with no code"),
        (REFUSED, Answer(text='{"code": "other"}', is_error=True), "error", "fails with other"),
        (
            REFUSED,
            Answer({"error": MANIFEST["examples"][REFUSED]["error"]}, is_error=True),
            "warning",
            "structured content that the output schema does not allow",
        ),
    ],
)
def test_an_example_that_is_answered_otherwise_is_found(
    place: int, answer: Answer, severity: str, words: str
) -> None:
    [problem] = check_served(MANIFEST, with_answer(place, answer))

    assert (problem.severity, problem.id) == (severity, "AMS-22")
    assert problem.pointer.startswith(f"/examples/{place}")
    assert words in problem.message


def test_a_code_is_read_from_the_structured_value_or_from_text_as_json() -> None:
    assert error_code(Answer({"error": {"code": "empty_text"}})) == "empty_text"
    assert error_code(Answer(text='{"code": "empty_text"}')) == "empty_text"
    assert error_code(Answer(text="empty_text")) is None


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [(1, 1.0, True), (1, True, False), ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True), ([1], [1, 2], False)],
)
def test_values_are_compared_as_json(one: Any, other: Any, is_same: bool) -> None:
    assert (first_difference(one, other) is None) is is_same
