"""What a server counts, in Prometheus' form."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

_ROWS: Final = tuple(2**k for k in range(11))
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST


class Metrics:
    """One server's. Requests for models that there are not have the empty name: names that anyone may send are no
    labels."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self.requests = Counter(
            "jitcore_requests", "Inference requests by model and HTTP status.", ["model", "status"], registry=registry
        )
        self.seconds = Histogram(
            "jitcore_request_seconds", "Time from a request's head to its answer.", ["model"], registry=registry,
            buckets=_SECONDS,
        )  # fmt: skip
        self.rows = Histogram(
            "jitcore_batch_rows", "Rows of the calls of a model; 1 where requests are not computed together.",
            ["model"], registry=registry, buckets=_ROWS,
        )  # fmt: skip
        self.waiting = Gauge("jitcore_queue_length", "Requests that wait to be computed.", ["model"], registry=registry)

    def text(self) -> bytes:
        return generate_latest(self._registry)
