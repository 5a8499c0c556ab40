"""MemoryError where NumPy finds no room for the result of a call, although compiled code may never make the array.

    np.arange(10**15).sum()             # Unable to allocate 7.11 PiB for an array with shape (1000000000000000,) …

Looked at are results of NumPy's functions and operators that have more elements than each of their operands. How large
an array may be is what the system has, as it refuses more at once: what is allocated bit by bit may fail before.
"""

from __future__ import annotations

import functools
import math
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.infer.domain.values import Array, Number, PythonError, Reference, Tuple, Value
from jitcore.primitives.ops import conversions, python_floats, python_ints
from jitcore.types import FLOAT, INT, Dim, DimExpr

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_ADDRESS_SPACE: Final = 1 << 47
"""Of today's machines, in bytes."""


def require_room(infer: Infer, values: Sequence[Value], made: Value) -> None:
    """Raise MemoryError, now or where the program gets here, if NumPy would find no room for the arrays that a call of
    `values` gives."""
    operands = list(_arrays(infer, values))
    for array in _arrays(infer, [made]):
        if any(array.origins & operand.origins for operand in operands):
            _note_view(infer, array, operands)
            continue
        if not _may_be_larger(infer, array, operands, values):
            continue
        known = math.prod(n for n in array.type.shape if isinstance(n, int)) * array.type.dtype.itemsize
        unknown = [n for n in array.type.shape if isinstance(n, DimExpr)]
        if not unknown and known > largest_array():
            raise PythonError(array_memory_error()(array.type.shape, array.type.dtype.numpy))
        if unknown and known:
            _check(infer, array, known, unknown)


def _arrays(infer: Infer, values: Sequence[Value]) -> Iterator[Array]:
    """The arrays of NumPy's among values, and in lists and tuples of them."""
    for value in values:
        if isinstance(value, Array):
            if not value.is_tensor:
                yield value
        elif isinstance(value, Tuple):
            yield from _arrays(infer, value.items)
        elif isinstance(value, Reference) and value.kind is list and infer.heap.buffer(value) is None:
            yield from _arrays(infer, infer.heap.items(value))


def _may_be_larger(infer: Infer, array: Array, operands: Sequence[Array], values: Sequence[Value]) -> bool:
    """Whether a new array may have more elements than each operand has in memory. Extents that what arrays hold decides
    (`np.nonzero`) are no larger."""
    size = _size(array)
    if any(_size(operand) == size and operand.atom not in infer.spread for operand in operands):
        return False
    if isinstance(size, int):
        return True
    extents = [n for operand in operands for n in operand.type.shape if isinstance(n, DimExpr)]
    given = frozenset[str]().union(*(n.symbols for n in extents))
    return size.symbols <= given or any(_has_number(v) for v in values)


def _note_view(infer: Infer, view: Array, operands: Sequence[Array]) -> None:
    """Note a view that may show more elements than are in memory (`np.broadcast_to`)."""
    if any(o.atom in infer.spread for o in operands) or all(_size(o) != _size(view) for o in operands):
        infer.spread.add(view.atom)


def _size(array: Array) -> Dim:
    return math.prod(array.type.shape, start=cast("Any", 1))


def _has_number(value: Value) -> bool:
    return isinstance(value, Number) or (isinstance(value, Tuple) and any(map(_has_number, value.items)))


def _check(infer: Infer, array: Array, known: int, unknown: Sequence[DimExpr]) -> None:
    """Look at the extents where the program gets here."""
    numbers = {n: infer.number_atom(infer.extent(n), INT) for n in unknown}
    if len(unknown) == 1:
        fits: Atom = infer.emit(python_ints.int_le, numbers[unknown[0]], Literal(largest_array() // known, INT))
    else:
        total: Atom = Literal(float(known), FLOAT)
        for n in unknown:
            factor = infer.emit(python_floats.int_to_float, numbers[n])
            total = infer.emit(python_floats.float_mul, total, factor)
        fits = infer.emit(python_floats.float_le, total, Literal(float(largest_array()), FLOAT))
    told = list(numbers)
    if len(told) > conversions.MOST_VALUES:
        message = f"Unable to allocate an array of {array.type.rank} dimensions and data type {array.type.dtype.numpy}"
        infer.emit_all(conversions.check, fits, exception="MemoryError", message=message)
        return
    shape = tuple(conversions.Filled(told.index(n)) if isinstance(n, DimExpr) else n for n in array.type.shape)
    how = conversions.Raising(array_memory_error(), (shape, array.type.dtype.numpy))
    infer.emit_all(conversions.check, fits, *numbers.values(), exception=how, message="")


@functools.cache
def array_memory_error() -> Any:
    """NumPy's own class, of a shape and a dtype."""
    try:
        np.empty(1 << 62, np.uint8)
    except MemoryError as error:
        return type(error)
    raise SystemError("an array of 4 EiB")


@functools.cache
def largest_array() -> int:
    """The bytes above which the system refuses memory at once: Linux' physical memory with what can be swapped, unless
    it is told to refuse nothing; elsewhere the address space."""
    policy = Path("/proc/sys/vm/overcommit_memory")
    if sys.platform != "linux" or not policy.exists() or policy.read_text().strip() == "1":
        return _ADDRESS_SPACE
    sizes = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
    swap = int(sizes["SwapTotal"].split()[0]) * 1024 if "SwapTotal" in sizes else 0
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") + swap
