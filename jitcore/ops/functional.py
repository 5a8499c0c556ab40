"""MindSpore's `ops` functions: the library functions by MindSpore's names and argument orders. All give Tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

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
from jitcore.primitives.library import (
    dtype_of_value,
    evaluator,
    is_array,
    library,
    normal_axis,
    rank_of,
    shape_of,
    static_int,
)
from jitcore.types import Dim, DType, f32, i64

_F = TypeVar("_F", bound=Callable[..., Any])


def _public(function: _F) -> _F:
    return library("tensor")(function)


# --- arithmetic -------------------------------------------------------------------------------------

add = tensor_add = _public(elementwise.add)
sub = tensor_sub = subtract = _public(elementwise.subtract)
mul = tensor_mul = multiply = _public(elementwise.multiply)
div = tensor_div = true_divide = divide = _public(elementwise.true_divide)
floor_div = floor_divide = tensor_floordiv = _public(elementwise.floor_divide)
floor_mod = floormod = remainder = tensor_mod = _public(elementwise.remainder)
pow = tensor_pow = _public(elementwise.power)
neg = negative = _public(elementwise.negative)
abs = absolute = _public(elementwise.absolute)
sign = _public(elementwise.sign)
square = _public(elementwise.square)
sqrt = _public(elementwise.sqrt)
rsqrt = _public(elementwise.rsqrt)
reciprocal = inv = _public(elementwise.reciprocal)
exp = tensor_exp = _public(elementwise.exp)
expm1 = tensor_expm1 = _public(elementwise.expm1)
log = _public(elementwise.log)
log1p = _public(elementwise.log1p)
log2 = _public(elementwise.log2)
log10 = _public(elementwise.log10)
sin = _public(elementwise.sin)
cos = _public(elementwise.cos)
tan = _public(elementwise.tan)
asin = _public(elementwise.arcsin)
acos = _public(elementwise.arccos)
atan = _public(elementwise.arctan)
atan2 = _public(elementwise.arctan2)
sinh = _public(elementwise.sinh)
cosh = _public(elementwise.cosh)
asinh = _public(elementwise.arcsinh)
acosh = _public(elementwise.arccosh)
atanh = _public(elementwise.arctanh)
erf = _public(elementwise.erf)
floor = _public(elementwise.floor)
ceil = _public(elementwise.ceil)
trunc = _public(elementwise.trunc)
rint = _public(elementwise.rint)
round = _public(elementwise.round_)
maximum = _public(elementwise.maximum)
minimum = _public(elementwise.minimum)
hypot = _public(elementwise.hypot)
clip_by_value = clamp = clip = _public(elementwise.clip)
equal = eq = tensor_eq = _public(comparisons.equal)
not_equal = ne = tensor_ne = _public(comparisons.not_equal)
less = lt = tensor_lt = _public(comparisons.less)
less_equal = le = tensor_le = _public(comparisons.less_equal)
greater = gt = tensor_gt = _public(comparisons.greater)
greater_equal = ge = tensor_ge = _public(comparisons.greater_equal)
logical_and = _public(elementwise.logical_and)
logical_or = _public(elementwise.logical_or)
logical_xor = _public(elementwise.logical_xor)
logical_not = _public(elementwise.logical_not)
bitwise_and = _public(elementwise.bitwise_and)
bitwise_or = _public(elementwise.bitwise_or)
bitwise_xor = _public(elementwise.bitwise_xor)
isnan = _public(comparisons.isnan)
isinf = _public(comparisons.isinf)
isfinite = _public(comparisons.isfinite)
where = select = _public(elementwise.where)
masked_fill = _public(indexing.masked_fill)
stop_gradient = _public(elementwise.stop_gradient)
real = _public(elementwise.real)
imag = _public(elementwise.imag)
identity = _public(elementwise.positive)


@_public
def cast(x: Any, dtype: Any) -> Any:
    """x with its elements converted to a dtype."""
    return elementwise.astype(x, dtype)


@_public
def addn(x: Sequence[Any]) -> Any:
    """The sum of several Tensors."""
    total = x[0]
    for item in x[1:]:
        total = elementwise.add(total, item)
    return total


# --- in place ---------------------------------------------------------------------------------------


@library("raw")
def assign(variable: Any, value: Any) -> Any:
    """Write `value` into the memory of a Parameter or Tensor, and give it."""
    return elementwise.assign(variable, value)


@library("raw")
def assign_add(variable: Any, value: Any) -> Any:
    """`variable += value`, in place."""
    return elementwise.assign_add(variable, value)


@library("raw")
def assign_sub(variable: Any, value: Any) -> Any:
    """`variable -= value`, in place."""
    return elementwise.assign_sub(variable, value)


@library("raw")
def depend(value: Any, expr: Any) -> Any:
    """`value`. Everything written before is done before, without this too: programs run in order."""
    del expr
    return value


# --- reductions -------------------------------------------------------------------------------------


@_public
def sum(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The sum over `dim` (None: all)."""
    return reductions.sum(input, dim, dtype, keepdim)


