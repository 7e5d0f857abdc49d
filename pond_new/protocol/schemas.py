"""The JSON Schemas of the specification: its structure, our descriptions. Pure but for reading them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any


@cache
def load_manifest_schema() -> dict[str, Any]:
    """The schema of a manifest (Appendix). Shared: read it, do not change it."""
    return _load("manifest.schema.json")


@cache
def load_run_request_schema() -> dict[str, Any]:
    """The schema of a run request's envelope. Shared: read it, do not change it."""
    return _load("run-request.schema.json")


def editor_schema() -> dict[str, Any]:
    """The manifest's schema for editors, which completes and checks inside metadata too.

    Stricter than Pond: it also marks values that Pond would accept and skip.
    """
    schema = load_manifest_schema()
    reference = {"description": "Where an editor finds this schema; Pond ignores it.", "type": "string"}
    metadata = {**schema["properties"]["metadata"], "$ref": "#/$defs/importableMetadata"}
    return {**schema, "properties": {"$schema": reference, **schema["properties"], "metadata": metadata}}


def _load(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    return schema
