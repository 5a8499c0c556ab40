"""The functions of itertools that choose items of a pool: combinations and permutations."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import Sequence, Static, Tuple, Value
from jitcore.passes.infer.engine import numbers
from jitcore.passes.infer.engine.models import register_models
from jitcore.passes.infer.python import buffers, iteration

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

MOST_STATIC_ROWS: Final = 256
"""Of more choices than these, each is made when it is asked for, if the pool's items are numbers."""
LONGEST_STATIC_POOL: Final = 32
"""Ranges that are known when compiling are pools of known items up to this length."""


# --- programs: compiled as the user's code is, for a known r > 0 --------------------------------------


def _combinations(pool: Any, r: Any) -> Any:
    n = len(pool)
    if r <= n:
        places = list(range(r))
        going = True
        while going:
            yield tuple([pool[k] for k in places])
            last = r - 1
            while last >= 0 and places[last] == last + n - r:
                last -= 1
            going = last >= 0
            if going:
                places[last] += 1
                for k in range(last + 1, r):
                    places[k] = places[k - 1] + 1


def _combinations_with_replacement(pool: Any, r: Any) -> Any:
    n = len(pool)
    if n:
        places = [0] * r
        going = True
        while going:
            yield tuple([pool[k] for k in places])
            last = r - 1
            while last >= 0 and places[last] == n - 1:
                last -= 1
            going = last >= 0
            if going:
                value = places[last] + 1
                for k in range(last, r):
                    places[k] = value


def _permutations(pool: Any, r: Any) -> Any:
    n = len(pool)
    if r <= n:
        places = list(range(n))
        left = [
            n - k for k in range(r)
        ]  # how many items are still to come to the k-th place before those in front of it change
        going = True
        while going:
            yield tuple([pool[places[k]] for k in range(r)])
            at = r - 1
            while at >= 0 and left[at] == 1:  # the items from here on are in falling order: back to rising
                first = places[at]
                for k in range(at, n - 1):
                    places[k] = places[k + 1]
                places[n - 1] = first
                left[at] = n - at
                at -= 1
            going = at >= 0
            if going:
                left[at] -= 1
                other = n - left[at]
                places[at], places[other] = places[other], places[at]


# --- calls --------------------------------------------------------------------------------------------


def _pool(infer: Infer, values: Value) -> Sequence | tuple[Value, ...]:
    part = iteration.part_of(infer, values)
    if isinstance(part, Sequence) and isinstance(part.length, Static) and part.length.value <= LONGEST_STATIC_POOL:
        return tuple(part.item(Static(k)) for k in range(part.length.value))
    return part


def _chooser(function: Any, program: Callable[..., Any]) -> Callable[..., Value]:
    """What calling `function` does to abstract values."""

    def call(infer: Infer, values: Value, r: Value | None = None) -> Value:
        sizes = () if r is None else (infer.need_static(r, f"the size of itertools.{function.__name__}"),)
        pool = _pool(infer, values)
        if isinstance(pool, tuple):
            chosen = function(pool, *sizes)
            rows = list(itertools.islice(chosen, MOST_STATIC_ROWS + 1))
            if len(rows) <= MOST_STATIC_ROWS or any(numbers.type_of_number(v) is None for v in pool):
                return iteration.new(infer, Tuple(tuple(map(Tuple, (*rows, *chosen)))), function)
        size = sizes[0] if sizes else len(pool) if isinstance(pool, tuple) else None
        if type(size) is not int or size < 1:
            raise infer.unsupported(
                f"itertools.{function.__name__} of something whose length is known only at run time, without a size"
            )
        items = infer.heap.new(list, pool) if isinstance(pool, tuple) else buffers.collect(infer, pool)
        return abstract.call(infer, Static(program), [items, Static(size)], {})

    return call


_PROGRAMS: Final[dict[Any, Callable[..., Any]]] = {
    itertools.combinations: _combinations,
    itertools.combinations_with_replacement: _combinations_with_replacement,
    itertools.permutations: _permutations,
}
register_models({function: _chooser(function, program) for function, program in _PROGRAMS.items()})
