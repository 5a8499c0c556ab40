"""The closed set of scalar operations that kernels and programs are made of, and what each means.

Element operations follow NumPy on the dtype of their arguments: integers wrap, integer division by zero
gives 0, NaN propagates. Checks that Python asks for (overflow, zero division, domains) are made by
program IR with the `*_overflows` predicates before the operation.
`libm.*` are CPython's own results for Python floats (the platform's C library, correctly the same bits);
the plain names are vectorised approximations with the stated worst error in ULP (f32 / f64).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jitcore.structs import dataclass

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class ScalarOp:
    """`kind`: arithmetic (all arguments and the result of one dtype), compare (result bool_), select
    (bool_, then two of the result's dtype), convert (one argument, any dtype to the result's)."""

    name: str
    arity: int
    kind: str
    reference: Callable[..., Array]
    """On NumPy arrays of the arguments' dtypes; for `convert` the result's dtype is given as `dtype=`."""
    ulp: tuple[float, float] = (0.5, 0.5)
    long: bool = False
    """Whether it takes as long as a division with a remainder."""
    is_c99: bool = False
    """Whether the C library computes it of complex numbers, under `c` and its name."""

    @property
    def is_cheap(self) -> bool:
        """Whether computing it again costs less than reading what it gave from memory."""
        return self.ulp == (0.5, 0.5) and not self.long


def _wrapping(function: Callable[..., Any]) -> Callable[..., Array]:
    def call(*args: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(function(*args))

    return call


def _convert(value: Array, dtype: np.dtype[Any]) -> Array:
    with np.errstate(all="ignore"):
        return value.astype(dtype)


def _shift_left(a: Array, b: Array) -> Array:
    return np.left_shift(a, b)


def _overflow_add(a: Array, b: Array) -> Array:
    wrapped = a + b
    return ((a ^ wrapped) & (b ^ wrapped)) < 0


def _overflow_sub(a: Array, b: Array) -> Array:
    wrapped = a - b
    return ((a ^ b) & (a ^ wrapped)) < 0


def _overflow_mul(a: Array, b: Array) -> Array:
    exact = a.astype(object) * b.astype(object)
    return np.asarray((exact > 2**63 - 1) | (exact < -(2**63)), dtype=bool)


def _libm(name: str) -> Callable[..., Array]:
    def one(*args: float) -> float:
        try:
            return abs(complex(*args)) if name == "hypot" else getattr(math, name)(*args)  # math.hypot has its own
        except (ValueError, OverflowError):
            return float(getattr(np, {"pow": "power", "fmod": "fmod", "atan2": "arctan2"}.get(name, name))(*args))

    return np.vectorize(one, otypes=[np.float64])


def _by_element(function: Callable[[float], float]) -> Callable[[Array], Array]:
    return lambda a: np.vectorize(function, otypes=[a.dtype])(a)


def _complex(re: Array, im: Array, dtype: np.dtype[Any]) -> Array:
    made = np.empty(np.broadcast_shapes(re.shape, im.shape), dtype)
    made.real = re
    made.imag = im
    return made


def _product(a: Array, b: Array) -> Array:
    """Of complex numbers by their parts, each product rounded: NumPy's loops fuse some of them, as lengths have it."""
    if a.dtype.kind != "c":
        return np.multiply(a, b)
    (p, q), (r, s) = ((np.real(x), np.imag(x)) for x in (a, b))
    return _complex(np.asarray(p * r - q * s), np.asarray(p * s + q * r), a.dtype)


