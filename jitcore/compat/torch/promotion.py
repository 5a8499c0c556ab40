"""Which dtype PyTorch's elementwise operations compute in.

Operands with axes decide before those without, and these before Python numbers, unless those that come later are of a
higher kind (bool < ints < floats < complex); among operands of one rank in this order, the widest decides. The rules
are those of `torch.result_type`, whose documentation states them.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final

import numpy as np

from jitcore.library.core.defaults import default_float
from jitcore.primitives.core.promotion import BIT_OPERATIONS, COMPARISONS, FLOAT_FUNCTIONS
from jitcore.types import DType, bool_, c64, c128, dtype_of, f16, f32, f64, i64

_NUMBERS: Final = ("bool", "int", "float", "complex")
_COMPLEX_OF: Final = {f16: c64, f32: c64, f64: c128}


def promoted(op: str, operands: Sequence[tuple[DType, str, int]]) -> DType:
    """The dtype that an elementwise operation, by its primitive's name, computes in. Raises TypeError or, of
    two operands, NotImplementedError where there is no such operation."""
    return _promoted(op, tuple(operands), default_float())


@functools.lru_cache(maxsize=4096)
def _promoted(op: str, operands: tuple[tuple[DType, str, int], ...], default: DType) -> DType:
    common = common_dtype(operands, default)
    if op in BIT_OPERATIONS and common.kind not in "biu":
        refused = TypeError if len(operands) == 1 else NotImplementedError
        raise refused(f"{op!r} not implemented for {common.numpy.name.capitalize()!r}")
    if common.kind in "fc" or op in COMPARISONS:
        return common
    if op == "div" or op in FLOAT_FUNCTIONS:
        return default
    return common


def common_dtype(operands: Sequence[tuple[DType, str, int]], default: DType) -> DType:
    """`torch.result_type` of operands, given the dtype of Python's floats."""
    ranked: list[DType | None] = [None, None, None]
    for dtype, category, rank in operands:
        place = 2 if category in _NUMBERS else 1 if rank == 0 else 0
        own = _of_number(category, default) if place == 2 else dtype
        known = ranked[place]
        ranked[place] = own if known is None else widest(known, own)
    found = _combined(ranked[0], _combined(ranked[1], ranked[2]))
    assert found is not None
    return found


def _of_number(category: str, default: DType) -> DType:
    return {"bool": bool_, "int": i64, "float": default, "complex": _COMPLEX_OF[default]}[category]


def _combined(higher: DType | None, lower: DType | None) -> DType | None:
    """What operands of a higher and a lower rank compute in."""
    if higher is None or lower is None:
        return lower if higher is None else higher
    if higher.kind == "c":
        return higher
    if higher.kind == "f":
        return _COMPLEX_OF[higher] if lower.kind == "c" else higher
    if higher is bool_ or lower.kind in "fc":
        return widest(higher, lower)
    return higher


def widest(a: DType, b: DType) -> DType:
    """`torch.promote_types`: as NumPy has it among ints, and among floats; ints never widen floats."""
    if a.kind in "fc" and b.kind in "biu":
        return a
    if b.kind in "fc" and a.kind in "biu":
        return b
    if {a.kind, b.kind} == {"f", "c"}:
        floating, other = (a, b) if a.kind == "f" else (b, a)
        return c128 if other is c128 or floating is f64 else c64
    return dtype_of(np.promote_types(a.numpy, b.numpy))
