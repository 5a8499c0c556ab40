"""Python numbers, and arrays of rank 0 in registers: scalar code instead of kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jitcore.ir.nodes import Binding, Var
from jitcore.passes.plan.values import ScalarValue, Value
from jitcore.primitives.core.registry import Elementwise, Primitive, ScalarCode
from jitcore.program.nodes import Imm, Operand
from jitcore.structs import dataclass
from jitcore.types import DType, RefType, ScalarType, TensorType, Type

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value of scalar code."""

    operand: Operand
    dtype: DType


class Writer:
    """Writes scalar code into the current block: what `ScalarCode` and `Elementwise` emitters are given."""

    def __init__(self, p: Planner) -> None:
        self.p = p

    def __call__(self, op: str, dtype: DType, *args: Scalar) -> Scalar:
        """The result of an operation."""
        if op == "cast" and args[0].dtype is dtype:
            return args[0]
        return Scalar(self.p.code.compute(op, dtype, *(a.operand for a in args)), dtype)

    def const(self, dtype: DType, value: bool | int | float | complex) -> Scalar:
        """A constant."""
        return Scalar(Imm(dtype.numpy.type(value).item(), dtype), dtype)

    def cast(self, dtype: DType, value: Scalar) -> Scalar:
        """`value` converted to `dtype`."""
        return self("cast", dtype, value)

    def check(self, ok: Scalar, exception: str, message: str, *values: Scalar) -> None:
        """Unless `ok`, raise at the current binding."""
        self.p.check(ok.operand, exception, message, [v.operand for v in values])


def lower_scalar_code(p: Planner, binding: Binding) -> None:
    """A primitive on Python numbers."""
    assert isinstance(binding.op, Primitive)
    assert isinstance(binding.op.lowering, ScalarCode)
    made: Any = binding.op.lowering.emit(Writer(p), *_arguments(p, binding), **p.params(binding))
    _define(p, binding.outs, made)


def lower_elements(p: Planner, binding: Binding) -> None:
    """An elementwise primitive on rank-0 arrays."""
    assert isinstance(binding.op, Primitive)
    assert isinstance(binding.op.lowering, Elementwise)
    emit = binding.op.lowering.emit
    args = _arguments(p, binding)
    if isinstance(emit, str):
        (out,) = binding.outs
        made: Any = Writer(p)(emit, dtype_of_scalar(out.type), *args)
    else:
        made = emit(Writer(p), *args, **p.params(binding))
    _define(p, binding.outs, made)


def dtype_of_scalar(type_: Type | None) -> DType:
    """The dtype of a Python number, an array or a place."""
    if isinstance(type_, RefType):
        type_ = type_.target
    assert isinstance(type_, ScalarType | TensorType)
    return type_.dtype


def _arguments(p: Planner, binding: Binding) -> list[Scalar]:
    return [Scalar(p.operand(a), dtype_of_scalar(a.type)) for a in binding.args]


def _define(p: Planner, outs: tuple[Var, ...], made: Any) -> None:
    results: tuple[Any, ...] = made if isinstance(made, tuple) else (made,) if outs else ()
    for out, result in zip(outs, results, strict=True):
        p.define(out, scalar_value(p, out.type, result.operand))


def scalar_value(p: Planner, type_: Type | None, operand: Operand) -> Value:
    """A number's or a rank-0 array's value from its operand."""
    if isinstance(type_, ScalarType):
        return ScalarValue(operand)
    return p.element_value(dtype_of_scalar(type_), operand)
