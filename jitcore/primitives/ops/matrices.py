"""What primitives on stacks of matrices share: their rules and declaration, and what their derivatives are made of."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from jitcore.ir.nodes import Effects
from jitcore.primitives.core import dialects
from jitcore.primitives.core.registry import (
    Derivative,
    HostCode,
    NoDerivativeError,
    Primitive,
    Sample,
    Vjp,
    declare,
)
from jitcore.primitives.core.rules import array, differ, require_kind, tensor_type
from jitcore.primitives.core.sampling import spread
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops.linalg import matmul, swap_last
from jitcore.types import Dim, TensorType, Type, c64, c128, f32, f64, i64, shape_text

_MAY_FAIL = Effects(raises=("ValueError",))
COMPLEX = {f32: c64, f64: c128}


def matrices(type_: Type, what: str, kinds: str = "fc") -> TensorType:
    """The type of an operand that must be matrices of float32, float64 or their complex kin."""
    found = array(type_)
    require_kind(found.dtype, kinds, what)
    if found.rank < 2 or found.dtype.itemsize < 4:
        raise TypeError(f"{what} takes matrices of float32 or float64, not {found!r}")
    return found


def square(type_: Type, what: str, kinds: str = "fc") -> TensorType:
    """The type of an operand that must be square matrices."""
    found = matrices(type_, what, kinds)
    if differ(*found.shape[-2:]):
        raise ValueError(f"{what} takes square matrices, not an array of shape {shape_text(found.shape)}")
    return found


def as_computed(dtype_of: Any, *made: Any) -> Any:
    """Arrays in the dtype of another."""
    arrays = tuple(np.asarray(m).astype(np.asarray(dtype_of).dtype, copy=False) for m in made)
    return arrays[0] if len(arrays) == 1 else arrays


def _cubes(shapes: Sequence[Sequence[int]]) -> float:
    """What factorising matrices costs: a hundred multiplications or so take the time in which an element is sorted."""
    return sum(math.prod(shape) * min(shape[-2:]) for shape in shapes if len(shape) > 1) / 128


def declare_on_host(
    name: str, rule: Callable[..., Any], reference: Callable[..., Any], derivative: Derivative, samples: Any, doc: str,
    arguments: str = "x",
) -> Primitive:  # fmt: skip
    """Declare a primitive that NumPy computes and that may fail, with what the dialect raises which its parameter
    `dialect` names (`tensor:torch`; LinAlgError without it)."""
    return declare(
        name,
        arguments,
        rule=_in_any_dialect(rule),
        reference=_in_words_of(reference),
        lowering=HostCode(cost=_cubes, by_dialect=True),
        derivative=_derivative_in_any_dialect(derivative),
        samples=samples,
        effects=_MAY_FAIL,
        doc=doc,
    )


def _in_any_dialect(rule: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(rule)
    def called(*args: object, dialect: str = "", **params: object) -> Any:
        return rule(*args, **params)

    return called


def _derivative_in_any_dialect(derivative: Derivative) -> Derivative:
    if not isinstance(derivative, Vjp):
        return derivative
    return Vjp(_in_any_dialect(derivative.vjp), derivative.jvp and _in_any_dialect(derivative.jvp))


def _in_words_of(reference: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(reference)
    def computed(*args: object, dialect: str = "", **params: object) -> Any:
        try:
            return reference(*args, **params)
        except np.linalg.LinAlgError as error:
            raise dialects.refused_by(dialect, error) from None

    return computed


# --- what the derivatives are made of ------------------------------------------------------------------


def product(*factors: Any) -> Any:
    """The matrix product of several factors, from the left."""
    made = factors[0]
    for factor in factors[1:]:
        made = matmul(made, factor)
    return made


def order(n: Dim, compare: Callable[[Any, Any], Any]) -> Any:
    """Where compare(row, column) holds in a square matrix."""
    places = joining.iota(length=n, dtype=i64)
    return compare(s.expand_dims(places, axis=(1,)), s.expand_dims(places, axis=(0,)))


def identity(like: Any, axis: int = -1) -> Any:
    """The identity matrix of an extent of an array, in its dtype."""
    type_ = tensor_type(like)
    return e.cast(order(type_.shape[axis], e.equal), dtype=type_.dtype)


def lower(x: Any, strict: bool = False) -> Any:
    """The lower triangles of square matrices."""
    return e.select(order(tensor_type(x).shape[-1], e.greater if strict else e.greater_equal), x, 0)


def halved_lower(x: Any) -> Any:
    """The lower triangles, with the diagonals halved."""
    return e.add(e.mul(lower(x, strict=True), 0.5), e.mul(lower(x), 0.5))


def symmetric(x: Any) -> Any:
    """The symmetric parts of square matrices."""
    return e.mul(e.add(x, swap_last(x)), 0.5)


def as_columns(v: Any) -> Any:
    """Vectors as matrices of one column: to scale the rows of others."""
    return s.expand_dims(v, axis=(tensor_type(v).rank,))


def as_rows(v: Any) -> Any:
    """Vectors as matrices of one row: to scale the columns of others."""
    return s.expand_dims(v, axis=(tensor_type(v).rank - 1,))


def as_matrices(x: Any) -> Any:
    """One number a matrix as stacks of 1 x 1 matrices."""
    rank = tensor_type(x).rank
    return s.expand_dims(x, axis=(rank, rank + 1))


def gaps(values: Any) -> Any:
    """1 / (v_j - v_i), 0 on the diagonal (and where two are equal)."""
    gap = e.sub(as_rows(values), as_columns(values))
    same = e.equal(gap, 0)
    return e.select(same, 0, e.div(1, e.select(same, 1, gap)))


def require_real(x: Any, what: str) -> None:
    """Raise NoDerivativeError for complex matrices."""
    if tensor_type(x).dtype.kind == "c":
        raise NoDerivativeError(f"{what} of complex matrices has no derivative")


def regular(n: int, dtype: Any = f64, *batch: int) -> Any:
    """Samples of matrices that are not near singular."""
    return spread((*batch, n, n), dtype=dtype) * dtype.numpy.type(0.3) + 2 * np.eye(n, dtype=dtype.numpy)


def square_samples() -> Iterable[Sample]:
    """Samples of a function of regular matrices."""
    yield Sample((regular(3),))
    yield Sample((regular(2, f64, 2, 2),))
    yield Sample((regular(3, f32),))
    yield Sample((regular(1),))
