"""Parameters from Python code: read from its text, run only after a yes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pond_new.wizard.imports.carried import NotReadable
from pond_new.wizard.imports.python_source import carry_member, list_members
from pond_new.wizard.imports.readers import load
from pond_new.wizard.question import Load
from pond_new.wizard.resolve import resolve
from pond_new.wizard.sections.parameters import ask_parameters
from tests.wizard.conftest import Listed

if TYPE_CHECKING:
    from collections.abc import Mapping

SOURCE = '''
from __future__ import annotations
import enum, pathlib, sys
from dataclasses import dataclass, field
from typing import Annotated, Literal, Optional, TypedDict, NotRequired
from pydantic import BaseModel, Field
from elsewhere import Money

pathlib.Path("ran.txt").write_text("this module was run")

Tone = Literal["warm", "dry"]

class Size(str, enum.Enum):
    SMALL = "small"
    LARGE = "large"

def translate(text: str, language: Annotated[str, "The target language."], tone: Tone = "warm",
              limit: int | None = None, *tags: str, dry: bool = False) -> str:
    """Translate a text.

    Args:
        text (str): The text to translate,
            as it is.
        tone: How it sounds.
        limit: The most words.
    """

def shout(words: list[str], *, loud: "Optional[float]" = None):
    """Shout.

    :param words: The words to shout.
    :param loud: How loud, from 0 to 1.
    """

def _private(a: int): ...

async def fetch(self, run, pages: set[int], extra: dict[str, int]):
    """Fetch pages.

    Parameters
    ----------
    pages : set of int
        Which pages.
    extra : dict
        More numbers.
    """

class Address(BaseModel):
    """Where somebody lives."""
    street: str = Field(description="The street.", min_length=1)
    zip: Optional[str] = Field(None, pattern="^[0-9]{5}$", description="The code.")

class Order(BaseModel):
    """An order."""
    model_config = {}
    amount: int = Field(..., gt=0, le=10, description="How many.")
    size: Size = Field(Size.SMALL, description="How large.")
    to: Address = Field(description="Where to.")
    tags: list[str] = Field(default_factory=list, max_length=3, description="Words.")

class Express(Order):
    """A fast order."""
    hours: float
    """Within how many hours."""

@dataclass
class Point:
    """A point.

    Attributes:
        x: To the right.
        y: Up.
    """
    x: float
    y: float = 0.0
    seen: list[str] = field(default_factory=list)

class Filters(TypedDict, total=False):
    word: str
    count: NotRequired[int]

class Paid(BaseModel):
    price: Money = Field(description="The price.")

class Plain:
    def method(self): ...
'''

STRING, NUMBER = {"type": "string"}, {"type": "number"}


def test_functions_and_typed_classes_are_listed_and_nothing_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    names = [name for name, _ in list_members(SOURCE)]

    assert names == ["translate", "shout", "fetch", "Address", "Order", "Express", "Point", "Filters", "Paid"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("member", "properties", "required"),
    [
        (
            "translate",
            {
                "text": {**STRING, "description": "The text to translate, as it is."},
                "language": {**STRING, "description": "The target language."},
                "tone": {
                    **STRING,
                    "description": "How it sounds.",
                    "enum": ["warm", "dry"],
                    "default": "warm",
                },
                "limit": {"type": "integer", "description": "The most words."},
                "dry": {"type": "boolean", "description": "The dry.", "default": False},
            },
            ["text", "language"],
        ),
        (
            "shout",
            {
                "words": {
                    "type": "array",
                    "description": "The words to shout.",
                    "items": {**STRING, "description": "The words entry."},
                },
                "loud": {**NUMBER, "description": "How loud, from 0 to 1."},
            },
            ["words"],
        ),
        (
            "fetch",
            {
                "pages": {
                    "type": "array",
                    "description": "Which pages.",
                    "uniqueItems": True,
                    "items": {"type": "integer", "description": "The pages entry."},
                },
                "extra": {
                    "type": "object",
                    "description": "More numbers.",
                    "properties": {},
                    "additionalProperties": True,
                },
            },
            ["pages", "extra"],
        ),
        (
            "Address",
            {
                "street": {**STRING, "description": "The street.", "minLength": 1},
                "zip": {**STRING, "description": "The code.", "pattern": "^[0-9]{5}$"},
            },
            ["street"],
        ),
        (
            "Point",
            {
                "x": {**NUMBER, "description": "To the right."},
                "y": {**NUMBER, "description": "Up.", "default": 0.0},
                "seen": {
                    "type": "array",
                    "description": "The seen.",
                    "items": {**STRING, "description": "The seen entry."},
                },
            },
            ["x"],
        ),
        (
            "Filters",
            {
                "word": {**STRING, "description": "The word."},
                "count": {"type": "integer", "description": "The count."},
            },
            [],
        ),
    ],
)
def test_a_member_is_read_from_its_text(member: str, properties: dict[str, Any], required: list[str]) -> None:
    carried = carry_member(SOURCE, member)

    assert carried.schema["properties"] == properties
    assert carried.schema.get("required", []) == required


def test_models_that_name_others_and_inherit_are_written_out() -> None:
    carried = carry_member(SOURCE, "Express")

    members = carried.schema["properties"]
    assert list(members) == ["amount", "size", "to", "tags", "hours"]
    assert members["amount"] == {
        "type": "integer",
        "description": "How many.",
        "exclusiveMinimum": 0,
        "maximum": 10,
    }
    assert members["size"] == {**STRING, "description": "How large.", "enum": ["small", "large"]}
    assert members["to"]["properties"]["street"]["minLength"] == 1
    assert members["tags"]["maxItems"] == 3
    assert members["hours"]["description"] == "Within how many hours."
    assert carried.schema["required"] == ["amount", "to", "hours"]
    assert not carried.is_partial


def test_what_only_running_could_tell_is_said() -> None:
    carried = carry_member(SOURCE, "Paid")

    assert carried.is_partial
    assert carried.losses[0] == "price: the type Money cannot be read from the text alone"


@pytest.mark.parametrize(
    ("text", "word"), [("def (", "line 1"), ("x = 1", "no function"), ("\0", "no Python")]
)
def test_a_file_without_anything_to_read_is_refused(text: str, word: str) -> None:
    with pytest.raises(NotReadable, match=word):
        list_members(text)


RUNNABLE = """
from __future__ import annotations
from typing import NewType
from pydantic import BaseModel, Field

