"""mindspore.numpy: jitcore.numpy with 32-bit results where no 64-bit array goes in, `dtype` for every ufunc, and random
arrays."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import numpy as np

from jitcore.compat.mindspore.tensor import Tensor
from jitcore.library import operators
from jitcore.library.array import creation, places, shapes
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.marking import finish, is_library, library
from jitcore.library.core.values import as_array, category, dtype_of_value, evaluator, is_array, rank_of, shape_of
from jitcore.library.math import elementwise
from jitcore.library.random import sampling
from jitcore.library.statistics import reductions
from jitcore.numpy import numpy_names as plain
from jitcore.primitives.core import evaluation
from jitcore.runtime.tensor import Tensor as AnyTensor
from jitcore.types import DType, bool_, c64, c128, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64

_NARROW: Final = {f64: f32, i64: i32, u64: u32, c128: c64}


def _dtype_named(given: Any) -> DType:
    """A dtype argument: Python's int and float are the 32-bit ones."""
    if given is int or given == "int":
        return i32
    if given is float or given == "float":
        return f32
    return as_dtype(given)


def _wide(values: Any) -> bool:
    """Whether there is an array of 64-bit elements among arguments."""
    if isinstance(values, list | tuple):
        return any(_wide(v) for v in cast("Sequence[Any]", values))
    return is_array(values) and dtype_of_value(values) in _NARROW


def _narrow(made: Any) -> Any:
    """Results with 32-bit elements instead of 64-bit ones."""
    if isinstance(made, list | tuple):
        parts = cast("Sequence[Any]", made)
        return type(made)([_narrow(v) for v in parts])  # pyright: ignore[reportUnknownVariableType]
    dtype = _NARROW.get(dtype_of_value(made)) if is_array(made) else None
    return made if dtype is None else elementwise.astype(made, dtype)


def _cast(made: Any, dtype: Any) -> Any:
    if isinstance(made, list | tuple):
        parts = cast("Sequence[Any]", made)
        return type(made)([_cast(v, dtype) for v in parts])  # pyright: ignore[reportUnknownVariableType]
    return elementwise.astype(made, _dtype_named(dtype))


def _adapted(function: Callable[..., Any], operands: int | None = None) -> Callable[..., Any]:
    """A function of jitcore.numpy as mindspore.numpy's is. A ufunc (of so many operands) takes a `dtype` after them."""

    names = list(inspect.signature(function).parameters)
    place = names.index("dtype") if operands is None and "dtype" in names else None

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        if place is not None and len(args) > place:
            keywords["dtype"] = args[place]
            keywords.update(zip(names[place + 1 :], args[place + 1 :], strict=False))
            args = args[:place]
        dtype = keywords.get("dtype")
        if operands is not None:
            keywords.pop("dtype", None)
            if len(args) > operands:
                args, dtype = args[:operands], args[operands]
        elif dtype is not None:
            keywords["dtype"] = _dtype_named(dtype)
        made = function(*args, **keywords)
        if dtype is not None:
            return made if operands is None else _cast(made, dtype)
        return made if _wide(args) or _wide(list(keywords.values())) else _narrow(made)

    return library("tensor")(call)


# --- made anew ----------------------------------------------------------------------------------------


def _first(a: Any) -> Any:
    """The first of the items of nested sequences."""
    while isinstance(a, list | tuple) and a:
        a = a[0]
    return a


def _array(a: Any, dtype: Any, copy: bool) -> Any:
    if (
        isinstance(a, set | dict | str | bytes)
        or a is None
        or (isinstance(a, np.ndarray) and a.dtype.kind not in "biufc")
    ):
        shown = "" if a is None else f" {type(a)}"
        raise TypeError(f"input data must be `int`, `float`, `bool`, `Tensor`, `list`, `tuple`, but got{shown}")
    if isinstance(a, list | tuple) and not evaluation.is_tracing() and isinstance(_first(a), str):
        return Tensor(Tensor(np.array(a)), dtype)
    wanted = None if dtype is None else _dtype_named(dtype)
    if is_array(a):
        if wanted is None or dtype_of_value(a) is wanted:
            return elementwise.copy(a) if copy else a
        return elementwise.astype(a, wanted)
    made = creation.array(a)
    return _narrow(made) if wanted is None else elementwise.astype(made, wanted)


def _whole(made: Any) -> Any:
    return finish(made, "tensor")


@library("raw")
def asarray(a: Any, dtype: Any = None) -> Any:
    """A Tensor of numbers, sequences or arrays: a Tensor that has the dtype already is given as it is."""
    made = _array(a, dtype, False)
    return made if category(made) == "tensor" else _whole(made)


@library("raw")
def array(obj: Any, dtype: Any = None, copy: Any = True, ndmin: Any = 0) -> Any:
    """A new Tensor of numbers, sequences or arrays, with at least `ndmin` axes."""
    made = _array(obj, dtype, bool(copy))
    missing = ndmin - rank_of(made) if ndmin else 0
    if missing > 0:
        made = shapes.reshape(made, *(1,) * missing, *shape_of(made))
    return made if category(made) == "tensor" else _whole(made)


