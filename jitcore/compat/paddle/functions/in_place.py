"""Methods that write into the memory of their Tensor, and give it. Their names end in an underscore."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from jitcore import ops
from jitcore.compat.paddle import names
from jitcore.compat.paddle.arguments import Operand
from jitcore.compat.paddle.declaring import FUNCTIONS, METHODS, operation
from jitcore.compat.paddle.functions import (
    conversions,
    creation,
    indexing,
    pointwise,
    products,
    random,
    reductions,
    shaping,
)
from jitcore.compat.paddle.functions.axes import extents_of
from jitcore.compat.torch.functions import in_place as torch
from jitcore.library.array import creation as arrays
from jitcore.library.core import values
from jitcore.library.math import elementwise
from jitcore.runtime.tensor import Tensor

FAMILIES: Final = (conversions, creation, indexing, pointwise, products, random, reductions, shaping)
"""Where the functions are declared that these methods write the results of."""


def written(x: Tensor, made: object) -> Any:
    """Write a result into a Tensor; the Tensor. Raises ValueError unless it has its shape."""
    held, given = values.shape_of(x), values.shape_of(made)
    told = f"(InvalidArgument) in place, a Tensor of the shape {list(held)} does not get a result of {list(given)}"
    if len(held) != len(given):
        raise ValueError(told)
    for a, b in zip(held, given, strict=True):
        values.require_equal(a, b, told)
    values.evaluator().write(x, values.as_array(made, values.dtype_of_value(x)))
    return x


def _changing(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    def change(x: Tensor, *args: Operand, **keywords: Operand) -> Any:
        return written(x, function(x, *args, **keywords))

    change.__name__ = change.__qualname__ = name
    return in_place(change)


def in_place(declaration: Callable[..., Any]) -> Callable[..., Any]:
    """A function that changes its first argument."""
    return operation(declaration)


_RESHAPING: Final = frozenset(
    ["reshape_", "squeeze_", "unsqueeze_", "flatten_", "transpose_", "t_", "cast_", "resize_", "set_", "detach_"]
)
for _name in names.TENSOR:
    _own = METHODS.get(_name[:-1]) or FUNCTIONS.get(_name[:-1])
    if _name.endswith("_") and _own is not None and _name not in _RESHAPING:
        METHODS[_name] = _changing(_own, _name)
for _name in ("erf_", "expm1_"):
    FUNCTIONS[_name] = _changing(METHODS[_name[:-1]], _name)
for _name in names.PADDLE & METHODS.keys():
    if _name.endswith("_"):
        FUNCTIONS[_name] = METHODS[_name]


def _method(declaration: Callable[..., Any]) -> Callable[..., Any]:
    """Declare a method that changes its Tensor, and the function of its name if Paddle has one."""
    made = in_place(declaration)
    METHODS[declaration.__name__] = made
    if declaration.__name__ in names.PADDLE:
        FUNCTIONS[declaration.__name__] = made
    return made


@_method
def fill_(x: Tensor, value: Operand) -> Any:
    return elementwise.assign(x, values.as_array(value, values.dtype_of_value(x)))


@_method
def zero_(x: Tensor) -> Any:
    return elementwise.assign(x, values.as_array(0, values.dtype_of_value(x)))


@_method
def copy_(x: Tensor, other: Tensor, blocking: bool = True) -> Any:
    del blocking
    return written(x, ops.broadcast_to(other, extents_of(x)))


@_method
def increment(x: Tensor, value: float = 1.0) -> Any:
    return written(x, ops.add(x, value))


@_method
def fill_diagonal_(x: Tensor, value: Operand, offset: int = 0, wrap: bool = False) -> Any:
    if wrap or values.rank_of(x) != 2:
        raise NotImplementedError("fill_diagonal_: of matrices only, without wrap")
    rows, columns = extents_of(x)
    marks = arrays.eye(rows, columns, offset, "bool")
    return written(x, ops.where(marks, values.as_array(value, values.dtype_of_value(x)), x))


@_method
def fill_diagonal_tensor_(x: Tensor, y: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    return written(x, indexing.diagonal_scatter(x, y, offset, dim1, dim2))


METHODS["fill_diagonal_tensor"] = indexing.diagonal_scatter


@_method
def where_(condition: Tensor, x: Operand | None = None, y: Operand | None = None) -> Any:
    return written(x, indexing.where(condition, x, y))  # pyright: ignore[reportArgumentType]


@_method
def round_(x: Tensor, decimals: int = 0) -> Any:
    return written(x, pointwise.round(x, decimals))


# --- random numbers --------------------------------------------------------------------------------------


@_method
def uniform_(x: Tensor, min: float = 0.0, max: float = 1.0, seed: int = 0) -> Any:
    del seed
    return written(x, random.uniform_numbers(values.shape_of(x), values.dtype_of_value(x), min, max))


@_method
def normal_(x: Tensor, mean: float = 0.0, std: float = 1.0) -> Any:
    return written(x, random.normal_numbers(values.shape_of(x), values.dtype_of_value(x), mean, std))


@_method
def log_normal_(x: Tensor, mean: float = 1.0, std: float = 2.0) -> Any:
    return written(x, ops.exp(random.normal_numbers(values.shape_of(x), values.dtype_of_value(x), mean, std)))


def _positive(x: Tensor) -> Any:
    """Numbers of (0, 1]."""
    return ops.sub(1, random.uniform_numbers(values.shape_of(x), values.dtype_of_value(x), 0.0, 1.0))


@_method
def random_(x: Tensor, from_: int = 0, to: int | None = None) -> Any:
    first, last = (0, from_) if to is None else (from_, to)
    return written(x, random.randint_like(x, first, last))


@_method
def exponential_(x: Tensor, lam: float = 1.0) -> Any:
    return written(x, ops.div(ops.neg(ops.log(_positive(x))), lam))


@_method
def cauchy_(x: Tensor, loc: float = 0, scale: float = 1) -> Any:
    turn = ops.tan(ops.mul(ops.sub(_positive(x), 0.5), math.pi))
    return written(x, ops.add(ops.mul(turn, scale), loc))


@_method
def geometric_(x: Tensor, probs: float) -> Any:
    return written(x, ops.div(ops.log(_positive(x)), math.log1p(-probs)))


@_method
def bernoulli_(x: Tensor, p: float = 0.5) -> Any:
    return written(x, random.bernoulli(x, p))


# --- other shapes of the same memory ----------------------------------------------------------------------


def _becoming(function: Callable[..., Any]) -> Callable[..., Any]:
    def become(x: Tensor, *args: object, **keywords: object) -> Any:
        return torch._becoming(x, lambda t: function(t, *args, **keywords))

    return become


for _name in ("reshape_", "squeeze_", "unsqueeze_", "flatten_", "transpose_", "t_"):
    METHODS[_name] = _becoming(METHODS[_name[:-1]])
    FUNCTIONS[_name] = METHODS[_name]


@operation
def _resized(x: Tensor, shape: Sequence[int], fill_zero: bool = False) -> Any:
    del fill_zero  # elements that are new are 0 in any case
    return torch.resize_(x, list(shape))


METHODS["resize_"] = _resized
METHODS["cast_"] = FUNCTIONS["cast_"] = _becoming(conversions.cast_)
METHODS["detach_"] = _becoming(creation.detach)
