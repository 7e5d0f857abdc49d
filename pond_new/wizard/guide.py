"""What the help key shows: the page of `pond-new explain` for the topic of a question. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from pond_new.protocol.topics import find_topic

NOTHING = "There is no further help for this question. All answers can be changed before anything is written."

SETTINGS: Mapping[str, str] = {
    "settings.deploy": (
        "Decides which files for deploying are written, with the steps in DEPLOY.md. They are yours to edit;"
        " another place is an edit of pyproject.toml and pond-new regenerate."
    ),
    "settings.database": (
        "Each run is written down before it starts, so that a repeated request is answered once and a restart"
        " loses nothing. SQLite is one file and enough for one server; several servers share PostgreSQL."
    ),
    "settings.python": "The version in pyproject.toml, the Dockerfile and the tests on GitHub.",
    "settings.standards": "A repository can serve several marketplaces from the same handlers.",
}
"""Topics that are no matter of the protocol."""


def help_for(topic: str) -> str:
    """What a field does at Pond and why it matters; a sentence that there is nothing, for other topics."""
    if topic in SETTINGS:
        return SETTINGS[topic]
    page = find_topic(topic) if topic else None
    if page is None:
        return NOTHING
    parts = (("", page.what), ("Why: ", page.why), ("Example: ", page.example), ("Mistake: ", page.mistake))
    lines = [f"  {label}{text.strip()}" for label, text in parts if text]
    return "\n".join([f"Help on {page.name} (more: pond-new explain {page.name})", *lines])
