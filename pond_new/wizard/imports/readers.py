"""Reads the files that a conversation asks for. The only module of the wizard that opens a user's files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pond_new.errors import PondError
from pond_new.manifest import parse_document
from pond_new.wizard.imports.carried import Carried, NotReadable
from pond_new.wizard.imports.openapi import carry_operation, list_operations
from pond_new.wizard.imports.pond_form import find_part, to_pond_form
from pond_new.wizard.imports.python_source import carry_member, list_members
from pond_new.wizard.imports.running import carry_by_running
from pond_new.wizard.question import Load

LIMIT = 16 * 1024 * 1024


def load(request: Load) -> dict[str, Any]:
    """The reply to a `Load`: {"value": ...} or {"error": ...}, plain JSON values."""
    try:
        return {"value": READERS[request.reader](request.path, request.member)}
    except PondError as fault:
        return {"error": f"{fault}".rstrip(".") + "."}


def _read_schema(path: str, _member: str) -> dict[str, Any]:
    file, _, pointer = path.partition("#")
    document = _document(file)
    return to_pond_form(find_part(document, pointer), document).dump()


def _read_openapi(path: str, member: str) -> Any:
    document = _document(path)
    return (
        carry_operation(document, member).dump()
        if member
        else [list(row) for row in list_operations(document)]
    )


def _read_python(path: str, member: str) -> Any:
    text = _content(path).decode("utf-8-sig", "replace")
    return carry_member(text, member).dump() if member else [list(row) for row in list_members(text)]


def _run_python(path: str, member: str) -> dict[str, Any]:
    carried: Carried = carry_by_running(str(Path(path).expanduser()), member)
    return carried.dump()


READERS: Mapping[str, Callable[[str, str], Any]] = {
    "schema": _read_schema,
    "openapi": _read_openapi,
    "python": _read_python,
    "python-run": _run_python,
}


def _document(path: str) -> Any:
    return parse_document(_content(path), name=path, limit=LIMIT).value


def _content(path: str) -> bytes:
    try:
        with Path(path).expanduser().open("rb") as file:
            return file.read(LIMIT + 1)
    except OSError as fault:
        raise NotReadable(f"{path} cannot be read: {fault.strerror}") from None
