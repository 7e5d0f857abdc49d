"""Where the agent will run, and where it keeps its runs. Pure, and opened by what this version can make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pond_new.wizard.draft import Draft, Offer, Section
from pond_new.wizard.question import Choice, Conversation, Question, Tell

TITLES: Mapping[str, str] = {
    "deploy": "Runs on",
    "database": "Database",
    "python": "Python",
}
MESSAGES: Mapping[str, str] = {
    "deploy": "Where will it run?",
    "database": "Where does it keep its runs?",
    "python": "Which Python?",
}
INTROS: Mapping[str, str] = {
    "deploy": "Pond calls your server at a public https address, so it has to run somewhere.",
    "database": "A run that comes twice is answered once, also after a restart, so each is written down.",
    "python": "The newest is right unless a library of yours needs an older one.",
}
MEANINGS: Mapping[str, Choice] = {
    "docker": Choice("docker", "Docker", "any server or cloud that runs a container"),
    "render": Choice("render", "Render"),
    "railway": Choice("railway", "Railway"),
    "fly": Choice("fly", "Fly.io"),
    "cloud-run": Choice("cloud-run", "Google Cloud Run"),
    "vps": Choice("vps", "A server of your own"),
    "sqlite": Choice("sqlite", "SQLite", "a file beside the server; needs a disk that stays"),
    "postgres": Choice("postgres", "PostgreSQL", "for several servers, or a host without a disk"),
}
WITHOUT_DISK = frozenset({"render", "railway", "cloud-run"})
LOST = (
    "Note: a free plan there has no disk that stays, and every restart would lose the runs kept in an SQLite"
    " file. Add a disk, or go back and take PostgreSQL."
)


def ask_place(draft: Draft, offer: Offer) -> Conversation[Draft]:
    """Ask where it runs; a setting with a single choice is said and not asked."""
    for name in TITLES:
        draft = yield from _ask_setting(name, draft, offer)
    if draft.settings["deploy"] in WITHOUT_DISK and draft.settings["database"] == "sqlite":
        yield Tell(LOST)
    return draft


def show_place(draft: Draft) -> list[tuple[str, str]]:
    """The settings by name."""
    return [(title, _title(str(draft.settings.get(name, "")))) for name, title in TITLES.items()]


def _ask_setting(name: str, draft: Draft, offer: Offer) -> Conversation[Draft]:
    choices = offer.settings[name]
    value = draft.settings.get(name, choices[0])
    if later := offer.later_settings.get(name):
        yield Tell(_tell_later(name, choices, later))
    if len(choices) > 1:
        value = yield Question(
            f"settings.{name}",
            "choice",
            MESSAGES[name],
            INTROS[name],
            f"settings.{name}",
            default=value if value in choices else choices[0],
            choices=[MEANINGS.get(each, Choice(each, each)) for each in choices],
        )
    return draft.with_settings(**{name: value})


def _tell_later(name: str, now: Sequence[str], later: Sequence[str]) -> str:
    shown = " or ".join(_said(each) for each in now)
    planned = ", ".join(_title(each) for each in later)
    return f"{TITLES[name]}: {shown}. A later version of pond-new knows more: {planned}."


def _said(value: str) -> str:
    choice = MEANINGS.get(value, Choice(value, value))
    return f"{choice.title} ({choice.meaning})" if choice.meaning else choice.title


def _title(value: str) -> str:
    return MEANINGS[value].title if value in MEANINGS else value


PLACE = Section("place", "Where it runs", (), tuple(TITLES), ask_place, show_place)
