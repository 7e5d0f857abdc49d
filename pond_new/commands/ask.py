"""Brings the wizard together with what this version can make, with answers kept, and with answers saved."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pond_new import console
from pond_new.errors import WrongUsage
from pond_new.project.answers import Answers
from pond_new.project.settings import CHOICES, parse_settings
from pond_new.project.targets import places_without_disk
from pond_new.wizard.draft import Draft, Offer
from pond_new.wizard.kept import Keeper, Kept
from pond_new.wizard.person import Person, is_plain
from pond_new.wizard.plain import KEYS as PLAIN_KEYS
from pond_new.wizard.question import BACK, Question, Tell
from pond_new.wizard.resolve import resolve
from pond_new.wizard.wizard import interview, interview_for_action

OFFER = Offer(settings=CHOICES, without_disk=frozenset(places_without_disk()))
WELCOME = (
    "Some questions, and you have an agent. Nothing is written before you have seen it whole at the end,"
    " and when you stop, your answers are kept."
)
KEYS = "Ctrl-B goes back one question, Ctrl-G explains the one you are at, Ctrl-C stops."


def ask_answers(
    root: Path, answers: Answers, settings: Mapping[str, str], *, suggested_name: str, resume: bool
) -> Answers:
    """Ask for everything that is missing. The replies are kept until `forget_kept`, also when interrupted.

    Raises `WrongUsage` if there is nothing to resume, KeyboardInterrupt when the person stops.
    """
    keeper = Keeper(root)
    kept = keeper.load()
    if resume and kept is None:
        raise WrongUsage(f"There are no kept answers for {root}: start without --resume.")
    person = Person(lambda replies: keeper.save(replace(given, replies=replies)))
    person.say(Tell(f"{WELCOME}\n{PLAIN_KEYS if is_plain() else KEYS}"))
    if kept is not None and not resume and not _wants_to_go_on(kept):
        kept = None
    given = Kept(
        kept.replies if kept else (),
        {**(kept.manifest if kept else {}), **answers.manifest},
        {**(kept.settings if kept else {}), **_plain({**answers.settings, **settings})},
        answers.agent_manifest or (kept.agent_manifest if kept else {}),
    )
    if given.replies:
        person.say(Tell(f"Going on after {_counted(given)}."))
    draft = Draft(given.manifest, given.settings, suggested_name, given.agent_manifest)
    try:
        finished = resolve(lambda: interview(draft, OFFER), given.replies, person)
    except KeyboardInterrupt:
        console.say(f"\nYour answers are kept. Go on with: {shlex.join(['pond-new', str(root), '--resume'])}")
        raise
    return Answers(
        manifest=finished.finished(), settings=finished.settings, agent_manifest=finished.agent_manifest
    )


def ask_action(manifest: Mapping[str, Any], known: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Ask a person for one more action of this manifest: id, name, description, parameters.

    `known` are parts of it that are offered as answers.
    Raises `WrongUsage` where nobody can be asked, KeyboardInterrupt when the person stops.
    """
    if not console.is_interactive():
        raise WrongUsage("Nobody can be asked here: give the action on the command line.")
    person = Person(lambda _replies: None)
    person.say(Tell(PLAIN_KEYS if is_plain() else KEYS))
    return resolve(lambda: interview_for_action(manifest, known), (), person)


def forget_kept(root: Path) -> None:
    """Drop the kept answers: the agent is written."""
    Keeper(root).forget()


def _counted(kept: Kept) -> str:
    count = sum(not reply.is_loaded for reply in kept.replies)
    return "1 answer" if count == 1 else f"{count} answers"


def _wants_to_go_on(kept: Kept) -> bool:
    question = Question(
        "resume",
        "confirm",
        f"Answers for this directory were kept ({_counted(kept)}). Go on with them?",
        default=True,
    )
    person = Person(lambda _replies: None)
    while (reply := person.ask(question)) is BACK:
        person.say(Tell("This is the first question: there is nothing to go back to."))
    return bool(reply)


def _plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that were given, checked. Raises `WrongUsage`."""
    parsed = parse_settings(settings).dump()
    return {name: parsed[name] for name in settings}
