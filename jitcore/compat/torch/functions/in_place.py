"""Methods that write into the memory of their Tensor, and give it. Their names end in an underscore."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, TypeVar

from jitcore import ops
from jitcore.compat.torch import names
from jitcore.compat.torch.arguments import Dims, Extents, Operand
from jitcore.compat.torch.declaring import FUNCTIONS, METHODS, function
from jitcore.compat.torch.functions import (
    comparisons,
    indexing,
    machine,
    methods,
    pointwise,
    products,
    reductions,
    shaping,
)
from jitcore.compat.torch.functions.axes import extents, extents_of
from jitcore.compat.torch.functions.random import Generator, bernoulli, integers, normal_values, uniform_values
from jitcore.library.array import creation
from jitcore.library.core import marking, values
from jitcore.library.math import elementwise
from jitcore.runtime.tensor import Tensor, made_of

F = TypeVar("F", bound=Callable[..., Any])
FAMILIES: Final = (comparisons, indexing, machine, methods, pointwise, products, reductions, shaping)
"""Where the functions are declared that these methods write the results of."""
_NAMES: Final = (
    "abs absolute acos acosh add addbmm addcdiv addcmul addmm addmv addr arccos arccosh arcsin arcsinh arctan arctan2 "
    "arctanh asin asinh atan atan2 atanh baddbmm bitwise_and bitwise_left_shift bitwise_not bitwise_or "
    "bitwise_right_shift bitwise_xor ceil clamp clamp_max clamp_min clip copysign cos cosh cumprod cumsum deg2rad "
    "digamma div divide eq erf erfc erfinv exp exp2 expm1 fix float_power floor floor_divide fmod frac gcd ge "
    "greater greater_equal gt heaviside hypot index_add index_copy index_fill index_put index_reduce lcm ldexp le "
    "lerp less less_equal lgamma log log10 log1p log2 logical_and logical_not logical_or logical_xor logit lt "
    "masked_fill masked_scatter mul multiply mvlgamma nan_to_num ne neg negative nextafter not_equal pow put rad2deg "
    "reciprocal relu remainder renorm round rsqrt scatter scatter_add scatter_reduce sgn sigmoid sign sin sinc sinh "
    "sqrt square sub subtract tan tanh tril triu true_divide trunc xlogy igamma igammac i0 conj_physical polygamma"
)
_KINDS: Final = "buifc"


def _require_fits(input: Tensor, made: object) -> None:
    """Raise RuntimeError unless a result can be written into a Tensor."""
    have, want = values.dtype_of_value(made), values.dtype_of_value(input)
    if _rank_of_kind(have.kind) > _rank_of_kind(want.kind):
        raise RuntimeError(
            f"result type {have.numpy.name.capitalize()} can't be cast to the desired output type "
            f"{want.numpy.name.capitalize()}"
        )
    given, own = values.shape_of(made), values.shape_of(input)
    told = f"output with shape {list(own)} doesn't match the broadcast shape {list(given)}"
    if len(given) != len(own):
        raise RuntimeError(told)
    for a, b in zip(given, own, strict=True):
        values.require_equal(a, b, told, "RuntimeError")


def _rank_of_kind(kind: str) -> int:
    return 1 if kind == "u" else max(1, _KINDS.index(kind)) if kind != "b" else 0


def write(input: Tensor, made: object) -> Any:
    """Write a result into a Tensor; the Tensor."""
    _require_fits(input, made)
    values.evaluator().write(input, values.as_array(made, values.dtype_of_value(input)))
    return input


def _changing(function: Callable[..., Any]) -> Callable[..., Any]:
    def change(input: Tensor, *args: Operand, **keywords: Operand) -> Any:
        return write(input, function(input, *args, **keywords))

    return marking.library("raw")(change)


def _method(declaration: F) -> F:
    METHODS[declaration.__name__] = marking.library("raw")(declaration)
    return declaration


for _name in _NAMES.split():
    METHODS[f"{_name}_"] = _changing(METHODS[_name])
    if f"{_name}_" in names.TORCH:
        FUNCTIONS[f"{_name}_"] = METHODS[f"{_name}_"]


@_method
def fill_(input: Tensor, value: Operand) -> Any:
    if values.is_array(value) and values.rank_of(value):
        raise RuntimeError(
            f"fill_ only supports 0-dimension value tensor but got tensor with {values.rank_of(value)} dimensions."
        )
    return elementwise.assign(input, values.as_array(value, values.dtype_of_value(input)))


@_method
def zero_(input: Tensor) -> Any:
    return fill_(input, 0)


FUNCTIONS["fill_"], FUNCTIONS["zero_"] = METHODS["fill_"], METHODS["zero_"]


@function
def fill(input: Tensor, value: Operand) -> Any:
    return ops.broadcast_to(values.as_array(value, values.dtype_of_value(input)), extents_of(input))


@_method
def copy_(input: Tensor, src: Tensor, non_blocking: bool = False) -> Any:
    del non_blocking
    try:
        made = ops.broadcast_to(src, extents_of(input))
    except ValueError as error:
        raise RuntimeError(str(error)) from None
    return write(input, values.as_array(made, values.dtype_of_value(input)))


@_method
def fill_diagonal_(input: Tensor, fill_value: Operand, wrap: bool = False) -> Any:
    rows, columns = values.shape_of(input)[-2:]
    del wrap
    marks = creation.eye(values.evaluator().number(rows), values.evaluator().number(columns), 0, "bool")
    return write(input, ops.where(marks, values.as_array(fill_value, values.dtype_of_value(input)), input))


# --- other shapes of the same memory ----------------------------------------------------------------------


def _becoming(input: Tensor, view: Callable[[Any], Any]) -> Any:
    """Have a Tensor be a view of what it was; the Tensor. Not in compiled code, where a Tensor has one shape."""
    was = made_of(type(input), input._array)
    was._history, was._storage, was._view = input._history, input.storage, input._view
    made = view(was)
    input._array, input._history, input._storage, input._view = made._array, made._history, made._storage, made._view
    return input


def _reshaping(declaration: F) -> F:
    METHODS[declaration.__name__] = declaration
    return declaration


@_reshaping
def squeeze_(input: Tensor, dim: Dims = None) -> Any:
    return _becoming(input, lambda t: shaping.squeeze(t, dim))


@_reshaping
def unsqueeze_(input: Tensor, dim: int) -> Any:
    return _becoming(input, lambda t: shaping.unsqueeze(t, dim))


@_reshaping
def t_(input: Tensor) -> Any:
    return _becoming(input, shaping.t)


@_reshaping
def transpose_(input: Tensor, dim0: int, dim1: int) -> Any:
    return _becoming(input, lambda t: shaping.transpose(t, dim0, dim1))


METHODS["swapaxes_"] = METHODS["swapdims_"] = METHODS["transpose_"]


@_reshaping
def resize_(input: Tensor, *size: Extents, memory_format: object = None) -> Any:
    del memory_format
    held = input._array.copy()
    held.resize(extents(size), refcheck=False)
    return _becoming(input, lambda t: made_of(type(t), held))


@_reshaping
def resize_as_(input: Tensor, the_template: Tensor) -> Any:
    return resize_(input, extents_of(the_template))


@_reshaping
def set_(input: Tensor, source: Tensor) -> Any:
    return _becoming(input, lambda _: source)


# --- random numbers --------------------------------------------------------------------------------------


@_method
def uniform_(input: Tensor, from_: float = 0, to: float = 1, *, generator: Generator | None = None) -> Any:
    return write(input, uniform_values(input, from_, to, generator))


@_method
def normal_(input: Tensor, mean: float = 0, std: float = 1, *, generator: Generator | None = None) -> Any:
    return write(input, normal_values(input, mean, std, generator))


@_method
def log_normal_(input: Tensor, mean: float = 1, std: float = 2, *, generator: Generator | None = None) -> Any:
    return write(input, ops.exp(normal_values(input, mean, std, generator)))


@_method
def exponential_(input: Tensor, lambd: float = 1, *, generator: Generator | None = None) -> Any:
    unit = ops.sub(1, uniform_values(input, 0, 1, generator))
    return write(input, ops.div(ops.neg(ops.log(unit)), lambd))


@_method
def cauchy_(input: Tensor, median: float = 0, sigma: float = 1, *, generator: Generator | None = None) -> Any:
    turn = ops.tan(ops.mul(ops.sub(uniform_values(input, 0, 1, generator), 0.5), math.pi))
    return write(input, ops.add(ops.mul(turn, sigma), median))


@_method
def geometric_(input: Tensor, p: float, *, generator: Generator | None = None) -> Any:
    unit = ops.sub(1, uniform_values(input, 0, 1, generator))
    return write(input, ops.ceil(ops.div(ops.log(unit), math.log1p(-p))))


@_method
def bernoulli_(input: Tensor, p: Operand = 0.5, *, generator: Generator | None = None) -> Any:
    chance: Any = p
    if values.is_array(p):
        return write(input, elementwise.astype(bernoulli(chance, generator=generator), values.dtype_of_value(input)))
    return write(input, bernoulli(input, chance, generator=generator))


@_method
def random_(input: Tensor, from_: int = 0, to: int | None = None, *, generator: Generator | None = None) -> Any:
    first, last = (0, from_ or None) if to is None else (from_, to)
    dtype = values.dtype_of_value(input)
    if last is None:
        last = 2 ** {2: 11, 4: 24, 8: 53}[dtype.itemsize] if dtype.is_float else indexing.dtype_bounds(dtype.numpy)[1]
    return write(input, integers(first, last, values.shape_of(input), dtype, generator))
