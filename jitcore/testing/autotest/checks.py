"""What is compared of one call: line by line and compiled, values, operands written to, gradients, vmap.

mismatch = examine(call, sides, graphs, options)      # None if jitcore does what the reference does
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

import numpy as np

import jitcore
from jitcore.structs import dataclass, field, replace
from jitcore.testing.autotest.calls import Call, Operand
from jitcore.testing.autotest.items import Difference, Item, Tolerance, difference
from jitcore.testing.autotest.sides import Outcome, Side

Compiler: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]

EAGER: Final = "eager"
GRAPH: Final = "graph"
AGAIN: Final = "graph, called again with the same inputs"
OTHER: Final = "graph, called with other shapes before"
VMAP: Final = "vmap"
DERIVATIVES: Final = ("gradient", "second derivative")
"""Parts of outcomes that are compared where gradients are wanted."""
_ROWS: Final = 3
"""Of the batches that vmap is tried with."""


@dataclass(frozen=True, slots=True)
class Options:
    """What is checked; see `autotest`."""

    tolerance: Tolerance = Tolerance()
    auto_backward: bool = True
    check_graph: bool = True
    check_second_order: bool = False
    check_vmap: bool = False
    check_layouts: bool = True
    check_empty: bool = False
    compiler: Compiler = jitcore.jit

    @property
    def order(self) -> int:
        """Of which order derivatives are compared."""
        return 0 if not self.auto_backward else 2 if self.check_second_order else 1


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """The reference and jitcore, with the root of texts on each."""

    reference: Side
    mine: Side
    roots: tuple[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Mismatch:
    """A call that differs: in which way of running it, in what part of the outcome, how."""

    call: Call
    way: str
    part: str
    difference: Difference | None = None
    error: Exception | None = None
    expected: Exception | None = None

    def is_like(self, other: Mismatch | None) -> bool:
        """Whether another call differs in the same way."""
        if other is None or (self.call.name, self.way, self.part) != (other.call.name, other.way, other.part):
            return False
        kinds = [m.difference.what if m.difference else type(m.error or m.expected) for m in (self, other)]
        return kinds[0] == kinds[1]

    def __str__(self) -> str:
        if self.difference is not None:
            return f"{self.way}: {self.part}: {self.difference}"
        if self.error is None:
            return f"{self.way}: the reference raises {_named(self.expected)}, jitcore does not"
        if self.expected is None:
            return f"{self.way}: jitcore raises {_named(self.error)}, the reference does not"
        return f"{self.way}: jitcore raises {_named(self.error)}, the reference {_named(self.expected)}"


def _named(error: Exception | None) -> str:
    text = str(error)
    return f"{type(error).__name__}: {text[:300]}{'…' * (len(text) > 300)}"


@dataclass(slots=True, eq=False)
class Graphs:
    """The compiled functions of a test, by their texts, each with the calls of other shapes it has been called with."""

    compiler: Compiler
    compiled: dict[tuple[str, int], tuple[Callable[..., Any], dict[object, Call]]] = field(
        default_factory=dict[tuple[str, int], tuple[Callable[..., Any], dict[object, Call]]]
    )

    def of(self, call: Call, root: object, cloned: bool) -> tuple[Callable[..., Any], dict[object, Call]]:
        """The compiled function of a call's text."""
        key = (call.source("torch", cloned=cloned), id(root))
        if key not in self.compiled:
            self.compiled[key] = (self.compiler(call.function(root, cloned)), {})
        return self.compiled[key]


def examine(call: Call, sides: Sides, graphs: Graphs, options: Options) -> Mismatch | None:
    """Compare a call in all ways; the first mismatch, None if there is none."""
    for earlier in call.before:
        examine(earlier, sides, graphs, options)
    want, found = _examine_eager(call, sides, options)
    if found is None and options.check_graph:
        found = _examine_graph(call, want, sides, graphs, options)
    if found is None and options.check_vmap and want.error is None and not call.in_place:
        found = _examine_vmap(call, sides, options)
    return found


def _examine_eager(call: Call, sides: Sides, options: Options) -> tuple[Outcome, Mismatch | None]:
    cloned = call.in_place
    reference, mine = sides.roots
    want = sides.reference.run(call.function(reference), call)
    found = _apart(call, EAGER, sides.mine.run(_plain(call, mine), call), want, options)
    if found is not None or want.error is not None or not _is_differentiable(call, options):
        return want, found
    full = sides.reference.run(call.function(reference, cloned), call, options.order)
    if full.error is not None:  # no gradient of the reference's goes through it
        return want, None
    want.gradients, want.second = full.gradients, full.second
    have = sides.mine.run(_plain(call, mine, cloned), call, options.order)
    return want, _apart(call, EAGER, have, full, options, differentiated=True)


def _is_differentiable(call: Call, options: Options) -> bool:
    return options.order > 0 and any(operand.requires_grad or operand.module for operand in call.operands)


def _plain(call: Call, root: object, cloned: bool = False) -> Callable[..., Any]:
    """A call that is run line by line, also of functions that are compiled when they are called."""
    return call.function(getattr(root, "__wrapped__", root), cloned)


