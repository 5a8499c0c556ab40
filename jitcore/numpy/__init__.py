"""The Python array API standard 2024.12 over Tensors, with its extensions `linalg` and `fft`; and NumPy's functions
that it does not have, by NumPy's names. All of it is compiled inside `jit`.

    >>> import jitcore
    >>> import jitcore.numpy as xp
    >>> @jitcore.jit
    ... def spread(x):
    ...     return xp.std(x, axis=0) / xp.max(xp.abs(x), axis=0)
    >>> print(spread(xp.asarray([[1.0, 2.0], [3.0, 2.0]])))
    [0.33333333 0.        ]

Arrays are `jitcore.Tensor`s. They promote as the standard says; where it leaves that open, as MindSpore's Tensors (ints
with floats give the float's dtype, ints with a Python float float32). Arguments that the standard has by keyword
alone, and NumPy's functions by position too, are taken by position here.
"""

from __future__ import annotations

from typing import Any, Final

from jitcore.numpy import fft, linalg, numpy_names
from jitcore.numpy.creation import (
    arange,
    array,
    asarray,
    empty,
    empty_like,
    eye,
    from_dlpack,
    full,
    full_like,
    linspace,
    meshgrid,
    ones,
    ones_like,
    tril,
    triu,
    zeros,
    zeros_like,
)
from jitcore.numpy.data_types import (
    astype,
    broadcast_arrays,
    broadcast_shapes,
    can_cast,
    finfo,
    iinfo,
    isdtype,
    result_type,
)
from jitcore.numpy.dtypes import (
    bool,
    complex64,
    complex128,
    e,
    float16,
    float32,
    float64,
    inf,
    int8,
    int16,
    int32,
    int64,
    nan,
    newaxis,
    pi,
    uint8,
    uint16,
    uint32,
    uint64,
)
from jitcore.numpy.elementwise import (
    abs,
    acos,
    acosh,
    add,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    bitwise_and,
    bitwise_invert,
    bitwise_left_shift,
    bitwise_or,
    bitwise_right_shift,
    bitwise_xor,
    ceil,
    clip,
    conj,
    copysign,
    cos,
    cosh,
    divide,
    equal,
    exp,
    expm1,
    floor,
    floor_divide,
    greater,
    greater_equal,
    hypot,
    imag,
    isfinite,
    isinf,
    isnan,
    less,
    less_equal,
    log,
    log1p,
    log2,
    log10,
    logaddexp,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    multiply,
    negative,
    nextafter,
    not_equal,
    positive,
    pow,
    real,
    reciprocal,
    remainder,
    round,
    sign,
    signbit,
    sin,
    sinh,
    sqrt,
    square,
    subtract,
    tan,
    tanh,
    trunc,
)
from jitcore.numpy.inspection import __array_namespace_info__
from jitcore.numpy.manipulation import (
    broadcast_to,
    concat,
    expand_dims,
    flip,
    moveaxis,
    permute_dims,
    repeat,
    reshape,
    roll,
    squeeze,
    stack,
    tile,
    unstack,
)
from jitcore.numpy.products import matmul, matrix_transpose, tensordot, vecdot
from jitcore.numpy.searching import (
    argmax,
    argmin,
    argsort,
    count_nonzero,
    nonzero,
    searchsorted,
    sort,
    take,
    take_along_axis,
    unique_all,
    unique_counts,
    unique_inverse,
    unique_values,
    where,
)
from jitcore.numpy.statistical import (
    all,
    any,
    cumulative_prod,
    cumulative_sum,
    diff,
    max,
    mean,
    min,
    prod,
    std,
    sum,
    var,
)
from jitcore.types import bool_

__array_api_version__: Final = "2024.12"

__all__ = [
    "__array_api_version__", "__array_namespace_info__", "e", "inf", "nan", "newaxis", "pi", "bool", "int8", "int16",
    "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64", "complex128",
    "arange", "asarray", "empty", "empty_like", "eye", "from_dlpack", "full", "full_like", "linspace", "meshgrid",
    "ones", "ones_like", "tril", "triu", "zeros", "zeros_like", "astype", "can_cast", "finfo", "iinfo", "isdtype",
    "result_type", "abs", "acos", "acosh", "add", "asin", "asinh", "atan", "atan2", "atanh", "bitwise_and",
    "bitwise_invert", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "ceil", "clip",
    "conj", "copysign", "cos", "cosh", "divide", "equal", "exp", "expm1", "floor", "floor_divide", "greater",
    "greater_equal", "hypot", "imag", "isfinite", "isinf", "isnan", "less", "less_equal", "log", "log10", "log1p",
    "log2", "logaddexp", "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "multiply",
    "negative", "nextafter", "not_equal", "positive", "pow", "real", "reciprocal", "remainder", "round", "sign",
    "signbit", "sin", "sinh", "sqrt", "square", "subtract", "tan", "tanh", "trunc", "matmul", "matrix_transpose",
    "tensordot", "vecdot", "linalg", "fft", "broadcast_arrays", "broadcast_to", "concat", "expand_dims", "flip",
    "moveaxis", "permute_dims", "repeat", "reshape", "roll", "squeeze", "stack", "tile", "unstack", "argmax",
    "argmin", "count_nonzero", "nonzero", "searchsorted", "where", "take", "take_along_axis", "unique_all",
    "unique_counts", "unique_inverse", "unique_values", "argsort", "sort", "cumulative_prod", "cumulative_sum", "max",
    "mean", "min", "prod", "std", "sum", "var", "all", "any", "diff", "array", "bool_", "broadcast_shapes", "float16",
]  # fmt: skip

_NUMPYS: Final = {name: function for name, function in numpy_names.FUNCTIONS.items() if name not in globals()}
globals().update(_NUMPYS)
__all__ += [*_NUMPYS]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    raise AttributeError(f"jitcore.numpy has no function {name!r}")
