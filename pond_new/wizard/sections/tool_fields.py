"""What is asked about a tool beside its action: one row for each part of the agent manifest. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from pond_new.wizard.sections import tool_texts as texts
from pond_new.wizard.sections.tool_texts import Put, Show, at


@dataclass(frozen=True, slots=True)
class Field:
    """One question: where its answer stands in the manifest, and how it is read from there and put there.

    `topic` is the part of the manifest that the help key explains.
    `put` raises `ValueError` with a sentence for what cannot be put.
    """

    name: str
    pointer: str
    message: str
    intro: str
    topic: str
    show: Show
    put: Put


FIELDS: tuple[Field, ...] = (
    Field(
        "id",
        "/id",
        "What is its id?",
        "Your handle on the platform and a name, such as ada/text-stats. It stays for ever.",
        "id",
        at("id")[0],
        texts.put_id,
    ),
    Field(
        "summary",
        "/summary",
        "What does it do, in one sentence?",
        "Callers read it before they read the schemas.",
        "name",
        *at("summary"),
    ),
    Field(
        "license",
        "/license",
        "Which licence has the code?",
        "An open source licence by its SPDX id; others are not accepted.",
        "license",
        *at("license"),
    ),
    Field("authors", "/authors", "Who answers for it?", "", "authors", texts.show_author, texts.put_author),
    Field(
        "interface.output",
        "/interface/output",
        "What does it return?",
        "The fields of the JSON object, as name: type. Callers trust this schema, so say what you really"
        " return; more rules (bounds, nested objects) are written in agent-manifest.json.",
        "interface",
        texts.show_output,
        texts.put_output,
    ),
    Field(
        "interface.errors",
        "/interface/errors",
        "Which failures are to be expected?",
        "A short code for each, with commas between: empty_text, over_budget. A failure that is not declared"
        " is never billed.",
        "interface.errors",
        texts.show_errors,
        texts.put_errors,
    ),
    Field(
        "pricing",
        "/pricing",
        "What does a call cost, in US dollars?",
        "0 is free. Charged on success.",
        "pricing",
        texts.show_price,
        texts.put_price,
    ),
    Field(
        "runtime.endpoint",
        "/runtime/endpoint",
        "Where will it be reached?",
        "The public https address of the MCP endpoint. It may be changed until it is published.",
        "runtime",
        *at("runtime", "endpoint"),
    ),
    Field(
        "data.retention",
        "/data/retention",
        "How long is what callers send kept?",
        "none, or an ISO 8601 duration such as P7D.",
        "data",
        *at("data", "retention"),
    ),
    Field(
        "data.egress",
        "/data/egress",
        "To which hosts is data sent?",
        "Such as the host of a model provider, with commas between; leave it empty where there are none. The"
        " tests check it.",
        "data.egress",
        texts.show_egress,
        texts.put_egress,
    ),
)
