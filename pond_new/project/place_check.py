"""Do an agent and the place where it is to run go together: times, image, names? Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pond_new.project.findings import Candidate, Finding, Severity
from pond_new.project.targets import stop_seconds

SILENT_SECONDS = 100  # without a byte of answer, after which many proxies give up
LIMIT = "limits.max_run_seconds"
DOCKERFILE = "Dockerfile"
BASE_IMAGE = re.compile(r"^FROM\s+python:(\d+\.\d+)", re.MULTILINE | re.IGNORECASE)
VOLUME_LINE = re.compile(r"^\s*VOLUME\b", re.MULTILINE)
# What stands in a file of ours until somebody writes the name of an image there.
PLACEHOLDERS = (
    ("kubernetes/agent.yaml", "registry.example.com/"),
    ("cloud-run.yaml", "REGION-docker.pkg.dev/PROJECT/"),
)
# The files that the checks here and of the environment read.
READ = (DOCKERFILE, ".env.example", *(file for file, _ in PLACEHOLDERS))


def check_duration(candidate: Candidate) -> Iterator[Finding]:
    """A run that takes longer than what lies between Pond and the agent bears."""
    target, seconds = candidate.target, candidate.manifest.limits.max_run_seconds
    capabilities = candidate.manifest.capabilities
    advice = "Offer asynchronous tasks, or lower max_run_seconds."
    if target.longest_request and seconds > target.longest_request:
        message = f"is {seconds}, and {target.title} cuts a request after {target.longest_request} seconds."
        severity: Severity = "note" if capabilities.async_tasks else "problem"
        yield Finding("request-too-long", severity, LIMIT, message, advice)
    elif seconds > SILENT_SECONDS and not (capabilities.streaming or capabilities.async_tasks):
        message = (
            f"is {seconds}, and a sync run says nothing until it has ended: many proxies cut a silent answer"
            f" after about {SILENT_SECONDS} seconds."
        )
        fix = "Offer streaming or asynchronous tasks for runs that take so long."
        yield Finding("silent-too-long", "note", LIMIT, message, fix)
    stop = stop_seconds(target, seconds)
    if stop < seconds:
        message = (
            f"is {seconds}, and {target.title} is given {stop} seconds to stop: a longer run is lost then."
        )
        yield Finding("stop-too-short", "note", LIMIT, message, advice)


def check_image(candidate: Candidate) -> Iterator[Finding]:
    """The Dockerfile against the settings, and images that nobody has named yet."""
    dockerfile = candidate.files.get(DOCKERFILE, "")
    if not dockerfile:
        yield Finding(
            "no-dockerfile",
            "problem",
            DOCKERFILE,
            "is not there, and every place builds the agent from it.",
            "pond-new regenerate --restore Dockerfile brings it back.",
        )
        return
    base, wanted = BASE_IMAGE.search(dockerfile), candidate.settings.python
    if base and base[1] != wanted:
        message = f"builds on Python {base[1]}, and the setting python is {wanted}."
        yield Finding("other-python", "problem", DOCKERFILE, message, "Make them the same.")
    if candidate.settings.deploy == "railway" and VOLUME_LINE.search(dockerfile):
        message = "has a VOLUME line, and Railway refuses to build that."
        yield Finding("volume-line", "problem", DOCKERFILE, message, "Remove the line.")
    for file, placeholder in PLACEHOLDERS:
        if placeholder in candidate.files.get(file, ""):
            message = f"still has {placeholder}... in place of your image."
            yield Finding("no-image", "problem", file, message, "Write its name there: DEPLOY.md says how.")


def check_domain(candidate: Candidate) -> Iterator[Finding]:
    """The name for which Caddy gets a certificate, on a server of your own."""
    if candidate.settings.deploy == "vps" and not candidate.environment.get("DOMAIN"):
        message = f"is not set in {candidate.environment.source}: Caddy cannot get a certificate."
        fix = "Write DOMAIN=agent.example.com into .env, with the name that leads to your server."
        yield Finding("no-domain", "problem", "DOMAIN", message, fix)
