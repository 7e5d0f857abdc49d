"""The protocol as data agrees with the specification's structure and with itself."""

import json
from pathlib import Path
from typing import Any

import pytest

from pond_new.protocol import facts
from pond_new.protocol.requirements import find_requirement, load_requirements
from pond_new.protocol.schemas import load_manifest_schema, load_run_request_schema

STRUCTURE = Path(__file__).parent / "structure"


def without_words(schema: Any) -> Any:
    """The schema without its titles and descriptions; a property called description stays."""
    if isinstance(schema, list):
        return [without_words(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: without_words(value)
        for key, value in schema.items()
        if key not in {"title", "description"} or not isinstance(value, str)
    }


def structure_of(name: str) -> Any:
    return json.loads((STRUCTURE / name).read_text(encoding="utf-8"))


def test_the_manifest_schema_has_the_structure_of_the_specification() -> None:
    assert without_words(load_manifest_schema()) == structure_of("manifest.json")


def test_the_run_request_schema_has_the_structure_of_the_specification() -> None:
    assert without_words(load_run_request_schema()) == structure_of("run-request.json")


def test_every_property_of_the_manifest_schema_is_described() -> None:
    definitions = load_manifest_schema()["$defs"].values()

    properties = [
        property_ for definition in definitions for property_ in definition.get("properties", {}).values()
    ]

    assert all(property_["description"] for property_ in properties)


def test_capabilities_and_limits_are_those_of_the_schema() -> None:
    definitions = load_manifest_schema()["$defs"]

    assert [row.name for row in facts.CAPABILITIES] == definitions["capabilities"]["required"]
    assert [row.name for row in facts.LIMITS] == definitions["limits"]["required"]


def test_reserved_capabilities_are_those_the_schema_fixes_to_false() -> None:
    properties = load_manifest_schema()["$defs"]["capabilities"]["properties"]

    reserved = {name for name, schema in properties.items() if schema.get("const") is False}

    assert reserved == {row.name for row in facts.CAPABILITIES if row.is_reserved}


def test_choices_are_those_of_the_schema() -> None:
    definitions = load_manifest_schema()["$defs"]
    metadata, plan = definitions["importableMetadata"], definitions["importablePricingPlan"]

    ours = [row.name for row in facts.CATEGORIES if row.standing != "drifted"]

    assert ours == metadata["properties"]["category"]["enum"]
    assert list(facts.USAGE_UNITS) == plan["properties"]["usage_unit"]["enum"]
    assert [row.name for row in facts.PRICING_MODELS] == plan["properties"]["pricing_model"]["enum"]
    assert list(facts.VALUE_TYPES) == definitions["valueSchema"]["properties"]["type"]["enum"]


def test_modes_are_those_of_the_run_request() -> None:
    execution = load_run_request_schema()["$defs"]["execution"]

    assert [mode.name for mode in facts.MODES] == execution["properties"]["mode"]["enum"]


def test_only_the_codes_of_pond_itself_have_no_status() -> None:
    pond_only = {row.code for row in facts.ERROR_CODES if row.is_pond_only}

    assert pond_only == {"agent_timeout", "agent_unreachable", "invalid_agent_response"}


def test_the_catalogue_has_198_requirements_with_their_group_in_the_id() -> None:
    catalogue = load_requirements()

    assert len(catalogue) == 198
    assert all(row.id.startswith(f"{row.group}-") for row in catalogue.values())


def test_a_requirement_is_found_by_its_id() -> None:
    assert find_requirement("MAN-05").level == "MUST"


def test_an_unknown_requirement_id_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        find_requirement("MAN-99")