def _examine_graph(call: Call, want: Outcome, sides: Sides, graphs: Graphs, options: Options) -> Mismatch | None:
    mine = sides.roots[1]
    function, earlier = graphs.of(call, mine, cloned=False)
    found = _apart(call, GRAPH, sides.mine.run(function, call), want, options)
    if found is None and want.error is None:
        found = _apart(call, AGAIN, sides.mine.run(function, call), want, options)
    if found is None and want.error is None and want.gradients:
        differentiated, _ = graphs.of(call, mine, cloned=call.in_place)
        have = sides.mine.run(differentiated, call, options.order)
        found = _apart(call, GRAPH, have, want, options, differentiated=True)
    signature = _signature(call)
    if found is not None and found.way == GRAPH and earlier and not call.before:
        return _because_of_shapes(found, list(earlier.values()), sides, options)
    earlier.setdefault(signature, call)
    return found


def _signature(call: Call) -> object:
    return tuple((o.array.shape, o.array.dtype) if o.array is not None else None for o in call.operands)


def _because_of_shapes(found: Mismatch, earlier: list[Call], sides: Sides, options: Options) -> Mismatch:
    """Whether it is wrong only after calls with other shapes: those are then what the call has `before`."""
    call = found.call
    alone = examine(call, sides, Graphs(options.compiler), options)
    if alone is not None:
        return alone
    for before in [[one] for one in earlier] + [earlier]:
        whole = replace(call, before=tuple(before))
        again = examine(whole, sides, Graphs(options.compiler), options)
        if again is not None:
            return replace(again, way=OTHER)
    return found


def _apart(
    call: Call, way: str, have: Outcome, want: Outcome, options: Options, differentiated: bool = False
) -> Mismatch | None:
    """The first difference of two outcomes; of their derivatives, too, if they were asked for."""
    way = OTHER if call.before and way == GRAPH else way
    if have.error is not None or want.error is not None:
        if have.error is None or want.error is None or not _same_class(have.error, want.error):
            part = DERIVATIVES[0] if differentiated else "exception"
            return Mismatch(call, way, part, error=have.error, expected=want.error)
        return None
    compared = [("result", have.result, want.result), ("operands afterwards", have.operands, want.operands)]
    if differentiated:
        compared = [
            ("gradient", _gradients(have.gradients, want.gradients, way), want.gradients),
            ("second derivative", _gradients(have.second, want.second, GRAPH), want.second),
        ]
    for part, own, theirs in compared:
        found = difference(own, theirs, options.tolerance)
        if found is not None:
            return Mismatch(call, way, part, found)
    return None


def _same_class(have: Exception, want: Exception) -> bool:
    return type(have).__name__ == type(want).__name__ or isinstance(have, type(want)) or isinstance(want, type(have))


def _gradients(have: list[Item], want: list[Item], way: str) -> list[Item]:
    """Gradients to be compared: that of what has no part in a result may be zero, or none."""
    missing = have or [Item(w.place, "NoneType", "", None) for w in want]
    return [
        w if w.kind != h.kind and "NoneType" in (h.kind, w.kind) and _is_zero(h) and _is_zero(w) and way != EAGER else h
        for h, w in zip(missing, want, strict=False)
    ]


def _is_zero(item: Item) -> bool:
    return item.value is None or not np.any(item.value)


# --- vmap ----------------------------------------------------------------------------------------------


def _examine_vmap(call: Call, sides: Sides, options: Options) -> Mismatch | None:
    """Compare `vmap` of a call with the call of each row."""
    places = [k for k, operand in enumerate(call.operands) if operand.array is not None]
    if not places or any(operand.module for operand in call.operands):
        return None
    rows = [_row(call, r) for r in range(_ROWS)]
    wanted = [sides.reference.run(row.function(sides.roots[0]), row) for row in rows]
    if any(row.error is not None for row in wanted) or not _are_alike(wanted):
        return None
    batch = replace(call, operands=tuple(_stacked(k, rows) for k in range(len(call.operands))))
    axes = tuple(0 if k in places else None for k in range(len(call.operands)))
    have = sides.mine.run(jitcore.vmap(call.function(sides.roots[1]), axes), batch)
    have.operands = []
    want = Outcome([_stacked_items(items) for items in zip(*(row.result for row in wanted), strict=True)])
    return _apart(batch, VMAP, have, want, options)


def _row(call: Call, r: int) -> Call:
    """A call with the same elements in another order."""
    moved = (
        o if o.array is None else replace(o, array=np.roll(o.array.reshape(-1), r).reshape(o.array.shape))
        for o in call.operands
    )
    return replace(call, operands=tuple(moved))


def _stacked(k: int, rows: list[Call]) -> Operand:
    operands = [row.operands[k] for row in rows]
    if operands[0].array is None:
        return operands[0]
    return replace(operands[0], array=np.stack([cast("Any", o.array) for o in operands]))


def _are_alike(outcomes: list[Outcome]) -> bool:
    """Whether all results are arrays of the same shapes, as rows of one batch are."""
    shapes = [
        [(i.place, i.kind, np.shape(i.value) if i.kind == "array" else i.value) for i in o.result] for o in outcomes
    ]
    return all(found == shapes[0] for found in shapes) and _only_arrays(outcomes[0].result)


def _only_arrays(items: list[Item]) -> bool:
    return all(i.kind in ("array", "tuple", "list", "dict") or "named" in i.kind for i in items)


def _stacked_items(items: tuple[Item, ...]) -> Item:
    first = items[0]
    return replace(first, value=np.stack([i.value for i in items])) if first.kind == "array" else first
