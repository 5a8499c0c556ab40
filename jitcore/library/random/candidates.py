"""Classes drawn as candidates, with how often each is expected."""

from __future__ import annotations

import math
from typing import Any

from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, evaluator, static_int
from jitcore.library.random import sampling
from jitcore.library.random.variates import drawn
from jitcore.primitives.ops import drawing as d
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import random as generator
from jitcore.primitives.ops import transcendental as t
from jitcore.types import f32, f64, i64


def _candidates(true_classes: Any, count: Any, unique: Any, top: Any, seed: Any, log: bool) -> tuple[Any, Any, Any]:
    """(classes drawn, how often each true class is expected among them, and each drawn one)."""
    extent, wanted = static_int(top, "range_max"), static_int(count, "num_sampled")
    once = bool(evaluator().static(unique, "unique"))
    if once and wanted > extent:
        raise ValueError(f"{wanted} different classes cannot be drawn of {extent}")
    if once:
        key, draw = generator.random_state(stream=sampling.stream_of(seed))
        chosen = d.distinct(draw, key, extent=extent, count=wanted)
    elif log:
        chosen = drawn("log_uniform", (wanted,), i64, sampling.stream_of(seed), as_array(float(extent), f64))
    else:
        chosen = sampling.integers(0, extent, (wanted,), i64, sampling.stream_of(seed))

    def expected(classes: Any) -> Any:
        if not log:
            return e.add(e.mul(e.cast(classes, dtype=f32), 0), wanted / extent)
        x = e.cast(classes, dtype=f64)
        share = e.div(t.log(e.div(e.add(x, 2), e.add(x, 1))), math.log(extent + 1))
        return e.cast(e.mul(share, float(wanted)), dtype=f32)

    return chosen, expected(as_array(true_classes)), expected(chosen)


def _sampler(name: str, cls: str, log: bool) -> None:
    def function(
        true_classes: Any,
        num_true: Any = 1,
        num_sampled: Any = 5,
        unique: Any = True,
        range_max: Any = 5,
        seed: Any = 0,
    ) -> Any:
        del num_true
        return _candidates(true_classes, num_sampled, unique, range_max, seed, log)

    def uniform(
        true_classes: Any, num_true: Any, num_sampled: Any, unique: Any, range_max: Any,
        seed: Any = 0, remove_accidental_hits: Any = False
    ) -> Any:  # fmt: skip
        del num_true, remove_accidental_hits
        return _candidates(true_classes, num_sampled, unique, range_max, seed, log)

    def set_up(
        true_classes: Any, *, num_true: Any = 1, num_sampled: Any = 5, unique: Any = True, range_max: Any = 5,
        seed: Any = 0, remove_accidental_hits: Any = False,
    ) -> Any:  # fmt: skip
        del num_true, remove_accidental_hits
        return _candidates(true_classes, num_sampled, unique, range_max, seed, log)

    function.__doc__ = uniform.__doc__ = set_up.__doc__ = "Classes drawn, and how often each is expected."
    operator(name)(function if log else uniform)
    operator(cls)(set_up)


_sampler("uniform_candidate_sampler", "UniformCandidateSampler", False)
_sampler("log_uniform_candidate_sampler", "LogUniformCandidateSampler", True)
