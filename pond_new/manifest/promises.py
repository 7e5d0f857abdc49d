"""What an agent version stands for: the parts of a manifest that may not change under the same one. Pure.

Specification, "Add the manifest": a new agent_version goes with every change of an action's id or
description, of an input schema, a capability, a media mode or a limit (requirement MAN-11).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

PROMISED = ("input_schema", "capabilities", "input_modes", "output_modes", "limits")
PROMISED_OF_ACTIONS = ("id", "description", "input_schema")


def promises(document: Mapping[str, Any]) -> dict[str, Any]:
    """The promised parts of a valid manifest; names, metadata and the order of keys are none of them."""
    actions = [
        {part: action.get(part) for part in PROMISED_OF_ACTIONS} for action in document.get("actions", ())
    ]
    by_id = sorted(actions, key=lambda action: str(action["id"]))
    return {part: document.get(part) for part in PROMISED} | {"actions": by_id}


def promises_digest(document: Mapping[str, Any]) -> str:
    """SHA-256 of `promises`: it differs exactly when `agent_version` has to."""
    text = json.dumps(promises(document), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
