"""Type rules that several families of primitives share."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from jitcore.primitives.core import evaluation
from jitcore.types import BOOL, Dim, DType, RefType, ScalarType, Shape, TensorType, Type, bool_, broadcast_shapes

_KIND_NAMES = {"b": "bool", "i": "signed", "u": "unsigned", "f": "float", "c": "complex"}


def array(type_: Type, what: str = "operand") -> TensorType:
    """An argument that must be an array."""
    if not isinstance(type_, TensorType):
        raise TypeError(f"the {what} must be an array, not {type_!r}")
    return type_


def reference(type_: Type) -> TensorType:
    """What is behind an argument that must be a ref."""
    if not isinstance(type_, RefType):
        raise TypeError(f"a ref is needed, not {type_!r}")
    return type_.target


def require_dtype(type_: TensorType, dtype: DType, what: str) -> None:
    """Raise TypeError unless an array has a dtype."""
    if type_.dtype is not dtype:
        raise TypeError(f"the {what} must have dtype {dtype!r}, not {type_.dtype!r}")


def require_kind(dtype: DType, kinds: str, what: str) -> None:
    """Raise TypeError unless a dtype's kind is one of the letters in `kinds`."""
    if dtype.kind not in kinds:
        raise TypeError(
            f"{what} is not defined for {dtype!r}, only for {', '.join(_KIND_NAMES[k] for k in kinds)} dtypes"
        )


def common_dtype(types: tuple[TensorType, ...], what: str) -> DType:
    """The dtype that arrays share."""
    first = types[0].dtype
    for type_ in types[1:]:
        if type_.dtype is not first:
            raise TypeError(f"the operands of {what} must share a dtype, not have {first!r} and {type_.dtype!r}")
    return first


def elementwise_rule(name: str, arity: int, kinds: str, result: DType | None = None) -> Callable[..., Type]:
    """The rule of an elementwise operation on arrays of one dtype, whose kind is in `kinds`."""

    def rule(*types: Type) -> Type:
        if len(types) != arity:
            raise TypeError(f"{name} takes {arity} operands, not {len(types)}")
        first = types[0]
        if isinstance(first, TensorType) and types.count(first) == arity:
            require_kind(first.dtype, kinds, name)
            return first if result is None else TensorType(result, first.shape)
        operands = tuple(array(t) for t in types)
        dtype = common_dtype(operands, name)
        require_kind(dtype, kinds, name)
        shape, _ = broadcast_shapes(*(t.shape for t in operands))
        return TensorType(result or dtype, shape)

    return rule


def select_rule(condition: Type, x: Type, y: Type) -> Type:
    """The rule of `select`."""
    c, a, b = array(condition, "condition"), array(x), array(y)
    require_dtype(c, bool_, "condition")
    dtype = common_dtype((a, b), "select")
    shape, _ = broadcast_shapes(c.shape, a.shape, b.shape)
    return TensorType(dtype, shape)


def scalars(name: str, result: ScalarType, *params: ScalarType) -> Callable[..., Type]:
    """The rule of an operation on Python numbers of given types."""

    def rule(*types: Type) -> Type:
        if types != params:
            raise TypeError(f"{name} takes {params}, not {types}")
        return result

    return rule


def require_number(type_: Type, want: ScalarType, what: str) -> None:
    """Raise TypeError unless an argument is a Python number of a type."""
    if type_ is not want:
        raise TypeError(f"the {what} must be of type {want!r}, not {type_!r}")


def require_truth(type_: Type, what: str) -> None:
    """Raise TypeError unless an argument is a Python bool."""
    require_number(type_, BOOL, what)


class _Noting(threading.local):
    pairs: list[tuple[Dim, Dim]] | None = None


_noting = _Noting()


@contextmanager
def noting_extents() -> Generator[list[tuple[Dim, Dim]]]:
    """The pairs of extents that rules take to be equal meanwhile, where only the run can tell."""
    before, _noting.pairs = _noting.pairs, []
    try:
        yield _noting.pairs
    finally:
        _noting.pairs = before


def differ(a: Dim, b: Dim) -> bool:
    """Whether two extents, which must be equal, are known to be different."""
    if isinstance(a, int) and isinstance(b, int):
        return a != b
    if a is not b and _noting.pairs is not None:
        _noting.pairs.append((a, b))
    return False


def broadcast(*shapes: Shape) -> Shape:
    """NumPy's broadcast of shapes."""
    out, pairs = broadcast_shapes(*shapes)
    if _noting.pairs is not None:
        _noting.pairs += pairs
    return out


def check_axis(axis: int, rank: int, what: str) -> None:
    """Raise ValueError unless an axis is in 0 … rank-1."""
    if not 0 <= axis < rank:
        raise ValueError(f"{what}: axis {axis} of an array with {rank} dimensions")


def tensor_type(x: Any) -> TensorType:
    """The type of a value of the current evaluator that must be an array."""
    return array(evaluation.typeof(x))
