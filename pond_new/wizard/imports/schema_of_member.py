"""A program of its own: import a file and print the JSON Schema of one thing in it. Needs pydantic there.

It is started by `running` with the user's interpreter and imports nothing of pond-new.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import sys
from pathlib import Path
from typing import Any


def main(path: str, name: str) -> None:
    """Print the schema as one line, the last of the output."""
    sys.path.insert(0, str(Path(path).parent))
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    sys.stdout.write("\n" + json.dumps(_schema(getattr(module, name))) + "\n")


def _schema(member: Any) -> Any:
    from pydantic import TypeAdapter, create_model  # noqa: PLC0415 -- only there, in the user's environment

    if not inspect.isfunction(member):
        return TypeAdapter(member).json_schema()
    fields: dict[str, Any] = {}
    for parameter in inspect.signature(member, eval_str=True).parameters.values():
        if parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}:
            continue
        kind = str if parameter.annotation is parameter.empty else parameter.annotation
        fields[parameter.name] = (kind, ... if parameter.default is parameter.empty else parameter.default)
    return create_model(member.__name__, **fields).model_json_schema()


if __name__ == "__main__":
    main(*sys.argv[1:])
