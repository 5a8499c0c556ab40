"""Checking the interpreter's values against their types, and what the symbols of types stand for.

| type | value |
|---|---|
| array | an ndarray |
| ref | an ndarray, to be written in place |
| Python number | bool, int, float, complex |
| stack | a list of tuples |
| union | (tag, tuple of the member's parts) |
| none, undefined | None |
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from jitcore.ir.nodes import Literal
from jitcore.source import InternalError
from jitcore.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    Dim,
    DimExpr,
    RefType,
    ScalarType,
    StackType,
    TensorType,
    Type,
    UnionType,
    dtype_of,
    evaluate_dim,
)

_PYTHON_TYPE: dict[ScalarType, type] = {BOOL: bool, INT: int, FLOAT: float, COMPLEX: complex}

Symbols = dict[str, int]
"""What each symbol stands for."""


def bare_symbol(dim: Dim) -> str | None:
    """The name of the symbol that a dimension is, if it is one alone."""
    if isinstance(dim, DimExpr) and len(dim.terms) == 1:
        monomial, coefficient = dim.terms[0]
        if coefficient == 1 and len(monomial) == 1 and isinstance(monomial[0], str):
            return monomial[0]
    return None


def concrete(param: Any, symbols: Symbols) -> Any:
    """A static parameter with the dimensions in it evaluated."""
    if isinstance(param, DimExpr):
        return evaluate_dim(param, symbols)
    if isinstance(param, tuple):
        return tuple(concrete(item, symbols) for item in cast("tuple[Any, ...]", param))
    return param


def literal_value(literal: Literal) -> Any:
    """The value of a literal."""
    type_ = literal.type
    if isinstance(type_, TensorType):
        return np.asarray(literal.value, type_.dtype.numpy)
    return literal.value


def conform(value: Any, type_: Type | None, symbols: Symbols, rebind: bool) -> Any:
    """`value` as a value of its type; symbols met for the first time (with `rebind`: at all) get their meaning.

    Raises InternalError if the value is not of the type: a primitive's rule and reference, or a pass, are wrong.
    """
    match type_:
        case TensorType():
            array = np.asarray(value)
            _match_shape(array, type_, symbols, rebind)
            return array
        case RefType(target):
            if not isinstance(value, np.ndarray):
                raise InternalError(f"{value!r} is not the memory of a {type_!r}")
            _match_shape(value, target, symbols, rebind)
        case ScalarType():
            if type(value) is not _PYTHON_TYPE[type_]:
                raise InternalError(f"{value!r} is not a {type_!r}")
        case StackType():
            if not isinstance(value, list):
                raise InternalError(f"{value!r} is not a stack")
        case UnionType(members):
            if not (isinstance(value, tuple) and 0 <= value[0] < len(members)):
                raise InternalError(f"{value!r} is not a {type_!r}")
        case None:
            raise InternalError("the interpreter runs typed graphs only")
        case _:
            pass
    return value


def _match_shape(array: np.ndarray[Any, Any], type_: TensorType, symbols: Symbols, rebind: bool) -> None:
    if dtype_of(array.dtype) is not type_.dtype or array.ndim != type_.rank:
        raise InternalError(f"an array of {array.dtype} with shape {array.shape} is not a {type_!r}")
    for extent, dim in zip(array.shape, type_.shape, strict=True):
        name = bare_symbol(dim)
        if name is not None and (rebind or name not in symbols):
            symbols[name] = extent
    for extent, dim in zip(array.shape, type_.shape, strict=True):
        if evaluate_dim(dim, symbols) != extent:
            raise InternalError(f"an array of shape {array.shape} is not a {type_!r} where {symbols}")
