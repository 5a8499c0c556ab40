"""Which part of the plan lowers which binding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from jitcore.ir.control import CALL, COND, FOR, FUSED, SWITCH, TRY, WHILE, ControlOp
from jitcore.ir.nodes import Binding, Literal, Op, Var
from jitcore.passes.plan import control
from jitcore.passes.plan.builtins import BUILTINS
from jitcore.passes.plan.host import lower_host
from jitcore.passes.plan.kernels import generates, lower_alone, lower_group
from jitcore.passes.plan.scalars import lower_elements, lower_scalar_code
from jitcore.passes.plan.templates import lower_full, lower_template
from jitcore.passes.plan.trying import lower_try
from jitcore.passes.plan.values import ArrayValue
from jitcore.passes.plan.views import lower_view
from jitcore.primitives.core.registry import (
    Builtin,
    Elementwise,
    HostCode,
    KernelTemplate,
    Primitive,
    Reduce,
    ScalarCode,
    View,
    Window,
)
from jitcore.source import InternalError
from jitcore.types import TensorType

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner


def lower_binding(p: Planner, binding: Binding) -> None:
    """Write the statements of one binding and define its outputs."""
    p.code.span = binding.span
    op = binding.op
    if isinstance(op, ControlOp):
        _CONTROL[op](p, binding)
    elif isinstance(op, Primitive):
        _lower_primitive(p, binding, op)
    else:
        raise InternalError(f"plan: {op.name} belongs to untyped graphs")


def _lower_primitive(p: Planner, binding: Binding, op: Primitive) -> None:
    if op in BUILTINS:
        BUILTINS[op](p, binding)
        return
    match op.lowering:
        case Builtin():
            raise InternalError(f"plan: no lowering for {op.name}")
        case ScalarCode():
            lower_scalar_code(p, binding)
        case Elementwise():
            _lower_elementwise(p, binding)
        case Reduce():
            _lower_reduce(p, binding)
        case View() | Window():
            lower_view(p, binding)
        case KernelTemplate():
            _lower_template(p, binding, op)
        case HostCode():
            lower_host(p, binding)
        case _:
            raise InternalError(f"plan: {op.name} should have been decomposed")


def _lower_elementwise(p: Planner, binding: Binding) -> None:
    if all(_is_element(out) for out in binding.outs):
        lower_elements(p, binding)
    else:
        lower_alone(p, binding)


def _lower_reduce(p: Planner, binding: Binding) -> None:
    source = p.array(binding.args[0])
    if source.layout.shape:
        lower_alone(p, binding)
    else:  # no axes to fold
        p.define(binding.outs[0], p.element_value(source.dtype, p.element(source)))


def _lower_template(p: Planner, binding: Binding, op: Primitive) -> None:
    if not generates(op):
        lower_template(p, binding)
    elif _is_element(binding.outs[0]):
        source = p.array(binding.args[0])
        p.define(binding.outs[0], ArrayValue(source.layout, None, source.holding, element=p.element(source)))
    elif op.name != "full" or not lower_full(p, binding):
        lower_alone(p, binding)


def _is_element(atom: Var | Literal) -> bool:
    return isinstance(atom.type, TensorType) and not atom.type.rank


def _lower_fused(p: Planner, binding: Binding) -> None:
    (body,) = binding.graphs
    lower_group(p, body, dict(zip(body.params, binding.args, strict=True)), binding.outs)


_CONTROL: Final[Mapping[Op, Callable[[Planner, Binding], None]]] = {
    COND: control.lower_cond,
    SWITCH: control.lower_switch,
    WHILE: control.lower_while,
    FOR: control.lower_for,
    CALL: control.lower_call,
    FUSED: _lower_fused,
    TRY: lower_try,
}
