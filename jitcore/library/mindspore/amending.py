"""Methods of Tensors that change them in place, fill them at random, or put elements into them; and operators under a
method's name."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from jitcore.library.array import arrangement, creation, indexing, sequences, shapes
from jitcore.library.core.declarations import FUNCTIONS, METHODS, operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    normal_axis,
    promote,
    rank_of,
    shape_of,
    static_int,
)
from jitcore.library.math import comparisons, elementwise
from jitcore.library.mindspore import gathering
from jitcore.library.mindspore.reducing import maximum_of, minimum_of
from jitcore.library.random import sampling
from jitcore.library.statistics import reductions
from jitcore.types import f32, i64

# --- in place -------------------------------------------------------------------------------------------


def _in_place(name: str, function: Callable[..., Any]) -> None:
    """Declare the method that writes what a function makes of a Tensor into it, and gives it."""

    def change(x: Any, *args: Any, **keywords: Any) -> Any:
        return elementwise.assign(x, as_array(function(x, *args, **keywords), dtype_of_value(x)))

    change.__doc__ = f"The Tensor itself, changed in place: {function.__doc__}"
    operator(f".{name}", "raw")(change)


def _tril(x: Any, diagonal: Any = 0) -> Any:
    """The elements above a diagonal become zero."""
    return shapes.tril(x, diagonal)


def _clamp(x: Any, min: Any = None, max: Any = None) -> Any:
    """The elements are brought between bounds."""
    return elementwise.clip(x, min, max)


for _name, _function in {
    "clamp_": _clamp, "exp_": elementwise.exp, "log_": elementwise.log, "tril_": _tril, "sqrt_": elementwise.sqrt,
    "abs_": elementwise.absolute, "floor_": elementwise.floor, "ceil_": elementwise.ceil, "neg_": elementwise.negative,
    "masked_fill_": indexing.masked_fill, "index_add_": gathering.index_add_method,
    "scatter_": gathering.scatter, "scatter_add_": gathering.scatter_add_elements, "pow_": elementwise.power,
}.items():  # fmt: skip
    _in_place(_name, _function)


# --- at random ------------------------------------------------------------------------------------------


def _uniform(x: Any, from_: Any = 0.0, to: Any = 1.0, *, generator: Any = None) -> Any:
    """random numbers from [from_, to)."""
    unit = sampling.uniform01(shape_of(x), f32, sampling.generated(generator))
    return elementwise.add(elementwise.multiply(unit, elementwise.subtract(to, from_)), from_)


def _normal(x: Any, mean: Any = 0.0, std: Any = 1.0, *, generator: Any = None) -> Any:
    """random numbers of a normal distribution."""
    unit = sampling.normal01(shape_of(x), f32, sampling.generated(generator))
    return elementwise.add(elementwise.multiply(unit, std), mean)


def _log_normal(x: Any, mean: Any = 1.0, std: Any = 2.0, *, generator: Any = None) -> Any:
    """random numbers whose logarithms are of a normal distribution."""
    return elementwise.exp(_normal(x, mean, std, generator=generator))


def _cauchy(x: Any, median: Any = 0.0, sigma: Any = 1.0, *, generator: Any = None) -> Any:
    """random numbers of a Cauchy distribution."""
    unit = sampling.uniform01(shape_of(x), f32, sampling.generated(generator))
    turn = elementwise.tan(elementwise.multiply(elementwise.subtract(unit, 0.5), math.pi))
    return elementwise.add(elementwise.multiply(turn, sigma), median)


def _random(x: Any, from_: Any = 0, to: Any = None, *, generator: Any = None) -> Any:
    """random whole numbers from [from_, to)."""
    low, high = (0, from_) if to is None and from_ else (from_, to)
    if high is None:
        high = 2**24 if dtype_of_value(x).is_float else 2 ** (8 * dtype_of_value(x).itemsize - 1) - 1
    return sampling.integers(low, high, shape_of(x), stream=sampling.generated(generator))


for _name, _function in {
    "uniform_": _uniform, "normal_": _normal, "log_normal_": _log_normal, "cauchy_": _cauchy, "random_": _random,
}.items():  # fmt: skip
    _in_place(_name, _function)


def _filled_anew(name: str, function: Callable[..., Any]) -> None:
    def make(x: Any, *args: Any, **keywords: Any) -> Any:
        return as_array(function(x, *args, **keywords), dtype_of_value(x))

    make.__doc__ = f"A Tensor of the shape and dtype filled with {function.__doc__}"
    operator(f".{name}")(make)


_filled_anew("uniform", _uniform)
_filled_anew("cauchy", _cauchy)
_filled_anew("log_normal", _log_normal)


@operator(".bernoulli")
def bernoulli(x: Any, p: Any = 0.5, seed: Any = None) -> Any:
    """Ones with probability p, else zeros."""
    return sampling.bernoulli(x, p, seed)


@operator(".multinomial")
def multinomial(x: Any, num_samples: Any, replacement: Any = True, seed: Any = None) -> Any:
    """Places drawn with the Tensor's elements as weights."""
    return sampling.multinomial(x, num_samples, replacement, seed)


