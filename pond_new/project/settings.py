"""The handful of settings beside the contract: which marketplaces, which database, where it runs. Pure.

They stand in `[tool.pond-new]` of a repository's `pyproject.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any

from pond_new.errors import WrongUsage
from pond_new.project.targets import TARGETS, fault_of_pair

POND, MCP = "pond", "mcp"  # the two standards

# What each setting may be, the default first.
CHOICES: Mapping[str, tuple[str, ...]] = {
    "standards": (POND, MCP),
    "database": ("sqlite", "postgres"),
    "deploy": tuple(TARGETS),
    "python": ("3.13", "3.12", "3.11"),
    "telemetry": ("off", "on"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How a repository is made, as opposed to what its agent promises."""

    standards: tuple[str, ...] = ("pond",)
    database: str = "sqlite"
    deploy: str = "docker"
    python: str = "3.13"
    telemetry: str = "off"

    def dump(self) -> dict[str, Any]:
        """Plain values, as `pyproject.toml` and the template take them."""
        return {
            "standards": list(self.standards),
            "database": self.database,
            "deploy": self.deploy,
            "python": self.python,
            "telemetry": self.telemetry,
        }


def parse_settings(values: Mapping[str, Any]) -> Settings:
    """Untrusted settings -> `Settings`. Raises `WrongUsage` with every problem at once."""
    problems: list[str] = []
    parsed: dict[str, Any] = {}
    for name, value in values.items():
        if name not in CHOICES:
            problems.append(f"there is no setting {name!r}{_suggestion(name, list(CHOICES))}")
            continue
        given = _as_list(value) if name == "standards" else [value]
        problems += [problem for one in given if (problem := _problem(name, one))]
        parsed[name] = tuple(_in_order(given)) if name == "standards" else value
    if parsed.get("standards") == ():
        problems.append("standards: name at least one, such as pond")
    _refuse(problems)
    settings = Settings(**parsed)
    _refuse(_pair_problems(settings))
    return settings


def parse_assignments(assignments: Sequence[str]) -> dict[str, str]:
    """`KEY=VALUE` of the command line -> a mapping. Raises `WrongUsage` for anything else."""
    pairs = [assignment.partition("=") for assignment in assignments]
    if wrong := [key for key, equals, _ in pairs if not equals or not key]:
        raise WrongUsage(
            f"--set takes KEY=VALUE, such as --set python=3.12; this is none: {', '.join(wrong)}"
        )
    return {key.strip(): value.strip() for key, _, value in pairs}


def _as_list(value: Any) -> list[Any]:
    """`standards` may be a list, or a text with commas on the command line."""
    if isinstance(value, str):
        return list(dict.fromkeys(part.strip() for part in value.split(",") if part.strip()))
    return list(value) if isinstance(value, list | tuple) else [value]


def _in_order(standards: list[Any]) -> list[Any]:
    """Each standard once, in the order of CHOICES: the order in which they were named means nothing."""
    known = [each for each in CHOICES["standards"] if each in standards]
    return known + [each for each in standards if each not in known]


def _problem(name: str, value: Any) -> str | None:
    allowed = CHOICES[name]
    if value in allowed:
        return None
    if name == "telemetry" and isinstance(value, bool):
        return f'telemetry: write it in quotes, "{"on" if value else "off"}"'
    if name == "python" and isinstance(value, float):
        return f'python: write the version in quotes ("{value}"): as a number, 3.10 would be 3.1'
    known = ", ".join(allowed)
    return f"{name}: {value!r} is none of {known}{_suggestion(str(value), list(allowed))}"


def _refuse(problems: Sequence[str]) -> None:
    if problems:
        raise WrongUsage("The settings cannot be used:\n" + "\n".join(f"  - {each}" for each in problems))


def _pair_problems(settings: Settings) -> list[str]:
    """What single values do not show: a place and a database that do not go together."""
    if settings.standards == (MCP,):
        return _faults_of_tool_alone(settings)
    fault = fault_of_pair(settings.deploy, settings.database)
    return [fault] if fault else []


def _faults_of_tool_alone(settings: Settings) -> list[str]:
    """What does not go with the mcp standard alone: it keeps nothing, and is deployed as any container is."""
    faults = []
    if settings.deploy != "docker":
        faults.append(
            f"deploy: the files for {settings.deploy} keep a key and a ledger, which are Pond's; with"
            " standards=mcp alone use docker, whose image runs there too"
        )
    if settings.database != "sqlite":
        faults.append("database: with standards=mcp alone nothing is kept; leave database out")
    if settings.telemetry != "off":
        faults.append("telemetry: only runs of Pond are measured; leave it out with standards=mcp alone")
    return faults


def _suggestion(given: str, known: list[str]) -> str:
    close = get_close_matches(given, known, n=1)
    return f" (did you mean {close[0]}?)" if close else f" (known: {', '.join(known)})"


assert {each.name for each in fields(Settings)} == set(CHOICES)
