"""Draws from distributions that no formula of uniform numbers gives: NumPy makes them, on the host, from a key and the
number of the draw alone. And the choice of boxes that do not overlap, which goes by one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

from jitcore.primitives.core.registry import HostCode, Nondifferentiable, Sample, declare
from jitcore.primitives.core.rules import array, require_kind
from jitcore.types import DType, TensorType, Type, bool_, f64, i64

_CONSTANT: Final = Nondifferentiable("what is drawn is taken for a constant")

_KINDS: Final[dict[str, Callable[..., Any]]] = {
    "gamma": lambda rng, size, alpha: rng.standard_gamma(alpha, size),
    "poisson": lambda rng, size, rate: rng.poisson(rate, size),
    "log_uniform": lambda rng, size, top: np.floor(np.exp(rng.random(size) * np.log(top + 1)) - 1),
}


def _rule(bits: Type, *params: Type, kind: str, dtype: DType) -> TensorType:
    del kind
    for operand in params:
        require_kind(array(operand).dtype, "biuf", "drawn")
    require_kind(array(bits).dtype, "u", "drawn")
    return TensorType(dtype, array(bits).shape)


def _reference(bits: Any, *params: Any, kind: str, dtype: DType) -> Any:
    if not bits.size:
        return np.zeros(bits.shape, dtype.numpy)
    return np.asarray(_KINDS[kind](_generator(bits.flat[0], bits.flat[-1]), bits.shape, *params)).astype(dtype.numpy)


def _generator(*seeds: Any) -> np.random.Generator:
    words = [word for seed in seeds for word in (int(seed) & 0xFFFFFFFF, int(seed) >> 32)]
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(words)))


def _samples() -> Iterable[Sample]:
    bits = np.arange(6, dtype=np.uint64).reshape(3, 2) * np.uint64(2**61 + 5)
    yield Sample((bits, np.array([0.5, 2.0])), {"kind": "gamma", "dtype": f64})
    yield Sample((bits, np.array(4.0)), {"kind": "poisson", "dtype": i64})
    yield Sample((bits[:, 0].copy(), np.array(9.0)), {"kind": "log_uniform", "dtype": i64})
    yield Sample((bits[:0], np.array(4.0)), {"kind": "poisson", "dtype": i64})


drawn = declare(
    "drawn",
    "bits *params",
    rule=_rule,
    reference=_reference,
    lowering=HostCode(),
    derivative=_CONSTANT,
    samples=_samples,
    doc="Numbers of a distribution ("
    + ", ".join(_KINDS)
    + "), as many as there are random bits; its parameters broadcast with them.",
)


def _choice_rule(draw: Type, key: Type, *, extent: Any, count: Any) -> TensorType:
    del extent
    for operand in (draw, key):
        require_kind(array(operand).dtype, "u", "distinct")
    return TensorType(i64, (count,))


def _choice_reference(draw: Any, key: Any, *, extent: Any, count: Any) -> Any:
    return _generator(key, draw).permutation(int(extent))[: int(count)].astype(np.int64)


distinct = declare(
    "distinct",
    "draw key",
    rule=_choice_rule,
    reference=_choice_reference,
    lowering=HostCode(),
    derivative=_CONSTANT,
    samples=lambda: [Sample((np.array(3, np.uint64), np.array(7, np.uint64)), {"extent": 9, "count": 4})],
    doc="`count` different numbers below `extent`, in random order.",
)


# --- boxes ------------------------------------------------------------------------------------------


def _keep_rule(boxes: Type, *, threshold: float) -> TensorType:
    del threshold
    type_ = array(boxes, "boxes")
    require_kind(type_.dtype, "f", "keep_boxes")
    if type_.rank != 2:
        raise ValueError(f"keep_boxes takes boxes (N, 4), not an array of {type_.rank} dimensions")
    return TensorType(bool_, type_.shape[:1])


def _keep_reference(boxes: Any, *, threshold: float) -> Any:
    kept = np.ones(len(boxes), bool)
    low, high = np.minimum(boxes[:, :2], boxes[:, 2:4]), np.maximum(boxes[:, :2], boxes[:, 2:4])
    areas = (high - low).prod(-1)
    with np.errstate(all="ignore"):
        for k in range(len(boxes)):
            if kept[k]:
                rest = slice(k + 1, None)
                sides = np.maximum(np.minimum(high[k], high[rest]) - np.maximum(low[k], low[rest]), 0)
                shared = sides.prod(-1)
                kept[rest] &= ~(shared / (areas[k] + areas[rest] - shared) > threshold)
    return kept


keep_boxes = declare(
    "keep_boxes",
    "boxes",
    rule=_keep_rule,
    reference=_keep_reference,
    lowering=HostCode(),
    derivative=Nondifferentiable("a choice is locally constant"),
    samples=lambda: [
        Sample((np.array([[0.0, 0, 2, 2], [0, 0, 2, 1.5], [1, 1, 3, 3], [0, 0, 1, 1]]),), {"threshold": 0.3}),
        Sample((np.zeros((0, 4)),), {"threshold": 0.5}),
    ],
    doc="Which boxes (two corners each) are left where, one after the other, each takes away those after it that it "
    "overlaps with by more than a threshold (the area of both over that of either).",
)
