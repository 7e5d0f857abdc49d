"""Whether a value fits a schema of a manifest. Pure: a reference never leads out of the schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pond_new.manifest.pointer import pointer_to


class LostReference(Exception):
    """A `$ref` of a schema leads nowhere, or in a circle."""


def find_misfits(schema: Mapping[str, Any], value: Any) -> list[tuple[str, str]]:
    """Each place at which a value does not fit: its JSON pointer, and why. Raises `LostReference`."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 -- costs 150 ms
    from jsonschema_specifications import REGISTRY  # noqa: PLC0415 -- without it references are downloaded
    from referencing.exceptions import Unresolvable  # noqa: PLC0415

    try:
        return [
            (pointer_to(error.absolute_path), error.message)
            for error in Draft202012Validator(schema, registry=REGISTRY).iter_errors(value)
        ]
    except Unresolvable as error:
        raise LostReference(f"its reference {error.ref} leads nowhere in it") from None
    except RecursionError:
        raise LostReference("it refers to itself without an end") from None
