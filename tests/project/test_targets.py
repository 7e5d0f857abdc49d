"""Where an agent can be deployed: each place's files, with its disk or database, its limits and no secret."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

import pytest
import yaml

from pond_new.commands.gather import complete, load_source
from pond_new.errors import WrongUsage
from pond_new.manifest import parse_manifest
from pond_new.project import names
from pond_new.project.build import build
from pond_new.project.examples import list_examples, overlay
from pond_new.project.merge import has_conflict
from pond_new.project.plan import CONDITIONS, Owner, owner_of
from pond_new.project.settings import Settings, parse_settings
from pond_new.project.targets import LONGEST_GRACE, TARGETS, feature

FILES = {
    "render": "render.yaml",
    "railway": "railway.json",
    "fly": "fly.toml",
    "cloud-run": "cloud-run.yaml",
    "vps": "compose.vps.yaml",
    "kubernetes": "kubernetes/agent.yaml",
}
PAIRS = [
    (target, database)
    for target in TARGETS
    for database in ("sqlite", "postgres")
    if TARGETS[target].has_disk or database == "postgres"
]
PORT = 8000


def texts_of(
    manifest: Mapping[str, Any], target: str, database: str = "sqlite", *, max_run_seconds: int = 30
) -> dict[str, str]:
    limits = dict(manifest["limits"]) | {"max_run_seconds": max_run_seconds}
    settings = Settings(deploy=target, database=database)
    built = build(parse_manifest({**manifest, "limits": limits}), settings)
    return {str(path): text for path, text in built.texts.items()}


def read(target: str, texts: Mapping[str, str]) -> Any:
    """The parsed file of a target; of Kubernetes one object by kind."""
    text = texts[FILES[target]]
    if target == "kubernetes":
        return {part["kind"]: part for part in yaml.safe_load_all(text)}
    if target == "fly":
        return tomllib.loads(text)
    return json.loads(text) if target == "railway" else yaml.safe_load(text)


def stop_seconds(target: str, parsed: Any) -> int:
    match target:
        case "render":
            return int(parsed["services"][0]["maxShutdownDelaySeconds"])
        case "railway":
            return int(parsed["deploy"]["drainingSeconds"])
        case "fly":
            return int(parsed["kill_timeout"])
        case "vps":
            return int(parsed["services"]["agent"]["stop_grace_period"].removesuffix("s"))
        case _:
            return int(parsed["Deployment"]["spec"]["template"]["spec"]["terminationGracePeriodSeconds"])


@pytest.mark.parametrize(("target", "database"), PAIRS)
def test_a_place_brings_its_own_files_and_none_of_another(
    minimal_manifest: dict[str, Any], target: str, database: str
) -> None:
    texts = texts_of(minimal_manifest, target, database)
    of_targets = {name: feature(name) for name in TARGETS if feature(name) in CONDITIONS}

    there = {
        name
        for name, brought in of_targets.items()
        for pattern in CONDITIONS[brought]
        if any(PurePosixPath(path).match(pattern) for path in texts)
    }

    assert there == ({target} if target in of_targets else set())
    assert all(owner_of(PurePosixPath(FILES[name])) is Owner.SHARED for name in there)
    assert "DEPLOY.md" in texts
    assert {name for name, file in FILES.items() if file in texts["DEPLOY.md"]} <= {target}


@pytest.mark.parametrize(("target", "database"), [pair for pair in PAIRS if pair[0] in FILES])
def test_the_file_of_a_place_can_be_read_and_holds_no_secret(
    minimal_manifest: dict[str, Any], target: str, database: str
) -> None:
    texts = texts_of(minimal_manifest, target, database)
    text = texts[FILES[target]]

    assert read(target, texts)
    assert "/healthz" in text or target == "vps"  # compose takes the check of the Dockerfile
    assert not re.search(r"POND_ACCESS_KEY[\"']?\s*[=:]\s*\S", text)
    assert "{{" not in text
    assert "{%" not in texts["DEPLOY.md"]


@pytest.mark.parametrize(("target", "longest"), [("render", 300), ("fly", 300), ("railway", LONGEST_GRACE)])
@pytest.mark.parametrize("seconds", [30, 290, 7200])
def test_a_place_waits_for_the_longest_run_as_far_as_it_can(
    minimal_manifest: dict[str, Any], target: str, longest: int, seconds: int
) -> None:
    texts = texts_of(minimal_manifest, target, max_run_seconds=seconds)

    assert stop_seconds(target, read(target, texts)) == min(seconds + 10, longest)
    is_cut = seconds > longest
    assert ("is lost then" in texts["DEPLOY.md"]) == is_cut
    assert ("The longest that" in texts[FILES[target]]) == (is_cut and target != "railway")


@pytest.mark.parametrize("target", ["vps", "kubernetes"])
def test_a_place_of_your_own_waits_for_the_longest_run(minimal_manifest: dict[str, Any], target: str) -> None:
    texts = texts_of(minimal_manifest, target, max_run_seconds=600)

    assert stop_seconds(target, read(target, texts)) == 610


@pytest.mark.parametrize(("seconds", "expected"), [(30, 40), (3600, 3600), (7200, 3600)])
def test_cloud_run_lets_a_request_take_as_long_as_a_run(
    minimal_manifest: dict[str, Any], seconds: int, expected: int
) -> None:
    texts = texts_of(minimal_manifest, "cloud-run", "postgres", max_run_seconds=seconds)

    pod = read("cloud-run", texts)["spec"]["template"]["spec"]

    assert pod["timeoutSeconds"] == expected
    assert ("a longer one is cut off" in texts["cloud-run.yaml"]) == (seconds > expected)
    assert pod["containers"][0]["ports"] == [{"containerPort": PORT}]
    secrets = {each["name"] for each in pod["containers"][0]["env"] if "secretKeyRef" in each["valueFrom"]}
    assert secrets == {"POND_ACCESS_KEY", "DATABASE_URL"}


def test_fly_bears_a_silent_run_as_far_as_it_is_known_to(minimal_manifest: dict[str, Any]) -> None:
    short = read("fly", texts_of(minimal_manifest, "fly"))
    long = texts_of(minimal_manifest, "fly", max_run_seconds=1200)

    assert short["http_service"]["http_options"]["idle_timeout"] == 40
    assert read("fly", long)["http_service"]["http_options"]["idle_timeout"] == 900
    assert "a silent run that takes longer is cut off" in long["fly.toml"]


def test_a_file_of_sqlite_has_one_instance_and_a_disk_everywhere(minimal_manifest: dict[str, Any]) -> None:
    render = read("render", texts_of(minimal_manifest, "render"))["services"][0]
    railway = read("railway", texts_of(minimal_manifest, "railway"))["deploy"]
    fly = read("fly", texts_of(minimal_manifest, "fly"))
    kubernetes = read("kubernetes", texts_of(minimal_manifest, "kubernetes"))

    assert (render["numInstances"], render["disk"]["mountPath"]) == (1, "/data")
    assert render["plan"] != "free"
    assert (railway["numReplicas"], railway["requiredMountPath"]) == (1, "/data")
    assert fly["mounts"][0]["destination"] == "/data"
    assert kubernetes["Deployment"]["spec"]["replicas"] == 1
    assert kubernetes["Deployment"]["spec"]["strategy"] == {"type": "Recreate"}
    assert "PersistentVolumeClaim" in kubernetes


def test_postgres_takes_the_place_of_the_disk_everywhere(minimal_manifest: dict[str, Any]) -> None:
    render = read("render", texts_of(minimal_manifest, "render", "postgres"))
    railway = read("railway", texts_of(minimal_manifest, "railway", "postgres"))["deploy"]
    fly = read("fly", texts_of(minimal_manifest, "fly", "postgres"))
    kubernetes = read("kubernetes", texts_of(minimal_manifest, "kubernetes", "postgres"))

    reference = render["services"][0]["envVars"][1]["fromDatabase"]
    assert reference == {"name": render["databases"][0]["name"], "property": "connectionString"}
    assert render["databases"][0]["plan"] != "free"
    assert "disk" not in render["services"][0]
    assert "requiredMountPath" not in railway
    assert "mounts" not in fly
    assert kubernetes["Deployment"]["spec"]["replicas"] == 2
    assert "PersistentVolumeClaim" not in kubernetes


def test_kubernetes_runs_the_agent_without_any_right_that_it_does_not_need(
    minimal_manifest: dict[str, Any],
) -> None:
    objects = read("kubernetes", texts_of(minimal_manifest, "kubernetes"))
    pod = objects["Deployment"]["spec"]["template"]["spec"]
    container = pod["containers"][0]

    assert pod["securityContext"]["runAsNonRoot"] is True
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert {mount["mountPath"] for mount in container["volumeMounts"]} == {"/tmp", "/data"}
    assert all(
        container[probe]["httpGet"]["path"] == "/healthz"
        for probe in ("startupProbe", "readinessProbe", "livenessProbe")
    )
    assert objects["Service"]["spec"]["ports"][0]["targetPort"] == container["ports"][0]["name"]


@pytest.mark.parametrize(("target", "database"), PAIRS)
def test_the_image_hands_a_disk_of_root_to_the_agent(
    minimal_manifest: dict[str, Any], target: str, database: str
) -> None:
    dockerfile = texts_of(minimal_manifest, target, database)["Dockerfile"]
    starts_as_root = database == "sqlite" and target in {"render", "railway", "fly"}

    assert ("USER agent" in dockerfile) != starts_as_root
    assert ("exec setpriv --reuid=agent" in dockerfile) == starts_as_root
    assert "VOLUME" not in dockerfile  # Railway refuses it
    assert f"PORT={PORT}" in dockerfile


@pytest.mark.parametrize("target", [name for name, target in TARGETS.items() if not target.has_disk])
def test_a_place_without_a_disk_is_refused_with_sqlite(target: str) -> None:
    with pytest.raises(WrongUsage) as refused:
        parse_settings({"deploy": target})

    assert f"{target} has no disk" in str(refused.value)
    assert "use database = postgres, or one of docker, render" in str(refused.value)


def test_compose_starts_postgres_and_two_replicas_behind_one_port(minimal_manifest: dict[str, Any]) -> None:
    compose = yaml.safe_load(texts_of(minimal_manifest, "docker", "postgres")["compose.yaml"])
    services = compose["services"]
    balancer = compose["configs"]["balancer"]["content"]

    assert services["agent-1"] == services["agent-2"]
    assert services["agent-1"]["environment"]["DATABASE_URL"].startswith(
        "postgresql://agent:${POSTGRES_PASSWORD:?"
    )
    assert services["agent-1"]["depends_on"]["postgres"]["condition"] == "service_healthy"
    assert services["agent-1"]["stop_grace_period"] == "40s"
    assert [name for name, service in services.items() if "8000:8000" in str(service.get("ports"))] == [
        "balancer"
    ]
    assert "reverse_proxy agent-1:8000 agent-2:8000" in balancer
    assert "health_uri /healthz" in balancer
    assert set(compose["volumes"]) == {"postgres", "caddy"}


def test_a_place_without_a_disk_is_taken_with_postgres() -> None:
    assert parse_settings({"deploy": "cloud-run", "database": "postgres"}).deploy == "cloud-run"


@pytest.mark.parametrize("example", [example.name for example in list_examples()])
@pytest.mark.parametrize("target", [name for name, target in TARGETS.items() if target.has_disk])
def test_an_example_can_be_made_for_every_place_with_a_disk(example: str, target: str) -> None:
    found = next(each for each in list_examples() if each.name == example)
    source, _ = load_source(answers=None, manifest=None, example=example)
    manifest, own, tool = complete(source, settings={}, use_defaults=False, agent_name=example)
    chosen = build(manifest, replace(own, deploy=target, python="3.12"), tool)

    texts = overlay(chosen.texts, found, build(manifest, own, tool).texts)

    assert not any(has_conflict(text) for text in texts.values())
    project = tomllib.loads(texts[PurePosixPath("pyproject.toml")])
    assert project["tool"]["pond-new"]["deploy"] == target
    assert "FROM python:3.12" in texts[PurePosixPath("Dockerfile")]
    committed = tomllib.loads((found.folder / "agent" / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["dependencies"] == committed["project"]["dependencies"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Text Stats", "text-stats"),
        ("2 Words", "agent-2-words"),
        ("日本", "pond-agent"),
        (None, "pond-agent"),
    ],
)
def test_a_name_becomes_one_that_every_place_takes(name: str | None, expected: str) -> None:
    assert names.service_name(name) == expected


def test_a_long_name_is_cut_where_a_host_name_may_end() -> None:
    name = names.service_name("a" * 39 + " " + "b" * 300)

    assert name == "a" * 39
