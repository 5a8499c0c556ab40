"""What a dialect's rules say of an index that is only known when the program runs, and is not in a sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitcore.ir.nodes import Literal
from jitcore.passes.infer.domain.values import Number, Value
from jitcore.passes.infer.engine import dialect
from jitcore.passes.infer.engine.operands import UNKNOWN, Operand, Operation
from jitcore.primitives.ops import conversions, python_ints
from jitcore.types import INT, Dim

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def outside(infer: Infer, what: str, kind: str, size: int | None, index: Value) -> tuple[str, str] | None:
    """The exception's class and message (`{0}`: the index) by the rules, where an index of the run is not in a
    sequence; None: Python's. `what`: get or put. Where the size is of the run, too (None), it is `{1}`, and one less
    than it is `{2}`."""
    operand = Operand("int", marked=isinstance(index, Number) and not index.paths)
    length = Operand("int", value=UNKNOWN if size is None else size)
    answer = dialect.ask(infer, Operation("outside", what, (Operand(kind), length, operand)))
    return (type(answer).__name__, str(answer)) if isinstance(answer, BaseException) else None


def require_inside(infer: Infer, what: str, kind: str, size: Value | Dim, index: Value) -> None:
    """Emit the check by the rules that an index is in a sequence of run-time length, if they have one."""
    other = outside(infer, what, kind, None, index)
    if other is None:
        return
    size = size if isinstance(size, Value) else infer.extent(size)
    position, length = infer.number_atom(index, INT), infer.number_atom(size, INT)
    low = infer.emit(python_ints.int_ge, position, infer.emit(python_ints.int_sub, Literal(0, INT), length))
    inside = infer.emit(python_ints.bool_and, low, infer.emit(python_ints.int_lt, position, length))
    last = infer.emit(python_ints.int_sub, length, Literal(1, INT))
    infer.emit_all(conversions.check, inside, position, length, last, exception=other[0], message=other[1])