@operator(".random_categorical")
def random_categorical(x: Any, num_sample: Any, seed: Any = 0, dtype: Any = i64) -> Any:
    """Classes drawn with probabilities of softmax of the Tensor's rows."""
    return sampling.random_categorical(x, num_sample, seed, dtype)


# --- elements put in ------------------------------------------------------------------------------------


@operator(".fill_diagonal")
def fill_diagonal(x: Any, fill_value: Any, wrap: Any = False) -> Any:
    """The Tensor with a value on its diagonal; with `wrap`, on those of the squares a tall matrix is made of."""
    a = as_array(x)
    rank = rank_of(a)
    if rank < 2:
        raise ValueError("fill_diagonal takes a Tensor of at least 2 dimensions")
    extents = [static_int(evaluator().number(d), "an extent") for d in shape_of(a)]
    if rank > 2 and len(set(extents)) > 1:
        raise ValueError("all dimensions of a Tensor of more than 2 must be equal in fill_diagonal")
    columns = extents[1]
    lines = [creation.arange(extent) for extent in extents]
    first = shapes.reshape(lines[0], -1, *(1,) * (rank - 1))
    if rank == 2 and evaluator().static(wrap, "wrap"):
        first = elementwise.remainder(first, columns + 1)
    hit: Any = None
    for k in range(1, rank):
        line = shapes.reshape(lines[k], *(-1 if j == k else 1 for j in range(rank)))
        same = elementwise.logical_not(elementwise.subtract(first, line))
        hit = same if hit is None else elementwise.logical_and(hit, same)
    return elementwise.where(hit, as_array(fill_value, dtype_of_value(a)), a)


_in_place("fill_diagonal_", fill_diagonal)


@operator("index_put .index_put")
def _index_put(x: Any, indices: Any, values: Any, accumulate: Any = False) -> Any:
    """The Tensor with values at the places that a tuple of index Tensors names, added to what is there if
    `accumulate`."""
    a = as_array(x)
    given = [as_array(i) for i in indices]
    if any(not dtype_of_value(i).is_integer for i in given):
        given = [part for i in given for part in ([i] if dtype_of_value(i).is_integer else indexing.nonzero(i))]
    along = arrangement.broadcast_arrays(*given)
    vectors = shapes.stack(list(along), -1)
    rest = tuple(shape_of(along[0])) + tuple(shape_of(a)[len(given) :])
    updates = shapes.broadcast_to(as_array(as_array(values), dtype_of_value(a)), rest)
    how = "add" if evaluator().static(accumulate, "accumulate") else "update"
    return gathering.scattered_nd(a, vectors, updates, how)


_in_place("index_put_", _index_put)


@operator(".put_", "raw")
def put_in_place(x: Any, index: Any, source: Any, accumulate: Any = False) -> Any:
    """The Tensor itself, with elements put in at places in row-major order."""
    flat = shapes.ravel(as_array(x))
    made = _index_put(flat, (shapes.ravel(as_array(index)),), shapes.ravel(as_array(source)), accumulate)
    return elementwise.assign(x, shapes.reshape(made, *shape_of(x)))


@operator(".inplace_update")
def inplace_update(x: Any, v: Any, indices: Any) -> Any:
    """The Tensor with rows v at the indices."""
    rows = (indices,) if not is_array(indices) and not isinstance(indices, tuple | list) else indices
    return _index_put(x, (as_array(rows),), v)


# --- larger ones ----------------------------------------------------------------------------------------


