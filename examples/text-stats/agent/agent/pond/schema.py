"""A JSON Schema as a check whose words are safe to send: it names the place and the rule, never a value.

The only importer of jsonschema_rs. Remote references are not followed (`offline`), and the user's values
stay out of the messages (`mask`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import jsonschema_rs

Kind = jsonschema_rs.ValidationErrorKind
Path = tuple[str | int, ...]

FEW = 1000  # members and entries of a value whose errors are listed in a moment


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken rule: the dotted path of the value, and an English sentence about it."""

    field: str
    message: str


class Schema:
    """A compiled schema (Draft 2020-12, formats asserted)."""

    def __init__(self, document: dict[str, Any], *, root: str) -> None:
        """`root` is what the checked value is called in messages, such as `parameters`."""
        self.document = document
        self._root = root
        self._validator = jsonschema_rs.Draft202012Validator(
            document, validate_formats=True, mask="value", offline=True
        )

    def fault(self, value: Any) -> Fault | None:
        """The most telling fault of a value, or None when it satisfies the schema."""
        if self._validator.is_valid(value):
            return None
        error, path = _most_telling(self._errors(value))
        return self._describe(error, path)

    def unknown(self, value: Any) -> tuple[str, ...]:
        """The dotted paths of the fields that a value has and the schema does not know."""
        return tuple(
            ".".join(_printable(str(step)) for step in (*error.instance_path, name))
            for error in self._errors(value)
            if isinstance(error.kind, Kind.AdditionalProperties)
            for name in error.kind.unexpected
        )

    def _errors(self, value: Any) -> list[jsonschema_rs.ValidationError]:
        """Every error of a value; of a large one only the first, because there may be far too many."""
        if _is_small(value):
            return list(self._validator.iter_errors(value))
        try:
            self._validator.validate(value)
        except jsonschema_rs.ValidationError as error:
            return [error]
        return []

    def _describe(self, error: jsonschema_rs.ValidationError, path: Path) -> Fault:
        place = ".".join(_printable(str(step)) for step in ([self._root] if self._root else []) + list(path))
        prefix = f"{place}." if place else ""
        match error.kind:
            case Kind.Required(property=name):
                field = prefix + _printable(name)
                return Fault(field, f"{field} is required.")
            case Kind.AdditionalProperties(unexpected=names):
                field = prefix + _printable(names[0])
                known = _declared(self.document, error.schema_path)
                return Fault(field, f"{field} is not a known field{_suggestion(names[0], known)}.")
            case Kind.Contains():
                rule = "lacks an entry of a required kind"
            case Kind.OneOfNotValid() | Kind.AnyOf():
                rule = "is of no known kind"
            case _:  # such as `value is not of type "string"`
                rule = error.message.removeprefix("value ")
        return Fault(place or "body", f"{place or 'The body'} {rule}.")


def _most_telling(
    errors: Sequence[jsonschema_rs.ValidationError],
) -> tuple[jsonschema_rs.ValidationError, Path]:
    """An unknown name before a missing one (it is often the missing one, misspelt), else the first."""
    unknown = (error for error in errors if isinstance(error.kind, Kind.AdditionalProperties))
    error = next(unknown, errors[0])
    path = tuple(error.instance_path)
    if isinstance(error.kind, Kind.OneOfNotValid):
        for branch in error.kind.context:
            if branch and not any(isinstance(inner.kind, Kind.Constant) for inner in branch):
                inner = branch[0]
                return inner, path + tuple(inner.instance_path)[len(path) :]
    return error, path


def _is_small(value: Any) -> bool:
    """Whether a value has no more than `FEW` members and entries, at whatever depth."""
    left, waiting = FEW, [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict | list):
            left -= len(node)
            if left < 0:
                return False
            waiting.extend(node.values() if isinstance(node, dict) else node)
    return True


def _declared(document: Mapping[str, Any], schema_path: Iterable[str | int]) -> list[str]:
    """The names that the object at a schema path declares."""
    node: Any = document
    for step in list(schema_path)[:-1]:
        if step == "$ref":  # the names are declared elsewhere in the document
            return []
        node = node[step]
    return list(node.get("properties", {}))


def _suggestion(name: str, known: Sequence[str]) -> str:
    close = get_close_matches(name[:100], known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def _printable(name: str) -> str:
    """A name from a request, short and on one line."""
    cleaned = "".join(letter if letter.isprintable() else "?" for letter in name[:80])
    return cleaned + ("..." if len(name) > 80 else "")  # noqa: PLR2004 -- the same 80 as above
