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

from agent.pond.telemetry import Outcome, Tell

PATH = "/metrics"
SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600)


class Metrics:
    """The counters of one agent, since its process began."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        self._going = Gauge("pond_runs_in_progress", "Runs that go on.", ["mode"], registry=registry)
        self._runs = Counter(
            "pond_runs", "Runs that have ended.", ["mode", "action", "outcome", "code"], registry=registry
        )
        self._seconds = Histogram(
            "pond_run_duration_seconds",
            "From the beginning of a run to its end.",
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

    @contextlib.contextmanager
    def watch(self, mode: str, action: str) -> Iterator[Tell]:
        """Measure one run."""

        def tell(outcome: Outcome) -> None:
            self._runs.labels(mode, action, outcome.status, outcome.code).inc()
            self._seconds.labels(mode, action).observe(outcome.seconds)
            self._units.labels(action, outcome.unit).inc(outcome.quantity)

        going = self._going.labels(mode)
        going.inc()
        try:
            yield tell
        finally:
            going.dec()


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