@operator(".argmax_with_value")
def argmax_with_value(x: Any, axis: Any = 0, keep_dims: Any = False) -> Any:
    """(the largest element along an axis, its place)."""
    return maximum_of(x, axis, keep_dims)


@operator(".argmin_with_value")
def argmin_with_value(x: Any, axis: Any = 0, keep_dims: Any = False) -> Any:
    """(the smallest element along an axis, its place)."""
    return minimum_of(x, axis, keep_dims)


@operator("nanmedian .nanmedian")
def nanmedian(input: Any, axis: Any = -1, keepdims: Any = False) -> Any:
    """(the lower median along an axis of what is not NaN, its place)."""
    a = as_array(input)
    k = normal_axis(axis, rank_of(a))
    order = sequences.argsort(a, k)  # NaN comes last
    missing = comparisons.isnan(a)
    count = reductions.sum(elementwise.astype(elementwise.logical_not(missing), i64), k, keepdims=True)
    middle = elementwise.maximum(elementwise.floor_divide(elementwise.subtract(count, 1), 2), 0)
    place = indexing.take_along_axis(order, middle, k)
    value = indexing.take_along_axis(a, place, k)
    if evaluator().static(keepdims, "keepdims"):
        return value, place
    return shapes.squeeze(value, k), shapes.squeeze(place, k)


@operator(".put_along_axis")
def put_along_axis(x: Any, indices: Any, values: Any, axis: Any) -> Any:
    """The Tensor with values at the places along an axis."""
    a, updates = promote("add", x, values)
    index = as_array(indices)
    return gathering.scatter(a, axis, index, shapes.broadcast_to(updates, shape_of(index)))


# --- operators under a method's name --------------------------------------------------------------------


_ALIASES: Final = {
    name: name
    for name in [
        "approximate_equal", "cdist", "col2im", "fold", "kthvalue", "reverse", "unfold", "unsorted_segment_max",
        "unsorted_segment_min", "unsorted_segment_prod", "unique_with_pad", "fills", "matrix_determinant", "isneginf",
        "isposinf", "geqrf", "gelu", "hfft", "kron", "logsigmoid", "nanquantile", "ormqr", "triangular_solve", "vdot",
    ]
} | {
    "fix": "trunc", "pinverse": "pinv", "soft_shrink": "softshrink", "scatter_sub": "tensor_scatter_sub",
    "scatter_mul": "tensor_scatter_mul", "scatter_div": "tensor_scatter_div", "scatter_max": "tensor_scatter_max",
    "scatter_min": "tensor_scatter_min",
}  # fmt: skip
_IN_PLACE: Final = (
    "addmm", "bitwise_and", "bitwise_or", "bitwise_xor", "cos", "erf", "erfinv", "expm1", "floor_divide", "index_fill",
    "logical_and", "logical_not", "logical_or", "masked_scatter", "nan_to_num", "relu", "remainder", "round", "rsqrt",
    "sigmoid", "sin", "square", "subtract", "tan", "tanh", "trunc",
)  # fmt: skip
"""Operators that have a method which writes their result into the Tensor; the name of it ends in an underscore."""


def name_methods() -> None:
    """Make operators methods; called when all of them are declared."""
    for method, name in _ALIASES.items():
        if name in FUNCTIONS:
            METHODS.setdefault(method, FUNCTIONS[name])
    for name in _IN_PLACE:
        if f"{name}_" not in METHODS:
            _in_place(f"{name}_", FUNCTIONS[name])


@operator("take_along_dim .take_along_dim")
def take_along_dim(input: Any, indices: Any, dim: Any = None) -> Any:
    """The elements at the places along an axis; of the flat Tensor without one."""
    a, index = as_array(input), as_array(indices)
    if dim is None:
        return indexing.take_along_axis(shapes.reshape(a, -1), shapes.reshape(index, -1), 0)
    return indexing.take_along_axis(a, index, dim)


def _exponential(x: Any, lambd: Any = 1.0, *, generator: Any = None) -> Any:
    """random numbers of an exponential distribution."""
    unit = elementwise.subtract(1.0, sampling.uniform01(shape_of(x), f32, sampling.generated(generator)))
    return elementwise.multiply(elementwise.log(unit), -1.0 / lambd)


_in_place("exponential_", _exponential)
