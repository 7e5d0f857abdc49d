"""Who the agent is: name, texts, category, links. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from pond_new.protocol.facts import CATEGORIES
from pond_new.wizard.checks import fault_at
from pond_new.wizard.draft import Draft, Offer, Section
from pond_new.wizard.question import Choice, Conversation, Question
from pond_new.wizard.sections.listing_lists import LISTS, ask_entries, usable

FIRST_VERSION = "0.1.0"
SHOWN = 60


@dataclass(frozen=True, slots=True)
class Line:
    """One text of the listing: its field in `metadata`, the question, and what to know before it."""

    field: str
    message: str
    intro: str
    title: str


ALWAYS = (
    Line(
        "name",
        "What is the agent called?",
        "The name stands in the marketplace and in chats, so choose one that people can say.",
        "Name",
    ),
    Line(
        "short_description",
        "What does it do, in one line? (Enter leaves it out)",
        "This line stands beside the name wherever agents are listed. Say what a user gets from it.",
        "Short description",
    ),
    Line(
        "description",
        "And in more detail? (Enter leaves it out)",
        "The page of the agent shows this text. Simple HTML such as <p> and <ul> is fine.",
        "Description",
    ),
)

EXTRA = (
    Line(
        "key_features", "What is it good at?", "Simple HTML is fine, such as a list of features.", "Features"
    ),
    Line("use_cases", "What do people use it for?", "Examples from daily work say most.", "Use cases"),
    Line(
        "setup_instructions",
        "What must a user do before the first run?",
        "Leave it out if there is nothing to set up.",
        "Setup",
    ),
    Line(
        "logo_url", "Where does the logo lie?", "A web address, such as https://example.com/logo.png.", "Logo"
    ),
    Line(
        "github_url",
        "Where is the public repository?",
        "The page on GitHub, such as https://github.com/you/agent.",
        "Repository",
    ),
    Line("developer_x_url", "Your profile on X?", "Such as https://x.com/you.", "X profile"),
    Line(
        "developer_linkedin_url",
        "Your profile on LinkedIn?",
        "Such as https://www.linkedin.com/in/you.",
        "LinkedIn profile",
    ),
)

CATEGORY_MEANINGS: Mapping[str, str] = {
    "sales": "finding, winning and keeping customers",
    "content": "writing, translating, pictures, media",
    "analytics": "numbers, reports, what data says",
    "research": "finding out, reading, comparing sources",
    "compliance": "rules, contracts, audits, privacy",
    "agent_infrastructure": "tools that other agents use",
    "development": "code, tests, work of programmers",
    "workflow": "steps that run by themselves",
    "productivity_tools": "everyday office work",
    "others": "none of these",
}
NO_CATEGORY = ""


def ask_identity(draft: Draft, _offer: Offer) -> Conversation[Draft]:
    """Ask who the agent is; what is skipped is left out and never written empty."""
    is_new = "metadata" not in draft.manifest and draft.suggested_name
    metadata = {"name": draft.suggested_name} if is_new else dict(draft.metadata)
    for line in ALWAYS:
        yield from _ask_line(line, metadata)
    yield from _ask_category(metadata)
    version = yield Question(
        "agent_version",
        "text",
        "Which version is this?",
        "Your own name for this release. Change it whenever actions, parameters, modes or limits change.",
        "agent_version",
        default=draft.manifest.get("agent_version", FIRST_VERSION),
        check=lambda text: fault_at({"agent_version": text.strip()}, "/agent_version"),
    )
    yield from _ask_extras(metadata)
    return draft.with_parts(agent_version=version.strip(), metadata=metadata)


def show_identity(draft: Draft) -> list[tuple[str, str]]:
    """Name, version, texts and links as far as they are there."""
    metadata = draft.metadata
    lines = [(line.title, str(metadata[line.field])) for line in (*ALWAYS, *EXTRA) if line.field in metadata]
    lines.insert(1, ("Category", str(metadata.get("category", "none"))))
    lines += [
        (title, f"{len(usable(metadata[name]))}") for name, (title, _) in LISTS.items() if name in metadata
    ]
    return [*lines, ("Version", str(draft.manifest.get("agent_version", "")))]


def _ask_line(line: Line, metadata: dict[str, Any]) -> Conversation[None]:
    """Ask one text and put it into `metadata`, or take it out."""
    reply = yield Question(
        f"metadata.{line.field}",
        "text",
        line.message,
        line.intro,
        f"metadata.{line.field}",
        default=str(metadata.get(line.field, "")),
        check=partial(_fault, line.field),
    )
    if reply.strip():
        metadata[line.field] = reply.strip()
    else:
        metadata.pop(line.field, None)


def _fault(field: str, reply: str) -> str | None:
    text = reply.strip()
    return fault_at({"metadata": {field: text}}, f"/metadata/{field}") if text else None


def _ask_category(metadata: dict[str, Any]) -> Conversation[None]:
    in_use = sorted(
        (row for row in CATEGORIES if row.standing != "drifted"), key=lambda row: row.standing != "safe"
    )
    names = [row.name for row in in_use if row.name != "others"] + ["others"]
    reply = yield Question(
        "metadata.category",
        "choice",
        "Which category is it in?",
        "People browse the marketplace by category.",
        "metadata.category",
        default=metadata.get("category") if metadata.get("category") in names else names[0],
        choices=[
            *(Choice(name, name, CATEGORY_MEANINGS[name]) for name in names),
            Choice(NO_CATEGORY, "decide later", "you choose it on the publishing page"),
        ],
    )
    metadata["category"] = reply
    if reply == NO_CATEGORY:
        del metadata["category"]


def _ask_extras(metadata: dict[str, Any]) -> Conversation[None]:
    """Offer the rest of the listing at once, then ask only for what was chosen."""
    titles = {line.field: line.title for line in EXTRA} | {name: title for name, (title, _) in LISTS.items()}
    chosen = yield Question(
        "metadata.more",
        "choices",
        "What else is there for the listing? (Enter for nothing)",
        "All of it is optional and can be added to manifest.json later.",
        "metadata",
        default=[name for name in titles if name in metadata],
        choices=[Choice(name, title) for name, title in titles.items()],
    )
    for name in titles:
        if name not in chosen:
            metadata.pop(name, None)
    for line in EXTRA:
        if line.field in chosen:
            yield from _ask_line(line, metadata)
    for name in LISTS:
        if name in chosen:
            yield from ask_entries(name, metadata)


IDENTITY = Section("identity", "Who it is", ("agent_version", "metadata"), (), ask_identity, show_identity)
