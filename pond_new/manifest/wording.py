"""How values and keys are shown in a message. Pure."""

from __future__ import annotations

import json
from typing import Any

from pond_new.manifest.near import nearest
from pond_new.protocol.facts import LIMITS

SHOWN = 48


def shown(value: Any) -> str:
    """A value as JSON, cut to what fits in a sentence."""
    if isinstance(value, dict):
        return "an object" if value else "{}"
    if isinstance(value, list) and len(value) > 1:
        return f"a list of {len(value)}"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def suggestion(name: str, known: tuple[str, ...]) -> str:
    """A sentence that names the key which was probably meant, or an empty text."""
    meant = nearest(name, known)
    if meant is None:
        return ""
    unit = next((limit.unit for limit in LIMITS if limit.name == meant), None)
    if unit == "seconds":
        return f"Did you mean {meant}, in seconds (not milliseconds)?"
    return f"Did you mean {meant}, in {unit}?" if unit else f"Did you mean {meant}?"