Code = NewType("Code", int)
print("chatter of the module")

class Item(BaseModel):
    code: Code = Field(description="The code.")

def pick(code: Code, count: int = 1): ...

def broken(code: Unknown): ...
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module that is run by the Python of the tests, which has pydantic."""
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    file = tmp_path / "items.py"
    file.write_text(RUNNABLE, encoding="utf-8")
    return file


def test_code_is_run_only_after_a_yes_and_then_read_exactly(module: Path) -> None:
    answers = {"p.how": "python", "p.python.path": str(module), "p.python.member": "Item"}
    host = Listed({**answers, "p.python.may_run": True}, load)

    schema = resolve(lambda: ask_parameters("p", None), (), host)

    assert schema is not None
    assert schema["properties"] == {"code": {"type": "integer", "description": "The code."}}
    asked = next(question for question in host.asked if question.key == "p.python.may_run")
    assert "THAT RUNS THE CODE" in asked.intro
    assert asked.default is False


def test_a_no_takes_what_the_text_says(module: Path) -> None:
    answers = {"p.how": "python", "p.python.path": str(module), "p.python.member": "Item"}
    requests: list[Load] = []

    def read(request: Load) -> Any:
        requests.append(request)
        return load(request)

    host = Listed(answers, read)

    schema = resolve(lambda: ask_parameters("p", None), (), host)

    assert schema is not None
    assert schema["properties"] == {"code": {"type": "string", "description": "The code."}}
    assert "python-run" not in {request.reader for request in requests}


def test_a_function_is_run_too(module: Path) -> None:
    value = _value(load(Load("k", "python-run", str(module), "pick")))

    assert value["schema"]["properties"]["count"]["default"] == 1
    assert value["schema"]["required"] == ["code"]


def test_code_that_fails_says_its_last_line(module: Path) -> None:
    found = load(Load("k", "python-run", str(module), "broken"))

    assert "Unknown" in found["error"]


def test_a_file_that_is_not_there_is_asked_for_again(tmp_path: Path) -> None:
    schema_file = tmp_path / "s.json"
    schema_file.write_text(
        '{"type": "object", "properties": {"n": {"type": "integer", "description": "N."}}}'
    )
    host = Listed({"p.how": "schema", "p.schema.path": (str(tmp_path / "no.json"), str(schema_file))}, load)

    schema = resolve(lambda: ask_parameters("p", None), (), host)

    assert schema is not None
    assert schema["properties"] == {"n": {"type": "integer", "description": "N."}}
    assert any("cannot be read" in text for text in host.told)


def test_a_single_operation_needs_no_choice(tmp_path: Path) -> None:
    file = tmp_path / "api.yaml"
    file.write_text(
        "openapi: 3.1.0\npaths:\n  /a:\n    get:\n      parameters:\n"
        "        - {name: q, in: query, description: What to find., schema: {type: string}}\n"
    )
    host = Listed({"p.how": "openapi", "p.openapi.path": str(file)}, load)

    schema = resolve(lambda: ask_parameters("p", None), (), host)

    assert schema is not None
    assert schema["properties"] == {"q": {"type": "string", "description": "What to find."}}


def _value(reply: Mapping[str, Any]) -> Any:
    assert "value" in reply, reply
    return reply["value"]
