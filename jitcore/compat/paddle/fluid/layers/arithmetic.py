"""`fluid.layers`: functions of elements, and reductions."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from jitcore.compat.paddle.fluid.declaring import activated, functional, layer, of_one, paddle
from jitcore.compat.paddle.static.variables import Value

Axes = int | Sequence[int] | None


# --- two operands ---------------------------------------------------------------------------------------


def _aligned(x: Value, y: Value, axis: int) -> Any:
    """The second operand, its axes put at those of the first from `axis` on."""
    rank = len(y.shape)
    if axis == -1 or rank == len(x.shape) or not rank:
        return y
    return paddle.unsqueeze(y, [rank + k for k in range(len(x.shape) - axis - rank)])


@layer
def elementwise_add(x: Value, y: Value, axis: int = -1, act: str | None = None, name: str | None = None) -> Any:
    """x + y."""
    del name
    return activated(paddle.add(x, _aligned(x, y, axis)), act)


@layer
def elementwise_sub(x: Value, y: Value, axis: int = -1, act: str | None = None, name: str | None = None) -> Any:
    """x - y."""
    del name
    return activated(paddle.subtract(x, _aligned(x, y, axis)), act)


@layer
def elementwise_mul(x: Value, y: Value, axis: int = -1, act: str | None = None, name: str | None = None) -> Any:
    """x * y."""
    del name
    return activated(paddle.multiply(x, _aligned(x, y, axis)), act)


@layer
def elementwise_div(x: Value, y: Value, axis: int = -1, act: str | None = None, name: str | None = None) -> Any:
    """x / y."""
    del name
    return activated(paddle.divide(x, _aligned(x, y, axis)), act)


@layer
def elementwise_max(x: Value, y: Value, axis: int = -1, act: str | None = None, name: str | None = None) -> Any:
    """The larger of two elements."""
    del name
    return activated(paddle.maximum(x, _aligned(x, y, axis)), act)


@layer
def elementwise_min(x: Value, y: Value, axis: int = -1, act: str | None = None, name: str | None = None) -> Any:
    """The smaller of two elements."""
    del name
    return activated(paddle.minimum(x, _aligned(x, y, axis)), act)


@layer
def elementwise_pow(x: Value, y: Value, axis: int = -1, act: str | None = None, name: str | None = None) -> Any:
    """x ** y."""
    del name
    return activated(paddle.pow(x, _aligned(x, y, axis)), act)


@layer
def elementwise_mod(x: Value, y: Value, axis: int = -1, act: str | None = None, name: str | None = None) -> Any:
    """x % y."""
    del name
    return activated(paddle.mod(x, _aligned(x, y, axis)), act)


@layer
def elementwise_floordiv(x: Value, y: Value, axis: int = -1, act: str | None = None, name: str | None = None) -> Any:
    """x // y."""
    del name
    return activated(paddle.floor_divide(x, _aligned(x, y, axis)), act)


@layer
def matmul(
    x: Value,
    y: Value,
    transpose_x: bool = False,
    transpose_y: bool = False,
    alpha: float = 1.0,
    name: str | None = None,
) -> Any:
    """The matrix product, times `alpha`."""
    del name
    made = paddle.matmul(x, y, transpose_x, transpose_y)
    return of_one(made if alpha == 1.0 else made * alpha)


@layer
def mul(x: Value, y: Value, x_num_col_dims: int = 1, y_num_col_dims: int = 1, name: str | None = None) -> Any:
    """The matrix product of what is seen as matrices: the first axes are rows, the others columns."""
    del name
    rows, columns = list(x.shape[:x_num_col_dims]), list(y.shape[y_num_col_dims:])
    left = paddle.flatten(x, x_num_col_dims, -1) if x_num_col_dims < len(x.shape) else x
    left = paddle.flatten(left, 0, x_num_col_dims - 1)
    right = paddle.flatten(paddle.flatten(y, y_num_col_dims, -1), 0, y_num_col_dims - 1)
    return paddle.reshape(paddle.matmul(left, right), [*rows, *columns])


# --- one operand ----------------------------------------------------------------------------------------


