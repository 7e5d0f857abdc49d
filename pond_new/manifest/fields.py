"""What each key of a manifest must be, in words, with the requirement that says so. Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pond_new.protocol.facts import PROTOCOL, PROTOCOL_VERSION, VALUE_TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping

ANY: Final = object()


@dataclass(frozen=True, slots=True)
class Field:
    """One key: its requirement, what its value must be, an example as JSON, the only legal value if any."""

    requirement: str
    expects: str
    example: str
    only: Any = ANY


def _flag(meaning: str) -> Field:
    return Field("CAP-01", f"true or false: whether the agent {meaning}", "false")


def _reserved() -> Field:
    return Field("CAP-02", "false in this version of the protocol", "false", only=False)


MANIFEST = {
    "protocol": Field("MAN-04", f'the string "{PROTOCOL}"', f'"{PROTOCOL}"', only=PROTOCOL),
    "protocol_version": Field(
        "MAN-05", f'the string "{PROTOCOL_VERSION}"', f'"{PROTOCOL_VERSION}"', only=PROTOCOL_VERSION
    ),
    "agent_version": Field("MAN-06", "a string that names this release", '"1.0.0"'),
    "metadata": Field("MAN-09", "an object", "{}"),
    "actions": Field(
        "ACT-06",
        "a list of at least one action; a general agent leaves it out",
        '[{"id": "translate_text", …}]',
    ),
    "input_schema": Field(
        "SCH-01", "an object schema", '{"type": "object", "properties": {}, "additionalProperties": false}'
    ),
    "capabilities": Field("MAN-07", "an object with the six flags", '{"sync": true, …}'),
    "input_modes": Field("MAN-07", "a list of at least one media type, each only once", '["text/plain"]'),
    "output_modes": Field("MAN-07", "a list of at least one media type, each only once", '["text/markdown"]'),
    "limits": Field("MAN-07", "an object with the three limits", '{"max_request_bytes": 1048576, …}'),
}

ACTION = {
    "id": Field(
        "ACT-02",
        "lower-case letters, digits and _, starting with a letter, at most 64 characters",
        '"translate_text"',
    ),
    "name": Field("ACT-05", "a string of 1 to 100 characters", '"Translate text"'),
    "description": Field(
        "ACT-05",
        "a string of 1 to 1000 characters that says when to choose this action",
        '"Use when the user wants …"',
    ),
    "input_schema": Field("SCH-01", "an object schema, or be left out", MANIFEST["input_schema"].example),
}

INPUT_SCHEMA = {
    "type": Field("SCH-01", 'the string "object"', '"object"', only="object"),
    "properties": Field("SCH-02", "an object with the parameters by name; {} if there are none", "{}"),
    "required": Field("SCH-07", "a list of names, each only once", '["text"]'),
    "additionalProperties": Field("SCH-03", "false", "false", only=False),
}

VALUE_SCHEMA = {
    "type": Field("SCH-04", f"one of {', '.join(VALUE_TYPES)}", '"string"'),
    "description": Field("SCH-05", "a string that tells the user what to give", '"What to give here."'),
    "enum": Field("SCH-06", "a list of at least one value, each only once", '["short", "long"]'),
    "minLength": Field("SCH-09", "an integer from 0 up", "1"),
    "maxLength": Field("SCH-09", "an integer from 0 up", "1000"),
    "minimum": Field("SCH-09", "a number", "1"),
    "maximum": Field("SCH-09", "a number", "100"),
    "items": Field("SCH-04", "a schema with type and description", '{"type": "string", "description": "…"}'),
    "properties": Field("SCH-04", "an object with a schema for each member", "{}"),
    "required": Field("SCH-07", "a list of names, each only once", '["street"]'),
    "additionalProperties": Field("SCH-10", "true or false", "false"),
}

CAPABILITIES = {
    "sync": _flag("answers a run with one JSON result"),
    "streaming": _flag("answers a run with a stream of events"),
    "async_tasks": _flag("takes a run as a task whose result is fetched later"),
    "cancellation": _reserved(),
    "attachments": _flag("takes files from users"),
    "feedback": _reserved(),
}

LIMITS = {
    "max_request_bytes": Field("LIM-01", "an integer from 1 up: bytes of a run request", "1048576"),
    "max_attachment_bytes": Field(
        "LIM-01",
        "an integer from 1 up (any is accepted), also where attachments are off: bytes of one file",
        "10485760",
    ),
    "max_run_seconds": Field("LIM-01", "an integer from 1 up: seconds, not milliseconds", "60"),
}

KINDS: Mapping[str, Mapping[str, Field]] = {
    "manifest": MANIFEST,
    "action": ACTION,
    "input_schema": INPUT_SCHEMA,
    "value_schema": VALUE_SCHEMA,
    "capabilities": CAPABILITIES,
    "limits": LIMITS,
}

UNKNOWN_KEY: Mapping[str, str] = {"action": "ACT-07", "capabilities": "CAP-01", "limits": "LIM-01"}
"""The requirement that forbids other keys, by the kind of object."""

MISSING_KEY: Mapping[str, str] = {"action": "ACT-01", "capabilities": "CAP-01", "limits": "LIM-01"}
"""The requirement that asks for a key, where it is not the requirement of the key itself."""

WHOLE: Mapping[str, Field] = {
    "manifest": Field("MAN-03", "one JSON object", f'{{"protocol": "{PROTOCOL}", …}}'),
    "action": Field("ACT-01", "an object with id, name and description", '{"id": "translate_text", …}'),
    "value_schema": Field(
        "SCH-04", "an object with type and description", '{"type": "string", "description": "…"}'
    ),
    "media_mode": Field("MAN-07", "a string with a media type", '"text/plain"'),
    "required_name": Field("SCH-07", "the name of a parameter", '"text"'),
}
"""What an object or entry of each kind must be as a whole, where no key says it."""
