"""Every file under tests/manifests gives exactly the findings beside it; every rule has its own case."""

import json
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pond_new.manifest import InvalidManifest, Problem, parse_document, parse_manifest
from pond_new.manifest.check import check_manifest
from pond_new.manifest.document import Document
from pond_new.manifest.rules import ADVICE_RULES, ERROR_RULES
from pond_new.manifest.rules.satisfiable import check_satisfiable
from pond_new.manifest.structure import check_structure
from pond_new.manifest.walk import look_at
from pond_new.protocol.reasons import load_reasons
from pond_new.protocol.requirements import load_requirements

ROOT = Path(__file__).parent.parent / "manifests"
CASES = sorted(path for path in ROOT.glob("*/*") if not path.name.endswith(".expected.json"))
RULES = [*ERROR_RULES, *ADVICE_RULES, check_satisfiable]


def case_id(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def expected_of(path: Path) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = json.loads(path.with_suffix(".expected.json").read_text(encoding="utf-8"))
    return rows


def problems_of(path: Path) -> tuple[Problem, ...]:
    try:
        return check_manifest(parse_document(path.read_bytes(), name=path.name))
    except InvalidManifest as failure:
        return failure.problems


@cache
def objects() -> list[tuple[Path, Document]]:
    """Every case that can be read and is an object."""
    read = []
    for path in CASES:
        with suppress(InvalidManifest):
            read.append((path, parse_document(path.read_bytes(), name=path.name)))
    return [(path, document) for path, document in read if isinstance(document.value, dict)]


@pytest.mark.parametrize("path", CASES, ids=case_id)
def test_a_case_has_exactly_the_findings_beside_it(path: Path) -> None:
    counted = Counter((problem.severity, problem.id, problem.pointer) for problem in problems_of(path))

    assert counted == Counter((row["severity"], row["id"], row["pointer"]) for row in expected_of(path))


@pytest.mark.parametrize("path", CASES, ids=case_id)
def test_a_case_lies_in_the_folder_of_its_worst_finding(path: Path) -> None:
    severities = {row["severity"] for row in expected_of(path)}

    worst = "invalid" if "error" in severities else "warned" if "warning" in severities else "valid"

    assert path.parent.name == worst


@pytest.mark.parametrize("path", CASES, ids=case_id)
def test_every_finding_has_a_place_plain_words_a_fix_and_a_reason(path: Path) -> None:
    for problem in problems_of(path):
        assert problem.line is not None or problem.id == "MAN-02"
        assert problem.message.endswith((".", "?", '"'))
        assert problem.fix
        assert problem.why.endswith(".")


@pytest.mark.parametrize("path", CASES, ids=case_id)
def test_parsing_refuses_exactly_the_cases_with_errors(path: Path) -> None:
    is_accepted = True
    try:
        parse_manifest(parse_document(path.read_bytes(), name=path.name))
    except InvalidManifest:
        is_accepted = False

    only_unsatisfiable = path.stem == "choices-that-break-their-own-rule"
    assert is_accepted == (path.parent.name != "invalid" or only_unsatisfiable)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_each_rule_has_a_case_that_it_alone_catches(rule: Any) -> None:
    def is_shown_by(path: Path) -> bool:
        caught = places(path)
        others = {place for other in (*RULES, None) if other is not rule for place in caught[other]}
        expected = {(row["id"], row["pointer"]) for row in expected_of(path)}
        return bool((caught[rule] - others) & expected)

    assert any(is_shown_by(path) for path, _ in objects()), "no case shows what this rule is for"


@cache
def places(path: Path) -> dict[Any, set[tuple[str, str]]]:
    """What each rule finds in a case, and under None what the schema does."""
    value = dict(objects())[path].value
    subject = look_at(value)
    by_rule = {rule: set(found(rule(subject))) for rule in (*ERROR_RULES, *ADVICE_RULES)}
    schema = set(found(check_structure(value)))
    return {
        **by_rule,
        None: schema,
        check_satisfiable: set() if schema else set(found(check_satisfiable(subject))),
    }


def found(problems: Iterable[Problem]) -> Iterable[tuple[str, str]]:
    return ((problem.id, problem.pointer) for problem in problems)


def test_every_requirement_that_a_manifest_can_show_has_a_case() -> None:
    catalogue = load_requirements()
    shown = {row["id"] for path in CASES for row in expected_of(path)}

    judged = {row.id for row in catalogue.values() if row.reach == "S"}

    assert judged - shown == {"SCH-11"}, "SCH-11 is the same check as MAN-08, which has a case"


def test_every_reason_belongs_to_a_requirement() -> None:
    assert set(load_reasons()) <= set(load_requirements())
