"""What a server takes at most."""

from __future__ import annotations

from jitcore.structs import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """`max_batch`: rows that are computed together; `max_latency`: seconds that a request waits for others;
    `max_body`: bytes of a request; `queue`: requests of a model that are under way at a time."""

    max_batch: int = 32
    max_latency: float = 0.005
    max_body: int = 64 << 20
    queue: int = 256
