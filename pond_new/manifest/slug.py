"""A name that people read as one that tools take: `Text Stats` -> `text-stats`. Pure."""

from __future__ import annotations

import re
import unicodedata


def slug(text: str, *, longest: int) -> str:
    """Lower case ASCII letters and digits, with hyphens between; empty where the text has none of them."""
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only)[:longest].strip("-")
