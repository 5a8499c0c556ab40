"""A reduction with a kernel: the sum of squares along the last axis."""

import numpy as np

from jitcore.library.core.marking import library
from jitcore.library.core.values import as_array
from jitcore.primitives.core import batching
from jitcore.primitives.core.registry import KernelTemplate, Sample, Vjp, declare
from jitcore.primitives.core.rules import array, check_axis, require_kind, tensor_type
from jitcore.primitives.core.sampling import spread
from jitcore.primitives.ops import elementwise as ew
from jitcore.primitives.ops import shape
from jitcore.primitives.ops.reductions import reduce_sum
from jitcore.types import TensorType


def _rule(x):
    type_ = array(x)
    check_axis(0, type_.rank, "sum_of_squares")
    require_kind(type_.dtype, "f", "sum_of_squares")
    return TensorType(type_.dtype, type_.shape[:-1])


def _kernel(t, x):
    layout = t.layouts[x]
    *rows, n = layout.shape
    k = t.kernel(x, t.outs[0])
    outer, inner = k.axes(tuple(rows)), k.axis(n, reduce=True)
    element = k.load(x, (*outer, inner))
    k.store(t.outs[0], outer, k.reduce("sum", k("mul", layout.dtype, element, element)))


def _vjp(cotangents, outs, x):
    return (ew.mul(ew.mul(2, x), shape.expand_dims(cotangents[0], axis=(tensor_type(x).rank - 1,))),)


def _jvp(tangents, outs, x):
    return (reduce_sum(ew.mul(ew.mul(2, x), tangents[0]), axis=(tensor_type(x).rank - 1,), keepdims=False),)


_primitive = declare(
    "sum_of_squares",
    "x",
    rule=_rule,
    reference=lambda x: np.asarray((x * x).sum(axis=-1)),
    lowering=KernelTemplate(_kernel),
    derivative=Vjp(_vjp, _jvp),
    batch=batching.same,
    samples=lambda: [Sample((spread((2, 3)),)), Sample((spread((4,)),)), Sample((spread((2, 0)),))],
    doc="the sum of squares along the last axis",
)


@library("scalar")
def sum_of_squares(x):
    """The sum of squares along the last axis."""
    return _primitive(as_array(x))
