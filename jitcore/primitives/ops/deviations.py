"""Sums of squared deviations from the mean, of which variances are made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from jitcore.primitives.core import batching, broadcasting
from jitcore.primitives.core.registry import Decomposition, Sample, Vjp, declare
from jitcore.primitives.core.rules import array, check_axis, require_kind, tensor_type
from jitcore.primitives.core.sampling import spread
from jitcore.primitives.ops import conversions
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import reductions as r
from jitcore.types import TensorType, Type, f32

Axes = tuple[int, ...]


def _rule(x: Type, *, axis: Axes, keepdims: bool) -> Type:
    type_ = array(x)
    require_kind(type_.dtype, "f", "squared_deviations")
    for k in axis:
        check_axis(k, type_.rank, "squared_deviations")
    return TensorType(type_.dtype, r.reduced_shape(type_.shape, axis, keepdims))


def _centred(x: object, axis: Axes) -> Any:
    """The deviations from the mean over axes."""
    type_ = tensor_type(x)
    count = conversions.extent(dim=broadcasting.size_of(tuple(type_.shape[k] for k in axis)))
    total = r.reduce_sum(x, axis=axis, keepdims=True)
    return e.sub(x, e.div(total, conversions.from_scalar(count, dtype=type_.dtype)))


def _expanded(x: object, *, axis: Axes, keepdims: bool) -> Any:
    centred = _centred(x, axis)
    return r.reduce_sum(e.mul(centred, centred), axis=axis, keepdims=keepdims)


def _reference(x: npt.NDArray[Any], *, axis: Axes, keepdims: bool) -> Any:
    count = x.dtype.type(np.prod([x.shape[k] for k in axis], dtype=int))
    with np.errstate(all="ignore"):
        centred = x - np.add.reduce(x, axis=axis, keepdims=True) / count
        return np.asarray(np.add.reduce(centred * centred, axis=axis, keepdims=keepdims))


# sum((x - mean)^2) does not change with the mean itself: the derivative is 2 (x - mean), and that of it goes through
# the mean.
def _vjp(cts: Sequence[Any], outs: Sequence[Any], x: object, *, axis: Axes, keepdims: bool) -> Sequence[Any]:
    return (e.mul(r.over_axes(e.mul(cts[0], 2), axis, keepdims), _centred(x, axis)),)


def _jvp(ts: Sequence[Any], outs: Sequence[Any], x: object, *, axis: Axes, keepdims: bool) -> Sequence[Any]:
    return (r.reduce_sum(e.mul(e.mul(ts[0], 2), _centred(x, axis)), axis=axis, keepdims=keepdims),)


def _samples() -> Iterable[Sample]:
    for shape, axis, keepdims in (((2, 3), (0,), False), ((2, 3, 4), (0, 2), True), ((5,), (0,), False)):
        yield Sample((spread(shape),), {"axis": axis, "keepdims": keepdims})
    yield Sample((spread((3, 4), dtype=f32),), {"axis": (1,), "keepdims": False})
    yield Sample((spread((2, 0)),), {"axis": (1,), "keepdims": False})


squared_deviations = declare(
    "squared_deviations",
    "x",
    rule=_rule,
    reference=_reference,
    lowering=Decomposition(_expanded),
    derivative=Vjp(_vjp, _jvp),
    batch=batching.axes,
    samples=_samples,
    doc="The sum over axes of the squares of what elements are off their mean.",
)
