"""Which dtype an operation computes in: MindSpore's table where a Tensor takes part, NumPy 2's otherwise.

    result_dtype("add", [(f32, "tensor"), (i64, "tensor")])     # f32: a float keeps its dtype
    result_dtype("add", [(f32, "ndarray"), (i64, "ndarray")])   # f64: NumPy's
    result_dtype("add", [(i32, "tensor"), (f64, "float")])      # f32: a Python number is weak
    result_dtype("div", [(i32, "ndarray"), (i64, "int")])       # f64

Operands are (dtype, category) pairs, categories as in `library`. Python numbers are weak: they take the dtype of the
arrays unless their kind is higher. Comparisons give bool_; asked here is what they compare in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from jitcore.types import DType, bool_, c64, c128, dtype_of, f16, f32, f64, i8, i16, i64, u8, u16, u64

FLOAT_FUNCTIONS: Final = frozenset(
    [
        "exp",
        "expm1",
        "log",
        "log1p",
        "sqrt",
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
        "sigmoid",
        "softplus",
        "erf",
        "rint",
        "copysign",
        "atan2",
    ]
)
"""Operations that compute in a float dtype whatever they are given."""

COMPARISONS: Final = frozenset(["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"])
BIT_OPERATIONS: Final = frozenset(
    ["bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "left_shift", "right_shift"]
)
_FLOAT_TESTS: Final = frozenset(("isnan", "isinf", "isfinite"))
_WIDENING_BOOL: Final = frozenset(("floordiv", "mod", "pow", "left_shift", "right_shift"))
"""Operations that NumPy does on bools as int8."""

_WEAK: Final[dict[str, Any]] = {"int": 0, "float": 0.0, "complex": 0j}


def result_dtype(kind: str, operands: Sequence[tuple[Any, ...]]) -> DType:
    """The dtype that the elementwise operation `kind` (a primitive's name) computes in.

    `operands`: (dtype, category) of each. Raises TypeError where NumPy has no such operation.
    """
    tensors = any(category == "tensor" for _, category, *_ in operands)
    common = _tensor_dtype(operands) if tensors else _numpy_dtype(operands)
    if kind in COMPARISONS:
        return _compared_in(common, operands)
    if kind in BIT_OPERATIONS and common.kind not in "biu":
        raise TypeError(f"{kind} is not defined for {common.numpy}, only for integers and bools")
    if common is bool_ and kind in _WIDENING_BOOL:
        return i8
    if common.kind in "fc":
        return common
    if kind == "div":
        return f32 if tensors else f64
    if kind in FLOAT_FUNCTIONS:
        return f32 if tensors else _float_of(operands, common)
    return f64 if kind in _FLOAT_TESTS else common


def _float_of(operands: Sequence[tuple[Any, ...]], common: DType) -> DType:
    """The float dtype that holds integer operands, each as NumPy's functions take it."""
    strong = {dtype for dtype, category, *_ in operands if category not in _WEAK}
    if strong <= {bool_}:  # a Python int beside them is no weaker than they
        return _NARROW_FLOATS.get(common, f64)
    return max((_NARROW_FLOATS.get(d, f64) for d in strong), key=_order)


_NARROW_FLOATS: Final = {bool_: f16, i8: f16, u8: f16, i16: f32, u16: f32}
"""The float dtypes that hold all values of narrow integers."""


def _numpy_dtype(operands: Sequence[tuple[Any, ...]]) -> DType:
    terms: list[Any] = [_WEAK.get(category, dtype.numpy) for dtype, category, *_ in operands]
    return dtype_of(np.result_type(*terms))


def _tensor_dtype(operands: Sequence[tuple[Any, ...]]) -> DType:
    """MindSpore's order: bool < integers (among themselves as NumPy's) < float16 < float32 < float64 < complex."""
    strong = [dtype for dtype, category, *_ in operands if category not in _WEAK]
    weak = {category for _, category, *_ in operands if category in _WEAK}
    highest = max(strong, key=_order)
    if highest.kind in "biu":
        common = dtype_of(np.result_type(*(d.numpy for d in strong)))
    elif highest.kind == "c":
        common = c128 if any(d in (f64, c128) for d in strong) else c64
    else:
        common = highest
    if "complex" in weak and common.kind != "c":
        return c128 if common is f64 else c64
    if "float" in weak and common.kind in "biu":
        return f32
    return i64 if "int" in weak and common is bool_ else common


def _order(dtype: DType) -> tuple[int, int]:
    return {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}[dtype.kind], dtype.itemsize


def _compared_in(common: DType, operands: Sequence[tuple[Any, ...]]) -> DType:
    """A dtype that holds both sides of a comparison, since NumPy compares integers by value."""
    integers = {dtype for dtype, category, *_ in operands if dtype.is_integer and category not in _WEAK}
    if common.is_float and integers and all(dtype.kind in "biu" for dtype, *_ in operands):
        raise TypeError(
            "comparing unsigned with signed 64-bit integers is not supported: cast one to the other's dtype"
        )
    if common.is_integer and common is not u64 and any(category == "int" for _, category, *_ in operands):
        return i64  # a Python int may be past the array's dtype
    return common
