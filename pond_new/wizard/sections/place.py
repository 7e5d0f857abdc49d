"""Where the agent will run, and where it keeps its runs. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pond_new.project.settings import MCP
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
    "render": Choice(
        "render", "Render", "from your git repository; needs a paid plan, the free one has no disk"
    ),
    "railway": Choice("railway", "Railway", "from your git repository; you attach a volume"),
    "fly": Choice("fly", "Fly.io", "from your terminal; a volume is made with it"),
    "cloud-run": Choice("cloud-run", "Google Cloud Run", "has no disk: needs PostgreSQL"),
    "vps": Choice("vps", "A server of your own", "with Docker, and Caddy for https"),
    "kubernetes": Choice("kubernetes", "Kubernetes", "a cluster that you have"),
    "sqlite": Choice("sqlite", "SQLite", "a file beside the server; needs a disk that stays"),
    "postgres": Choice("postgres", "PostgreSQL", "for several servers, or a host without a disk"),
}
FILE = "sqlite"


def ask_place(draft: Draft, offer: Offer) -> Conversation[Draft]:
    """Ask where it runs; a setting with a single choice is said and not asked."""
    for name in TITLES:
        draft = yield from _ask_setting(name, draft, offer)
    return draft


def show_place(draft: Draft) -> list[tuple[str, str]]:
    """The settings by name."""
    return [(title, _title(str(draft.settings.get(name, "")))) for name, title in TITLES.items()]


def _ask_setting(name: str, draft: Draft, offer: Offer) -> Conversation[Draft]:
    choices = _possible(name, draft, offer)
    value = draft.settings.get(name, choices[0])
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
    elif len(offer.settings[name]) > 1:
        value = choices[0]
        yield Tell(f"{TITLES[name]}: {_said(value)}. Nothing else works there.")
    return draft.with_settings(**{name: value})


def _possible(name: str, draft: Draft, offer: Offer) -> Sequence[str]:
    """The choices that go together with what is chosen before: a file needs a disk that lasts."""
    choices = offer.settings[name]
    if name != "python" and list(draft.standards) == [MCP]:
        return choices[:1]  # the other files are made for Pond's key and ledger
    if name == "database" and draft.settings.get("deploy") in offer.without_disk:
        return [each for each in choices if each != FILE]
    return choices


def _said(value: str) -> str:
    choice = MEANINGS.get(value, Choice(value, value))
    return f"{choice.title} ({choice.meaning})" if choice.meaning else choice.title


def _title(value: str) -> str:
    return MEANINGS[value].title if value in MEANINGS else value


PLACE = Section("place", "Where it runs", (), tuple(TITLES), ask_place, show_place)
