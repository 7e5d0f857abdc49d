"""Hypothesis strategies: agent manifests that pass round one and are otherwise as hostile as can be."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from pond_new.manifest.values import example_parameters
from tests.hostile.manifests import KEYWORDS, input_schemas, texts

TOOLS = ("con", "NUL", "import", "a.b-c", "__init__", "..", "-", "_", "1", "Class", "handlers", "x" * 128)
ENDPOINTS = ("https://a.example.com/mcp", "https://a.example.com", "https://a.example.com/x{y}/{{ z }}")
CODES = (*KEYWORDS, "internal_error", "invalid_arguments", "nul", "a_1", "x" * 200)


def example_of(schema: dict[str, Any]) -> dict[str, Any] | None:
    try:
        return example_parameters(schema)
    except LookupError:
        return None


@st.composite
def agent_manifests(draw: st.DrawFn) -> dict[str, Any]:
    """A manifest that passes round one and that this version can generate."""
    takes, gives = draw(input_schemas()), draw(input_schemas())
    arguments, output = example_of(takes), example_of(gives)
    if arguments is None or output is None:
        takes = gives = {"type": "object", "properties": {}, "additionalProperties": False}
        arguments = output = {}
    codes = draw(st.lists(st.sampled_from(CODES), max_size=4, unique=True))
    return {
        "id": draw(st.sampled_from(("ada/text-stats", "a/a", "a-1/x._-y0"))),
        "version": draw(st.sampled_from(("1.0.0", "0.0.0-alpha.1+b", "10.20.30"))),
        "name": draw(texts(max_size=100)),
        "summary": draw(texts(max_size=300)),
        "license": "MIT",
        "authors": [draw(texts(max_size=60)), {"name": draw(texts(max_size=60)), "url": draw(texts())}],
        "source": {"repository": "https://github.com/a/b?{{x}}'\"", "ref": "0" * 40},
        "interface": {
            "input": takes,
            "output": gives,
            "errors": [{"code": code, "description": draw(texts(min_size=0))} for code in codes],
        },
        "capabilities": [{"class": "data.profile"}],
        "pricing": {"model": "free", "currency": "USD", "charge_on": draw(texts(max_size=20))},
        "runtime": {
            "kind": "mcp",
            "endpoint": draw(st.sampled_from(ENDPOINTS)),
            "tool": draw(st.sampled_from(TOOLS) | st.from_regex(r"[A-Za-z0-9_.-]{1,20}", fullmatch=True)),
            "limits": {"timeout_s": draw(st.sampled_from((1, 2.5, 300)))},
        },
        "data": {"retention": "P7D", "training_use": False, "egress": ["api.example.com"]},
        "examples": [{"name": draw(texts(max_size=60)), "input": arguments, "output": output}],
    }  # fmt: skip
