"""An evaluator that computes primitives with their NumPy references: what derivative rules and definitions are tested
with.

with evaluating_by(NumpyEvaluator()):
    mul(np.array([1.0, 2.0]), 3)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jitcore.primitives.core.registry import Place, Primitive, StackSample
from jitcore.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    STACK,
    DType,
    RefType,
    ScalarType,
    TensorType,
    Type,
    bool_,
    dtype_of,
)

_NUMBERS: dict[type, ScalarType] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}


def type_of_value(value: Any) -> Type:
    """The type of an array, a number, or what stands for a ref or stack in a sample."""
    if isinstance(value, np.ndarray | np.generic):
        return TensorType(dtype_of(value.dtype), value.shape)
    if isinstance(value, Place):
        return RefType(TensorType(dtype_of(value.array.dtype), value.array.shape))
    if isinstance(value, StackSample):
        return STACK
    found = _NUMBERS.get(type(value))
    if found is None:
        raise TypeError(f"{value!r} is no value of a program")
    return found


class NumpyEvaluator:
    """Values are NumPy arrays and Python numbers; results are checked against the primitive's type rule."""

    def bind(self, primitive: Primitive, args: tuple[Any, ...], params: Mapping[str, Any]) -> Any:
        """Evaluate; see `evaluation.Evaluator`."""
        args, types = _operands(primitive, args, params)
        made = primitive.reference(*args, **params)
        results: tuple[Any, ...] = made if len(types) != 1 else (made,)
        for result, type_ in zip(results or (), types, strict=True):
            if not isinstance(type_, RefType) and type_ is not STACK and type_of_value(result) is not type_:
                raise TypeError(f"{primitive} gave {type_of_value(result)!r} where its rule says {type_!r}")
        return made

    def type_of(self, value: Any) -> Type:
        """The type of a value."""
        return type_of_value(value)


def _operands(
    primitive: Primitive, args: tuple[Any, ...], params: Mapping[str, Any]
) -> tuple[tuple[Any, ...], tuple[Type, ...]]:
    """The arguments a primitive takes, numbers among arrays made arrays if it takes no numbers; and its result
    types."""
    dtype: DType | None = None
    for arg in args:
        if isinstance(arg, np.ndarray) and (dtype is None or dtype is bool_):
            dtype = dtype_of(arg.dtype)
    try:
        return args, primitive.types([type_of_value(a) for a in args], params)
    except TypeError:
        if dtype is None or not any(type(a) in _NUMBERS for a in args):
            raise
    arrays = tuple(np.array(a, dtype.numpy) if type(a) in _NUMBERS else a for a in args)
    return arrays, primitive.types([type_of_value(a) for a in arrays], params)
