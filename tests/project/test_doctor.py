"""`pond-new doctor`: what stands between an agent and its deployment, and what does not."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from pond_new.commands.doctor import DoctorOptions, doctor
from pond_new.manifest import parse_manifest
from pond_new.project.env_file import parse_env
from pond_new.project.environment_check import check_database, check_key, check_names, check_public_url
from pond_new.project.findings import Candidate, Environment, Finding
from pond_new.project.place_check import check_domain, check_duration, check_image
from pond_new.project.settings import Settings
from tests.conftest import PondNew

KEY = "q7Xw2mN9vB4tR8zKpL3c"
Check = Callable[[Candidate], Any]


@pytest.fixture
def agent(pond_new: PondNew, tmp_path: Path) -> Path:
    """A fresh agent with an environment that is ready."""
    root = tmp_path / "agent"
    pond_new("new", root, "--example", "text-stats", "--set", "standards=pond", "--no-git")
    (root / ".env").write_text(f"POND_ACCESS_KEY={KEY}\n")
    return root


def codes(pond_new: PondNew, root: Path, *arguments: object) -> set[str]:
    outcome = pond_new("doctor", root, "--json", *arguments)
    found = {finding["code"] for finding in outcome.json["findings"] if finding["severity"] == "problem"}
    assert outcome.code == bool(found), outcome.out
    assert outcome.json["status"] == ("problems" if found else "ready")
    return found


def test_an_agent_that_is_ready_has_no_findings(pond_new: PondNew, agent: Path) -> None:
    outcome = pond_new("doctor", agent)

    assert outcome.code == 0
    assert "examined for Docker with sqlite, with the variables of .env" in outcome.out
    assert "no problems, no notes." in outcome.out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("POND_ACCESS_KEY=\n", {"no-key"}),
        ("POND_ACCESS_KEY=short\n", {"short-key"}),
        ("POND_ACCESS_KEY=aaaaaaaaaaaaaaaaaaaa\n", {"weak-key"}),
        ("POND_ACCESS_KEY='two words, 16 and more'\n", {"broken-key"}),
        ("POND_ACCESS_KEY_FILE=/run/secrets/key\n", set()),
        (f"POND_ACCESS_KEY={KEY}\nPOND_RETENTION_HOUR=3\n", {"unknown-variable"}),
        (f"POND_ACCESS_KEY={KEY}\nDATABASE_URL=postgresql://a:secret@b/c\n", {"wrong-database"}),
        (f"export POND_ACCESS_KEY='{KEY}' # mine\nLOG_LEVEL=INFO\n", set()),
    ],
)
def test_the_environment_is_judged_and_no_value_of_it_is_shown(
    pond_new: PondNew, agent: Path, text: str, expected: set[str]
) -> None:
    (agent / ".env").write_text(text)

    assert codes(pond_new, agent) == expected
    told = pond_new("doctor", agent).out
    assert not [value for value in parse_env(text).values() if len(value) > 5 and value in told]


def test_another_environment_can_be_named(pond_new: PondNew, agent: Path, tmp_path: Path) -> None:
    other = tmp_path / "production.env"
    other.write_text("POND_ACCESS_KEY=short\n")

    assert codes(pond_new, agent, "--env", other) == {"short-key"}
    assert pond_new("doctor", agent, "--env", tmp_path / "missing").code == 2


def test_without_a_file_the_variables_of_the_shell_are_judged(agent: Path, pond_new: PondNew) -> None:
    del pond_new  # it catches what is printed
    (agent / ".env").unlink()

    assert doctor(str(agent), DoctorOptions(), environment={"POND_ACCESS_KEY": KEY}) == 0
    assert doctor(str(agent), DoctorOptions(), environment={}) == 1


def test_a_key_that_the_place_keeps_itself_may_be_missing_here(pond_new: PondNew, agent: Path) -> None:
    project = (agent / "pyproject.toml").read_text()
    (agent / "pyproject.toml").write_text(project.replace('deploy = "docker"', 'deploy = "fly"'))
    pond_new("regenerate", agent)
    (agent / ".env").unlink()

    assert doctor(str(agent), DoctorOptions(as_json=True), environment={}) == 0
    assert codes(pond_new, agent, "--env", agent / ".env.example") == {"no-key"}


def test_an_agent_of_the_second_standard_alone_needs_no_key(pond_new: PondNew, tmp_path: Path) -> None:
    root = tmp_path / "tool"
    pond_new("new", root, "--example", "text-stats", "--set", "standards=mcp", "--no-git")
    (root / ".env").write_text("LOG_LEVEL=INFO\n")

    outcome = pond_new("doctor", root, "--json")

    assert outcome.code == 0
    assert "no-endpoint" in {finding["code"] for finding in outcome.json["findings"]}


def test_an_endpoint_that_nobody_can_reach_is_found(pond_new: PondNew, tmp_path: Path) -> None:
    root = tmp_path / "tool"
    pond_new("new", root, "--example", "text-stats", "--set", "standards=mcp", "--no-git")
    contract = root / "agent-manifest.json"
    manifest = json.loads(contract.read_text("utf-8"))
    manifest["runtime"]["endpoint"] = "http://10.0.0.7/mcp"
    manifest["source"]["ref"] = "0" * 40
    contract.write_text(json.dumps(manifest))
    pond_new("regenerate", root)

    outcome = pond_new("doctor", root, "--json")

    found = {finding["code"]: finding["severity"] for finding in outcome.json["findings"]}
    assert found["endpoint"] == "problem"
    assert found["not-released"] == "note"


def test_drift_is_found(pond_new: PondNew, agent: Path) -> None:
    manifest = json.loads((agent / "manifest.json").read_text())
    manifest["limits"]["max_run_seconds"] = 77
    (agent / "manifest.json").write_text(json.dumps(manifest))

    assert codes(pond_new, agent) == {"drift"}


def test_a_place_that_would_lose_the_runs_is_found_and_the_key_judged_all_the_same(
    pond_new: PondNew, agent: Path
) -> None:
    project = (agent / "pyproject.toml").read_text()
    (agent / "pyproject.toml").write_text(re.sub('deploy = ".*"', 'deploy = "cloud-run"', project))
    (agent / ".env").write_text("")

    assert codes(pond_new, agent) == {"unusable", "no-key"}
    assert "has no disk" in pond_new("doctor", agent).out


def test_an_environment_in_version_control_is_found(pond_new: PondNew, agent: Path) -> None:
    for command in (["init", "--quiet"], ["add", "--force", ".env"]):
        subprocess.run(["git", *command], cwd=agent, check=True)

    assert codes(pond_new, agent) == {"env-committed"}


def test_a_directory_without_an_agent_is_no_finding(pond_new: PondNew, tmp_path: Path) -> None:
    outcome = pond_new("doctor", tmp_path)

    assert outcome.code == 1
    assert "there is no agent" in outcome.err


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
