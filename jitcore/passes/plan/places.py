"""Places: making, reading and writing them, with copies only where a write could be seen.

A read is a snapshot. It shares the place's memory where nothing can write there before the snapshot's last use.
A write of a value computed just before goes straight into the place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitcore.ir.control import CALL, FUSED
from jitcore.ir.nodes import Atom, Binding, Literal, Var
from jitcore.passes.plan.copies import add_into, copy_into, same_place
from jitcore.passes.plan.values import NO_ROOTS, ArrayValue, Roots
from jitcore.passes.plan.views import lower_view, view_lowering
from jitcore.primitives.core.registry import Builtin, Primitive
from jitcore.types import RefType, ScalarType, StackType

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner

_LOOKAHEAD = 16
"""How far after a kernel the write of its output may stand to be done by the kernel."""


def ref_new(p: Planner, binding: Binding) -> None:
    """A new place holding a value: the value's own memory if nobody else uses it."""
    (atom,) = binding.args
    (out,) = binding.outs
    value = p.array(atom)
    roots = p.aliasing.roots(out)
    if value.layout.shape and value.roots == NO_ROOTS and value.layout.is_contiguous and p.is_sole_user(atom, value):
        old = value.holding
        if old.unique:
            old.done = True
            p.define(out, ArrayValue(value.layout, value.data, p.hold(old.owner), roots))
            return
    made = p.allocate(value.dtype, value.layout.shape)
    copy_into(p, made, value)
    made.holding.unique = False
    p.define(out, ArrayValue(made.layout, made.data, made.holding, roots))


def ref_read(p: Planner, binding: Binding) -> None:
    """The value a place has now."""
    (out,) = binding.outs
    place = p.array(binding.args[0])
    if not place.layout.shape:
        p.define(out, p.element_value(place.dtype, p.element(place)))
    elif _stays(p, place.roots, p.frame.position, out):
        p.define(out, ArrayValue(place.layout, place.data, place.holding, place.roots))
    else:
        p.define(out, p.copied(place))


def ref_write(p: Planner, binding: Binding) -> None:
    """Write a value to a place, as if it had been copied first."""
    place, value = _operands(p, binding)
    copy_into(p, place, value)


def ref_add(p: Planner, binding: Binding) -> None:
    """Add a value to what a place holds, as if the value had been copied first."""
    place, value = _operands(p, binding)
    add_into(p, place, value)


def _operands(p: Planner, binding: Binding) -> tuple[ArrayValue, ArrayValue]:
    place, value = p.array(binding.args[0]), p.array(binding.args[1])
    if value.element is None and not same_place(place, value) and p.aliasing.may_overlap(place.roots, value.roots):
        value = p.copied(value)
    return place, value


# --- reads that need no copy ------------------------------------------------------------------------


def _stays(p: Planner, roots: Roots, position: int, snapshot: Var) -> bool:
    """Whether nothing can write to memory after a position before the last use of a variable that is to share it (and
    of views of that)."""
    last = _last_use(p, snapshot)
    body = p.frame.uses.graph.body
    for k in p.writing_positions():
        if k <= position:
            continue
        if k > last:
            break
        if k == last and not (body[k].graphs or body[k].op is CALL):
            break  # a write of the snapshot itself takes care of overlaps
        if p.aliasing.may_overlap(p.aliasing.written(body[k]), roots):
            return False
    return True


def _last_use(p: Planner, var: Var) -> int:
    uses = p.frame.uses
    last = p.frame.position
    pending, seen = [var], {var}
    while pending:
        for k in uses.positions.get(pending.pop(), ()):
            last = max(last, k)
            if k < len(uses.graph.body) and _shares(uses.graph.body[k]):
                fresh = [o for o in uses.graph.body[k].outs if o not in seen and not _is_plain(o)]
                seen.update(fresh)
                pending += fresh
    return last


def _shares(binding: Binding) -> bool:
    op = binding.op
    if view_lowering(op) is not None:
        return True
    return isinstance(op, Primitive) and isinstance(op.lowering, Builtin) and op.lowering.memory == "shared"


def _is_plain(var: Var) -> bool:
    return isinstance(var.type, ScalarType | StackType)


# --- writes that a kernel does ----------------------------------------------------------------------


def forwarding_place(p: Planner, out: Var) -> tuple[ArrayValue, int] | None:
    """The place that the output of the current binding is written to next and the position of that write, if the kernel
    may do it: nothing before the write can see the difference, and later uses of the output can read the place."""
    uses, position = p.frame.uses, p.frame.position
    positions = uses.positions.get(out, ())
    body = uses.graph.body
    if not positions or positions[0] >= len(body) or positions[0] - position > _LOOKAHEAD:
        return None
    at = positions[0]
    write = body[at]
    if write.op.name != "ref_write" or write.args[1] is not out:
        return None
    target = write.args[0]
    assert isinstance(target, Var)
    roots = p.aliasing.roots(target)
    if len(positions) > 1 and not _stays(p, roots, at, out):
        return None
    if any(_sees(p, body[k], roots) for k in range(position + 1, at)) or not _define_ahead(p, target, position, at):
        return None
    place = p.array(target)
    return (place, at) if place.layout.shape else None


def _sees(p: Planner, binding: Binding, roots: Roots) -> bool:
    """Whether a binding could tell if memory with these roots were written to before it instead of after."""
    if (binding.graphs and binding.op is not FUSED) or binding.op is CALL:
        return True
    effects = binding.op.effects
    if effects.raises or effects.io or p.aliasing.may_overlap(p.aliasing.written(binding), roots):
        return True
    if _is_place_view(binding):
        return False
    return any(_reads(p, atom, roots) for atom in binding.args)


def _reads(p: Planner, atom: Atom, roots: Roots) -> bool:
    if isinstance(atom, Literal):
        return False
    if isinstance(atom.type, RefType):
        return p.aliasing.may_overlap(p.aliasing.roots(atom), roots)
    value = p.values.get(atom)
    return isinstance(value, ArrayValue) and p.aliasing.may_overlap(value.roots, roots)


def _is_place_view(binding: Binding) -> bool:
    return view_lowering(binding.op) is not None and isinstance(binding.outs[0].type, RefType)


def _define_ahead(p: Planner, target: Var, position: int, before: int) -> bool:
    """Make a place known, if it is a view made between two positions of places and numbers known already."""
    if target in p.values:
        return True
    uses = p.frame.uses
    for k in range(position + 1, before):
        binding = uses.graph.body[k]
        if target in binding.outs:
            known = all(isinstance(a, Literal) or a in p.values for a in binding.args)
            if not known or not _is_place_view(binding):
                return False
            lower_view(p, binding)
            p.frame.done.add(k)
            return True
    return False
