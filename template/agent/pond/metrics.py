"""Metrics of the runs for Prometheus, at `GET /metrics`, for those who have the token.

The only importer of prometheus_client. The labels are few and known: modes and codes of the protocol, actions
of the manifest.
"""

import contextlib
import hmac
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from agent.pond.ending import Ended
from agent.pond.envelope import RunRequest
from agent.pond.observer import Tell, forget

PATH = "/metrics"
SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600)


class Metrics:
    """The counters of one agent, since its process began."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        self._in_progress = Gauge(
            "pond_runs_in_progress", "Runs that this process executes now.", ["mode"], registry=registry
        )
        self._tasks = Gauge(
            "pond_tasks",
            "Async tasks without an end, of all replicas together, as seen within the last seconds.",
            ["status"],
            registry=registry,
        )
        self._runs = Counter(
            "pond_runs", "Runs that have ended.", ["mode", "action", "outcome", "code"], registry=registry
        )
        self._seconds = Histogram(
            "pond_run_duration_seconds",
            "From the acceptance of a run to its end, with the time that a task has waited.",
            ["mode", "action"],
            buckets=SECONDS,
            registry=registry,
        )
        self._units = Counter(
            "pond_units",
            "What runs have used, by the unit of the pricing plan.",
            ["action", "unit"],
            registry=registry,
        )
        self._refusals = Counter(
            "pond_refusals", "Requests for a run that were refused.", ["code"], registry=registry
        )

    @contextlib.contextmanager
    def watch(self, request: RunRequest) -> Iterator[Tell]:
        """Count a run among those in progress."""
        with self._in_progress.labels(request.mode).track_inprogress():
            yield forget  # what becomes of the run is told by `ended`

    def ended(self, run: Ended) -> None:
        """Count how a run ended, what it used, and how long it took."""
        self._runs.labels(run.mode, run.action, run.ending.status, run.ending.code).inc()
        self._units.labels(run.action, run.ending.unit).inc(run.ending.quantity)
        if run.seconds is not None:
            self._seconds.labels(run.mode, run.action).observe(run.seconds)

    def refused(self, code: str) -> None:
        """Count a refusal."""
        self._refusals.labels(code).inc()

    def found_tasks(self, *, queued: int, running: int) -> None:
        """Note how many tasks have no end yet."""
        self._tasks.labels("queued").set(queued)
        self._tasks.labels("running").set(running)


def metrics_route(metrics: Metrics, token: str) -> Route:
    """`GET /metrics` with `Authorization: Bearer TOKEN`, compared in constant time; else 401."""
    wanted = f"Bearer {token}".encode()

    async def answer(request: Request) -> Response:
        given = request.headers.get("authorization", "").encode("latin-1")
        if not hmac.compare_digest(given, wanted):
            return Response(
                "The token of the metrics is missing or incorrect.\n", 401, media_type="text/plain"
            )
        return Response(generate_latest(metrics.registry), headers={"content-type": CONTENT_TYPE_LATEST})

    return Route(PATH, answer, methods=["GET"])