@_public
def mean(x: Any, axis: Any = None, keep_dims: Any = False) -> Any:
    """The mean over `axis` (None: all)."""
    return reductions.mean(x, axis, None, keep_dims)


@_public
def prod(input: Any, axis: Any = None, keep_dims: Any = False) -> Any:
    """The product over `axis` (None: all)."""
    return reductions.prod(input, axis, None, keep_dims)


def _reduction(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    def reduce(x: Any, axis: Any = (), keep_dims: Any = False) -> Any:
        return function(x, axis, keepdims=keep_dims)

    reduce.__name__ = reduce.__qualname__ = name
    reduce.__doc__ = (function.__doc__ or "").replace("None: all", "(): all")
    return _public(reduce)


reduce_sum = _reduction(reductions.sum, "reduce_sum")
reduce_mean = _reduction(reductions.mean, "reduce_mean")
reduce_prod = _reduction(reductions.prod, "reduce_prod")
reduce_max = amax = _reduction(reductions.max, "reduce_max")
reduce_min = amin = _reduction(reductions.min, "reduce_min")
reduce_any = any = _reduction(reductions.any, "reduce_any")
reduce_all = all = _reduction(reductions.all, "reduce_all")
norm = _public(reductions.norm)
logsumexp = _public(reductions.logsumexp)
cumsum = _public(reductions.cumsum)
count_nonzero = _public(reductions.count_nonzero)


@_public
def var(x: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    """The variance over `axis` (None: all)."""
    return reductions.var(x, axis, ddof, keepdims)


@_public
def std(x: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    """The standard deviation over `axis` (None: all)."""
    return reductions.std(x, axis, ddof, keepdims)


@_public
def argmax(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """The position of the first largest element along `dim` (None: in the flattened Tensor)."""
    return reductions.argmax(input, dim, keepdim)


@_public
def argmin(input: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The position of the first smallest element along `axis` (None: in the flattened Tensor)."""
    return reductions.argmin(input, axis, keepdims)


@_public
def max(input: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """(largest elements, their positions) along `axis`; without an axis those of the whole Tensor."""
    return reductions.max(input, axis, keepdims), reductions.argmax(input, axis, keepdims)


@_public
def min(input: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """(smallest elements, their positions) along `axis`; without an axis those of the whole Tensor."""
    return reductions.min(input, axis, keepdims), reductions.argmin(input, axis, keepdims)


# --- linear algebra ---------------------------------------------------------------------------------

matmul = bmm = mm = _public(linear.matmul)
dot = _public(linear.dot)
tensor_dot = tensordot = _public(linear.tensordot)
outer = ger = _public(linear.outer)
inner = _public(linear.inner)
trace = _public(linear.trace)
dense = _public(neural.dense)


# --- shapes -----------------------------------------------------------------------------------------

reshape = _public(shapes.reshape)
transpose = permute = _public(shapes.transpose)
swapaxes = swapdims = _public(shapes.swapaxes)
movedim = moveaxis = _public(shapes.moveaxis)
expand_dims = unsqueeze = _public(shapes.expand_dims)
squeeze = _public(shapes.squeeze)
broadcast_to = _public(shapes.broadcast_to)
concat = cat = _public(shapes.concatenate)
stack = _public(shapes.stack)
unstack = unbind = _public(shapes.unstack)
flip = _public(shapes.flip)
roll = _public(shapes.roll)
tile = _public(shapes.tile)
repeat_interleave = _public(shapes.repeat)
tril = _public(shapes.tril)
triu = _public(shapes.triu)
ravel = _public(shapes.ravel)
meshgrid = _public(creation.meshgrid)


@_public
def flatten(input: Any, order: str = "C", *, start_dim: Any = 1, end_dim: Any = -1) -> Any:
    """The axes from `start_dim` to `end_dim` made one."""
    if order != "C":
        raise ValueError(f"order is 'C', not {order!r}")
    rank = rank_of(input)
    if rank == 0:
        return shapes.reshape(input, -1)
    first, last = normal_axis(start_dim, rank) if rank > 1 else 0, normal_axis(end_dim, rank)
    if last < first:
        raise ValueError(f"end_dim {end_dim} is before start_dim {start_dim}")
    extents = shape_of(input)
    merged: Dim = 1
    for extent in extents[first : last + 1]:
        merged = merged * extent
    from jitcore.primitives import shape

    return shape.reshape(input, shape=(*extents[:first], merged, *extents[last + 1 :]))


@_public
def split(tensor: Any, split_size_or_sections: Any, axis: Any = 0) -> Any:
    """Pieces of a given size along an axis (the last may be smaller), or of several given sizes."""
    k = normal_axis(axis, rank_of(tensor))
    sizes = split_size_or_sections
    if not isinstance(sizes, list | tuple):
        size = static_int(sizes, "the size of the pieces")
        if size <= 0:
            raise ValueError(f"the size of the pieces must be positive, but is {size}")
        extent = static_int(evaluator().number(shape_of(tensor)[k]), "the extent of the axis that is split")
        return shapes.split(tensor, list(range(size, extent, size)), k)
    cuts: list[int] = []
    for size in sizes:
        cuts.append((cuts[-1] if cuts else 0) + static_int(size, "the size of a piece"))
    from jitcore.primitives.library import require_equal

    require_equal(shape_of(tensor)[k], cuts[-1] if cuts else 0, "the sizes add up to {1}, the axis has {0}")
    return shapes.split(tensor, cuts[:-1], k)


@_public
def chunk(input: Any, chunks: Any, axis: Any = 0) -> Any:
    """At most `chunks` pieces of one size along an axis (the last may be smaller)."""
    k = normal_axis(axis, rank_of(input))
    extent = static_int(evaluator().number(shape_of(input)[k]), "the extent of the axis that is split")
    size = -(-extent // static_int(chunks, "the number of pieces"))
    return shapes.split(input, list(range(size, extent, size)) if size else [], k)


@_public
def pad(x: Any, paddings: Any, value: Any = 0) -> Any:
    """x with a border of `value`: ((before, after), …) by axis."""
    return shapes.pad(x, paddings, value)


@library("raw")
def shape(x: Any) -> Any:
    """The extents, as a tuple of ints."""
    return tuple(evaluator().number(n) for n in shape_of(x))


@library("raw")
def rank(x: Any) -> int:
    """The number of dimensions."""
    return rank_of(x)


@library("raw")
def size(x: Any) -> Any:
    """The number of elements."""
    return evaluator().number(reductions.count(x, tuple(range(rank_of(x)))))


@library("raw")
def dtype(x: Any) -> DType:
    """The element type."""
    return dtype_of_value(x)


@library("raw")
def is_tensor(obj: Any) -> bool:
    """Whether something is a Tensor."""
    return evaluator().category(obj) == "tensor"


# --- making Tensors ---------------------------------------------------------------------------------


def _dtype(dtype: Any) -> Any:
    return f32 if dtype is None else dtype


@_public
def zeros(shape: Any, dtype: Any = None) -> Any:
    """Zeros; of float32 unless said otherwise."""
    return creation.zeros(shape, _dtype(dtype))


@_public
def ones(shape: Any, dtype: Any = None) -> Any:
    """Ones; of float32 unless said otherwise."""
    return creation.ones(shape, _dtype(dtype))


@_public
def full(size: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    """One value repeated; floats are float32 unless said otherwise."""
    if dtype is None and not is_array(fill_value) and isinstance(fill_value, float):
        dtype = f32
    return creation.full(size, fill_value, dtype)


@_public
def fill(type: Any, shape: Any, value: Any) -> Any:
    """One value repeated, of a dtype."""
    return creation.full(shape, value, type)


zeros_like = _public(creation.zeros_like)
ones_like = _public(creation.ones_like)
full_like = _public(creation.full_like)


@_public
def eye(n: Any, m: Any = None, dtype: Any = None) -> Any:
    """Zeros with ones on the diagonal; of float32 unless said otherwise."""
    return creation.eye(n, m, 0, _dtype(dtype))


@_public
def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Any:
    """start, start + step, … below end: int64, or float32 if there are floats among them."""
    made = creation.arange(start, end, step)
    if dtype is None:
        dtype = i64 if dtype_of_value(made) is i64 else f32
    return elementwise.astype(made, dtype, False)


range = arange


@_public
def linspace(start: Any, end: Any, steps: Any) -> Any:
    """`steps` numbers from start to end, evenly spaced, float32."""
    return creation.linspace(start, end, steps, True, f32)


one_hot = _public(creation.one_hot)
scalar_to_tensor = _public(creation.array)


# --- indexing ---------------------------------------------------------------------------------------


@_public
def gather(input_params: Any, input_indices: Any, axis: Any = 0) -> Any:
    """The sub-Tensors along an axis at the given indices."""
    return indexing.take(input_params, input_indices, axis)


@_public
def gather_elements(input: Any, dim: Any, index: Any) -> Any:
    """For each place in `index`, the element of the input along `dim` that it names."""
    return indexing.take_along_axis(input, index, dim)


gather_nd = _public(indexing.gather_nd)


# --- networks ---------------------------------------------------------------------------------------

relu = _public(neural.relu)
relu6 = _public(neural.relu6)
leaky_relu = _public(neural.leaky_relu)
elu = _public(neural.elu)
gelu = _public(neural.gelu)
silu = swish = _public(neural.silu)
softplus = _public(neural.softplus)
hardsigmoid = hsigmoid = _public(neural.hsigmoid)
hardswish = hswish = _public(neural.hswish)
sigmoid = _public(elementwise.sigmoid)
tanh = _public(elementwise.tanh)
softmax = _public(neural.softmax)
log_softmax = _public(neural.log_softmax)
bias_add = _public(neural.bias_add)
cross_entropy = _public(neural.cross_entropy)
nll_loss = _public(neural.nll_loss)
mse_loss = _public(neural.mse_loss)
l1_loss = _public(neural.l1_loss)
smooth_l1_loss = _public(neural.smooth_l1_loss)
binary_cross_entropy = _public(neural.binary_cross_entropy)
layer_norm = _public(neural.layer_norm)
l2_normalize = _public(neural.l2_normalize)
softmax_cross_entropy = _public(neural.softmax_cross_entropy)
dropout = _public(neural.dropout)
flatten_batch = _public(neural.flatten_batch)


@_public
def conv2d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    pad_mode: Any = "valid",
    padding: Any = 0,
    dilation: Any = 1,
    groups: Any = 1,
) -> Any:
    """The cross-correlation of the input (N, C, H, W) with the weight (O, C / groups, KH, KW), and a bias (O,) if given."""
    return neural.conv2d(input, weight, bias, stride, padding, pad_mode, dilation, groups)


@_public
def max_pool2d(x: Any, kernel_size: Any, stride: Any = None, pad_mode: Any = "valid", padding: Any = 0) -> Any:
    """The largest element of each window of x (N, C, H, W); the stride is the window's size unless given."""
    return neural.max_pool2d(x, kernel_size, kernel_size if stride is None else stride, pad_mode, padding)


@_public
def avg_pool2d(x: Any, kernel_size: Any = 1, stride: Any = 1, pad_mode: Any = "valid", padding: Any = 0) -> Any:
    """The mean of each window of x (N, C, H, W)."""
    return neural.avg_pool2d(x, kernel_size, stride, pad_mode, padding)