@library("raw")
def asfarray(a: Any, dtype: Any = f32) -> Any:
    """A Tensor of floats: float32 for a dtype that is none."""
    wanted = f32 if dtype is None else _dtype_named(dtype)
    return _whole(_array(a, wanted if wanted.is_float else f32, False))


def _prototype(a: Any) -> Any:
    return as_array(_array(a, None, False))


def _like(value: Callable[[Any, DType], Any]) -> Callable[..., Any]:
    def function(a: Any, *args: Any, dtype: Any = None, shape: Any = None) -> Any:
        dtype, shape = (*args, None, None)[:2] if args else (dtype, shape)
        p = _prototype(a)
        extents = shape_of(p) if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
        return value(extents, dtype_of_value(p) if dtype is None else _dtype_named(dtype))

    return library("tensor")(function)


def _filled(a: Any, fill_value: Any, dtype: Any = None, shape: Any = None) -> Any:
    p = _prototype(a)
    extents = shape_of(p) if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
    made = as_array(_array(fill_value, None, False), dtype_of_value(p) if dtype is None else _dtype_named(dtype))
    return shapes.broadcast_to(made, extents)


# --- random -------------------------------------------------------------------------------------------


def _float_dtype(dtype: Any) -> DType:
    found = _dtype_named(dtype)
    if not found.is_float:
        raise ValueError(f"dtype is a float's, not {found}")
    return found


def _sizes(size: tuple[Any, ...]) -> tuple[int, ...]:
    given = size[0] if len(size) == 1 and isinstance(size[0], tuple | list) else size
    for extent in cast("Sequence[Any]", given):
        if category(extent) != "int":
            raise TypeError(f"an extent is an int, not a {type(extent).__name__}")
    return tuple(cast("Sequence[int]", given))


@library("tensor")
def rand(*size: Any, dtype: Any = f32) -> Any:
    """Random numbers from [0, 1)."""
    return sampling.rand(*_sizes(size), dtype=_float_dtype(dtype))


@library("tensor")
def randn(*size: Any, dtype: Any = f32) -> Any:
    """Random numbers of the standard normal distribution."""
    return sampling.randn(*_sizes(size), dtype=_float_dtype(dtype))


@library("tensor")
def randint(minval: Any, maxval: Any = None, shape: Any = None, dtype: Any = i32) -> Any:
    """Random whole numbers from [minval, maxval), from [0, minval) without a maxval."""
    for bound in (minval, maxval):
        if bound is not None and category(bound) != "int":
            raise TypeError(f"a bound of randint is an int, not a {type(bound).__name__}")
    low, high = (0, minval) if maxval is None else (minval, maxval)
    wanted = _dtype_named(dtype)
    if not wanted.is_integer:
        raise ValueError(f"dtype is an int's, not {wanted}")
    if evaluator().static(low, "minval") >= evaluator().static(high, "maxval"):
        raise ValueError(f"there is no int from {low} to below {high}")
    extents = () if shape is None else (shape,) if category(shape) == "int" else tuple(shape)
    return sampling.randint(low, high, extents, dtype=wanted)


# --- dtypes and text ----------------------------------------------------------------------------------


@library("raw")
def promote_types(type1: Any, type2: Any) -> DType:
    """The dtype that arrays of two dtypes meet in: of an int and a float, the float."""
    a, b = _dtype_named(type1), _dtype_named(type2)
    if a.is_float != b.is_float and a.kind != "c" and b.kind != "c":
        return a if a.is_float else b
    return as_dtype(np.promote_types(a.numpy, b.numpy))


@library("raw")
def result_type(*arrays_and_dtypes: Any) -> DType:
    """The dtype that arrays, numbers and dtypes meet in."""
    dtypes = [
        dtype_of_value(_array(x, None, False))
        if category(x) is not None or isinstance(x, list | tuple)
        else _dtype_named(x)
        for x in arrays_and_dtypes
    ]
    return functools.reduce(promote_types, dtypes)


def array_str(a: Any) -> str:
    """An array as text."""
    return str(a.asnumpy() if isinstance(a, AnyTensor) else np.asarray(a))


def isfortran(a: Any) -> bool:
    """Whether the elements lie column by column, which those of Tensors do not."""
    del a
    return False


def iscomplex(x: Any) -> Any:
    """Whether an element has an imaginary part."""
    a = as_array(x)
    return plain.not_equal(elementwise.imag(a), 0) if dtype_of_value(a).kind == "c" else creation.zeros_like(a, bool_)


