"""Manifests as text. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def dump_manifest(value: Mapping[str, Any]) -> str:
    """JSON with two spaces of indentation, letters and order as they are, and a final newline."""
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
