"""The operations of an OpenAPI (3.x) or Swagger (2.0) document, and the parameters of one of them. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pond_new.wizard.imports.carried import Carried, NotReadable
from pond_new.wizard.imports.pond_form import find_part, to_pond_form

METHODS = ("get", "post", "put", "patch", "delete", "options", "head", "trace")
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
SWAGGER_KEYS = frozenset(
    {"name", "in", "required", "description", "schema", "collectionFormat", "allowEmptyValue"}
)

Operation = Mapping[str, Any]


def list_operations(document: Any) -> list[tuple[str, str]]:
    """A name and a summary for each operation. Raises `NotReadable` if there is none."""
    found = [(name, str(operation.get("summary") or "")) for name, operation, _ in _operations(document)]
    if not found:
        raise NotReadable("this is no OpenAPI document with operations under paths")
    return found


def carry_operation(document: Any, name: str) -> Carried:
    """The parameters and the body of an operation as one object schema in Pond's form."""
    operation, shared = next(
        ((operation, shared) for each, operation, shared in _operations(document) if each == name), ({}, [])
    )
    gathered = _Gathered(document)
    given = operation.get("parameters", [])
    for parameter in [*shared, *(given if isinstance(given, list) else [])]:
        gathered.add_parameter(_resolved(parameter, document))
    gathered.add_body(_resolved(operation.get("requestBody"), document))
    carried = to_pond_form(gathered.schema(), document)
    return replace(carried, losses=(*gathered.losses, *carried.losses))


@dataclass(slots=True)
class _Gathered:
    """The named values of an operation, wherever they are sent."""

    document: Any
    properties: dict[str, Any] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    losses: list[str] = field(default_factory=list)

    def schema(self) -> dict[str, Any]:
        """One object schema of all of them."""
        return {
            "type": "object",
            "properties": self.properties,
            "required": list(dict.fromkeys(self.required)),
        }

    def add_parameter(self, parameter: Operation) -> None:
        """Add a parameter of the path or the query, or the body of Swagger 2.0."""
        name, where = parameter.get("name"), parameter.get("in")
        is_required = parameter.get("required") is True
        if where == "body":
            self._add_object(parameter.get("schema"), is_required=is_required)
            return
        if not isinstance(name, str) or where in {"header", "cookie"}:
            self.losses.append(f"{name}: it is sent as a {where}, which is no business of a user")
            return
        self.properties[name] = _schema_of(parameter)
        self.required = [each for each in self.required if each != name] + ([name] if is_required else [])

    def add_body(self, body: Operation) -> None:
        """Add the members of a JSON or form body."""
        content = body.get("content")
        if not isinstance(content, dict) or not content:
            return
        forms = [name for name in content if "json" in name] + [name for name in FORMS if name in content]
        if not forms:
            self.losses.append(f"the body: it is {' or '.join(content)}, which holds no named values")
            return
        media = content[forms[0]]
        schema = media.get("schema") if isinstance(media, dict) else None
        self._add_object(schema, is_required=body.get("required") is True)

    def _add_object(self, schema: Any, *, is_required: bool) -> None:
        """Add the members of a body; a body that is no object becomes one parameter."""
        try:
            body = to_pond_form(schema, self.document)
        except NotReadable:
            self.properties["body"] = schema if isinstance(schema, dict) else {}
            self.required.extend(["body"] if is_required else [])
            return
        self.losses.extend(body.losses)
        self.properties.update(body.schema["properties"])
        self.required.extend(body.schema.get("required", []) if is_required else [])


def _operations(document: Any) -> Iterator[tuple[str, Operation, list[Any]]]:
    """Each operation by name, with the parameters that its path has for all of them."""
    paths = document.get("paths") if isinstance(document, dict) else None
    for path, item in paths.items() if isinstance(paths, dict) else ():
        found = _resolved(item, document)
        shared = found.get("parameters")
        for method in METHODS:
            operation = found.get(method)
            if isinstance(operation, dict):
                name = f"{method.upper()} {path}"
                yield name, operation, shared if isinstance(shared, list) else []


def _schema_of(parameter: Operation) -> dict[str, Any]:
    schema = parameter.get("schema")
    content = parameter.get("content")
    if isinstance(content, dict) and content:
        schema = next(iter(content.values())).get("schema")
    if not isinstance(schema, dict):
        schema = {key: value for key, value in parameter.items() if key not in SWAGGER_KEYS}
    described = {"description": parameter["description"]} if parameter.get("description") else {}
    return {**schema, **described}


def _resolved(value: Any, document: Any) -> Operation:
    """The object itself, or the one that it refers to."""
    for _ in METHODS:
        if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
            break
        value = find_part(document, value["$ref"].removeprefix("#"))
    return value if isinstance(value, dict) else {}