class _Grid:
    """`mgrid[…]` and `ogrid[…]`: the points of a grid, in full or one axis each."""

    def __init__(self, sparse: bool) -> None:
        self.sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        made = np.ogrid[key] if self.sparse else np.mgrid[key]
        if isinstance(made, tuple):
            return tuple(
                array(part)  # pyright: ignore[reportUnknownArgumentType]
                for part in made  # pyright: ignore[reportUnknownVariableType]
            )
        return _tensor32(made)


def _tensor32(made: Any) -> Tensor:
    wanted = {"f8": np.float32, "i8": np.int32}.get(made.dtype.str[1:], made.dtype)
    return Tensor(np.ascontiguousarray(made, wanted))


mgrid: Final = _Grid(False)
ogrid: Final = _Grid(True)


# --- the module ---------------------------------------------------------------------------------------


def _ones(shape: Any, dtype: DType) -> Any:
    return creation.ones(shape, dtype)


def _zeros(shape: Any, dtype: DType) -> Any:
    return creation.zeros(shape, dtype)


def _rows(given: Any) -> list[Any]:
    return list(shapes.unstack(given)) if is_array(given) else [as_array(_array(part, None, False)) for part in given]


def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    return plain.select(_rows(condlist), _rows(choicelist), default)


def _cumsum(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    if dtype is bool_:
        return elementwise.astype(reductions.cumsum(_array(a, None, False), axis), dtype)
    return reductions.cumsum(_array(a, None, False), axis, dtype)


def _diagflat(v: Any, k: Any = 0) -> Any:
    return operators.FUNCTIONS["diagflat"](as_array(v), k)


def _whole_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of ints that takes floats that are whole, too."""

    def call(x: Any, y: Any) -> Any:
        a, b = as_array(x), as_array(y)
        if not dtype_of_value(a).is_float and not dtype_of_value(b).is_float:
            return function(a, b)
        made = function(elementwise.astype(a, i64), elementwise.astype(b, i64))
        return elementwise.astype(made, f32)

    return call


_FROM_OPERATORS: Final[dict[str, int | None]] = {"cbrt": 1, "logaddexp2": 2, "matrix_power": None}


def _contents() -> dict[str, Callable[..., Any]]:
    """Every function of the module, by name."""
    made: dict[str, Callable[..., Any]] = {}
    for name in plain.__all__:
        function = getattr(plain, name)
        if is_library(function) and not isinstance(getattr(np, name, None), type):
            ufunc = getattr(np, name, None)
            made[name] = _adapted(function, ufunc.nin if isinstance(ufunc, np.ufunc) else None)
    for name, operands in _FROM_OPERATORS.items():
        made[name] = _adapted(operators.FUNCTIONS[name], operands)
    for name in ("gcd", "lcm"):
        made[name] = _adapted(_whole_numbers(operators.FUNCTIONS[name]), 2)
    further: dict[str, tuple[Callable[..., Any], int | None]] = {
        "linspace": (places.spaced, None), "clip": (plain.clip, 3), "diagflat": (_diagflat, None),
        "select": (_select, None), "cumsum": (_cumsum, None), "in1d": (places.in1d, None),
        "trapz": (plain.trapezoid, None), "mod": (plain.remainder, 2), "divide": (plain.divide, 2),
        "true_divide": (plain.divide, 2), "abs": (plain.absolute, 1), "product": (plain.prod, None),
        "sometrue": (plain.any, None), "fix": (plain.fix, 1), "iscomplex": (iscomplex, None),
        "isposinf": (plain.isposinf, 1), "isneginf": (plain.isneginf, 1), "float_power": (plain.float_power, 2),
        "negative": (plain.negative, 1), "full_like": (_filled, None), "norm": (reductions.norm_of_order, None),
        "zeros": (creation.zeros, None), "ones": (creation.ones, None), "empty": (creation.zeros, None),
        "full": (creation.full, None),
    }  # fmt: skip
    made.update({name: _adapted(function, operands) for name, (function, operands) in further.items()})
    made.update(ones_like=_like(_ones), zeros_like=_like(_zeros), empty_like=_like(_zeros))
    return made


_FUNCTIONS: Final = _contents()


_DTYPES: Final = {
    "bool_": bool_, "float16": f16, "float32": f32, "float64": f64, "int8": i8, "int16": i16, "int32": i32,
    "int64": i64, "uint8": u8, "uint16": u16, "uint32": u32, "uint64": u64, "complex64": c64, "complex128": c128,
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """A function of the module: they are no globals, since some have the names of Python's own."""
    if name in _FUNCTIONS:
        return _FUNCTIONS[name]
    if name in _DTYPES:
        return _DTYPES[name]
    raise AttributeError(f"mindspore.numpy has no function {name!r} here")


_OWN: Final = (
    *("array", "asarray", "asfarray", "rand", "randn", "randint", "promote_types", "result_type", "array_str"),
    *("isfortran", "mgrid", "ogrid"),
)
__all__ = [  # pyright: ignore[reportUnsupportedDunderAll]
    *(name for name in _FUNCTIONS if name not in _OWN),
    *_OWN,
    *_DTYPES,
]
