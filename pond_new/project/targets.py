"""The places where an agent can be deployed: their files, their disk, how long they wait. Pure data.

The limits are the platforms' own, as their documentation had them in November 2026; docs/deploy.md names the
pages. Nobody has deployed to these platforms from this repository.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LONGEST_GRACE = 3600  # seconds that we ask any platform to wait for runs that are going on
MARGIN_SECONDS = 10  # after the longest run, to send its answer and to close


@dataclass(frozen=True, slots=True)
class Target:
    """One place. `files` are the patterns of what it brings into a repository, beside Dockerfile and compose.

    `longest_stop` is the most seconds between SIGTERM and SIGKILL, `longest_request` the most seconds that
    one request may take; None where the platform sets no limit.
    """

    title: str
    files: tuple[str, ...] = ()
    has_disk: bool = True
    """Whether a directory can outlive the container there."""
    has_disk_of_root: bool = False
    """Whether that directory belongs to root when it is mounted, so that the agent cannot write to it yet."""
    longest_stop: int | None = None
    longest_request: int | None = None
    longest_silence: int | None = None
    """The most seconds without a byte of answer that its proxy can be asked to bear; None: nothing to ask."""


TARGETS: Mapping[str, Target] = {
    "docker": Target("Docker"),
    "render": Target(
        "Render",
        ("render.yaml",),
        has_disk_of_root=True,
        longest_stop=300,  # maxShutdownDelaySeconds
        longest_request=6000,
    ),
    "railway": Target("Railway", ("railway.json",), has_disk_of_root=True, longest_request=900),
    "fly": Target(
        "Fly.io",
        ("fly.toml",),
        has_disk_of_root=True,
        longest_stop=300,  # kill_timeout
        longest_silence=900,  # idle_timeout; its maximum is not documented, this is used by others
    ),
    "cloud-run": Target(
        "Google Cloud Run",
        ("cloud-run.yaml",),
        has_disk=False,
        longest_stop=10,  # not to be set
        longest_request=3600,  # timeoutSeconds
    ),
    "vps": Target("A server of your own", ("compose.vps.yaml", "Caddyfile")),
    "kubernetes": Target("Kubernetes", ("kubernetes/*",)),
}


def feature(target: str) -> str:
    """The name of the feature that brings the files of a target."""
    return "deploy_" + target.replace("-", "_")


def stop_seconds(target: Target, max_run_seconds: int) -> int:
    """How long the platform is asked to wait after SIGTERM: for the longest run, as far as it does."""
    return min(max_run_seconds + MARGIN_SECONDS, target.longest_stop or LONGEST_GRACE)


def request_seconds(target: Target, max_run_seconds: int) -> int:
    """How long one request may take: as long as the longest run, as far as the platform lets it."""
    wanted = max_run_seconds + MARGIN_SECONDS
    return min(wanted, target.longest_request or wanted)


def silent_seconds(target: Target, max_run_seconds: int) -> int:
    """How long an answer may be silent: as long as the longest run, as far as the proxy can be asked to."""
    wanted = max_run_seconds + MARGIN_SECONDS
    return min(wanted, target.longest_silence or wanted)


def places_without_disk() -> list[str]:
    """The targets where no file outlives a restart."""
    return [name for name, target in TARGETS.items() if not target.has_disk]


def fault_of_pair(target: str, database: str) -> str | None:
    """Why a database would lose its data at a target, or None."""
    place = TARGETS[target]
    if place.has_disk or database != "sqlite":
        return None
    kept = ", ".join(name for name, each in TARGETS.items() if each.has_disk)
    return (
        f"deploy: {target} has no disk that outlives a restart, so database = sqlite would lose every"
        f" accepted run and its result there; use database = postgres, or one of {kept}"
    )