@layer
def scale(
    x: Value,
    scale: float = 1.0,
    bias: float = 0.0,
    bias_after_scale: bool = True,
    act: str | None = None,
    name: str | None = None,
) -> Any:
    """x * scale + bias, or (x + bias) * scale."""
    del name
    made = x * scale + bias if bias_after_scale else (x + bias) * scale
    return activated(made, act)


@layer
def pow(x: Value, factor: float = 1.0, name: str | None = None) -> Any:
    """x ** factor."""
    del name
    return paddle.pow(x, factor)


@layer
def clip(x: Value, min: float, max: float, name: str | None = None) -> Any:
    """The elements, those outside of the bounds put at them."""
    del name
    return paddle.clip(x, min, max)


@layer
def clip_by_norm(x: Value, max_norm: float, name: str | None = None) -> Any:
    """The elements, scaled so that their norm is at most `max_norm`."""
    del name
    norm = paddle.sqrt(paddle.sum(x * x))
    return x * (max_norm / paddle.maximum(norm, paddle.full([], max_norm, x.dtype)))


@layer
def softmax(input: Value, use_cudnn: bool = False, axis: int = -1, name: str | None = None) -> Any:
    """The exponentials, over their sum along an axis."""
    del name
    del use_cudnn
    return functional.softmax(input, axis)


@layer
def relu(x: Value, name: str | None = None) -> Any:
    """The positive part."""
    del name
    return functional.relu(x)


@layer
def leaky_relu(x: Value, alpha: float = 0.02, name: str | None = None) -> Any:
    """x, or alpha * x where x is negative."""
    del name
    return functional.leaky_relu(x, alpha)


@layer
def elu(x: Value, alpha: float = 1.0, name: str | None = None) -> Any:
    """x, or alpha * (exp(x) - 1) where x is negative."""
    del name
    return functional.elu(x, alpha)


@layer
def relu6(x: Value, threshold: float = 6.0, name: str | None = None) -> Any:
    """The part between 0 and a threshold."""
    del name
    return paddle.clip(x, 0.0, threshold)


@layer
def swish(x: Value, beta: float = 1.0, name: str | None = None) -> Any:
    """x times the sigmoid of beta * x."""
    del name
    return x * functional.sigmoid(x * beta)


@layer
def hard_sigmoid(x: Value, slope: float = 0.2, offset: float = 0.5, name: str | None = None) -> Any:
    """slope * x + offset between 0 and 1."""
    del name
    return paddle.clip(x * slope + offset, 0.0, 1.0)


@layer
def hard_swish(
    x: Value, threshold: float = 6.0, scale: float = 6.0, offset: float = 3.0, name: str | None = None
) -> Any:
    """x times the part of x + offset between 0 and a threshold, over a scale."""
    del name
    return x * paddle.clip(x + offset, 0.0, threshold) / scale


def _unary(name: str, table: ModuleType) -> Any:
    function = getattr(table, name)

    def declaration(x: Value, name: str | None = None) -> Any:
        del name
        return function(x)

    declaration.__name__ = declaration.__qualname__ = name
    declaration.__doc__ = f"See `paddle.{name}`."
    return layer(declaration)


abs = _unary("abs", paddle)
exp = _unary("exp", paddle)
log = _unary("log", paddle)
sqrt = _unary("sqrt", paddle)
rsqrt = _unary("rsqrt", paddle)
square = _unary("square", paddle)
reciprocal = _unary("reciprocal", paddle)
sin = _unary("sin", paddle)
cos = _unary("cos", paddle)
sign = _unary("sign", paddle)
floor = _unary("floor", paddle)
ceil = _unary("ceil", paddle)
round = _unary("round", paddle)
erf = _unary("erf", paddle)
tanh = _unary("tanh", paddle)
sigmoid = _unary("sigmoid", functional)
logsigmoid = _unary("log_sigmoid", functional)
softplus = _unary("softplus", functional)
softsign = _unary("softsign", functional)
tanh_shrink = _unary("tanhshrink", functional)
gelu = _unary("gelu", functional)
logical_not = _unary("logical_not", paddle)
isfinite = _unary("isfinite", paddle)


