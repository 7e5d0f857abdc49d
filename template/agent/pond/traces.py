"""One span for each run, sent by OTLP to where OTEL_EXPORTER_OTLP_ENDPOINT points.

The only importer of OpenTelemetry. The SDK's own variables (OTEL_SERVICE_NAME, OTEL_EXPORTER_OTLP_HEADERS,
OTEL_TRACES_SAMPLER and the others) mean what its documentation says. Spans of a handler stand below it.
"""

import contextlib
from collections.abc import Iterator, Mapping

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, StatusCode, Tracer

from agent.pond.ending import NOT_KNOWN, Ending
from agent.pond.envelope import RunRequest
from agent.pond.observer import Nobody, Tell

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


class Traces(Nobody):
    """Makes the spans."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer

    @contextlib.contextmanager
    def watch(self, request: RunRequest) -> Iterator[Tell]:
        """Measure one execution of a run; its span is the current one meanwhile, for the handler too."""
        action = request.action_id or NOT_KNOWN
        with self._tracer.start_as_current_span(
            f"run {action}",
            kind=SpanKind.SERVER,
            attributes={"pond.mode": request.mode, "pond.action": action},
            record_exception=False,
            set_status_on_exception=False,
        ) as span:

            def tell(ending: Ending) -> None:
                span.set_attribute("pond.outcome", ending.status)
                span.set_attribute("pond.usage.quantity", ending.quantity)
                span.set_attribute("pond.usage.unit", ending.unit)
                if ending.code:
                    span.set_attribute("error.type", ending.code)
                    span.set_status(StatusCode.ERROR)

            yield tell


def open_traces(service: str, environment: Mapping[str, str]) -> Traces | None:
    """Traces where the environment says where to; None where it does not. What waits is sent at the end."""
    if not any(environment.get(name, "").strip() for name in ENDPOINTS):
        return None
    named = environment.get("OTEL_SERVICE_NAME", "").strip() or service
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: named}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)  # so that the handlers' own spans go the same way
    return Traces(provider.get_tracer("agent.pond"))
