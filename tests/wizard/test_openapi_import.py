"""The operations of an OpenAPI document as parameters: what is listed, joined, and named as lost."""

from __future__ import annotations

from typing import Any

import pytest

from pond_new.wizard.imports.carried import NotReadable
from pond_new.wizard.imports.openapi import carry_operation, list_operations

NOTE = {"description": "A note."}
TEXT = {"type": "string", **NOTE}


OPENAPI: dict[str, Any] = {
    "openapi": "3.1.0",
    "paths": {
        "/pets/{id}": {
            "parameters": [
                {
                    "name": "id",
                    "in": "path",
                    "required": True,
                    "schema": {"type": "integer"},
                    "description": "The pet.",
                }
            ],
            "get": {"summary": "One pet"},
            "post": {
                "parameters": [
                    {"$ref": "#/components/parameters/Dry"},
                    {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
                ],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}},
                },
            },
            "put": {"requestBody": {"content": {"image/png": {}}}},
            "patch": {
                "requestBody": {
                    "content": {"application/json": {"schema": {"type": "array", "items": TEXT, **NOTE}}}
                }
            },
        }
    },
    "components": {
        "parameters": {
            "Dry": {"name": "dry", "in": "query", "schema": {"type": "boolean"}, "description": "Only look."}
        },
        "schemas": {
            "Pet": {
                "type": "object",
                "properties": {"name": TEXT, "born": {**TEXT, "readOnly": True}},
                "required": ["name", "born"],
            }
        },
    },
}


def test_the_operations_of_a_document_are_listed() -> None:
    assert list_operations(OPENAPI) == [
        ("GET /pets/{id}", "One pet"),
        ("POST /pets/{id}", ""),
        ("PUT /pets/{id}", ""),
        ("PATCH /pets/{id}", ""),
    ]


def test_parameters_and_body_of_an_operation_become_one_schema() -> None:
    carried = carry_operation(OPENAPI, "POST /pets/{id}")

    assert carried.schema == {
        "type": "object",
        "properties": {
            "id": {"type": "integer", "description": "The pet."},
            "dry": {"type": "boolean", "description": "Only look."},
            "name": TEXT,
        },
        "required": ["id", "name"],
        "additionalProperties": False,
    }
    assert [loss.partition(":")[0] for loss in carried.losses] == ["X-Trace", "born"]


def test_a_body_without_names_is_one_parameter_or_named_as_lost() -> None:
    assert "body" in carry_operation(OPENAPI, "PATCH /pets/{id}").schema["properties"]
    assert "image/png" in carry_operation(OPENAPI, "PUT /pets/{id}").losses[0]


def test_swagger_two_keeps_types_beside_names() -> None:
    document = {
        "swagger": "2.0",
        "paths": {
            "/a": {
                "get": {
                    "parameters": [
                        {
                            "name": "n",
                            "in": "query",
                            "type": "integer",
                            "maximum": 5,
                            "description": "How many.",
                        },
                        {
                            "name": "b",
                            "in": "body",
                            "required": True,
                            "schema": {"type": "object", "properties": {"t": TEXT}, "required": ["t"]},
                        },
                    ]
                }
            }
        },
    }

    carried = carry_operation(document, "GET /a")

    assert carried.schema["properties"] == {
        "n": {"type": "integer", "description": "How many.", "maximum": 5},
        "t": TEXT,
    }
    assert carried.schema["required"] == ["t"]


@pytest.mark.parametrize("value", [None, {}, {"paths": []}, {"paths": {"/a": {"get": 3}}}])
def test_what_is_no_openapi_document_is_refused(value: Any) -> None:
    with pytest.raises(NotReadable, match="no OpenAPI document"):
        list_operations(value)
