"""Digests by which texts and values are recognised again. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from pond_new.project.shape import plain


def digest(content: bytes | str) -> str:
    """SHA-256 of a text, whatever its line ends and byte order mark."""
    raw = content.encode(errors="surrogateescape") if isinstance(content, str) else content
    return hashlib.sha256(plain(raw)).hexdigest()


def schema_digest(schema: Any) -> str:
    """SHA-256 of an input schema, whatever the order of its keys."""
    return digest(json.dumps(schema, sort_keys=True))


def template_digest(templates: Mapping[str, str], *, version: str) -> str:
    """SHA-256 of a whole template folder, and of the version of the program that renders it."""
    return digest(json.dumps([version, sorted(templates.items())]))
