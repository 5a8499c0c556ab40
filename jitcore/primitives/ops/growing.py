"""Arrays that grow by rows: what a list whose length is known only at run time is made of.

A column has more rows than the list has items, so that appending an item is writing a row, and only now and then moving
all of them. Each operation gives a new array as far as values go; `plan` writes into the memory of one that dies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from jitcore.primitives import tracing
from jitcore.primitives.core import broadcasting
from jitcore.primitives.core.registry import Builtin, HostCode, Linear, Nondifferentiable, Sample, View, declare
from jitcore.primitives.core.rules import array, common_dtype, differ, require_kind, require_number, tensor_type
from jitcore.primitives.core.sampling import mixed, spread
from jitcore.primitives.ops import copying, views
from jitcore.types import INT, Dim, Shape, TensorType, Type, f32, i64, symbol

LONG: Final = 17
"""From this many items on, a list of numbers is a column where the run says which item is meant, and as an argument."""

GROWTH: Final = (2, 8)
"""A column that is full at n rows gets 2 * n + 8: appending takes constant time on average."""


def row_spec(shape: Shape) -> views.Spec:
    """The view of one row, whose number is the view's only value."""
    return (("i", 0), *(("s", 0, 1, d) for d in shape[1:]))


def first_rows(x: Any, rows: Dim) -> Any:
    """The view of the first rows."""
    shape = tensor_type(x).shape
    return views.view_index(x, spec=(("s", 0, 1, rows), *(("s", 0, 1, d) for d in shape[1:])))


def _pick_rule(x: Type, k: Type) -> Type:
    type_ = _column(x)
    require_number(k, INT, "number of the row")
    return TensorType(type_.dtype, type_.shape[1:])


def _pick_transpose(cotangents: Sequence[Any], x: Any, k: Any) -> Sequence[Any]:
    return (add_row(_filled(0, tensor_type(x)), k, cotangents[0]), None)


pick_row = declare(
    "pick_row",
    "x k",
    rule=_pick_rule,
    reference=lambda x, k: x[k],
    lowering=View(lambda view, k: views.view_layout(view, k, spec=row_spec(view.shape))),
    derivative=Linear((0,), _pick_transpose),
    samples=lambda: (
        Sample((spread((4, 3)), 2)),
        Sample((spread((5,), dtype=f32), 0)),
        Sample((mixed((3,), 2, i64), 1)),
    ),
    doc="Row k of x, which it must have.",
)


def _column(x: Type) -> TensorType:
    type_ = array(x)
    if not type_.rank:
        raise TypeError("a column has rows")
    return type_


def _room_rule(x: Type, n: Type, *, symbol: str) -> Type:
    type_ = _column(x)
    require_number(n, INT, "number of rows")
    return TensorType(type_.dtype, (_symbol(symbol), *type_.shape[1:]))


_symbol = symbol


def _room(x: Any, n: int, *, symbol: str) -> Any:
    if n < len(x):
        return x
    factor, more = GROWTH
    made = np.zeros((factor * n + more, *x.shape[1:]), x.dtype)
    made[: len(x)] = x
    return made


def _room_transpose(cotangents: Sequence[Any], x: Any, n: Any, *, symbol: str) -> Sequence[Any]:
    return (first_rows(cotangents[0], tensor_type(x).shape[0]), None)


room = declare(
    "room",
    "x n",
    rule=_room_rule,
    reference=_room,
    lowering=Builtin(memory="grown"),
    derivative=Linear((0,), _room_transpose),
    samples=lambda: (
        Sample((spread((4, 2)), 2), {"symbol": "rows"}),
        Sample((spread((3,)), 3), {"symbol": "rows"}),
    ),
    doc="x with room for a row n (n is at most x's number of rows): x itself, or a longer column that ends in zeros.",
)


def _row_rule(x: Type, k: Type, v: Type) -> Type:
    type_, value = _column(x), array(v, "row")
    require_number(k, INT, "number of the row")
    common_dtype((type_, value), "a column and its row")
    if value.rank != type_.rank - 1 or any(map(differ, value.shape, type_.shape[1:])):
        raise ValueError(f"a row of shape {value.shape} for a column of shape {type_.shape}")
    return type_


def _put(x: Any, k: int, v: Any) -> Any:
    made = np.array(x)
    made[k] = v
    return made


def _put_transpose(cotangents: Sequence[Any], x: Any, k: Any, v: Any) -> Sequence[Any]:
    cotangent = cotangents[0]
    part = copying.copy(pick_row(cotangent, k))
    zero = np.zeros((), tensor_type(v).dtype.numpy).item()
    shape = tensor_type(v).shape
    cleared = put_row(cotangent, k, _filled(zero, TensorType(tensor_type(v).dtype, shape)))
    return (cleared, None, part)


def _filled(value: Any, type_: TensorType) -> Any:
    return broadcasting.filled(value, type_) if type_.shape else tracing.constant(value, type_.dtype)


def _samples() -> Iterable[Sample]:
    yield Sample((spread((4, 3)), 2, spread((3,))))
    yield Sample((spread((5,)), 0, mixed((), 1)))
    yield Sample((spread((4, 2, 3), dtype=f32), 3, mixed((2, 3), 1, f32)))
    yield Sample((mixed((3,), 2, i64), 1, mixed((), 1, i64)), differentiable=False)


put_row = declare(
    "put_row",
    "x k v",
    rule=_row_rule,
    reference=_put,
    lowering=Builtin(memory="grown"),
    derivative=Linear((0, 2), _put_transpose),
    samples=_samples,
    doc="x with another row k, which it must have.",
)


def _add(x: Any, k: int, v: Any) -> Any:
    made = np.array(x)
    made[k] = made[k] + v
    return made


add_row = declare(
    "add_row",
    "x k v",
    rule=_row_rule,
    reference=_add,
    lowering=Builtin(memory="grown"),
    derivative=Linear((0, 2), lambda cts, x, k, v: (cts[0], None, copying.copy(pick_row(cts[0], k)))),
    samples=_samples,
    doc="x with v added to row k, which it must have.",
)


def _order_rule(*keys: Type, descending: bool) -> Type:
    columns = [_column(key) for key in keys]
    for column in columns:
        require_kind(column.dtype, "biuf", "sorted_order")
    return TensorType(i64, (columns[0].shape[0],))


def _order(*keys: Any, descending: bool) -> Any:
    rows: list[Any] = keys[0].tolist() if len(keys) == 1 else list(zip(*(k.tolist() for k in keys), strict=True))
    return np.array(sorted(range(len(rows)), key=rows.__getitem__, reverse=descending), np.int64)


sorted_order = declare(
    "sorted_order",
    "*keys",
    rule=_order_rule,
    reference=_order,
    lowering=HostCode(),
    derivative=Nondifferentiable("it gives positions"),
    samples=lambda: (
        Sample((mixed((5,), 1),), {"descending": False}),
        Sample((mixed((6,), 2, i64), mixed((6,), 3)), {"descending": True}),
    ),
    doc="The positions of a list's items in the order in which Python sorts them by keys, or by tuples of keys.",
)
