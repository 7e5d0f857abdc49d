"""Functions and classes of a Python file, read from its text: nothing of it is ever run here. Pure."""

from __future__ import annotations

import ast
from dataclasses import replace

from pond_new.wizard.imports.carried import Carried, NotReadable
from pond_new.wizard.imports.pond_form import to_pond_form
from pond_new.wizard.imports.python_classes import class_schema, is_model
from pond_new.wizard.imports.python_docs import parse_docstring
from pond_new.wizard.imports.python_types import Annotations, Json

Function = ast.FunctionDef | ast.AsyncFunctionDef

INJECTED = frozenset({"self", "cls", "run", "ctx", "context"})
"""Parameters that no user gives a value for."""


def list_members(text: str) -> list[tuple[str, str]]:
    """Name and kind of each function and class that could give parameters. Raises `NotReadable`."""
    module = _parse(text)
    found = [
        (node.name, "function" if isinstance(node, Function) else "class")
        for node in module.body
        if (isinstance(node, Function) and not node.name.startswith("_"))
        or (isinstance(node, ast.ClassDef) and is_model(node))
    ]
    if not found:
        raise NotReadable("there is no function and no class with typed fields in this file")
    return found


def carry_member(text: str, name: str) -> Carried:
    """The parameters of a function, or the fields of a class, in Pond's form. Raises `NotReadable`."""
    module = _parse(text)
    node = next((each for each in module.body if getattr(each, "name", None) == name), None)
    annotations = Annotations(module)
    if isinstance(node, Function):
        schema = _function_schema(node, annotations)
    elif isinstance(node, ast.ClassDef):
        schema = class_schema(node, annotations)
    else:
        raise NotReadable(f"there is no function or class {name} in this file")
    carried = to_pond_form({**schema, "$defs": annotations.definitions(class_schema)})
    unread = tuple(
        f"{place}: {what} cannot be read from the text alone" for place, what in annotations.unread
    )
    return replace(carried, losses=(*unread, *carried.losses), is_partial=bool(unread))


def _parse(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError) as fault:
        line = getattr(fault, "lineno", None)
        raise NotReadable(f"this is no Python that can be read{f' (line {line})' if line else ''}") from None


def _function_schema(node: Function, annotations: Annotations) -> Json:
    """The parameters of a function with their types, defaults and descriptions from the docstring."""
    described = parse_docstring(ast.get_docstring(node) or "")
    arguments = [*node.args.posonlyargs, *node.args.args]
    defaults: list[ast.expr | None] = [
        *([None] * (len(arguments) - len(node.args.defaults))),
        *node.args.defaults,
        *node.args.kw_defaults,
    ]
    properties: Json = {}
    required: list[str] = []
    for argument, default in zip([*arguments, *node.args.kwonlyargs], defaults, strict=True):
        if argument.arg in INJECTED:
            continue
        schema = annotations.schema(argument.annotation, argument.arg)
        if argument.arg in described:
            schema = {**schema, "description": described[argument.arg]}
        properties[argument.arg] = annotations.with_default(schema, default)
        if default is None:
            required.append(argument.arg)
    for extra in (node.args.vararg, node.args.kwarg):
        if extra is not None:
            annotations.note(extra.arg, "a parameter for any number of values")
    return {"type": "object", "properties": properties, "required": required}
