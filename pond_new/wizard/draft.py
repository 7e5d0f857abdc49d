"""The agent as far as it is known: parts of a manifest and settings, and the settings on offer. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pond_new.protocol.facts import PROTOCOL, PROTOCOL_VERSION
from pond_new.wizard.question import Conversation

ORDER = (
    "protocol",
    "protocol_version",
    "agent_version",
    "metadata",
    "actions",
    "input_schema",
    "capabilities",
    "input_modes",
    "output_modes",
    "limits",
)


@dataclass(frozen=True, slots=True)
class Draft:
    """Parts of a manifest and settings; parts may still be missing. Never changed in place.

    `suggested_name` is offered where the agent has no name yet; `agent_manifest` is the second contract.
    """

    manifest: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    suggested_name: str = ""
    agent_manifest: Mapping[str, Any] = field(default_factory=dict)

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The listing, empty while there is none."""
        return self.manifest.get("metadata") or {}

    @property
    def capabilities(self) -> Mapping[str, bool]:
        """The flags as far as they are known."""
        return self.manifest.get("capabilities") or {}

    @property
    def standards(self) -> Sequence[str]:
        """The standards that were chosen, none while they are not known."""
        chosen: Sequence[str] = self.settings.get("standards", ())
        return chosen

    def with_parts(self, **parts: Any) -> Draft:
        """The draft with these parts of the manifest; a part that is None is left out."""
        manifest = {**self.manifest, **parts}
        return replace(self, manifest={key: value for key, value in manifest.items() if value is not None})

    def with_settings(self, **settings: Any) -> Draft:
        """The draft with these settings."""
        return replace(self, settings={**self.settings, **settings})

    def with_tool(self, agent_manifest: Mapping[str, Any]) -> Draft:
        """The draft with the contract of the second standard."""
        return replace(self, agent_manifest=agent_manifest)

    def finished(self) -> dict[str, Any]:
        """The manifest in the usual order of its keys, with the two that are always the same."""
        parts = {**self.manifest, "protocol": PROTOCOL, "protocol_version": PROTOCOL_VERSION}
        if not parts.get("metadata"):
            parts.pop("metadata", None)
        known = {key: parts[key] for key in ORDER if key in parts}
        return known | {key: value for key, value in parts.items() if key not in known}


@dataclass(frozen=True, slots=True)
class Offer:
    """What may be chosen: `settings` has the choices of each setting, the default first.

    `without_disk` are the places that need a database beside them, because nothing written there lasts.
    """

    settings: Mapping[str, Sequence[str]]
    without_disk: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the conversation. `parts` and `settings` are what it fills in.

    `show` gives the lines of the summary: a label and what was answered.
    """

    name: str
    title: str
    parts: tuple[str, ...]
    settings: tuple[str, ...]
    ask: Callable[[Draft, Offer], Conversation[Draft]]
    show: Callable[[Draft], Sequence[tuple[str, str]]]
    lacks: Callable[[Draft], bool] = lambda _draft: False
    """What is to be asked although the parts and settings are there."""

    def is_given(self, given: Draft) -> bool:
        """Whether nothing is left to ask, because all of it came with the command line."""
        return (
            not self.lacks(given)
            and all(part in given.manifest for part in self.parts)
            and all(name in given.settings for name in self.settings)
        )
