"""Whether an example still fits the input schema that it is an example of. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pond_new.manifest import Document, InvalidManifest, parse_document
from pond_new.manifest.schema_check import PYTHON_TYPES, is_type

PARAMETERS = "/request/parameters"


@dataclass(frozen=True, slots=True)
class ExampleFault:
    """What is wrong with an example, and where."""

    line: int
    text: str


def check_example(
    content: bytes, schema: Mapping[str, Any], *, is_thorough: bool
) -> tuple[ExampleFault, ...]:
    """The faults of an example's parameters: names, what is required, types.

    `is_thorough` asks jsonschema for the rest (bounds, patterns, depth), which costs its import.
    """
    try:
        document = parse_document(content, name="example.json")
    except InvalidManifest as invalid:
        problem = invalid.problems[0]
        return (ExampleFault(problem.line or 1, f"it cannot be read: {problem.message}"),)
    request = document.value.get("request") if isinstance(document.value, dict) else None
    if not isinstance(request, dict):
        return (ExampleFault(1, "it has no request"),)
    parameters = request.get("parameters", {})
    faults = tuple(_plain_faults(document, parameters, schema))
    if faults or not is_thorough:
        return faults
    return tuple(_deep_faults(document, parameters, schema))


def _plain_faults(document: Document, parameters: Any, schema: Mapping[str, Any]) -> Iterator[ExampleFault]:
    if not isinstance(parameters, dict):
        yield ExampleFault(_line(document, PARAMETERS), "its parameters are no object")
        return
    properties = schema.get("properties") or {}
    for name in schema.get("required") or ():
        if name not in parameters:
            yield ExampleFault(_line(document, PARAMETERS), f"the parameter {name} is required and not in it")
    for name, value in parameters.items():
        line = _line(document, f"{PARAMETERS}/{name}")
        if name not in properties:
            if schema.get("additionalProperties") is False:
                yield ExampleFault(line, f"the parameter {name} is not in the input schema")
        elif (kind := properties[name].get("type")) in PYTHON_TYPES and not is_type(value, str(kind)):
            yield ExampleFault(line, f"the parameter {name} must be of type {kind}")


def _deep_faults(document: Document, parameters: Any, schema: Mapping[str, Any]) -> Iterator[ExampleFault]:
    from pond_new.manifest.values import Judge  # noqa: PLC0415 -- jsonschema costs 150 ms

    if not schema:
        return
    broken = Judge(dict(schema)).complaints(parameters)
    if broken:
        text = f"its parameters break the input schema: {', '.join(sorted(broken))}"
        yield ExampleFault(_line(document, PARAMETERS), text)


def _line(document: Document, pointer: str) -> int:
    return document.position(pointer)[0]
