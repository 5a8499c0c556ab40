"""MindSpore's primitive classes: `ops.Mul()(x, y)` is `ops.mul(x, y)`; `ops.MatMul(transpose_b=True)(x, y)` is set up first.

Each is made from a function: its positional parameters are the operands, its keyword-only parameters the constructor's.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

from jitcore.ops import functional as F
from jitcore.primitives.functions import (
    comparisons,
    creation,
    elementwise,
    indexing,
    linear,
    neural,
    reductions,
    shapes,
)
from jitcore.primitives.library import is_library, library
from jitcore.types import f32


class Primitive:
    """An operator that is set up when it is made and called with its operands."""

    __jitcore_library__ = True
    _function: ClassVar[Callable[..., Any]]
    _plain: ClassVar[Callable[..., Any]]

    def __init__(self, *args: Any, **keywords: Any) -> None:
        bound = _set_up(type(self)._plain).bind(*args, **keywords)
        bound.apply_defaults()
        self.params: dict[str, Any] = dict(bound.arguments)

    def __call__(self, *operands: Any) -> Any:
        return type(self)._function(*operands, **self.params)

    @property
    def name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    def __getattr__(self, name: str) -> Any:
        params = self.__dict__.get("params", {})
        if name in params:
            return params[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.params.items())})"


@cache
def _set_up(function: Callable[..., Any]) -> inspect.Signature:
    """How the class that calls `function` is set up: by its keyword-only parameters."""
    return inspect.Signature(
        [
            p.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
            for p in inspect.signature(function).parameters.values()
            if p.kind is inspect.Parameter.KEYWORD_ONLY
        ]
    )


def _primitive(name: str, function: Callable[..., Any]) -> type[Primitive]:
    """The class that calls `function`."""
    marked = function if is_library(function) else library("tensor")(function)
    body = {
        "_function": staticmethod(marked),
        "_plain": staticmethod(function),
        "__doc__": function.__doc__,
        "__module__": __name__,
    }
    return type(name, (Primitive,), body)


# --- operators without a set-up -----------------------------------------------------------------------

Add = TensorAdd = _primitive("Add", elementwise.add)
Sub = _primitive("Sub", elementwise.subtract)
Mul = _primitive("Mul", elementwise.multiply)
Div = RealDiv = _primitive("Div", elementwise.true_divide)
FloorDiv = _primitive("FloorDiv", elementwise.floor_divide)
FloorMod = Mod = _primitive("FloorMod", elementwise.remainder)
Pow = _primitive("Pow", elementwise.power)
Neg = _primitive("Neg", elementwise.negative)
Abs = _primitive("Abs", elementwise.absolute)
Sign = _primitive("Sign", elementwise.sign)
Square = _primitive("Square", elementwise.square)
Sqrt = _primitive("Sqrt", elementwise.sqrt)
Rsqrt = _primitive("Rsqrt", elementwise.rsqrt)
Reciprocal = Inv = _primitive("Reciprocal", elementwise.reciprocal)
Exp = _primitive("Exp", elementwise.exp)
Expm1 = _primitive("Expm1", elementwise.expm1)
Log = _primitive("Log", elementwise.log)
Log1p = _primitive("Log1p", elementwise.log1p)
Sin = _primitive("Sin", elementwise.sin)
Cos = _primitive("Cos", elementwise.cos)
Tan = _primitive("Tan", elementwise.tan)
Asin = _primitive("Asin", elementwise.arcsin)
ACos = _primitive("ACos", elementwise.arccos)
Atan = _primitive("Atan", elementwise.arctan)
Atan2 = _primitive("Atan2", elementwise.arctan2)
Sinh = _primitive("Sinh", elementwise.sinh)
Cosh = _primitive("Cosh", elementwise.cosh)
Asinh = _primitive("Asinh", elementwise.arcsinh)
Acosh = _primitive("Acosh", elementwise.arccosh)
Atanh = _primitive("Atanh", elementwise.arctanh)
Erf = _primitive("Erf", elementwise.erf)
Floor = _primitive("Floor", elementwise.floor)
Ceil = _primitive("Ceil", elementwise.ceil)
Rint = _primitive("Rint", elementwise.rint)
Round = _primitive("Round", elementwise.rint)
Maximum = _primitive("Maximum", elementwise.maximum)
Minimum = _primitive("Minimum", elementwise.minimum)
Equal = _primitive("Equal", comparisons.equal)
NotEqual = _primitive("NotEqual", comparisons.not_equal)
Less = _primitive("Less", comparisons.less)
LessEqual = _primitive("LessEqual", comparisons.less_equal)
Greater = _primitive("Greater", comparisons.greater)
GreaterEqual = _primitive("GreaterEqual", comparisons.greater_equal)
LogicalAnd = _primitive("LogicalAnd", elementwise.logical_and)
LogicalOr = _primitive("LogicalOr", elementwise.logical_or)
LogicalNot = _primitive("LogicalNot", elementwise.logical_not)
IsNan = _primitive("IsNan", comparisons.isnan)
IsInf = _primitive("IsInf", comparisons.isinf)
IsFinite = _primitive("IsFinite", comparisons.isfinite)
Select = _primitive("Select", elementwise.where)
AddN = _primitive("AddN", F.addn)
Identity = _primitive("Identity", elementwise.positive)
Cast = _primitive("Cast", F.cast)
Assign = _primitive("Assign", F.assign)
AssignAdd = _primitive("AssignAdd", F.assign_add)
AssignSub = _primitive("AssignSub", F.assign_sub)
Depend = _primitive("Depend", F.depend)
Reshape = _primitive("Reshape", shapes.reshape)
Transpose = _primitive("Transpose", shapes.transpose)
ExpandDims = _primitive("ExpandDims", shapes.expand_dims)
Tile = _primitive("Tile", shapes.tile)
Shape = _primitive("Shape", F.shape)
Rank = _primitive("Rank", F.rank)
Size = _primitive("Size", F.size)
DType = _primitive("DType", F.dtype)
ZerosLike = _primitive("ZerosLike", creation.zeros_like)
OnesLike = _primitive("OnesLike", creation.ones_like)
Fill = _primitive("Fill", F.fill)
Zeros = _primitive("Zeros", F.zeros)
Ones = _primitive("Ones", F.ones)
Gather = GatherV2 = _primitive("Gather", F.gather)
GatherD = _primitive("GatherD", F.gather_elements)
GatherNd = _primitive("GatherNd", indexing.gather_nd)
MaskedFill = _primitive("MaskedFill", indexing.masked_fill)
ReLU = _primitive("ReLU", neural.relu)
ReLU6 = _primitive("ReLU6", neural.relu6)
GeLU = _primitive("GeLU", neural.gelu)
Sigmoid = _primitive("Sigmoid", elementwise.sigmoid)
Tanh = _primitive("Tanh", elementwise.tanh)
Softplus = _primitive("Softplus", neural.softplus)
HSigmoid = _primitive("HSigmoid", neural.hsigmoid)
HSwish = _primitive("HSwish", neural.hswish)
Flatten = _primitive("Flatten", neural.flatten_batch)
BiasAdd = _primitive("BiasAdd", neural.bias_add)
Dot = _primitive("Dot", linear.dot)


# --- operators with a set-up --------------------------------------------------------------------------


def _matmul(x: Any, y: Any, *, transpose_a: Any = False, transpose_b: Any = False) -> Any:
    """`x @ y`, with the last two axes of either exchanged first."""
    return linear.batched_matmul(x, y, transpose_a, transpose_b)


MatMul = _primitive("MatMul", _matmul)
BatchMatMul = _primitive("BatchMatMul", _matmul)


def _reduction(name: str, function: Callable[..., Any]) -> type[Primitive]:
    def reduce(x: Any, axis: Any = (), *, keep_dims: Any = False) -> Any:
        return function(x, axis, keepdims=keep_dims)

    reduce.__doc__ = (function.__doc__ or "").replace("None: all", "(): all")
    return _primitive(name, reduce)


ReduceSum = _reduction("ReduceSum", reductions.sum)
ReduceMean = _reduction("ReduceMean", reductions.mean)
ReduceProd = _reduction("ReduceProd", reductions.prod)
ReduceMax = _reduction("ReduceMax", reductions.max)
ReduceMin = _reduction("ReduceMin", reductions.min)
ReduceAny = _reduction("ReduceAny", reductions.any)
ReduceAll = _reduction("ReduceAll", reductions.all)


def _argmax(x: Any, *, axis: Any = -1, output_type: Any = None) -> Any:
    """The position of the first largest element along `axis`, int32 unless said otherwise."""
    from jitcore.types import i32

    return elementwise.astype(reductions.argmax(x, axis), i32 if output_type is None else output_type)


def _argmax_with_value(x: Any, *, axis: Any = 0, keep_dims: Any = False) -> Any:
    """(positions, values) of the largest elements along `axis`."""
    return reductions.argmax(x, axis, keep_dims), reductions.max(x, axis, keep_dims)


def _argmin_with_value(x: Any, *, axis: Any = 0, keep_dims: Any = False) -> Any:
    """(positions, values) of the smallest elements along `axis`."""
    return reductions.argmin(x, axis, keep_dims), reductions.min(x, axis, keep_dims)


def _cumsum(x: Any, axis: Any, *, exclusive: Any = False, reverse: Any = False) -> Any:
    """The running sum along `axis`; `exclusive` leaves the element itself out, `reverse` starts at the end."""
    summed = reductions.cumsum(shapes.flip(x, axis) if reverse else x, axis)
    summed = shapes.flip(summed, axis) if reverse else summed
    return elementwise.subtract(summed, x) if exclusive else summed


Argmax = _primitive("Argmax", _argmax)
ArgMaxWithValue = _primitive("ArgMaxWithValue", _argmax_with_value)
ArgMinWithValue = _primitive("ArgMinWithValue", _argmin_with_value)
CumSum = _primitive("CumSum", _cumsum)


def _squeeze(x: Any, *, axis: Any = ()) -> Any:
    """x without its axes of extent 1 (all of them for ())."""
    return shapes.squeeze(x, None if axis == () else axis)


def _concat(xs: Any, *, axis: Any = 0) -> Any:
    """Tensors one after the other along an axis."""
    return shapes.concatenate(xs, axis)


def _stack(xs: Any, *, axis: Any = 0) -> Any:
    """Tensors side by side along a new axis."""
    return shapes.stack(xs, axis)


def _unstack(x: Any, *, axis: Any = 0) -> Any:
    """The sub-Tensors along an axis."""
    return shapes.unstack(x, axis)


def _split(x: Any, *, axis: Any = 0, output_num: Any = 1) -> Any:
    """x cut along an axis into equal parts."""
    return shapes.split(x, output_num, axis)


def _pad(x: Any, *, paddings: Any) -> Any:
    """x with a border of zeros."""
    return shapes.pad(x, paddings)


def _broadcast_to(x: Any, *, shape: Any) -> Any:
    """x repeated along new axes and axes of extent 1."""
    return shapes.broadcast_to(x, shape)


def _one_hot(indices: Any, depth: Any, on_value: Any = 1.0, off_value: Any = 0.0, *, axis: Any = -1) -> Any:
    """For each index, `depth` values along a new axis."""
    return creation.one_hot(indices, depth, on_value, off_value, axis)


def _eye(n: Any, m: Any = None, dtype: Any = f32) -> Any:
    """Zeros with ones on the diagonal."""
    return creation.eye(n, m, 0, dtype)


Squeeze = _primitive("Squeeze", _squeeze)
Concat = _primitive("Concat", _concat)
Stack = _primitive("Stack", _stack)
Unstack = _primitive("Unstack", _unstack)
Split = _primitive("Split", _split)
Pad = _primitive("Pad", _pad)
BroadcastTo = _primitive("BroadcastTo", _broadcast_to)
OneHot = _primitive("OneHot", _one_hot)
Eye = _primitive("Eye", _eye)


def _conv2d(
    x: Any, weight: Any, *, out_channel: Any, kernel_size: Any, mode: Any = 1, pad_mode: Any = "valid", pad: Any = 0,
    stride: Any = 1, dilation: Any = 1, group: Any = 1, data_format: Any = "NCHW",
) -> Any:  # fmt: skip
    """The cross-correlation of x (N, C, H, W) with weight (O, C / group, KH, KW)."""
    if mode != 1 or data_format != "NCHW":
        raise ValueError("Conv2D has mode 1 (cross-correlation) and data_format 'NCHW'")
    from jitcore.primitives.library import require_equal, shape_of

    require_equal(shape_of(weight)[0], out_channel, "Conv2D: the weight gives {0} channels, not {1}")
    for have, want in zip(shape_of(weight)[2:], neural.pair(kernel_size, "kernel_size"), strict=True):
        require_equal(have, want, "Conv2D: the weight has extent {0}, not {1}")
    return neural.conv2d(x, weight, None, stride, pad, pad_mode, dilation, group)


def _max_pool(
    x: Any, *, kernel_size: Any = 1, strides: Any = 1, pad_mode: Any = "valid", data_format: Any = "NCHW"
) -> Any:
    """The largest element of each window of x (N, C, H, W)."""
    if data_format != "NCHW":
        raise ValueError("MaxPool has data_format 'NCHW'")
    return neural.max_pool2d(x, kernel_size, strides, pad_mode)


def _avg_pool(
    x: Any, *, kernel_size: Any = 1, strides: Any = 1, pad_mode: Any = "valid", data_format: Any = "NCHW"
) -> Any:
    """The mean of each window of x (N, C, H, W)."""
    if data_format != "NCHW":
        raise ValueError("AvgPool has data_format 'NCHW'")
    return neural.avg_pool2d(x, kernel_size, strides, pad_mode)


def _softmax(x: Any, *, axis: Any = -1) -> Any:
    """exp(x) over its sum along `axis`."""
    return neural.softmax(x, axis)


def _log_softmax(x: Any, *, axis: Any = -1) -> Any:
    """log(softmax(x))."""
    return neural.log_softmax(x, axis)


def _softmax_cross_entropy(logits: Any, labels: Any) -> Any:
    """(losses, their gradients by the logits) of softmax(logits) against probabilities."""
    losses = neural.softmax_cross_entropy(logits, labels, sparse=False)
    return losses, elementwise.subtract(neural.softmax(logits), labels)


def _sparse_softmax_cross_entropy(logits: Any, labels: Any, *, is_grad: Any = False) -> Any:
    """The mean cross entropy of softmax(logits) against class indices; with `is_grad` its gradient by the logits."""
    if not is_grad:
        return neural.softmax_cross_entropy(logits, labels, sparse=True, reduction="mean")
    from jitcore.primitives.library import evaluator, shape_of

    rows, classes = shape_of(logits)
    hot = creation.one_hot(labels, evaluator().number(classes))
    return elementwise.true_divide(elementwise.subtract(neural.softmax(logits), hot), evaluator().number(rows))


def _l2_normalize(x: Any, *, axis: Any = 0, epsilon: Any = 1e-4) -> Any:
    """x over its norm along `axis`."""
    return neural.l2_normalize(x, axis, epsilon)


def _dropout(x: Any, *, keep_prob: Any = 0.5) -> Any:
    """(x with some elements set to zero and the others scaled up, the mask of those kept)."""
    mask = neural.dropout(creation.ones_like(x), 1 - keep_prob)
    return elementwise.multiply(x, mask), elementwise.truth(mask)


Conv2D = _primitive("Conv2D", _conv2d)
MaxPool = _primitive("MaxPool", _max_pool)
AvgPool = _primitive("AvgPool", _avg_pool)
Softmax = _primitive("Softmax", _softmax)
LogSoftmax = _primitive("LogSoftmax", _log_softmax)
SoftmaxCrossEntropyWithLogits = _primitive("SoftmaxCrossEntropyWithLogits", _softmax_cross_entropy)
SparseSoftmaxCrossEntropyWithLogits = _primitive("SparseSoftmaxCrossEntropyWithLogits", _sparse_softmax_cross_entropy)
L2Normalize = _primitive("L2Normalize", _l2_normalize)
Dropout = _primitive("Dropout", _dropout)
