"""Accumulators of reductions: what they start as, how they take a value, how two become one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from jitcore.backends.llvm.kernels.cast import cast
from jitcore.backends.llvm.kernels.prepare import accumulator, is_ordered
from jitcore.backends.llvm.kernels.scalar import compute
from jitcore.backends.llvm.kernels.values import LANE_TYPE, Value, constant
from jitcore.backends.native.ir.vectors import BITS, Code, Vec
from jitcore.kernel.nodes import Reduction
from jitcore.source import InternalError
from jitcore.structs import dataclass
from jitcore.types import DType, bool_, i64, u8

Fields: TypeAlias = "tuple[Vec, ...]"
"""An accumulator: one vector, two for complex numbers, a value and its index for argmax and argmin."""

_NEVER = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Fold:
    """One reduction. `source` is the dtype of its value."""

    reduction: Reduction
    source: DType

    @property
    def op(self) -> str:
        return self.reduction.op

    @property
    def ordered(self) -> bool:
        """Whether the order of folding shows in the result."""
        return is_ordered(self.reduction)

    @property
    def is_search(self) -> bool:
        return self.reduction.is_search

    @property
    def dtype(self) -> DType:
        """What values are folded in. Flags are kept as numbers 0 and -1, as wide as other lanes."""
        if self.is_search:
            return u8 if self.source is bool_ else accumulator(self.source)
        return accumulator(self.reduction.dtype)

    @property
    def _flags(self) -> str | None:
        """The instruction that folds flags."""
        if self.op in ("any", "all"):
            return "or" if self.op == "any" else "and"
        if self.dtype is not bool_:
            return None
        return {"max": "or", "min": "and", "sum": "or", "prod": "and"}[self.op]

    def types(self) -> tuple[str, ...]:
        """The LLVM types of the fields' lanes."""
        if self._flags:
            return ("i32",)
        type_ = LANE_TYPE[self.dtype.name]
        if self.is_search:
            return type_, "i64"
        return (type_, type_) if self.dtype.kind == "c" else (type_,)

    def identity(self, code: Code, lanes: int) -> Fields:
        """What changes nothing, and what no points give."""
        if self._flags:
            return (code.constant("i32", 0 if self._flags == "or" else -1, lanes),)
        number = self._identity_number()
        parts = constant(code, self.dtype, number, lanes).parts
        return (*parts, code.constant("i64", _NEVER, lanes)) if self.is_search else parts

    def _identity_number(self) -> int | float | complex:
        dtype, bits = self.dtype, self.dtype.itemsize * 8
        if self.op == "sum":
            return {"f": -0.0, "c": complex(-0.0, -0.0)}.get(dtype.kind, 0)
        if self.op == "prod":
            return 1
        lowest = self.op in ("max", "argmax")
        if dtype.kind in "fc":
            return float("-inf") if lowest else float("inf")
        if dtype.kind == "u":
            return 0 if lowest else (1 << bits) - 1
        return -(1 << (bits - 1)) if lowest else (1 << (bits - 1)) - 1

    def lift(self, code: Code, value: Value, index: Vec | None) -> Fields:
        """A value as an accumulator of one point; `index` is its number, for searches."""
        if self._flags:
            return (code.convert("sext", cast(code, bool_, value).vec, "i32"),)
        parts = cast(code, self.dtype, value).parts
        if not self.is_search:
            return parts
        if index is None or self.dtype.kind == "c":
            raise InternalError(f"{self.op} of {self.source} has no place in kernels")
        return (*parts, index)

    def combine(self, code: Code, a: Fields, b: Fields, in_order: bool = True) -> Fields:
        """Two accumulators as one. `in_order`: all points of a come before those of b."""
        if self._flags:
            return (a[0].op(self._flags, b[0]),)
        if self.is_search:
            better = self._better(code, a, b, in_order)
            return code.select(better, b[0], a[0]), code.select(better, b[1], a[1])
        op = {"sum": "add", "prod": "mul"}.get(self.op, self.op)
        return compute(code, op, self.dtype, Value(self.dtype, a), Value(self.dtype, b)).parts

    def _better(self, code: Code, a: Fields, b: Fields, in_order: bool) -> Vec:
        """Whether b is further than a: a NaN is furthest, of equals the first."""
        x, y = Value(self.dtype, a[:1]), Value(self.dtype, b[:1])
        better = compute(code, "gt" if self.op == "argmax" else "lt", bool_, y, x).vec
        same = None if in_order else a[0].eq(b[0])
        if self.dtype.is_float:
            a_nan, b_nan = a[0].is_nan(), b[0].is_nan()
            better = better | (b_nan & ~a_nan)
            same = None if same is None else same | (a_nan & b_nan)
        return better if same is None else better | (same & b[1].lt(a[1]))

    def across(self, code: Code, fields: Fields) -> Fields:
        """All lanes folded into one: lane l and lane l + L/2, and so on by halves."""
        lanes = fields[0].lanes
        while lanes > 1:
            lanes //= 2
            low = tuple(self._half(code, f, range(lanes)) for f in fields)
            high = tuple(self._half(code, f, range(lanes, 2 * lanes)) for f in fields)
            fields = self.combine(code, low, high, in_order=False)
        return fields

    def _half(self, code: Code, field: Vec, order: range) -> Vec:
        return code.lane(field, order[0]) if len(order) == 1 else code.shuffle(field, field, order)

    def result(self, code: Code, fields: Fields) -> Value:
        """The reduction's value."""
        if self._flags:
            flag = Value(bool_, (fields[0].ne(0),))
            return cast(code, self.reduction.dtype, flag)
        if self.is_search:
            index = fields[1]
            found = code.select(index.eq(_NEVER), 0, index)  # all were the identity itself: the first is furthest
            return cast(code, self.reduction.dtype, Value(i64, (found,)))
        if self.op == "sum" and self.dtype.kind in "fc":
            fields = tuple(f + 0.0 for f in fields)  # a sum of zeros is +0, as NumPy's
        return cast(code, self.reduction.dtype, Value(self.dtype, fields))

    def sizes(self) -> tuple[int, ...]:
        """The bytes of the fields' lanes."""
        return tuple(BITS[t] // 8 for t in self.types())


def select_fields(code: Code, condition: Vec, a: Sequence[Vec], b: Sequence[Vec]) -> Fields:
    """One of two accumulators."""
    return tuple(code.select(condition, x, y) for x, y in zip(a, b, strict=True))
