"""Primitives that the plan itself knows: conversions, dimensions, checks, places, stacks, unions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from jitcore.ir.nodes import Binding, Op, type_of
from jitcore.passes.plan import forms, growing, places, trying
from jitcore.passes.plan.code import bare_symbol
from jitcore.passes.plan.values import ArrayValue, Holding, ScalarValue, StackValue, UnionValue
from jitcore.primitives.ops import boxes, conversions, state, unions, widening
from jitcore.primitives.ops import growing as columns
from jitcore.program.boxes import Kind
from jitcore.program.nodes import Block, If, Imm, Library, Operand, Reg, StackFree, StackNew, StackPop, StackPush
from jitcore.source import InternalError
from jitcore.types import DType, RefType, ScalarType, TensorType, Type, bool_, i64, u64

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner

_STACK_BYTES = 1 << 12
"""The room a stack begins with."""


# --- numbers and dimensions -------------------------------------------------------------------------


def _to_scalar(p: Planner, binding: Binding) -> None:
    (out,) = binding.outs
    assert isinstance(out.type, ScalarType)
    element = p.operand(binding.args[0])
    if element.type is not out.type.dtype:
        element = p.code.compute("cast", out.type.dtype, element)
    p.define(out, ScalarValue(element))


def _extent(p: Planner, binding: Binding) -> None:
    p.define(binding.outs[0], ScalarValue(p.code.number(p.params(binding)["dim"])))


def _as_dim(p: Planner, binding: Binding) -> None:
    length = p.operand(binding.args[0])
    ok = p.code.compute("ge", bool_, length, Imm(0, i64))
    p.check(ok, "ValueError", "negative dimensions are not allowed")
    p.code.bind(binding.params["symbol"], p.code.dimension(length))


def _check_extents(p: Planner, binding: Binding) -> None:
    params = p.params(binding)
    a, b = p.code.number(params["a"]), p.code.number(params["b"])
    if a != b:
        p.check(p.code.compute("eq", bool_, a, b), params.get("exception", "ValueError"), params["message"], (a, b))


def _check(p: Planner, binding: Binding) -> None:
    values = tuple(_message_value(p, p.operand(a)) for a in binding.args[1:])
    p.check(p.operand(binding.args[0]), binding.params["exception"], binding.params["message"], values)


def _message_value(p: Planner, operand: Operand) -> Operand:
    return p.code.compute("cast", i64, operand) if operand.type is bool_ else operand


def _check_index(p: Planner, binding: Binding) -> None:
    params = p.params(binding)
    index, extent = p.operand(binding.args[0]), p.code.number(params["extent"])
    message = conversions.index_message(params["axis"])
    p.define(binding.outs[0], ScalarValue(_inside(p, index, extent, message, (index, extent))))


def _check_position(p: Planner, binding: Binding) -> None:
    index, length = map(p.operand, binding.args)
    p.define(binding.outs[0], ScalarValue(_inside(p, index, length, binding.params["message"], ())))


def _inside(p: Planner, index: Operand, size: Operand, message: str, values: tuple[Operand, ...]) -> Operand:
    """An index counted from 0. Most are given so: as unsigned numbers, these alone are less than the size."""
    key = ("inside", index, size)
    found = p.code.known(key)
    if found is not None:  # where this one was outside, nothing comes after it
        return found
    compute = p.code.compute
    end = compute("cast", u64, size)
    is_less = compute("lt", bool_, compute("cast", u64, index), end)
    if isinstance(index, Imm) and isinstance(index.value, int) and index.value >= 0:
        p.check(is_less, "IndexError", message, values)
        return p.code.remember(key, index)
    with p.code.block() as scope:
        from_end = compute("add", i64, index, size)
        p.check(compute("lt", bool_, compute("cast", u64, from_end), end), "IndexError", message, values)
        outside = p.code.finish(scope, from_end)
    out = p.code.register("index", i64)
    p.code.emit(If(is_less, Block((), (index,)), outside, (out,)))
    return p.code.remember(key, out)


def _widen(p: Planner, binding: Binding) -> None:
    """The same array, with extents that the type names anew."""
    (out,) = binding.outs
    value = p.array(binding.args[0])
    target = out.type.target if isinstance(out.type, RefType) else out.type
    assert isinstance(target, TensorType)
    before = _target(type_of(binding.args[0]))
    for dim, was, extent in zip(target.shape, before.shape, value.layout.shape, strict=True):
        name = bare_symbol(dim)
        if name is not None and dim is not was and p.introduces(name):
            p.code.bind(name, extent)
    p.define(out, ArrayValue(value.layout, value.data, value.holding, value.roots, value.element))


def _target(type_: Type) -> TensorType:
    target = type_.target if isinstance(type_, RefType) else type_
    assert isinstance(target, TensorType)
    return target


# --- stacks -----------------------------------------------------------------------------------------


def _stack(p: Planner, binding: Binding) -> Operand:
    value = p.value(binding.args[0])
    if not isinstance(value, StackValue):
        raise InternalError(f"plan: {binding.op.name} of what is no stack")
    return value.operand


def _stack_new(p: Planner, binding: Binding) -> None:
    out = p.code.register("stack", None)
    p.code.emit(StackNew(out, Imm(_STACK_BYTES, i64)))
    p.define(binding.outs[0], StackValue(out))


def _stack_push(p: Planner, binding: Binding) -> None:
    stack = _stack(p, binding)
    atoms = binding.args[1:]
    operands: list[Operand] = []
    for form, atom in zip(forms.make_forms([type_of(a) for a in atoms], forms.is_runtime), atoms, strict=True):
        operands += forms.flatten(p, form, p.value(atom), p.giving(atom))
    p.code.emit(StackPush(stack, tuple(operands)))
    p.define(binding.outs[0], StackValue(stack))


def _stack_pop(p: Planner, binding: Binding) -> None:
    stack = _stack(p, binding)
    types: tuple[Type, ...] = binding.params["types"]
    made = forms.make_forms(types, forms.is_runtime)
    outs = tuple(reg for form in made for reg in forms.registers(p, form, "popped"))
    p.code.emit(StackPop(stack, outs))
    p.define(binding.outs[0], StackValue(stack))
    values = forms.rebuild(p, made, types, outs, p.hold, [None] * len(types))
    for out, value in zip(binding.outs[1:], values, strict=True):
        p.define(out, value)


def _stack_free(p: Planner, binding: Binding) -> None:
    p.code.emit(StackFree(_stack(p, binding)))


# --- unions -----------------------------------------------------------------------------------------


def _union_make(p: Planner, binding: Binding) -> None:
    tag: int = binding.params["tag"]
    parts = tuple(map(p.value, binding.args))
    count = len(binding.params["type"].members)
    members = tuple(parts if k == tag else () for k in range(count))
    p.define(binding.outs[0], UnionValue(Imm(tag, i64), members))


def _union_tag(p: Planner, binding: Binding) -> None:
    p.define(binding.outs[0], ScalarValue(_union(p, binding).tag))


def _union_get(p: Planner, binding: Binding) -> None:
    parts = _union(p, binding).members[binding.params["index"]]
    if not parts and binding.outs:  # certainly another member: this is never reached
        types = [type_of(out) for out in binding.outs]
        made = forms.make_forms(types, forms.is_runtime)
        zeros = [z for form in made for z in forms.zeros(form)]
        parts = tuple(forms.rebuild(p, made, types, zeros, lambda owner: Holding(owner, None), [None] * len(types)))
    for out, part in zip(binding.outs, parts, strict=True):
        if isinstance(part, ArrayValue) and isinstance(out.type, TensorType) and not out.type.rank:
            part = p.element_value(part.dtype, p.element(part))
        p.define(out, part)


def _union(p: Planner, binding: Binding) -> UnionValue:
    value = p.value(binding.args[0])
    if not isinstance(value, UnionValue):
        raise InternalError(f"plan: {binding.op.name} of what is no union")
    return value


# --- boxes ------------------------------------------------------------------------------------------


_NUMBERS: Final = frozenset(Imm(int(kind), i64) for kind in (Kind.NONE, Kind.BOOL, Kind.INT, Kind.FLOAT))
"""The kinds of values that are in no boxes."""


def _of_library(p: Planner, binding: Binding) -> None:
    (out,) = binding.outs
    assert isinstance(out.type, ScalarType)
    args = tuple(map(p.operand, binding.args))
    if binding.params["function"] == "tuple_of":
        made = _library_call(p, "tuple_new", i64, p.code.number(len(args) // 2))
        for k in range(0, len(args), 2):
            _library_call(p, "tuple_put", i64, made, p.code.number(k // 2), *args[k : k + 2])
    else:
        function: str = binding.params["function"]
        if function == "list_put" and args[2] not in _NUMBERS:
            function = "list_put_box"
        made = _library_call(p, function, out.type.dtype, *args)
    p.define(out, ScalarValue(made))


def _library_call(p: Planner, function: str, dtype: DType, *args: Operand) -> Reg:
    made = p.code.register("box", dtype)
    p.code.emit(Library(made, function, args))
    return made


def _box_text(p: Planner, binding: Binding) -> None:
    value = p.in_memory(p.array(binding.args[0]))
    if not value.layout.is_contiguous:
        value = p.copied(value)
    data, length = value.data, p.code.number(value.layout.shape[0])
    assert data is not None
    made = p.code.register("box", i64)
    p.code.emit(Library(made, "text_of_codes", (data, length)))
    p.define(binding.outs[0], ScalarValue(made))


def _box_constant(p: Planner, binding: Binding) -> None:
    value = p.in_memory(p.array(binding.args[0]))
    made = p.code.register("box", i64)
    assert value.data is not None
    p.code.emit(Library(made, "same", (value.data,)))
    p.define(binding.outs[0], ScalarValue(made))


BUILTINS: Final[Mapping[Op, Callable[[Planner, Binding], None]]] = {
    conversions.to_scalar: _to_scalar,
    conversions.extent: _extent,
    conversions.as_dim: _as_dim,
    conversions.check_extents: _check_extents,
    conversions.check: _check,
    conversions.check_index: _check_index,
    conversions.check_position: _check_position,
    widening.widen: _widen,
    state.ref_new: places.ref_new,
    state.ref_read: places.ref_read,
    state.ref_write: places.ref_write,
    state.ref_add: places.ref_add,
    state.stack_new: _stack_new,
    state.stack_push: _stack_push,
    state.stack_pop: _stack_pop,
    state.stack_free: _stack_free,
    columns.room: growing.lower_room,
    columns.put_row: growing.lower_row,
    columns.add_row: growing.lower_row,
    state.commit: trying.lower_commit,
    state.rethrow: trying.lower_rethrow,
    state.park: trying.lower_park,
    state.unpark: trying.lower_unpark,
    state.drop_parked: trying.lower_drop_parked,
    unions.union_make: _union_make,
    unions.union_tag: _union_tag,
    unions.union_get: _union_get,
    boxes.box_read: _of_library,
    boxes.box_change: _of_library,
    boxes.box_pure: _of_library,
    boxes.box_text: _box_text,
    boxes.box_constant: _box_constant,
}
