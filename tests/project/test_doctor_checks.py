"""The checks of `pond-new doctor`, each on an agent that exists in memory only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pond_new.manifest import parse_manifest
from pond_new.project.env_file import parse_env
from pond_new.project.environment_check import check_database, check_key, check_names, check_public_url
from pond_new.project.findings import Candidate, Environment, Finding
from pond_new.project.place_check import check_domain, check_duration, check_image
from pond_new.project.settings import Settings

Check = Callable[[Candidate], Any]


def candidate(
    manifest: Mapping[str, Any],
    *,
    seconds: int = 30,
    streaming: bool = False,
    files: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    **settings: str,
) -> Candidate:
    limits = {**manifest["limits"], "max_run_seconds": seconds}
    capabilities = {**manifest["capabilities"], "streaming": streaming}
    return Candidate(
        parse_manifest({**manifest, "limits": limits, "capabilities": capabilities}),
        Settings(**settings),  # type: ignore[arg-type]  # only texts are given here
        Environment(environment or {}, "production.env"),
        files={"Dockerfile": "FROM python:3.13-slim\n"} | dict(files or {}),
    )


def found(check: Check, agent: Candidate) -> list[tuple[str, str]]:
    return [(finding.code, finding.severity) for finding in check(agent)]


@pytest.mark.parametrize(
    ("deploy", "url", "expected"),
    [
        ("fly", "", []),
        ("fly", "sqlite:////data/ledger.sqlite", []),
        ("fly", "sqlite:///.data/ledger.sqlite", [("database-elsewhere", "problem")]),
        ("fly", "sqlite:////data/../tmp/ledger.sqlite", [("database-elsewhere", "problem")]),
        ("vps", "sqlite:///.data/ledger.sqlite", [("database-elsewhere", "note")]),
    ],
)
def test_a_file_outside_the_disk_is_found(
    minimal_manifest: dict[str, Any], deploy: str, url: str, expected: list[tuple[str, str]]
) -> None:
    agent = candidate(minimal_manifest, deploy=deploy, environment={"DATABASE_URL": url})

    assert found(check_database, agent) == expected


@pytest.mark.parametrize(
    ("deploy", "url", "expected"),
    [
        ("kubernetes", "postgresql://a@b/c", []),
        ("kubernetes", "", [("no-database", "problem")]),
        ("kubernetes", "sqlite:////data/x", [("wrong-database", "problem")]),
        ("vps", "", []),
    ],
)
def test_postgres_needs_the_address_of_one(
    minimal_manifest: dict[str, Any], deploy: str, url: str, expected: list[tuple[str, str]]
) -> None:
    environment = {"DATABASE_URL": url}
    agent = candidate(minimal_manifest, deploy=deploy, database="postgres", environment=environment)

    assert found(check_database, agent) == expected


@pytest.mark.parametrize(
    ("deploy", "seconds", "streaming", "expected"),
    [
        ("fly", 100, False, []),
        ("fly", 101, False, [("silent-too-long", "note")]),
        ("fly", 101, True, []),
        ("fly", 400, True, [("stop-too-short", "note")]),
        ("railway", 901, True, [("request-too-long", "problem")]),
        ("docker", 4000, True, [("stop-too-short", "note")]),
    ],
)
def test_a_run_that_takes_longer_than_the_place_bears_is_found(
    minimal_manifest: dict[str, Any], *, deploy: str, seconds: int, streaming: bool, expected: object
) -> None:
    agent = candidate(minimal_manifest, seconds=seconds, streaming=streaming, deploy=deploy)

    assert found(check_duration, agent) == expected


@pytest.mark.parametrize(
    ("deploy", "files", "expected"),
    [
        ("docker", {}, []),
        ("docker", {"Dockerfile": ""}, [("no-dockerfile", "problem")]),
        ("docker", {"Dockerfile": "FROM python:3.11-slim\n"}, [("other-python", "problem")]),
        ("docker", {"Dockerfile": "FROM company/base:1\nVOLUME /data\n"}, []),
        ("railway", {"Dockerfile": "FROM company/base:1\nVOLUME /data\n"}, [("volume-line", "problem")]),
        (
            "kubernetes",
            {"kubernetes/agent.yaml": "image: registry.example.com/a:1"},
            [("no-image", "problem")],
        ),
        ("kubernetes", {"kubernetes/agent.yaml": "image: mine/a:1"}, []),
    ],
)
def test_an_image_that_cannot_be_built_or_is_not_named_is_found(
    minimal_manifest: dict[str, Any], deploy: str, files: Mapping[str, str], expected: object
) -> None:
    assert found(check_image, candidate(minimal_manifest, deploy=deploy, files=files)) == expected


def test_a_server_of_your_own_needs_a_name(minimal_manifest: dict[str, Any]) -> None:
    named = candidate(minimal_manifest, deploy="vps", environment={"DOMAIN": "agent.example.com"})

    assert found(check_domain, candidate(minimal_manifest, deploy="vps")) == [("no-domain", "problem")]
    assert not found(check_domain, named)
    assert not found(check_domain, candidate(minimal_manifest, deploy="fly"))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("", [("no-public-url", "note")]),
        ("http://agent", [("public-url", "problem")]),
        ("https://agent.example.com", []),
    ],
)
def test_an_agent_that_hosts_files_knows_its_own_address(
    minimal_manifest: dict[str, Any], url: str, expected: object
) -> None:
    files = {".env.example": "# PUBLIC_URL=https://agent.example.com\n"}
    agent = candidate(minimal_manifest, files=files, environment={"PUBLIC_URL": url})

    assert found(check_public_url, agent) == expected
    assert not found(check_public_url, candidate(minimal_manifest))


def test_a_slip_in_a_name_gets_the_name_that_was_meant(minimal_manifest: dict[str, Any]) -> None:
    files = {".env.example": "POND_ACCESS_KEY=\n# POND_MAX_RUNS=256\n"}
    agent = candidate(minimal_manifest, files=files, environment={"POND_MAXRUNS": "3", "PATH": "/bin"})

    (slip,) = check_names(agent)

    assert (slip.about, slip.fix) == ("POND_MAXRUNS", "Did you mean POND_MAX_RUNS?")


def test_a_key_is_never_repeated() -> None:
    findings: list[Finding] = list(check_key(Environment({"POND_ACCESS_KEY": "tooshort"}, ".env")))

    assert findings
    assert all("tooshort" not in str(finding) for finding in findings)


def test_an_env_file_is_read_as_compose_reads_it() -> None:
    text = "# a comment\nexport A=1\nB = two words # and a comment\nC='x # y'\nD=\nnot an assignment\nE=a#b\n"

    assert parse_env(text) == {"A": "1", "B": "two words", "C": "x # y", "D": "", "E": "a#b"}
