"""The manifest as the server needs it: read once at start, never changed while the server lives."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from agent.pond.errors import UnusableManifest
from agent.pond.facts import MODES, USAGE_UNITS


@dataclass(frozen=True, slots=True)
class Contract:
    """What this agent promises.

    `schemas` has the input schema of each action id, or one entry under None for an agent without
    actions; a schema of None takes any parameters. `modes` are the offered ones, in the protocol's order.
    """

    document: bytes
    schemas: Mapping[str | None, dict[str, Any] | None]
    modes: tuple[str, ...]
    input_modes: tuple[str, ...]
    output_modes: tuple[str, ...]
    attachments: bool
    max_request_bytes: int
    max_attachment_bytes: int
    max_run_seconds: int
    usage_unit: str

    @property
    def has_actions(self) -> bool:
        """Whether a request must name an action (specification, "Declare multiple actions")."""
        return None not in self.schemas


def load_contract(path: Path) -> Contract:
    """Read a manifest from disk. Raises `UnusableManifest`."""
    try:
        return parse_contract(orjson.loads(path.read_bytes()))
    except OSError as error:
        raise UnusableManifest(f"{path.name} cannot be read: {error.strerror}") from error
    except orjson.JSONDecodeError as error:
        raise UnusableManifest(f"{path.name} is not valid JSON: {error}") from error


def parse_contract(document: Any) -> Contract:
    """A manifest's JSON value -> `Contract`. Raises `UnusableManifest` when a needed part is missing."""
    try:
        limits, capabilities = document["limits"], document["capabilities"]
        return Contract(
            document=orjson.dumps(document),
            schemas=_schemas(document),
            modes=tuple(mode.name for mode in MODES.values() if capabilities[mode.capability]),
            input_modes=tuple(document["input_modes"]),
            output_modes=tuple(document["output_modes"]),
            attachments=bool(capabilities["attachments"]),
            max_request_bytes=int(limits["max_request_bytes"]),
            max_attachment_bytes=int(limits["max_attachment_bytes"]),
            max_run_seconds=int(limits["max_run_seconds"]),
            usage_unit=_usage_unit(document),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UnusableManifest(f"the manifest is incomplete or malformed: {error!r}") from error


def _schemas(document: Mapping[str, Any]) -> dict[str | None, dict[str, Any] | None]:
    if "actions" not in document:
        return {None: document.get("input_schema")}
    return {action["id"]: action.get("input_schema") for action in document["actions"]}


def _usage_unit(document: Mapping[str, Any]) -> str:
    """The unit of the first pricing plan that names one, or `result`: a run reports one unit."""
    metadata = document.get("metadata")
    plans = metadata.get("pricing_plans") if isinstance(metadata, dict) else None
    units = [
        plan.get("usage_unit")
        for plan in (plans if isinstance(plans, list) else ())
        if isinstance(plan, dict)
    ]
    return next((unit for unit in units if unit in USAGE_UNITS), "result")
