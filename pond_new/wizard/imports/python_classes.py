"""Classes with typed fields, as text: pydantic models, dataclasses, TypedDicts, enums. Pure."""

from __future__ import annotations

import ast

from pond_new.wizard.imports.python_docs import parse_docstring
from pond_new.wizard.imports.python_types import Annotations, Json, last_name, literal

ENUMS = frozenset({"Enum", "StrEnum", "IntEnum"})
FIELDS = frozenset({"Field", "field"})


def is_model(node: ast.ClassDef) -> bool:
    """Whether a class holds fields that could be parameters: no enum, and at least one annotation."""
    is_enum = any(last_name(base) in ENUMS for base in node.bases)
    return not is_enum and any(isinstance(each, ast.AnnAssign) for each in node.body)


def class_schema(node: ast.ClassDef, annotations: Annotations) -> Json:
    """The schema of a class: an enum's values, or an object of its fields and those of its bases."""
    bases = [last_name(base) for base in node.bases]
    if any(base in ENUMS for base in bases):
        return _enum_schema(node, annotations)
    fields = _Fields(node, annotations)
    for base in bases:
        if (parent := annotations.find_class(base)) is not None and parent is not node:
            fields.inherit(class_schema(parent, annotations))
        elif base not in KNOWN_BASES:
            annotations.note(node.name, f"what it inherits from {base}")
    for place, statement in enumerate(node.body):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            fields.add(statement.target.id, statement, _comment(node.body, place))
    words = ast.get_docstring(node)
    about = {"description": words.strip().splitlines()[0]} if words and words.strip() else {}
    return {"type": "object", "properties": fields.properties, "required": fields.required, **about}


KNOWN_BASES = frozenset({"BaseModel", "TypedDict", "NamedTuple", "object", "Protocol", "Generic", "ABC", ""})


class _Fields:
    """The fields of one class as they are read, one after the other."""

    def __init__(self, node: ast.ClassDef, annotations: Annotations) -> None:
        self.properties: Json = {}
        self.required: list[str] = []
        self._annotations = annotations
        self._described = parse_docstring(ast.get_docstring(node) or "")
        self._is_total = not any(
            each.arg == "total" and literal(each.value) is False for each in node.keywords
        )

    def inherit(self, schema: Json) -> None:
        """Take the fields of a base class."""
        self.properties |= schema.get("properties", {})
        self.required = list(dict.fromkeys([*self.required, *schema.get("required", [])]))

    def add(self, name: str, statement: ast.AnnAssign, comment: str | None) -> None:
        """Read one field; `comment` is the text under it."""
        annotation = statement.annotation
        wrapper = last_name(annotation.value) if isinstance(annotation, ast.Subscript) else ""
        if name.startswith("_") or name == "model_config" or wrapper == "ClassVar":
            return
        schema = self._annotations.schema(annotation, name)
        text = self._described.get(name) or comment
        schema = {**schema, "description": text} if text else schema
        self.properties[name], has_default = _with_value(schema, statement.value, self._annotations)
        is_needed = wrapper == "Required" or (self._is_total and wrapper != "NotRequired")
        self.required = [each for each in self.required if each != name]
        if is_needed and not has_default:
            self.required.append(name)


def _with_value(schema: Json, value: ast.expr | None, annotations: Annotations) -> tuple[Json, bool]:
    """The schema with what stands right of the equals sign, and whether that is a default."""
    if not (isinstance(value, ast.Call) and last_name(value.func) in FIELDS):
        return annotations.with_default(schema, value), value is not None
    given = {keyword.arg: keyword.value for keyword in value.keywords}
    default = value.args[0] if value.args else given.get("default")
    is_ellipsis = isinstance(default, ast.Constant) and default.value is ...
    has_default = (default is not None and not is_ellipsis) or "default_factory" in given
    schema = annotations.constrained(schema, value.keywords)
    return annotations.with_default(schema, None if is_ellipsis else default), has_default


def _comment(body: list[ast.stmt], place: int) -> str | None:
    """The text that stands under a field as its description."""
    following = body[place + 1] if place + 1 < len(body) else None
    if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
        text = following.value.value
        return " ".join(text.split()) if isinstance(text, str) else None
    return None


def _enum_schema(node: ast.ClassDef, annotations: Annotations) -> Json:
    values = []
    for each in node.body:
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
            is_auto = isinstance(each.value, ast.Call) and last_name(each.value.func) == "auto"
            value = each.targets[0].id.lower() if is_auto else literal(each.value)
            if value is None:
                annotations.note(node.name, f"the value of {each.targets[0].id}")
            else:
                values.append(value)
    return {"enum": values}
