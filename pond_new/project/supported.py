"""What this version can generate: a manifest may be valid and promise more. Pure."""

from __future__ import annotations

from pond_new.errors import PondError
from pond_new.manifest import Manifest

NOT_YET: dict[str, str] = {}


class NotSupportedYet(PondError):
    """The manifest is valid, and promises something that the generated server would not keep."""


def check_supported(manifest: Manifest) -> None:
    """Raise `NotSupportedYet` when the server of this version lacks what the manifest offers."""
    offered = [flag for flag in NOT_YET if getattr(manifest.capabilities, flag)]
    if not offered:
        return
    named = " and ".join(f"{flag} ({NOT_YET[flag]})" for flag in offered)
    raise NotSupportedYet(
        f"This version does not generate {named} yet, and an agent must offer only what it does."
        f" Set {', '.join(offered)} to false under capabilities"
        f"{'' if manifest.capabilities.sync else ', and sync to true'}."
    )
