"""Views: the same memory through another layout, and what their index maps mean for values computed in kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitcore.ir.nodes import Binding, Literal, Op, Var
from jitcore.kernel.build import ArrayLayout, Index, IndexLike, as_index
from jitcore.passes.plan.values import BORROWED_FOR_GOOD, ArrayValue, ScalarValue
from jitcore.primitives.core.registry import Primitive, View, Window
from jitcore.source import CompileError, InternalError, Problem
from jitcore.types import Dim, RefType, Shape, f32, fresh_symbol, substitute_dims

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner


_NO_VIEW = "this reshapes an array that the program writes to, and its elements do not lie in order"


def view_lowering(op: Op) -> View | None:
    """How a view of a value or of a place is taken; None for any other operator."""
    if not isinstance(op, Primitive):
        return None
    lowering = op.lowering.view.lowering if isinstance(op.lowering, Window) else op.lowering
    return lowering if isinstance(lowering, View) else None


def describe(p: Planner, binding: Binding, layout: ArrayLayout) -> ArrayLayout | None:
    """The layout of a view of an array of the given layout; None where strides cannot say it."""
    view = view_lowering(binding.op)
    assert view is not None
    indices: list[Dim] = []
    for atom in binding.args[1:]:
        value = p.value(atom)
        assert isinstance(value, ScalarValue)
        indices.append(p.code.dimension(value.operand))
    made: ArrayLayout | None = view.describe(layout, *indices, **p.params(binding))
    return made


def lower_view(p: Planner, binding: Binding) -> None:
    """Define a view of an array or of a place."""
    (out,) = binding.outs
    source = p.array(binding.args[0])
    is_place = isinstance(out.type, RefType)
    p.define(out, view_of(p, binding, source, is_place=is_place))


def view_of(p: Planner, binding: Binding, source: ArrayValue, *, is_place: bool) -> ArrayValue:
    """The view a binding describes. A view that is one element of an array is that element, read now; a view of an
    array that no strides can say is a copy."""
    if source.element is not None and not is_place:
        layout = describe(p, binding, source.layout)
        if layout is not None and not layout.shape:
            return source
    source = p.in_memory(source)
    layout = describe(p, binding, source.layout)
    if layout is None:
        if is_place:
            raise CompileError([Problem(binding.span, _NO_VIEW, "a copy of the array, or one that is contiguous")])
        source = p.copied(source)
        layout = describe(p, binding, source.layout)
        if layout is None:
            raise InternalError(f"plan: {binding.op.name} is not a view of a contiguous array")
    made = p.at(source, layout)
    if not layout.shape and not is_place:
        return ArrayValue(made.layout, None, BORROWED_FOR_GOOD, element=p.element(made))
    return made


def source_index(p: Planner, binding: Binding, index: tuple[IndexLike, ...]) -> tuple[Index, ...]:
    """Where a view that is computed in a kernel finds its element: the index into what it views.

    The view of an array whose strides are unknowns tells how much every index of the view moves along every axis of it.
    """
    (arg, *_) = binding.args
    assert isinstance(arg, Var | Literal)
    shape: Shape = p.shape(arg.type)
    unknowns = [fresh_symbol("stride_") for _ in shape]
    names = [next(iter(u.symbols)) for u in unknowns]
    layout = describe(p, binding, ArrayLayout(f32, shape, tuple(unknowns)))
    if layout is None:
        raise InternalError(f"plan: {binding.op.name} cannot be computed inside a kernel")

    def along(dim: Dim, axis: int) -> Dim:
        return substitute_dims(dim, {n: int(k == axis) for k, n in enumerate(names)})

    found: list[Index] = []
    for axis in range(len(shape)):
        total = Index(along(layout.offset, axis))
        for stride, i in zip(layout.strides, index, strict=True):
            total = total + as_index(i) * along(stride, axis)
        found.append(total)
    return tuple(found)
