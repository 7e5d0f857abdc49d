"""Handlers are judged by their source alone."""

import pytest

from pond_new.project.handlers import Use, find_imports, inspect_handler

KINDS = {
    "function": "def handle(p, run):\n    return ''",
    "coroutine": "async def handle(p, run):\n    return ''",
    "generator": "def handle(p, run):\n    yield ''",
    "async generator": "async def handle(p, run):\n    async for x in y:\n        yield x",
    "unknown": "from agent.shared import handle",
}


@pytest.mark.parametrize(("kind", "source"), KINDS.items())
def test_the_kind_of_a_handler_is_recognised(kind: str, source: str) -> None:
    facts = inspect_handler(source, type_name="P")

    assert (facts.kind, facts.fault) == (kind, None)


def test_a_yield_in_a_function_inside_makes_no_generator() -> None:
    source = "def handle(p, run):\n    def pieces():\n        yield 1\n    return ''.join(pieces())"

    assert inspect_handler(source, type_name="P").kind == "function"


FAULTS = {
    "no handle": ("def handler(p, run):\n    pass", 1, "no function named handle"),
    "no Python": ("import x\n\ndef handle(p, run)\n", 3, "no Python"),
    "one argument": ("\ndef handle(p):\n    pass", 2, "two arguments"),
    "three arguments": ("def handle(p, run, more):\n    pass", 1, "two arguments"),
    "a keyword that is required": ("def handle(p, run, *, more):\n    pass", 1, "two arguments"),
    "null bytes": ("a\x00b", 1, "no Python"),
    "conflict markers": ("<<<<<<< yours\n", 1, "no Python"),
}


@pytest.mark.parametrize(("source", "line", "text"), FAULTS.values(), ids=FAULTS.keys())
def test_what_is_no_handler_is_told_with_its_line(source: str, line: int, text: str) -> None:
    fault = inspect_handler(source, type_name="P").fault

    assert fault is not None
    assert fault.line == line
    assert text in fault.text


@pytest.mark.parametrize(
    "source",
    [
        "def handle(*arguments):\n    pass",
        "def handle(p, run, more=1):\n    pass",
        "def handle(p, run, /, *, more=1):\n    pass",
        "handle = make(P)",
        "if True:\n    def handle(p, run): ...",
    ],
)
def test_unusual_handlers_that_work_have_no_fault(source: str) -> None:
    assert inspect_handler(source, type_name="P").fault is None


def test_every_way_of_reading_a_parameter_is_found_with_its_line() -> None:
    source = """
def handle(p, run):
    a = p["first"]
    b = p.get("second", 1)
    if "third" in p:
        c = p["third"]
    return helper(p)

def helper(given: TranslateText):
    return given["fourth"] + other["fifth"]
"""

    uses = inspect_handler(source, type_name="TranslateText").uses

    assert uses == (
        Use("first", 3, is_sure=True),
        Use("second", 4, is_sure=False),
        Use("third", 5, is_sure=False),
        Use("third", 6, is_sure=False),
        Use("fourth", 10, is_sure=True),
    )


def test_imports_of_a_handler_are_found_however_they_are_written() -> None:
    source = (
        "import agent.handlers.old\nfrom agent.handlers import new, old\n"
        "from agent.handlers.old import handle\nfrom agent.handlers import older\n"
    )

    assert find_imports(source, "old") == [1, 2, 3]
