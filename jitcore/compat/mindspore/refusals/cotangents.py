"""What MindSpore says in a graph to cotangents (`sens`) that a program gives: they are joined with the result by type;
of their shape each operator says what its gradient computes with it.

    GradOperation(sens_param=True)(lambda x: x * x)(x, s)     # ValueError: Bprop "Mul" encounter a problem: [For 'Mul',
    input1.shape and …

An operator whose gradient broadcasts takes any shape that broadcasts to the result's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from jitcore.compat.mindspore.refusals import shapes
from jitcore.compat.mindspore.refusals.given_gradients import unjoined
from jitcore.compat.mindspore.refusals.naming import shape_text
from jitcore.library.core.marking import library
from jitcore.library.core.values import as_array, shape_of
from jitcore.passes.infer.engine.operands import Instead, Operand, Operation
from jitcore.primitives.ops import shape as primitives
from jitcore.runtime.custom import is_broadcast
from jitcore.structs import dataclass

_GIVEN: Final = -1
_RESULT: Final = -2


@dataclass(frozen=True, slots=True)
class _Computed:
    """An operator's gradient is an elementwise operator `by` of two: operands by number, `_GIVEN` the cotangent,
    `_RESULT` what has its shape. `of`: whose gradient it is, if MindSpore says so."""

    by: str
    of: str | None
    pair: tuple[int, int]
    names: tuple[str, str] = ("input1", "input2")


_BROADCAST: Final[dict[str, _Computed]] = {
    "mul": _Computed("Mul", "Mul", (1, _GIVEN)),
    "div": _Computed("Div", "Div", (_GIVEN, 1)),
    "maximum": _Computed("Select", "Maximum", (0, _GIVEN), ("condition", "input")),
    "minimum": _Computed("Select", "Minimum", (0, _GIVEN), ("condition", "input")),
    "log": _Computed("Div", None, (_GIVEN, 0)),
} | {name: _Computed("Mul", None, (_GIVEN, _RESULT)) for name in ("exp", "sin", "cos", "abs")}
_ALIKE: Final = {"tanh": "TanhGrad", "sqrt": "SqrtGrad"}
_RESHAPED: Final = ("add", "sub")
"""Operators by what their gradients do with a cotangent: broadcast it with something, ask for the result's shape, put
it into an operand's shape."""


def in_graph(operation: Operation) -> BaseException | Instead | None:
    """The answer to the cotangents of results; the operation's name is the primitive that made the only result, which
    its operands follow."""
    given, result, *operands = operation.operands
    wrong = unjoined(given, result)
    if wrong is not None or given.kind != "tensor" or result.kind != "tensor":
        return wrong
    have, want = shapes.known(given), shapes.known(result)
    if have is None or want is None or have == want or all(n == 1 for n in have):
        return None
    return _unlike(operation.name, given, result, operands)


def _unlike(name: str, given: Operand, result: Operand, operands: Sequence[Operand]) -> BaseException | Instead | None:
    have, want = shapes.known(given) or (), shapes.known(result) or ()
    if name == "select" and any(x.kind in ("int", "float") or not x.shape for x in operands):
        return _ranks("ReluGrad", have, want)
    if name in _ALIKE:
        return _ranks(_ALIKE[name], want, have)
    if name == "matmul" and len(want) == 2 and all(len(x.shape) == 2 for x in operands):
        turned = Operand("tensor", shape=operands[1].shape[::-1])
        return _of("MatMulExt", shapes.product("MatMulExt", given, turned)) if have else None
    if any(x.shape != result.shape for x in operands):
        return None
    if name in _RESHAPED:
        return _unshaped(have, want)
    computed = _BROADCAST.get(name)
    if computed is None:
        return None
    one, other = (given if k == _GIVEN else result for k in computed.pair)
    wrong = shapes.unlike(computed.by, one, other, computed.names)
    if wrong is None and is_broadcast(have, want):
        return Instead(_broadcast)
    return _of(computed.of, wrong or _unshaped(_joined(have, want), want))


def _of(name: str | None, wrong: BaseException | None) -> BaseException | None:
    return wrong if name is None or wrong is None else type(wrong)(f'Bprop "{name}" encounter a problem: [{wrong}')


def _joined(one: shapes.Shape, other: shapes.Shape) -> shapes.Shape:
    """The shape that two broadcast to."""
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    padded = (1,) * (len(longer) - len(shorter)) + shorter
    return tuple(m if n == 1 else n for n, m in zip(longer, padded, strict=True))


def _unshaped(have: shapes.Shape, want: shapes.Shape) -> ValueError:
    return ValueError(
        "For primitive[Reshape], the accumulate of x_shape must be equal to out_shape, but got x_shape: "
        f"{shape_text(have)}, and out_shape: {shape_text(want)}"
    )


def _ranks(name: str, x: shapes.Shape, other: shapes.Shape) -> ValueError:
    if len(x) != len(other):
        return ValueError(f"Rank of x({len(x)}) and dout({len(other)}) not equal, primitive name: {name}.")
    k = next(k for k, (n, m) in enumerate(zip(x, other, strict=True)) if n != m)
    return ValueError(f"The {k}th dim of x({x[k]}) and dout({other[k]}) not equal, primitive name: {name}.")


@library("raw")
def _broadcast(given: Any, result: Any) -> Any:
    return primitives.broadcast_to(as_array(given), shape=shape_of(result))
