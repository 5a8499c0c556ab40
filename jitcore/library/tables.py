"""What operators, methods, properties and NumPy's functions mean on arrays: tables of library functions.

Every entry is marked with its policy, so it can be called as it is.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from jitcore.library import signatures
from jitcore.library.array import (
    arrangement,
    creation,
    in_place,
    indexing,
    insertions,
    layouts,
    padding,
    places,
    sequences,
    sets,
    shapes,
)
from jitcore.library.core.marking import library
from jitcore.library.core.values import (
    Policy,
    as_operand,
    category,
    evaluator,
    numbered_text,
    rank_of,
    require_equal,
    shape_of,
)
from jitcore.library.linalg import einsum, matrices, products
from jitcore.library.math import closeness, comparisons, elementwise, polynomials, ufuncs
from jitcore.library.nn import activations
from jitcore.library.random import module_generators
from jitcore.library.signal import spectra
from jitcore.library.statistics import nan_reductions, quantiles, reductions, samples, weighted
from jitcore.primitives.ops import reductions as r
from jitcore.types import bool_, broadcast_shapes, c64, c128, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64

Function = Callable[..., Any]


def _marked(policy: Policy, functions: dict[Any, Function], *, operands: bool = False) -> dict[Any, Function]:
    return {key: library(policy, operands=operands)(function) for key, function in functions.items()}


def _methods(policy: Policy, functions: dict[str, Function]) -> dict[str, Function]:
    """Methods, whose results of no dimensions are NumPy scalars where they are called on such."""
    return {name: _method(policy, function) for name, function in functions.items()}


def _method(policy: Policy, function: Function) -> Function:
    of_arrays, of_scalars = library(policy)(function), library("scalar")(function)

    @functools.wraps(function)
    def call(x: Any, *args: Any, **keywords: Any) -> Any:
        return (of_scalars if category(x) == "npscalar" else of_arrays)(x, *args, **keywords)

    return library("raw")(call)


_BINARY: Final[dict[str, Function]] = {
    "+": elementwise.add,
    "-": elementwise.subtract,
    "*": elementwise.multiply,
    "/": elementwise.true_divide,
    "//": elementwise.floor_divide,
    "%": elementwise.remainder,
    "**": elementwise.raised,
    "@": products.matmul,
    "&": elementwise.bitwise_and,
    "|": elementwise.bitwise_or,
    "^": elementwise.bitwise_xor,
    "<<": elementwise.left_shift,
    ">>": elementwise.right_shift,
}
BINARY_OPERATORS: Final[dict[str, Function]] = _marked("scalar", _BINARY, operands=True)
UNARY_OPERATORS: Final[dict[str, Function]] = _marked(
    "scalar", {"-": elementwise.negative, "+": elementwise.positive, "~": elementwise.invert}
)
COMPARISON_OPERATORS: Final[dict[str, Function]] = _marked(
    "scalar",
    {
        "<": comparisons.less,
        "<=": comparisons.less_equal,
        ">": comparisons.greater,
        ">=": comparisons.greater_equal,
        "==": comparisons.equal,
        "!=": comparisons.not_equal,
    },
    operands=True,
)


def _require_broadcast(target: Any, operand: Any) -> None:
    """Raise ValueError unless the operands broadcast. NumPy names the output, too, which is the target."""
    shapes = [shape_of(v) for v in (target, as_operand(operand), target)]

    def message(a: Any, b: Any) -> str:
        text = " ".join(numbered_text(shape, a, b) for shape in shapes)
        return f"operands could not be broadcast together with shapes {text} "

    try:
        _, pairs = broadcast_shapes(*shapes[:2])
    except ValueError:
        raise ValueError(message(0, 0)) from None
    for a, b in pairs:
        require_equal(a, b, message(a, b))


_INPLACE_MATMUL: Final = (
    "inplace matrix multiplication requires the first operand to have at least one "
    "and the second at least two dimensions."
)


def _inplace(operation: Function) -> Function:
    def update(target: Any, operand: Any) -> Any:
        if operation is not products.matmul:
            _require_broadcast(target, operand)
        elif category(target) == "ndarray" and (not shape_of(target) or len(shape_of(as_operand(operand))) < 2):
            raise ValueError(_INPLACE_MATMUL)
        return elementwise.update(target, operation(target, operand))

    return library("raw")(update)


INPLACE_OPERATORS: Final[dict[str, Function]] = {op: _inplace(f) for op, f in _BINARY.items()}
"""`f(target, operand)` writes into `target` and gives it."""

COPY: Final = library("array")(elementwise.copy)
UPDATE: Final = library("raw")(elementwise.update)
"""`f(target, value)` writes a result of an operation into `target` (`out=`)."""

GETITEM: Final = library("raw")(indexing.read)
TENSOR_GETITEM: Final = library("array", operands=True)(indexing.read)
SETITEM: Final = library("raw")(indexing.setitem)


# --- methods ----------------------------------------------------------------------------------------


def _fill(x: Any, value: Any) -> Any:
    """An ndarray's `fill` writes, a Tensor's gives a new Tensor (MindSpore)."""
    if category(x) == "tensor":
        return creation.full_like(x, value)
    elementwise.assign(x, value)
    return None


def _to_list(x: Any) -> Any:
    """The elements as (nested) lists of Python numbers; the shape must be known."""
    if rank_of(x) == 0:
        return indexing.item(x)
    return [_to_list(part) for part in shapes.unstack(x)]


def _split(x: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    return shapes.split(x, indices_or_sections, axis)


def _expand_as(x: Any, other: Any) -> Any:
    return shapes.broadcast_to(x, shape_of(other))


def _as_numpy(x: Any) -> Any:
    return evaluator().finish(x, "ndarray")


_SUM: Final = signatures.by_keyword(3, weighted.summation(reductions.sum, elementwise.add, 0))
_PROD: Final = signatures.by_keyword(3, weighted.summation(reductions.prod, elementwise.multiply, 1))
_MAX: Final = signatures.by_keyword(2, weighted.bounded_reduction(reductions.max, r.reduce_max, elementwise.maximum))
_MIN: Final = signatures.by_keyword(2, weighted.bounded_reduction(reductions.min, r.reduce_min, elementwise.minimum))
_ANY: Final = signatures.by_keyword(2, weighted.truths(reductions.any, False))
_ALL: Final = signatures.by_keyword(2, weighted.truths(reductions.all, True))
_MEAN: Final = signatures.by_keyword(3, weighted.mean)
_VAR: Final = signatures.by_keyword(2, weighted.spread(False))
_STD: Final = signatures.by_keyword(2, weighted.spread(True))
_SCALAR_METHODS: dict[str, Function] = {
    "sum": _SUM,
    "prod": _PROD, "mean": _MEAN,
    "max": _MAX,
    "min": _MIN, "any": _ANY, "all": _ALL,
    "argmax": signatures.by_keyword(2, reductions.argmax), "argmin": signatures.by_keyword(2, reductions.argmin),
    "var": _VAR, "std": _STD, "ptp": signatures.by_keyword(2, reductions.ptp),
    "argsort": sequences.argsort, "cumprod": sequences.cumprod, "searchsorted": sequences.searchsorted,
    "cumsum": reductions.cumsum, "norm": reductions.norm, "clip": signatures.clip_method, "round": elementwise.round_,
    "dot": products.dot, "take": indexing.take, "abs": elementwise.absolute, "exp": elementwise.exp,
    "log": elementwise.log, "sqrt": elementwise.sqrt, "rsqrt": elementwise.rsqrt, "square": elementwise.square,
    "pow": elementwise.power, "sin": elementwise.sin, "cos": elementwise.cos, "tanh": elementwise.tanh,
    "sigmoid": elementwise.sigmoid, "relu": activations.relu, "softmax": activations.softmax,
    "log_softmax": activations.log_softmax, "erf": elementwise.erf, "floor": elementwise.floor,
    "ceil": elementwise.ceil, "neg": elementwise.negative,
    "add": elementwise.add, "sub": elementwise.subtract, "mul": elementwise.multiply, "div": elementwise.true_divide,
    "matmul": products.matmul, "maximum": elementwise.maximum, "minimum": elementwise.minimum,
    "equal": comparisons.equal, "isnan": comparisons.isnan, "isinf": comparisons.isinf,
    "isfinite": comparisons.isfinite, "logical_not": elementwise.logical_not, "logical_and": elementwise.logical_and,
    "logical_or": elementwise.logical_or, "masked_fill": indexing.masked_fill, **layouts.SCALAR_METHODS,
}  # fmt: skip
_ARRAY_METHODS: dict[str, Function] = {
    "transpose": shapes.transpose, "swapaxes": shapes.swapaxes,
    "expand_dims": shapes.expand_dims, "unsqueeze": shapes.expand_dims,
    "broadcast_to": shapes.broadcast_to, "expand_as": _expand_as,
    "tile": shapes.tile, "split": _split, "flip": shapes.flip,
    "tril": shapes.tril, "triu": shapes.triu, "nonzero": indexing.nonzero, "fill": _fill, **layouts.ARRAY_METHODS,
}  # fmt: skip
_SAME_METHODS: dict[str, Function] = {
    "astype": layouts.astype, "to": elementwise.astype, "conj": elementwise.conjugate,
    "conjugate": elementwise.conjugate, "squeeze": shapes.squeeze,
}  # fmt: skip
ARRAY_METHODS: Final[dict[str, Function]] = {
    **_methods("same", _SAME_METHODS),
    **_marked("scalar", _SCALAR_METHODS),
    **_methods("array", _ARRAY_METHODS),
    **_marked(
        "raw",
        {
            "item": indexing.item,
            "sort": sequences.sort_in_place,
            "tolist": _to_list,
            "asnumpy": _as_numpy,
            "numpy": _as_numpy,
            **layouts.RAW_METHODS,
        },
    ),
}
"""Methods by name: `f(x, *args, **keywords)`."""

ARRAY_PROPERTIES: Final[dict[str, Function]] = {
    **_methods("array", {"T": shapes.transpose, "mT": layouts.matrix_transpose}),
    **_methods("same", {"real": elementwise.real, "imag": elementwise.imag}),
}
"""Attributes that are arrays. `shape`, `dtype`, `ndim`, `size`, `itemsize`, `nbytes` are for the caller to answer."""

WRITTEN_PROPERTIES: Final[dict[str, Function]] = {
    name: library("raw")(f) for name, f in layouts.WRITTEN_PROPERTIES.items()
}
"""Attributes of ndarrays that can be assigned to: `f(x, value)`."""


# --- NumPy ------------------------------------------------------------------------------------------


_SCALAR_FUNCTIONS: dict[Any, Function] = {
    np.add: elementwise.add, np.subtract: elementwise.subtract, np.multiply: elementwise.multiply,
    np.true_divide: elementwise.true_divide, np.floor_divide: elementwise.floor_divide,
    np.remainder: elementwise.remainder, np.power: elementwise.power,
    np.maximum: elementwise.maximum, np.minimum: elementwise.minimum, np.copysign: elementwise.copysign,
    np.arctan2: elementwise.arctan2, np.hypot: elementwise.hypot, np.bitwise_and: elementwise.bitwise_and,
    np.bitwise_or: elementwise.bitwise_or, np.bitwise_xor: elementwise.bitwise_xor, np.invert: elementwise.invert,
    np.left_shift: elementwise.left_shift, np.right_shift: elementwise.right_shift, np.equal: comparisons.equal,
    np.not_equal: comparisons.not_equal, np.less: comparisons.less, np.less_equal: comparisons.less_equal,
    np.greater: comparisons.greater, np.greater_equal: comparisons.greater_equal,
    np.logical_and: elementwise.logical_and, np.logical_or: elementwise.logical_or,
    np.logical_xor: elementwise.logical_xor, np.logical_not: elementwise.logical_not, np.negative: elementwise.negative,
    np.positive: elementwise.positive, np.absolute: elementwise.absolute,
    np.sign: elementwise.sign, np.exp: elementwise.exp, np.expm1: elementwise.expm1, np.log: elementwise.log,
    np.log1p: elementwise.log1p, np.log2: elementwise.log2, np.log10: elementwise.log10, np.sqrt: elementwise.sqrt,
    np.square: elementwise.square, np.sin: elementwise.sin,
    np.cos: elementwise.cos, np.tan: elementwise.tan, np.arcsin: elementwise.arcsin, np.arccos: elementwise.arccos,
    np.arctan: elementwise.arctan, np.sinh: elementwise.sinh, np.cosh: elementwise.cosh, np.tanh: elementwise.tanh,
    np.arcsinh: elementwise.arcsinh, np.arccosh: elementwise.arccosh, np.arctanh: elementwise.arctanh,
    np.floor: elementwise.floor, np.ceil: elementwise.ceil, np.trunc: elementwise.trunc, np.rint: elementwise.rint,
    np.isnan: comparisons.isnan, np.isinf: comparisons.isinf, np.isfinite: comparisons.isfinite,
    np.matmul: products.matmul, np.clip: signatures.clip, np.round: elementwise.round_, np.around: elementwise.round_,
    np.where: signatures.where,
    np.sum: _SUM,
    np.prod: _PROD, np.mean: _MEAN,
    np.max: _MAX, np.amax: _MAX,
    np.min: _MIN, np.amin: _MIN,
    np.any: _ANY, np.all: _ALL,
    np.argmax: signatures.by_keyword(2, reductions.argmax), np.argmin: signatures.by_keyword(2, reductions.argmin),
    np.var: _VAR, np.std: _STD,
    np.ptp: signatures.by_keyword(2, reductions.ptp), np.cumsum: reductions.cumsum,
    np.count_nonzero: reductions.count_nonzero, np.dot: products.dot,
    np.vdot: products.vdot, np.inner: products.inner, np.outer: products.outer,
    np.trace: arrangement.trace, np.take: indexing.take,
}  # fmt: skip
_ARRAY_FUNCTIONS: dict[Any, Function] = {
    np.array: layouts.array, np.zeros: layouts.filled(creation.zeros), np.ones: layouts.filled(creation.ones),
    np.empty: layouts.filled(creation.zeros), np.full: layouts.full,
    np.zeros_like: layouts.alike(creation.zeros_like, creation.zeros),
    np.ones_like: layouts.alike(creation.ones_like, creation.ones),
    np.empty_like: layouts.alike(creation.zeros_like, creation.zeros),
    np.full_like: layouts.alike(creation.full_like, creation.full),
    np.arange: creation.arange, np.eye: creation.eye, np.identity: signatures.identity,
    np.meshgrid: signatures.meshgrid, np.copy: layouts.copy,
    np.reshape: layouts.reshape, np.ravel: layouts.ravel, np.transpose: signatures.transpose,
    np.swapaxes: shapes.swapaxes, np.moveaxis: shapes.moveaxis, np.expand_dims: shapes.expand_dims,
    np.broadcast_to: shapes.broadcast_to,
    np.concatenate: layouts.joining(shapes.concatenate), np.stack: layouts.joining(shapes.stack),
    np.split: signatures.split, np.flip: shapes.flip, np.roll: shapes.roll, np.tile: shapes.tile,
    np.tril: signatures.tri(shapes.tril), np.triu: signatures.tri(shapes.triu),
    np.take_along_axis: indexing.take_along_axis, np.nonzero: indexing.nonzero,
    np.sort: sequences.sort, np.bincount: sequences.bincount,
}  # fmt: skip
_DTYPES: Final = (bool_, i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64, c64, c128)
_COMPOSED_SCALAR: dict[Any, Function] = {
    np.argsort: sequences.argsort, np.searchsorted: sequences.searchsorted, np.cumprod: sequences.cumprod,
    np.einsum: einsum.einsum,
    np.fabs: ufuncs.fabs, np.reciprocal: ufuncs.reciprocal, np.degrees: ufuncs.degrees,
    np.rad2deg: ufuncs.degrees, np.radians: ufuncs.radians, np.deg2rad: ufuncs.radians,
    np.signbit: ufuncs.signbit, np.exp2: ufuncs.exp2, np.fmod: ufuncs.fmod, np.fmax: ufuncs.fmax,
    np.fmin: ufuncs.fmin, np.logaddexp: ufuncs.logaddexp, np.divmod: ufuncs.divmod_,
    np.heaviside: ufuncs.heaviside, np.nan_to_num: ufuncs.nan_to_num, np.isclose: closeness.isclose,
    np.allclose: closeness.allclose, np.array_equal: closeness.array_equal, np.angle: ufuncs.angle,
    np.conjugate: ufuncs.conjugate, np.nansum: nan_reductions.nansum, np.nanprod: nan_reductions.nanprod,
    np.nancumsum: nan_reductions.nancumsum, np.nanmax: nan_reductions.nanmax, np.nanmin: nan_reductions.nanmin,
    np.nanmean: nan_reductions.nanmean, np.nanvar: nan_reductions.nanvar, np.nanstd: nan_reductions.nanstd,
    np.average: weighted.average,
    np.trapezoid: samples.trapezoid, np.cross: products.cross, np.polyval: polynomials.polyval,
    np.size: arrangement.size, np.shape: arrangement.shape, np.ndim: arrangement.ndim,
    np.real: ufuncs.part_of(elementwise.real), np.imag: ufuncs.part_of(elementwise.imag),
    **{dtype.numpy.type: ufuncs.scalar_type(dtype) for dtype in _DTYPES},
    **matrices.SCALARS, **quantiles.SCALARS, **places.SCALARS, **samples.SCALARS, **ufuncs.SCALARS,
}  # fmt: skip
_COMPOSED_ARRAY: dict[Any, Function] = {
    np.select: places.select, np.vstack: layouts.joining(arrangement.vstack, False),
    np.hstack: layouts.joining(arrangement.hstack, False), np.dstack: arrangement.dstack,
    np.column_stack: arrangement.column_stack, np.append: arrangement.append, np.hsplit: arrangement.split_along(1),
    np.vsplit: arrangement.split_along(0), np.dsplit: arrangement.split_along(2), np.array_split: arrangement.sections,
    np.broadcast_arrays: arrangement.broadcast_arrays, np.fliplr: arrangement.fliplr, np.flipud: arrangement.flipud,
    np.rot90: arrangement.rot90, np.rollaxis: arrangement.rollaxis, np.diag: arrangement.diag,
    np.diagonal: arrangement.diagonal, np.diff: arrangement.diff, np.ediff1d: arrangement.ediff1d,
    np.tri: arrangement.tri, np.kron: products.kron, np.flatnonzero: arrangement.flatnonzero,
    np.argwhere: arrangement.argwhere, np.block: arrangement.block,
    np.tensordot: products.tensordot, np.pad: padding.pad,
    **samples.TABLE, **places.TABLE, **ufuncs.TABLE, **spectra.TABLE, **matrices.TABLE, **quantiles.TABLE, **sets.TABLE,
    **polynomials.TABLE, **insertions.TABLE, **in_place.TABLE,
}  # fmt: skip
_SAME_FUNCTIONS: dict[Any, Function] = {
    np.asarray: creation.asarray, np.ascontiguousarray: creation.asarray,
    np.atleast_1d: signatures.several(shapes.atleast_1d), np.squeeze: shapes.squeeze,
    np.atleast_2d: signatures.several(arrangement.atleast_2d),
    np.atleast_3d: signatures.several(arrangement.atleast_3d),
    **ufuncs.SAME,
}  # fmt: skip
_REDUCTIONS: Final[dict[Any, Function]] = {
    np.add: reductions.sum, np.multiply: reductions.prod, np.maximum: reductions.max, np.minimum: reductions.min,
    np.logical_and: reductions.all, np.logical_or: reductions.any,
}  # fmt: skip
UFUNC_METHODS: Final[dict[tuple[Any, str], Function]] = {
    **{(ufunc, "reduce"): library("scalar")(ufuncs.reduction(f)) for ufunc, f in _REDUCTIONS.items()},
    (np.add, "accumulate"): library("scalar")(ufuncs.accumulation(reductions.cumsum)),
    (np.multiply, "accumulate"): library("scalar")(ufuncs.accumulation(sequences.cumprod)),
    (np.maximum, "accumulate"): library("scalar")(ufuncs.accumulation(sequences.running_maximum)),
    (np.minimum, "accumulate"): library("scalar")(ufuncs.accumulation(sequences.running_minimum)),
    **{
        (ufunc, "outer"): library("scalar")(ufuncs.outer(f))
        for ufunc, f in _SCALAR_FUNCTIONS.items()
        if isinstance(ufunc, np.ufunc) and ufunc.nin == 2 and ufunc is not np.matmul
    },
    **{(ufunc, "at"): library("raw")(f) for ufunc, f in in_place.AT.items()},
    **{(ufunc, "reduceat"): library("array")(f) for ufunc, f in insertions.REDUCE_AT.items()},
}
"""What the methods of ufuncs mean, by ufunc and name."""

NUMPY_FUNCTIONS: Final[dict[Any, Function]] = {
    **_marked("scalar", _SCALAR_FUNCTIONS),
    **_marked("array", _ARRAY_FUNCTIONS),
    **_marked("scalar", _COMPOSED_SCALAR),
    **_marked("array", _COMPOSED_ARRAY),
    **_marked("same", _SAME_FUNCTIONS),
}
"""What a NumPy function means on arrays of a program: same dtypes as NumPy; a Tensor among the arguments makes it a
Tensor's."""


def library_function_of(obj: Any) -> Callable[..., Any] | None:
    """The library function that a NumPy function stands for."""
    try:
        return NUMPY_FUNCTIONS.get(obj) or module_generators.function_of(obj)
    except TypeError:
        return None
