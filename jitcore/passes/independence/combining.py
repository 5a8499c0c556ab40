"""Operations by which what several rounds computed may be put together: a round's order does not matter to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jitcore.ir.nodes import Op
from jitcore.primitives.ops import elementwise as ew
from jitcore.primitives.ops import python_complex as complexes
from jitcore.primitives.ops import python_floats as floats
from jitcore.primitives.ops import python_ints as ints
from jitcore.structs import dataclass
from jitcore.types import DType, ScalarType, TensorType, Type


@dataclass(frozen=True, slots=True)
class Combination:
    """`op` puts parts together. A part begins with `identity`, or, if there is none, with what there was before the
    loop: an operation that gives the same if that is taken into account again."""

    op: Op
    identity: float | None = None

    def start(self, dtype: DType) -> complex | float | int | None:
        """The identity as a number of a dtype."""
        if self.identity is None or dtype.is_float:
            return self.identity
        return complex(self.identity, self.identity) if dtype.kind == "c" else int(self.identity)


_SUM: Final = -0.0
"""What is added to it stays as it is, also where that is -0.0."""

LEFT: Final[Mapping[Op, Combination]] = {
    ints.int_sub: Combination(ints.int_add, _SUM),
    floats.float_sub: Combination(floats.float_add, _SUM),
    complexes.complex_sub: Combination(complexes.complex_add, _SUM),
    ew.sub: Combination(ew.add, _SUM),
    floats.float_truediv: Combination(floats.float_mul, 1.0),
    ew.div: Combination(ew.mul, 1.0),
}
"""Of operations that go on from their first operand."""
EITHER: Final[Mapping[Op, Combination]] = {
    ints.int_add: LEFT[ints.int_sub],
    ints.int_mul: Combination(ints.int_mul, 1.0),
    floats.float_add: LEFT[floats.float_sub],
    floats.float_mul: LEFT[floats.float_truediv],
    complexes.complex_add: LEFT[complexes.complex_sub],
    ew.add: LEFT[ew.sub],
    ew.mul: LEFT[ew.div],
    ints.int_xor: Combination(ints.int_xor, 0.0),
    ew.bitwise_xor: Combination(ew.bitwise_xor, 0.0),
    **{op: Combination(op) for op in (ints.int_and, ints.int_or, ints.bool_and, ints.bool_or)},
    **{op: Combination(op) for op in (ew.bitwise_and, ew.bitwise_or, ew.maximum, ew.minimum)},
}
"""Of operations that go on from either operand."""


def combination(op: Op, place: int, type_: Type | None) -> Combination | None:
    """How to put together what an operation makes of its operand, of a type, at a place."""
    if not isinstance(type_, ScalarType | TensorType):
        return None
    made = EITHER.get(op) or (LEFT.get(op) if place == 0 else None)
    if made is None or made.identity is None:
        return made
    # complex products by 1 are not exact, and sums of bools are none
    return None if type_.dtype.kind == "b" or (type_.dtype.kind == "c" and made.identity == 1.0) else made
