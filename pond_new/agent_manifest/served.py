"""Round two: what the endpoint really serves, held against the manifest. Pure.

Somebody else connects (`commands/endpoint.py`); here the answers are only judged.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

from pond_new.agent_manifest.difference import first_difference
from pond_new.agent_manifest.fit import LostReference, find_misfits
from pond_new.agent_manifest.likeness import find_difference
from pond_new.agent_manifest.standard import rule_at, served_rule
from pond_new.manifest.problem import Problem

LONGEST_VALUE = 200  # characters of an answer that are shown


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool that an endpoint lists."""

    name: str
    input_schema: Any
    output_schema: Any


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call gave: a structured value and text, or in `failure` a sentence why there was no answer."""

    structured: Any = None
    text: str = ""
    is_error: bool = False
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Served:
    """What an endpoint serves: its tools, and one answer for each example of the manifest, in order.

    `hosts` are the IP addresses behind its name.
    `failure` is a sentence when nobody answered; then the rest is empty. Without the tool: no answers.
    """

    address: str
    tools: tuple[Tool, ...] = ()
    answers: tuple[Answer, ...] = ()
    hosts: tuple[str, ...] = ()
    failure: str = ""


def check_served(manifest: Mapping[str, Any], served: Served) -> list[Problem]:
    """Every difference between a manifest that passed round one and what its endpoint serves."""
    if served.failure:
        message = f"{served.address} cannot be called: {served.failure}."
        return [served_rule("reachable").problem("/runtime/endpoint", message)]
    runtime = manifest["runtime"]
    name = runtime["tool"]
    tool = next((tool for tool in served.tools if tool.name == name), None)
    problems = list(_check_hosts(served)) if served.address == runtime["endpoint"] else []
    problems += _check_tools(name, served.tools)
    if tool is not None:
        problems += _check_schema("input", manifest, tool.input_schema)
        problems += _check_schema("output", manifest, tool.output_schema)
        for place, (example, answer) in enumerate(zip(manifest["examples"], served.answers, strict=True)):
            problems += _check_answer(place, example, answer)
        problems += _check_failures(manifest, served.answers)
    return problems


def _check_hosts(served: Served) -> Iterator[Problem]:
    private = [host for host in served.hosts if not ip_address(host).is_global]
    if private:
        message = f"The endpoint must be public https; its name stands for {', '.join(private)}."
        yield rule_at("runtime.endpoint").problem("/runtime/endpoint", message)


def _check_tools(name: str, tools: tuple[Tool, ...]) -> Iterator[Problem]:
    rule = served_rule("tool")
    names = [tool.name for tool in tools]
    listed = ", ".join(names) or "none"
    if name not in names:
        yield rule.problem("/runtime/tool", f"The endpoint has no tool {name}; it lists: {listed}.")
    elif len(names) > 1:
        yield rule.problem("/runtime/tool", f"The endpoint lists {len(names)} tools: {listed}.")


def _check_schema(side: str, manifest: Mapping[str, Any], served: Any) -> Iterator[Problem]:
    """An error where the tool takes or returns other values, a warning where only the words differ."""
    rule = served_rule("schemas")
    declared = manifest["interface"][side]
    pointer = f"/interface/{side}"
    if served is None:
        yield rule.problem(pointer, f"The tool declares no {side} schema.")
    elif (place := first_difference(declared, served)) is not None:
        found = find_difference(served, declared)
        if found is None:
            message = f"The tool's {side} schema has other words at {place}."
            yield rule.problem(pointer, message, severity="warning")
        else:
            where, what = found
            message = (
                f"The {side} schemas of the tool (the first) and of the manifest (the second) differ"
                f" at {where or '/'}: {what}."
            )
            yield rule.problem(pointer, message)


def _check_answer(place: int, example: Mapping[str, Any], answer: Answer) -> Iterator[Problem]:
    rule = served_rule("answers")
    pointer = f"/examples/{place}"
    named = f"Example {place + 1}{' (' + example['name'] + ')' if example.get('name') else ''}"
    if answer.failure:
        yield rule.problem(pointer, f"{named} was not answered: {answer.failure}.")
    elif "error" in example:
        wanted = example["error"]["code"]
        code = error_code(answer)
        if not answer.is_error:
            yield rule.problem(f"{pointer}/error", f"{named} succeeds, and was to fail with {wanted}.")
        elif code != wanted:
            message = f"{named} fails with {code or 'no code'}, not with {wanted}."
            yield rule.problem(f"{pointer}/error/code", message)
    elif answer.is_error:
        code = error_code(answer)
        message = f"{named} fails with {code or 'no code'}: {_shown(answer.text)}."
        yield rule.problem(f"{pointer}/output", message)
    else:
        yield from _check_output(f"{pointer}/output", named, example["output"], answer)


def _check_failures(manifest: Mapping[str, Any], answers: tuple[Answer, ...]) -> Iterator[Problem]:
    """A warning for a failure that some clients hold against the output schema, and throw away."""
    schema = manifest["interface"]["output"]
    for place, (example, answer) in enumerate(zip(manifest["examples"], answers, strict=True)):
        is_promised = "error" in example and answer.is_error and answer.structured is not None
        if is_promised and not _is_allowed(schema, answer.structured):
            message = "The failure has structured content that the output schema does not allow."
            fix = "Send the failure as JSON text alone: TypeScript clients may throw away such an answer."
            pointer = f"/examples/{place}/error"
            yield served_rule("answers").problem(pointer, message, fix=fix, severity="warning")


def _is_allowed(schema: Mapping[str, Any], value: Any) -> bool:
    try:
        return not find_misfits(schema, value)
    except LostReference:
        return False


def _check_output(pointer: str, named: str, wanted: Any, answer: Answer) -> Iterator[Problem]:
    rule = served_rule("answers")
    value = answer.structured
    if value is None:
        value = _parsed(answer.text)
        if value is None:
            yield rule.problem(pointer, f"{named} is answered without a structured result.")
            return
        message = f"{named} is answered as text only; callers read the structured result."
        fix = "Return the object as structured content too."
        yield rule.problem(pointer, message, fix=fix, severity="warning")
    if (where := first_difference(wanted, value)) is not None:
        message = f"{named} is answered differently at {where}: {_shown(json.dumps(value))}."
        yield rule.problem(pointer, message)


def error_code(answer: Answer) -> str | None:
    """The code of a failed call: `error.code` or `code` of its structured value, or of its text as JSON."""
    for value in (answer.structured, _parsed(answer.text)):
        if isinstance(value, dict):
            inner = value.get("error")
            code = inner.get("code") if isinstance(inner, dict) else value.get("code")
            if isinstance(code, str):
                return code
    return None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _shown(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "..."
