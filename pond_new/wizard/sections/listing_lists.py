"""The two lists of a listing: questions that people ask, and pictures or videos to show. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pond_new.protocol.facts import DEMO_FILE_TYPES
from pond_new.wizard.checks import fault_at
from pond_new.wizard.lists import Entries, edit_list
from pond_new.wizard.question import Choice, Conversation, Question

Entry = Mapping[str, Any]

LISTS: Mapping[str, tuple[str, str]] = {
    "faqs": ("Questions and answers", "question"),
    "demo_materials": ("Demo pictures or videos", "demo"),
}
"""The title of each list and the word for one entry."""

NAMED_BY: Mapping[str, str] = {"faqs": "question", "demo_materials": "file_name"}


def ask_entries(name: str, metadata: dict[str, Any]) -> Conversation[None]:
    """Ask for the entries of one list and put them into `metadata`; an empty list is left out."""
    ask_one = {"faqs": _ask_faq, "demo_materials": _ask_demo}[name]
    entries = yield from edit_list(
        usable(metadata.get(name)),
        Entries(f"metadata.{name}", LISTS[name][1], topic=f"metadata.{name}"),
        name_of=lambda entry: str(entry.get(NAMED_BY[name], "one without a name")),
        ask_one=ask_one,
    )
    metadata[name] = entries
    if not entries:
        del metadata[name]


def usable(entries: Any) -> list[Entry]:
    """The entries of a list that may come from a file and be anything."""
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _ask_faq(key: str, current: Entry | None, _others: Sequence[Entry]) -> Conversation[Entry]:
    entry = {}
    for field, message in (("question", "What do people ask?"), ("answer", "And what is the answer?")):
        entry[field] = yield from _ask_text(key, "faqs", field, message, current)
    return entry


def _ask_demo(key: str, current: Entry | None, _others: Sequence[Entry]) -> Conversation[Entry]:
    url = yield from _ask_text(
        key, "demo_materials", "url", "Where does the file lie? (a web address)", current
    )
    file_type = yield Question(
        f"{key}.file_type",
        "choice",
        "How is it shown?",
        topic="metadata.demo_materials",
        default=(current or {}).get("file_type", DEMO_FILE_TYPES[0]),
        choices=[Choice(name, name) for name in DEMO_FILE_TYPES],
    )
    known = {"file_name": url.rpartition("/")[2]} | dict(current or {})
    file_name = yield from _ask_text(key, "demo_materials", "file_name", "Under which name?", known)
    return {"url": url, "file_type": file_type, "file_name": file_name}


def _ask_text(key: str, name: str, field: str, message: str, current: Entry | None) -> Conversation[str]:
    def fault(text: str) -> str | None:
        return fault_at({"metadata": {name: [{field: text.strip()}]}}, f"/metadata/{name}/0/{field}")

    reply = yield Question(
        f"{key}.{field}",
        "text",
        message,
        topic=f"metadata.{name}",
        default=(current or {}).get(field, ""),
        check=fault,
    )
    return str(reply.strip())
