"""NumPy's universal functions that kernels have no operation for, and the partial order of elements: NumPy computes
them on the host."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, cast

import numpy as np

from jitcore.primitives.core.registry import HostCode, Nondifferentiable, Partials, Sample, declare
from jitcore.primitives.core.rules import array, broadcast, check_axis, require_kind
from jitcore.primitives.core.sampling import integers, mixed, spread
from jitcore.primitives.ops import elementwise as e
from jitcore.types import Shape, TensorType, Type, dtype_of, f32, f64, i32, i64, u8

NAMES: Final = frozenset(["bitwise_count", "cbrt", "frexp", "gcd", "lcm", "ldexp", "nextafter", "spacing"])
"""The functions that `numpy_ufunc` computes."""


def _rule(*operands: Type, name: str, output: int = 0) -> TensorType:
    function = getattr(np, name)
    types = [array(o) for o in operands]
    shape: Shape = ()
    for type_ in types:
        shape = broadcast(shape, type_.shape)
    dtypes = function.resolve_dtypes((*(t.dtype.numpy for t in types), *(None,) * function.nout))
    for have, wanted in zip(types, dtypes, strict=False):
        if have.dtype.numpy != wanted:
            raise TypeError(f"{name} takes {wanted}, not {have.dtype.numpy}")
    return TensorType(dtype_of(dtypes[function.nin + output]), shape)


def _reference(*operands: Any, name: str, output: int = 0) -> Any:
    with np.errstate(all="ignore"):
        made = getattr(np, name)(*operands)
    return np.asarray(made[output] if isinstance(made, tuple) else made)


def _partials(out: Any, *operands: Any, name: str, output: int = 0) -> Sequence[Callable[[], Any] | None]:
    if name == "cbrt":
        return (lambda: e.div(1, e.mul(3, e.mul(out, out))),)
    if name == "ldexp":
        return (lambda: numpy_ufunc(e.add(e.mul(operands[0], 0), 1), operands[1], name=name), None)
    if name == "nextafter":
        return (lambda: 1, None)
    if name == "frexp" and output == 0:
        places = numpy_ufunc(*operands, name=name, output=1)
        ones = e.add(e.mul(operands[0], 0), 1)
        return (lambda: numpy_ufunc(ones, e.neg(places), name="ldexp"),)
    return tuple(None for _ in operands)


def _samples() -> Iterable[Sample]:
    for dtype in (f64, f32):
        yield Sample((spread((2, 3), 0.3, 3.0, dtype),), {"name": "cbrt"})
        yield Sample((spread((3,), 0.3, 0.9, dtype), integers([1, -2, 3], i64)), {"name": "ldexp"})
        yield Sample((mixed((3,), 1, dtype), mixed((2, 1), 2, dtype)), {"name": "nextafter"}, differentiable=False)
        yield Sample((mixed((3,), 1, dtype),), {"name": "spacing"}, differentiable=False)
    for output in range(2):
        yield Sample((spread((4,), 1.1, 1.9),), {"name": "frexp", "output": output})
    for dtype in (i64, i32, u8):
        for name in ("gcd", "lcm"):
            yield Sample((integers([[12], [7]], dtype), integers([18, 0, 14], dtype)), {"name": name})
        yield Sample((integers([0, 7, 100], dtype),), {"name": "bitwise_count"})


numpy_ufunc = declare(
    "numpy_ufunc",
    "*xs",
    rule=_rule,
    reference=_reference,
    lowering=HostCode(),
    derivative=Partials(_partials),
    samples=_samples,
    doc="A result of NumPy's function `name` (number `output`, where it has several) on arrays "
    "of a type that it has a loop for.",
)


# --- partial order -----------------------------------------------------------------------------------


def _partition_rule(x: Type, *, axis: int, kth: tuple[int, ...], of_places: bool = False) -> TensorType:
    type_ = array(x)
    require_kind(type_.dtype, "biufc", "partition")
    check_axis(axis, type_.rank, "partition")
    return TensorType(i64, type_.shape)


def _partition_reference(x: Any, *, axis: int, kth: tuple[int, ...], of_places: bool = False) -> Any:
    if of_places:
        return np.argpartition(x, kth, axis)
    values = np.partition(x, kth, axis)
    places = np.empty(x.shape, np.int64)
    np.put_along_axis(places, np.argsort(values, axis, kind="stable"), np.argsort(x, axis, kind="stable"), axis)
    return places


def _partition_samples() -> Iterable[Sample]:
    for dtype in (f64, i64):
        yield Sample((mixed((3, 7), 1, dtype),), {"axis": 1, "kth": (2,)})
        yield Sample((mixed((7, 2), 2, dtype),), {"axis": 0, "kth": (1, 4), "of_places": True})


partition_places = declare(
    "partition_places",
    "x",
    rule=_partition_rule,
    reference=_partition_reference,
    lowering=HostCode(),
    derivative=Nondifferentiable("a position has no derivative"),
    samples=_partition_samples,
    doc="Where the elements of `np.partition(x, kth, axis)` come from; `of_places`: those of `np.argpartition`.",
)


# --- distinct elements -------------------------------------------------------------------------------


def _distinct_rule(x: Type, *, equal_nan: bool) -> tuple[TensorType, TensorType]:
    type_ = array(x)
    require_kind(type_.dtype, "biufc", "distinct_places")
    if type_.rank != 1:
        raise TypeError(f"distinct_places takes an array of one dimension, not {type_!r}")
    return TensorType(i64, type_.shape), TensorType(i64, ())


def _distinct_reference(x: Any, *, equal_nan: bool) -> tuple[Any, Any]:
    values = np.unique(x, equal_nan=equal_nan, sorted=False)
    places = np.zeros(x.shape, np.int64)
    order = np.argsort(x, kind="stable")
    places[: values.size] = order[np.searchsorted(x, values, sorter=order)]
    return places, np.array(values.size, np.int64)


def _distinct_samples() -> Iterable[Sample]:
    for dtype in (f64, i64):
        yield Sample((mixed((7,), 1, dtype),), {"equal_nan": True})
    yield Sample((np.array([2.0, np.nan, 2.0, np.nan, -1.0]),), {"equal_nan": False})
    yield Sample((np.zeros(0),), {"equal_nan": False})


distinct_places = declare(
    "distinct_places",
    "x",
    rule=_distinct_rule,
    reference=_distinct_reference,
    lowering=HostCode(),
    derivative=Nondifferentiable("a position has no derivative"),
    samples=_distinct_samples,
    doc="(where the elements of `np.unique(x, sorted=False)` come from, and then zeros; how many "
    "there are), in NumPy's own order.",
)


def resolved(name: str, *dtypes: Any) -> tuple[Any, ...]:
    """The dtypes in which NumPy's function computes for operands of these dtypes (Python's classes for numbers). Raises
    TypeError."""
    function: Any = getattr(np, name)
    found = function.resolve_dtypes((*dtypes, *(None,) * function.nout))
    return tuple(cast("Any", dtype_of(d)) for d in found[: function.nin])
