"""Which files a repository consists of, and whose each one is. Pure: nothing is rendered yet.

The owners are declared in one table. `contract` is only read by pond-new, `yours` is created when
missing and never touched again, `shared` is merged with your edits, `generated` is rewritten, `state` is
pond-new's memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from pond_new.project.targets import TARGETS, feature

SUFFIX = ".jinja"
COPIER_FILE = "copier.yml"
LOOP = re.compile(r"\{% yield (\w+) from (\w+) %\}\{\{ (\w+)\.(\w+) \}\}\{% endyield %\}")


class Owner(StrEnum):
    """Who may change a file."""

    CONTRACT = "contract"
    YOURS = "yours"
    SHARED = "shared"
    GENERATED = "generated"
    STATE = "state"


@dataclass(frozen=True, slots=True)
class Rule:
    """The owner of the files whose path matches a pattern."""

    pattern: str
    owner: Owner


# The first rule that matches decides. Each file of the template matches one (tested).
OWNERS: tuple[Rule, ...] = (
    Rule("manifest.json", Owner.CONTRACT),
    Rule("agent-manifest.json", Owner.CONTRACT),
    Rule(".pond/lock.json", Owner.STATE),
    Rule(".pond/*", Owner.GENERATED),
    Rule("agent/handlers/__init__.py", Owner.GENERATED),
    Rule("agent/pond/*", Owner.GENERATED),
    Rule("agent/mcp/*", Owner.GENERATED),
    *(
        Rule(f"agent/{name}.py", Owner.GENERATED)
        for name in (
            "__init__",
            "__main__",
            "actions",
            "app",
            "features",
            "modes",
            "settings",
            "standards",
            "tool",
        )
    ),
    Rule("agent/*", Owner.YOURS),
    Rule("tests/generated/*", Owner.GENERATED),
    Rule("tests/*", Owner.YOURS),
    Rule("examples/*", Owner.YOURS),
    Rule("README.md", Owner.YOURS),
    Rule("*", Owner.SHARED),
)

# What is not declared is not in the repository: the files that come with a feature of the contract or with a
# setting. The names are those of `features` in the data, and `copier.yml` excludes the same files (tested).
CONDITIONS: Mapping[str, tuple[str, ...]] = {
    "artifacts": (
        "agent/pond/artifact_http.py",
        "agent/pond/artifact_store.py",
        "agent/pond/artifact_store_postgres.py",
        "agent/pond/byte_ranges.py",
        "agent/pond/hosting.py",
        "tests/generated/test_artifacts.py",
    ),
    "async_tasks": (
        "agent/pond/durable.py",
        "agent/pond/durable_log.py",
        "agent/pond/polling.py",
        "agent/pond/task_ends.py",
        "agent/pond/task_queue.py",
        "agent/pond/task_replicas.py",
        "agent/pond/task_run.py",
        "agent/pond/task_state.py",
        "agent/pond/task_watch.py",
        "agent/pond/tasks.py",
        "tests/generated/test_task_steps.py",
        "tests/generated/test_tasks.py",
        "tests/generated/test_telemetry_tasks.py",
    ),
    "attachments": (
        "agent/pond/addresses.py",
        "agent/pond/decoding.py",
        "agent/pond/download.py",
        "agent/pond/files.py",
        "examples/*/files/first.txt",
        "tests/generated/file_server.py",
        "tests/generated/test_files.py",
    ),
    "pond": (
        "manifest.json",
        ".pond/manifest.schema.json",
        "agent/app.py",
        "agent/features.py",
        "agent/modes.py",
        "agent/pond/access.py",
        "agent/pond/contract.py",
        "agent/pond/envelope.py",
        "agent/pond/features.py",
        "agent/pond/http.py",
        "agent/pond/ledger.py",
        "agent/pond/ledger_sqlite.py",
        "agent/pond/observer.py",
        "agent/pond/results.py",
        "agent/pond/run-request.schema.json",
        "agent/pond/runs.py",
        "agent/pond/whole_file.py",
        "tests/conftest.py",
        "tests/test_agent.py",
        "tests/generated/client.py",
        "tests/generated/fixtures.py",
        "tests/generated/send.py",
        "tests/generated/test_access.py",
        "tests/generated/test_envelope.py",
        "tests/generated/test_examples.py",
        "tests/generated/test_load.py",
        "tests/generated/test_parameters.py",
        "tests/generated/test_requests.py",
        "tests/generated/test_results.py",
        "tests/generated/test_runs.py",
        "tests/generated/test_standards.py",
    ),
    "mcp": (
        "agent-manifest.json",
        "agent/tool.py",
        "agent/mcp/__init__.py",
        "agent/mcp/calls.py",
        "agent/mcp/contract.py",
        "agent/mcp/hosts.py",
        "agent/mcp/http.py",
        "agent/mcp/rehearsal.py",
        "agent/mcp/server.py",
        "tests/test_tool.py",
        "tests/generated/call.py",
        "tests/generated/contacts.py",
        "tests/generated/test_endpoint.py",
        "tests/generated/test_standards.py",
        "tests/generated/test_tool.py",
        "tests/generated/test_tool_examples.py",
        "tests/generated/tool.py",
    ),
    "streaming": (
        "agent/pond/events.py",
        "agent/pond/streaming.py",
        "tests/generated/stream_reader.py",
        "tests/generated/test_live_streams.py",
        "tests/generated/test_streaming.py",
    ),
    "telemetry": (
        "agent/pond/metrics.py",
        "agent/pond/telemetry.py",
        "agent/pond/traces.py",
        "tests/generated/test_telemetry.py",
        "tests/generated/test_telemetry_tasks.py",
    ),
    "postgres": (
        "agent/pond/postgres.py",
        "agent/pond/ledger_postgres.py",
        "agent/pond/postgres_statements.py",
        "agent/pond/artifact_store_postgres.py",
        "agent/pond/task_replicas.py",
    ),
    **{feature(name): target.files for name, target in TARGETS.items() if target.files},
}

PURPOSES: Mapping[Owner, str] = {
    Owner.CONTRACT: "what the agent promises; only you edit it",
    Owner.YOURS: "written once, then yours alone",
    Owner.SHARED: "yours to edit; pond-new merges its own changes in",
    Owner.GENERATED: "rewritten by pond-new; do not edit",
    Owner.STATE: "pond-new's memory; keep it in version control",
}


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """One file to be: where it goes, whose it is, which template makes it, for which item of a loop."""

    path: PurePosixPath
    owner: Owner
    template: str
    variables: Mapping[str, Any]


@cache
def owner_of(path: PurePosixPath) -> Owner:
    """The owner of a path in a repository."""
    return next(rule.owner for rule in OWNERS if fnmatchcase(str(path), rule.pattern))


def plan(templates: Iterable[str], data: Mapping[str, Any]) -> tuple[PlannedFile, ...]:
    """Every file of the repository, sorted by path.

    `templates` are the paths in the template folder; a path with a loop stands for one file an item.
    """
    files = [
        PlannedFile(path, owner_of(path), template, variables)
        for template in templates
        if template != COPIER_FILE
        for path, variables in _expand(template, data)
        if is_wanted(path, data)
    ]
    return tuple(sorted(files, key=lambda planned: planned.path))


def is_wanted(path: PurePosixPath, data: Mapping[str, Any]) -> bool:
    """Whether there is the feature that a file comes with, if it comes with one."""
    return all(
        data["features"][feature]
        for feature, patterns in CONDITIONS.items()
        if any(fnmatchcase(str(path), pattern) for pattern in patterns)
    )


def _expand(template: str, data: Mapping[str, Any]) -> Iterator[tuple[PurePosixPath, dict[str, Any]]]:
    """The paths that a template path stands for, each with the loop's variable."""
    plain = template.removesuffix(SUFFIX)
    loop = LOOP.search(plain)
    if loop is None:
        yield PurePosixPath(plain), {}
        return
    variable, items, _, attribute = loop.groups()
    for item in data[items]:
        yield PurePosixPath(plain.replace(loop.group(), item[attribute])), {variable: item}
