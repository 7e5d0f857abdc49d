"""Hypothesis strategies: valid manifests whose every text and name is as hostile as the schema allows."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NASTY = (
    '"""', "'''", "{{ 7*7 }}", "{% raw %}", "${HOME}", "$(touch owned)", "`touch owned`", "\\", '"', "'", "\n", "\r\n",
    "\x00", "\x1b[31m", "\u2028", "\u202e", "🌊", "é", "{", "}", "#", "# type: ignore", "# noqa", "-->", "<script>",
    "%s", "{0}", "__import__('os').system('touch owned')", "]]>", "---", "...", "\t", " ", "", "a" * 300,
    "\\N{BULLET}", "\\u0041", '\\"""', "r'", 'f"{1/0}"', "coding: latin-1", "<<<<<<< yours", "|", "*", "&a", "!!python",
)  # fmt: skip
KEYWORDS = (
    "class",
    "import",
    "def",
    "none",
    "true",
    "any",
    "literal",
    "typed_dict",
    "handler",
    "handlers",
    "self",
)
MODES = (
    {"sync": True, "streaming": False, "async_tasks": False},
    {"sync": True, "streaming": True, "async_tasks": False},
    {"sync": False, "streaming": True, "async_tasks": False},
    {"sync": True, "streaming": False, "async_tasks": True},
)
DEVICES = ("con", "nul", "aux", "com1", "lpt9", "con_", "import_", "a_1", "a1", "a__1", "general", "x" * 64)


def texts(min_size: int = 1, max_size: int = 200) -> st.SearchStrategy[str]:
    """Text that tries to break out of what it is put into; never blank when it must not be empty."""
    character = st.characters(exclude_categories=["Cs"])
    piece = st.one_of(st.sampled_from(NASTY), st.text(character, max_size=20))
    joined = st.lists(piece, min_size=1, max_size=6).map("".join).map(lambda text: text[:max_size])
    return joined.map(lambda text: text if len(text.strip()) >= min_size else "x" + text[: max_size - 1])


def action_ids() -> st.SearchStrategy[str]:
    """Ids that are keywords, device names, or alike but for underscores."""
    return st.one_of(
        st.sampled_from(KEYWORDS + DEVICES), st.from_regex(r"[a-z][a-z0-9_]{0,10}", fullmatch=True)
    )


def property_names() -> st.SearchStrategy[str]:
    """Names of parameters: identifiers, keywords, types, and anything else."""
    return st.one_of(
        st.sampled_from(
            (*KEYWORDS, "list", "str", "Literal", "TypedDict", "__proto__", "__init__", "a b", "")
        ),
        texts(min_size=0, max_size=30),
    )


@st.composite
def value_schemas(draw: st.DrawFn, depth: int = 3) -> dict[str, Any]:
    """One parameter's schema."""
    kinds = ["string", "integer", "number", "boolean"] + (["array", "object"] if depth else [])
    kind = draw(st.sampled_from(kinds))
    schema: dict[str, Any] = {"type": kind, "description": draw(texts(max_size=80))}
    if kind == "string" and draw(st.booleans()):
        schema["enum"] = draw(st.lists(texts(min_size=0, max_size=60), min_size=1, max_size=5, unique=True))
    if kind == "integer" and draw(st.booleans()):
        schema["enum"] = draw(st.lists(st.integers(-(2**60), 2**60), min_size=1, max_size=4, unique=True))
    if kind == "array" and draw(st.booleans()):
        schema["items"] = draw(value_schemas(depth - 1))
    if kind == "object":
        schema |= draw(objects(depth - 1))
    return schema


@st.composite
def objects(draw: st.DrawFn, depth: int) -> dict[str, Any]:
    """The properties and required names of an object."""
    properties = draw(st.dictionaries(property_names(), value_schemas(depth), max_size=4))
    required = [name for name in properties if draw(st.booleans())]
    return {"properties": properties, "required": required}


@st.composite
def input_schemas(draw: st.DrawFn) -> dict[str, Any]:
    """A whole input schema."""
    return {"type": "object", "additionalProperties": False} | draw(objects(3))


@st.composite
def actions(draw: st.DrawFn, action_id: str) -> dict[str, Any]:
    """One action."""
    action = {"id": action_id, "name": draw(texts(max_size=100)), "description": draw(texts(max_size=300))}
    schema = draw(st.none() | input_schemas())
    return action if schema is None else action | {"input_schema": schema}


@st.composite
def manifests(draw: st.DrawFn) -> dict[str, Any]:
    """A valid manifest that this version can generate."""
    manifest: dict[str, Any] = {
        "protocol": "marketplace-agent",
        "protocol_version": "1.0",
        "agent_version": draw(texts(max_size=40)),
        "metadata": draw(st.dictionaries(st.sampled_from(("name", "short_description", "x")), texts(), max_size=3)),
        "capabilities": {
            **draw(st.sampled_from(MODES)), "cancellation": False, "attachments": draw(st.booleans()), "feedback": False,
        },
        "input_modes": draw(st.lists(texts(max_size=30), min_size=1, max_size=3, unique=True)),
        "output_modes": draw(
            st.sampled_from((["text/markdown"], ["application/pdf"], ["text"], ["image/png", "a/b\n{{ x }}"]))
        ),
        "limits": {
            "max_request_bytes": draw(st.integers(20_000, 10**12)),
            "max_attachment_bytes": draw(st.sampled_from((1, 10**12))),
            "max_run_seconds": draw(st.integers(1, 10**9)),
        },
    }  # fmt: skip
    if draw(st.booleans()):
        ids = draw(st.lists(action_ids(), min_size=1, max_size=4, unique=True))
        manifest["actions"] = [draw(actions(action_id)) for action_id in ids]
    elif draw(st.booleans()):
        manifest["input_schema"] = draw(input_schemas())
    return manifest
