"""Kernel templates: primitives that write their own kernels, over arrays in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitcore.ir.nodes import Binding
from jitcore.kernel.build import ArrayLayout, Template
from jitcore.passes.plan.launches import launch
from jitcore.passes.plan.values import ArrayValue, ScalarValue
from jitcore.primitives.core.registry import KernelTemplate, Primitive
from jitcore.program.nodes import Imm, Operand
from jitcore.source import InternalError
from jitcore.types import TensorType

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner


def lower_template(p: Planner, binding: Binding) -> None:
    """Launch what a template builds; its outputs are new arrays, its scratch arrays live until the last launch."""
    assert isinstance(binding.op, Primitive)
    assert isinstance(binding.op.lowering, KernelTemplate)
    layouts: dict[str, ArrayLayout] = {}
    buffers: dict[str, Operand] = {}
    scalars: dict[str, Operand] = {}
    operands: list[str] = []
    for k, atom in enumerate(binding.args):
        name = f"x{k}"
        operands.append(name)
        value = p.value(atom)
        if isinstance(value, ScalarValue):
            scalars[name] = value.operand
            continue
        if not isinstance(value, ArrayValue):
            raise InternalError(f"plan: {binding.op.name} takes arrays and numbers")
        value = p.in_memory(value)
        assert value.data is not None
        layouts[name], buffers[name] = value.layout, value.data
    outs: list[ArrayValue] = []
    for k, out in enumerate(binding.outs):
        assert isinstance(out.type, TensorType)
        made = p.allocate(out.type.dtype, p.shape(out.type))
        assert made.data is not None
        layouts[f"o{k}"], buffers[f"o{k}"] = made.layout, made.data
        outs.append(made)
    template = Template(binding.op.name, layouts, tuple(f"o{k}" for k in range(len(outs))))
    binding.op.lowering.build(template, *operands, **p.params(binding))
    for name, layout in template.temporaries.items():
        scratch = p.allocate(layout.dtype, layout.shape)
        assert scratch.data is not None
        buffers[name] = scratch.data
    for builder, names in template.launches:
        launch(p, builder, {role: buffers[name] for role, name in names.items()}, scalars)
    for out, made in zip(binding.outs, outs, strict=True):
        p.define(out, made if made.layout.shape else p.element_value(made.dtype, p.element(made)))


def lower_full(p: Planner, binding: Binding) -> bool:
    """A new array of zeros, as memory that comes zeroed. False if that is not what the binding makes."""
    (out,) = binding.outs
    element = p.array(binding.args[0]).element
    assert isinstance(out.type, TensorType)
    if not isinstance(element, Imm) or repr(element.value) not in ("0", "0.0", "False", "0j"):
        return False
    p.define(out, p.allocate(out.type.dtype, p.shape(out.type), zeroed=True))
    return True
