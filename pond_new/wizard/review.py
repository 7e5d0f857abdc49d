"""The end of the conversation: everything at a glance, any section opened again, then it is written. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from pond_new.manifest import Problem, dump_manifest
from pond_new.wizard.checks import check_whole, in_words
from pond_new.wizard.draft import Draft, Offer, Section
from pond_new.wizard.question import Choice, Conversation, Question, Tell
from pond_new.wizard.wording import table

WRITE, SHOW = "write", "manifest"
NOT_VALID = "As it is, Pond would refuse this agent. Open the section that is named and correct it."


def review(draft: Draft, offer: Offer, sections: Sequence[Section]) -> Conversation[Draft]:
    """Show the summary until the person says that it can be written; only a valid manifest ever can."""
    verb = ""
    while True:
        problems = check_whole(draft.finished())
        is_valid = all(problem.severity != "error" for problem in problems)
        if verb != SHOW:
            yield Tell("This is your agent", is_heading=True)
            yield Tell(summary(draft, sections))
            yield Tell(describe_problems(problems) if problems else "Pond takes all of it.")
        verb = yield _menu(sections, is_valid=is_valid)
        if verb == WRITE:
            return draft
        if verb == SHOW:
            yield Tell(dump_manifest(draft.finished()))
            continue
        section = next(section for section in sections if section.name == verb)
        yield Tell(section.title, is_heading=True)
        draft = yield from section.ask(draft, offer)


def summary(draft: Draft, sections: Sequence[Section]) -> str:
    """Every section with its answers."""
    blocks = [f"{section.title}\n{table(section.show(draft))}" for section in sections]
    return "\n".join(blocks)


def describe_problems(problems: Sequence[Problem]) -> str:
    """What `validate` says, a line each: the severity in words, the place, the sentence."""
    lines = [f"- {problem.severity}{_place(problem)}: {in_words(problem)}" for problem in problems]
    return "\n".join(["What Pond would say to it:", *lines])


def _place(problem: Problem) -> str:
    return f" at {problem.pointer}" if problem.pointer else ""


def _menu(sections: Sequence[Section], *, is_valid: bool) -> Question:
    choices = [Choice(WRITE, "Write it")] if is_valid else []
    choices.append(Choice(SHOW, "Show the manifest"))
    choices += [Choice(section.name, f"Change: {section.title}") for section in sections]
    return Question(
        "review",
        "choice",
        "Is this right?",
        "" if is_valid else NOT_VALID,
        "publishing",
        default=choices[0].value,
        choices=choices,
        is_menu=True,
    )