# --- reductions -----------------------------------------------------------------------------------------


@layer
def mean(x: Value, name: str | None = None) -> Any:
    """The mean of all elements, of shape [1]."""
    del name
    return of_one(paddle.mean(x))


@layer
def reduce_sum(input: Value, dim: Axes = None, keep_dim: bool = False, name: str | None = None) -> Any:
    """The sum along axes; of all elements it has the shape [1]."""
    del name
    return of_one(paddle.sum(input, dim, keepdim=keep_dim))


@layer
def reduce_mean(input: Value, dim: Axes = None, keep_dim: bool = False, name: str | None = None) -> Any:
    """The mean along axes; of all elements it has the shape [1]."""
    del name
    return of_one(paddle.mean(input, dim, keepdim=keep_dim))


@layer
def reduce_max(input: Value, dim: Axes = None, keep_dim: bool = False, name: str | None = None) -> Any:
    """The largest along axes; of all elements it has the shape [1]."""
    del name
    return of_one(paddle.max(input, dim, keepdim=keep_dim))


@layer
def reduce_min(input: Value, dim: Axes = None, keep_dim: bool = False, name: str | None = None) -> Any:
    """The smallest along axes; of all elements it has the shape [1]."""
    del name
    return of_one(paddle.min(input, dim, keepdim=keep_dim))


@layer
def reduce_prod(input: Value, dim: Axes = None, keep_dim: bool = False, name: str | None = None) -> Any:
    """The product along axes; of all elements it has the shape [1]."""
    del name
    return of_one(paddle.prod(input, dim, keepdim=keep_dim))


@layer
def reduce_all(input: Value, dim: Axes = None, keep_dim: bool = False, name: str | None = None) -> Any:
    """Whether all hold along axes; of all elements it has the shape [1]."""
    del name
    return of_one(paddle.all(input, dim, keepdim=keep_dim))


@layer
def reduce_any(input: Value, dim: Axes = None, keep_dim: bool = False, name: str | None = None) -> Any:
    """Whether one holds along axes; of all elements it has the shape [1]."""
    del name
    return of_one(paddle.any(input, dim, keepdim=keep_dim))


@layer
def sum(x: Value | Sequence[Value], name: str | None = None) -> Any:
    """The sum of Tensors."""
    del name
    if not isinstance(x, list | tuple):
        return x
    made: Any = x[0]
    for other in x[1:]:
        made = made + other
    return made


sums = sum


@layer
def cumsum(
    x: Value, axis: int | None = None, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Any:
    """The sums up to each element along an axis (the last); `exclusive` of it, from the end with `reverse`."""
    del name
    along = -1 if axis is None else axis
    given = paddle.flip(x, [along]) if reverse else x
    made = paddle.cumsum(given, along)
    made = made - given if exclusive else made
    return paddle.flip(made, [along]) if reverse else made


@layer
def l2_normalize(x: Value, axis: int, epsilon: float = 1e-12, name: str | None = None) -> Any:
    """The elements over their norm along an axis."""
    del name
    return x / paddle.sqrt(paddle.maximum(paddle.sum(x * x, axis, keepdim=True), paddle.full([], epsilon, x.dtype)))


# --- comparisons ----------------------------------------------------------------------------------------


@layer
def argmax(x: Value, axis: int = 0, name: str | None = None) -> Any:
    """Where the largest is along an axis."""
    del name
    return of_one(paddle.argmax(x, axis))


@layer
def argmin(x: Value, axis: int = 0, name: str | None = None) -> Any:
    """Where the smallest is along an axis."""
    del name
    return of_one(paddle.argmin(x, axis))


@layer
def argsort(input: Value, axis: int = -1, descending: bool = False, name: str | None = None) -> Any:
    """The elements in order along an axis, and where they were."""
    del name
    index = paddle.argsort(input, axis, descending)
    return paddle.take_along_axis(input, index, axis), index


@layer
def topk(input: Value, k: int, name: str | None = None) -> Any:
    """The k largest along the last axis, and where they were."""
    del name
    return paddle.topk(input, k)
