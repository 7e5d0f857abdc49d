"""The end of the conversation: everything at a glance, any section opened again, then it is written. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pond_new.agent_manifest import check_manifest as check_agent_manifest
from pond_new.agent_manifest.parse import parse_agent_manifest
from pond_new.manifest import Problem, dump_manifest, parse_manifest
from pond_new.project.contracts import ContractsDisagree, refuse_disagreement
from pond_new.project.settings import MCP, POND
from pond_new.wizard.checks import check_whole, in_words
from pond_new.wizard.draft import Draft, Offer, Section
from pond_new.wizard.question import Choice, Conversation, Question, Tell
from pond_new.wizard.sections.tool import follow_actions
from pond_new.wizard.wording import table

WRITE, SHOW = "write", "manifest"
NOT_VALID = "As it is, Pond would refuse this agent. Open the section that is named and correct it."


def review(draft: Draft, offer: Offer, sections: Sequence[Section]) -> Conversation[Draft]:
    """Show the summary until the person says that it can be written; only a valid manifest ever can."""
    verb = ""
    while True:
        problems = _problems(draft)
        is_valid = all(problem.severity != "error" for problem in problems)
        if verb != SHOW:
            yield Tell("This is your agent", is_heading=True)
            yield Tell(summary(draft, sections))
            yield Tell(describe_problems(problems) if problems else "Pond takes all of it.")
        verb = yield _menu(sections, is_valid=is_valid)
        if verb == WRITE:
            return draft
        if verb == SHOW:
            for contract in _contracts(draft).values():
                yield Tell(dump_manifest(contract))
            continue
        section = next(section for section in sections if section.name == verb)
        yield Tell(section.title, is_heading=True)
        draft = follow_actions((yield from section.ask(draft, offer)))


def _contracts(draft: Draft) -> dict[str, Mapping[str, Any]]:
    """The contract of each standard that is chosen; Pond's where nothing is chosen yet."""
    standards = draft.settings.get("standards", (POND,))
    contracts = {POND: draft.finished(), MCP: draft.agent_manifest}
    return {standard: contracts[standard] for standard in standards}


def _problems(draft: Draft) -> tuple[Problem, ...]:
    """What is wrong with each contract, and between them."""
    contracts = _contracts(draft)
    problems = check_whole(contracts[POND]) if POND in contracts else ()
    if MCP not in contracts or any(problem.severity == "error" for problem in problems):
        return problems
    tool = tuple(check_agent_manifest(contracts[MCP]))
    if POND not in contracts or any(problem.severity == "error" for problem in tool):
        return (*problems, *tool)
    try:
        refuse_disagreement(parse_manifest(dict(contracts[POND])), parse_agent_manifest(dict(contracts[MCP])))
    except ContractsDisagree as fault:
        disagreement = Problem("AMS-09", "error", "/interface/input", str(fault), "Open Marketplaces.", "")
        return (*problems, *tool, disagreement)
    return (*problems, *tool)


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