def _table() -> Mapping[str, ScalarOp]:
    w = _wrapping
    rows: list[tuple[Any, ...]] = [
        # name, arity, kind, reference, ulp, long, is_c99
        ("add", 2, "arithmetic", w(np.add)),
        ("sub", 2, "arithmetic", w(np.subtract)),
        ("mul", 2, "arithmetic", w(_product)),
        ("div", 2, "arithmetic", w(np.true_divide)),  # floats and complex
        ("floordiv", 2, "arithmetic", w(np.floor_divide), (0.5, 0.5), True),
        ("mod", 2, "arithmetic", w(np.remainder), (0.5, 0.5), True),  # sign of the divisor
        ("fmod", 2, "arithmetic", w(np.fmod), (0.5, 0.5), True),  # sign of the dividend
        ("neg", 1, "arithmetic", w(np.negative)),
        ("abs", 1, "arithmetic", w(np.abs)),
        ("sign", 1, "arithmetic", w(np.sign)),
        ("max", 2, "arithmetic", w(np.maximum)),
        ("min", 2, "arithmetic", w(np.minimum)),
        ("copysign", 2, "arithmetic", w(np.copysign)),
        ("sqrt", 1, "arithmetic", w(np.sqrt), (0.5, 0.5), False, True),
        ("exp", 1, "arithmetic", w(np.exp), (1.6, 1.6), False, True),
        ("expm1", 1, "arithmetic", w(np.expm1), (1.5, 1.5)),
        ("log", 1, "arithmetic", w(np.log), (1, 1), False, True),
        ("log1p", 1, "arithmetic", w(np.log1p), (1.5, 1.5)),
        ("softplus", 1, "arithmetic", w(lambda a: np.logaddexp(a.dtype.type(0), a)), (1.5, 1.5)),
        ("sin", 1, "arithmetic", w(np.sin), (1.6, 1.6), False, True),
        ("cos", 1, "arithmetic", w(np.cos), (1.6, 1.6), False, True),
        ("tan", 1, "arithmetic", w(np.tan), (2, 2), False, True),
        ("asin", 1, "arithmetic", w(np.arcsin), (1.6, 1.6), False, True),
        ("acos", 1, "arithmetic", w(np.arccos), (1.3, 1.3), False, True),
        ("atan", 1, "arithmetic", w(np.arctan), (1.5, 1.7), False, True),
        ("atan2", 2, "arithmetic", w(np.arctan2), (1.6, 1.7)),
        ("sinh", 1, "arithmetic", w(np.sinh), (2, 2), False, True),
        ("cosh", 1, "arithmetic", w(np.cosh), (1.6, 1.6), False, True),
        ("tanh", 1, "arithmetic", w(np.tanh), (3, 3), False, True),
        ("asinh", 1, "arithmetic", w(np.arcsinh), (2, 2), False, True),
        ("acosh", 1, "arithmetic", w(np.arccosh), (1.8, 1.8), False, True),
        ("atanh", 1, "arithmetic", w(np.arctanh), (2, 2), False, True),
        ("sigmoid", 1, "arithmetic", w(lambda a: 1 / (1 + np.exp(-a))), (2, 2)),
        ("erf", 1, "arithmetic", w(_by_element(math.erf)), (1.3, 1.1)),
        ("erfc", 1, "arithmetic", w(_by_element(math.erfc)), (0.51, 1.6)),
        ("pow", 2, "arithmetic", w(np.power), (1, 1), False, True),
        ("floor", 1, "arithmetic", w(np.floor)),
        ("ceil", 1, "arithmetic", w(np.ceil)),
        ("trunc", 1, "arithmetic", w(np.trunc)),
        ("rint", 1, "arithmetic", w(np.rint)),  # half to even
        ("and", 2, "arithmetic", np.bitwise_and),
        ("or", 2, "arithmetic", np.bitwise_or),
        ("xor", 2, "arithmetic", np.bitwise_xor),
        ("not", 1, "arithmetic", np.invert),
        ("shl", 2, "arithmetic", _shift_left),  # a shift past the width gives 0
        ("shr", 2, "arithmetic", np.right_shift),  # arithmetic for signed; past the width: 0 or -1
        ("eq", 2, "compare", np.equal),
        ("ne", 2, "compare", np.not_equal),
        ("lt", 2, "compare", np.less),
        ("le", 2, "compare", np.less_equal),
        ("gt", 2, "compare", np.greater),
        ("ge", 2, "compare", np.greater_equal),
        ("isnan", 1, "compare", np.isnan),
        ("isinf", 1, "compare", np.isinf),
        ("isfinite", 1, "compare", np.isfinite),
        ("add_overflows", 2, "compare", w(_overflow_add), (0.5, 0.5), True),  # i64
        ("sub_overflows", 2, "compare", w(_overflow_sub), (0.5, 0.5), True),
        ("mul_overflows", 2, "compare", w(_overflow_mul), (0.5, 0.5), True),
        ("select", 3, "select", np.where),
        ("cast", 1, "convert", _convert),
        ("real", 1, "convert", lambda a, dtype: np.real(a)),
        ("imag", 1, "convert", lambda a, dtype: np.imag(a)),
        ("complex", 2, "convert", _complex),
    ]
    for name in [
        "exp",
        "expm1",
        "exp2",
        "log",
        "log1p",
        "log2",
        "log10",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "erf",
        "erfc",
        "gamma",
        "lgamma",
        "cbrt",
    ]:
        rows.append((f"libm.{name}", 1, "arithmetic", _libm(name), (0.5, 0.5), True))
    for name in ("pow", "atan2", "fmod", "hypot"):
        rows.append((f"libm.{name}", 2, "arithmetic", _libm(name), (0.5, 0.5), True))
    return {row[0]: ScalarOp(*row) for row in rows}


PARTS: Final = ("real", "imag")
"""The operations that give the parts of a complex number."""
OPS: Final[Mapping[str, ScalarOp]] = _table()
