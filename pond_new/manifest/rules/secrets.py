"""Keys and passwords that everybody could read in a manifest. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pond_new.manifest.problem import Problem, warning
from pond_new.manifest.walk import texts_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pond_new.manifest.walk import Subject

SIGNS = (
    ("an OpenAI or Anthropic key", r"\bsk-(?:proj-|ant-|live-)?[A-Za-z0-9_-]{20,}"),
    ("a Stripe key", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("an AWS key", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    ("a GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})"),
    ("a GitLab token", r"\bglpat-[A-Za-z0-9_-]{18,}"),
    ("a Slack token", r"\bxox[abeprs]-[A-Za-z0-9-]{10,}"),
    ("a Google key", r"\bAIza[A-Za-z0-9_-]{30,}"),
    ("a Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}"),
    ("a private key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    ("a signed token (JWT)", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    ("a bearer token", r"\b[Bb]earer\s+[A-Za-z0-9._~+/-]{20,}"),
    ("a password in an address", r"\b[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]+@"),
    ("a key", r"(?i)\b(?:api|access|secret)[_-]?key\b\s*[:=]\s*['\"]?[A-Za-z0-9_/+-]{16,}"),
)
"""What secrets look like: forms of well-known issuers, and a name with a value behind it."""

PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in SIGNS)
LEFT = 4
LONG_ENOUGH = 12
"""Shorter texts hold no secret; most texts of a manifest are shorter."""


def check_secrets(subject: Subject) -> Iterator[Problem]:
    """Values that look like secrets (SCH-12 in an input schema, AUT-06 elsewhere); the message hides them."""
    for pointer, text in texts_in(subject.manifest):
        kind = secret_in(text) if len(text) >= LONG_ENOUGH else None
        if kind is not None:
            yield warning(
                "SCH-12" if "/input_schema/" in pointer else "AUT-06",
                pointer,
                f"This looks like {kind}.",
                fix="Take it out and replace the key at its issuer: it has been seen.",
            )


def without_secrets(text: str) -> str:
    """The text with everything that looks like a secret cut to its first letters, safe for a log."""
    for _, pattern in PATTERNS:
        text = pattern.sub(lambda match: f"{match[0][:LEFT]}…", text)
    return text


def secret_in(text: str) -> str | None:
    """What kind of secret a text seems to hold, or None."""
    return next((kind for kind, pattern in PATTERNS if pattern.search(text)), None)
