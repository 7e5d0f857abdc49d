"""`pond-new doctor`: what stands between an agent and its deployment, and what does not."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from pond_new.commands.doctor import DoctorOptions, doctor
from pond_new.project.env_file import parse_env
from tests.conftest import PondNew

KEY = "q7Xw2mN9vB4tR8zKpL3c"


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
