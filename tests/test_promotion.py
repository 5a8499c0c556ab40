"""Which dtype operations compute in: NumPy's own for arrays, MindSpore's table for Tensors."""

from __future__ import annotations

import operator
import warnings
from typing import Any

import numpy as np
import pytest

from jitcore.primitives.core.promotion import result_dtype
from jitcore.types import (
    DTYPES,
    DType,
    bool_,
    c64,
    c128,
    dtype_of,
    f16,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
    u8,
    u64,
)

BINARY = {
    "add": operator.add,
    "mul": operator.mul,
    "div": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
    "maximum": np.maximum,
    "atan2": np.arctan2,
    "copysign": np.copysign,
    "bitwise_and": operator.and_,
    "left_shift": operator.lshift,
}
UNARY = {"exp": np.exp, "sqrt": np.sqrt, "rint": np.rint, "floor": np.floor, "abs": np.abs}
NUMBERS = {"int": 1, "float": 1.0, "complex": 1j, "bool": True}
DTYPE_OF_NUMBER = {"int": i64, "float": f64, "complex": c128, "bool": bool_}


def by_numpy(function: Any, *operands: Any) -> DType | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return dtype_of(np.asarray(function(*operands)).dtype)
        except TypeError:
            return None


def ones(dtype: DType) -> np.ndarray[Any, Any]:
    return np.ones(2, dtype.numpy)


@pytest.mark.parametrize("kind", BINARY)
def test_arrays_promote_as_numpys(kind: str) -> None:
    for a in DTYPES.values():
        for b in DTYPES.values():
            want = by_numpy(BINARY[kind], ones(a), ones(b))
            if want is not None:
                assert result_dtype(kind, [(a, "ndarray"), (b, "npscalar")]) is want, (a, b)


@pytest.mark.parametrize("kind", BINARY)
def test_python_numbers_are_weak_as_numpys(kind: str) -> None:
    for a in DTYPES.values():
        for category, number in NUMBERS.items():
            want = by_numpy(BINARY[kind], ones(a), number)
            if want is not None:
                have = result_dtype(kind, [(a, "ndarray"), (DTYPE_OF_NUMBER[category], category)])
                assert have is want, (a, category)


@pytest.mark.parametrize("kind", UNARY)
def test_functions_promote_as_numpys(kind: str) -> None:
    for a in DTYPES.values():
        want = by_numpy(UNARY[kind], ones(a))
        if want is not None and not (kind == "abs" and a.kind == "c"):
            assert result_dtype(kind, [(a, "ndarray")]) is want, a


@pytest.mark.parametrize(
    ("kind", "operands", "want"),
    [
        ("add", [(bool_, "tensor"), (u8, "tensor")], u8),
        ("add", [(u8, "tensor"), (i8, "tensor")], i16),
        ("add", [(i64, "tensor"), (f16, "tensor")], f16),
        ("add", [(i64, "tensor"), (f32, "tensor")], f32),
        ("add", [(f32, "tensor"), (f64, "ndarray")], f64),
        ("mul", [(i32, "tensor"), (f64, "float")], f32),
        ("mul", [(f16, "tensor"), (f64, "float")], f16),
        ("mul", [(f64, "float"), (f64, "tensor")], f64),
        ("mul", [(i8, "tensor"), (i64, "int")], i8),
        ("mul", [(bool_, "tensor"), (i64, "int")], i64),
        ("mul", [(f32, "tensor"), (i64, "int")], f32),
        ("mul", [(f32, "tensor"), (c128, "complex")], c64),
        ("mul", [(f64, "tensor"), (c64, "tensor")], c128),
        ("div", [(i32, "tensor"), (i32, "tensor")], f32),
        ("div", [(f64, "tensor"), (i32, "tensor")], f64),
        ("div", [(i32, "ndarray"), (i32, "tensor")], f32),
        ("exp", [(i32, "tensor")], f32),
        ("less", [(i64, "tensor"), (f32, "tensor")], f32),
        ("isnan", [(i64, "ndarray")], f64),
    ],
)
def test_tensors_promote_by_mindspores_table(kind: str, operands: Any, want: DType) -> None:
    assert result_dtype(kind, operands) is want
    assert result_dtype(kind, operands[::-1]) is want


def test_comparisons_are_by_value() -> None:
    """NumPy says that no uint8 is 300, whatever 300 would wrap to."""
    assert result_dtype("less", [(u8, "ndarray"), (i64, "int")]) is i64
    assert result_dtype("less", [(f32, "ndarray"), (i64, "int")]) is f32
    with pytest.raises(TypeError, match="unsigned with signed 64-bit"):
        result_dtype("equal", [(u64, "ndarray"), (i64, "ndarray")])


def test_bits_of_floats_are_refused() -> None:
    with pytest.raises(TypeError, match="bitwise_and is not defined for float64"):
        result_dtype("bitwise_and", [(f32, "ndarray"), (i32, "ndarray")])


def test_numbers_alone() -> None:
    assert result_dtype("add", [(i64, "int"), (i64, "int")]) is i64
    assert result_dtype("add", [(i64, "int"), (f64, "float")]) is f64
    assert result_dtype("div", [(i64, "int"), (i64, "int")]) is f64
