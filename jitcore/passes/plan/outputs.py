"""Where a kernel writes its outputs: to the place the value is about to be written to, over an operand that dies, or to
new memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from jitcore.ir.nodes import Atom, Var
from jitcore.kernel.build import ArrayLayout
from jitcore.passes.plan.places import forwarding_place
from jitcore.passes.plan.values import NO_ROOTS, ArrayValue, Holding
from jitcore.program.nodes import Alloc, Block, If, IsUnique, Operand, Reg, Release
from jitcore.structs import dataclass
from jitcore.types import Shape, TensorType, bool_

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner

_WORTH_ASKING = 1024
"""Elements from which reusing memory is worth asking at run time whether it is shared."""


@dataclass(slots=True)
class Target:
    """Where an output goes. `shared`: the inputs (elementwise ones) whose memory it may be.

    `value` is what the output will be; None if nobody reads it again after it went straight to the place
    it is written to next.
    `replaced`: a holding that was given up for the output if `reused`, and is released otherwise.
    """

    layout: ArrayLayout
    data: Operand
    shared: tuple[Atom, ...]
    value: ArrayValue | None
    replaced: Holding | None = None
    reused: Operand | None = None

    def finish(self, p: Planner, out: Var) -> None:
        """After the launch: define the output."""
        if self.replaced is not None and self.reused is not None:
            release = Block((Release(self.replaced.owner),))
            p.code.emit(If(self.reused, Block(()), release))
        if self.value is None:
            return
        if not self.layout.shape:
            p.define(out, p.element_value(self.layout.dtype, p.element(self.value)))
        else:
            p.define(out, self.value)


def choose_targets(
    p: Planner, outs: tuple[Var, ...], inputs: Mapping[Atom, ArrayValue], direct: Mapping[Atom, Atom]
) -> list[Target]:
    """Targets for the outputs of a kernel that reads `inputs`, of which it reads `direct` ones only where it writes."""
    targets: list[Target] = []
    taken: set[Atom] = set()
    for out in outs:
        assert isinstance(out.type, TensorType)
        layout = ArrayLayout.contiguous(out.type.dtype, p.shape(out.type))
        target = _forward(p, out, layout, inputs, direct) or _in_place(p, layout, inputs, direct, taken)
        targets.append(target or _new(p, layout))
    return targets


def _new(p: Planner, layout: ArrayLayout) -> Target:
    value = p.allocate(layout.dtype, layout.shape)
    assert value.data is not None
    return Target(value.layout, value.data, (), value)


def _forward(
    p: Planner, out: Var, layout: ArrayLayout, inputs: Mapping[Atom, ArrayValue], direct: Mapping[Atom, Atom]
) -> Target | None:
    found = forwarding_place(p, out)
    if found is None:
        return None
    place, position = found
    if place.layout.shape != layout.shape or place.dtype is not layout.dtype or place.data is None:
        return None
    shared: list[Atom] = []
    for var, value in inputs.items():
        if value.element is not None or not p.aliasing.may_overlap(value.roots, place.roots):
            continue
        if var not in direct or value.data != place.data or value.layout != place.layout:
            return None
        shared.append(var)
    p.frame.done.add(position)
    is_read_later = p.frame.uses.last(out) > position
    value = ArrayValue(place.layout, place.data, place.holding, place.roots) if is_read_later else None
    return Target(place.layout, place.data, tuple(shared), value)


def _in_place(
    p: Planner, layout: ArrayLayout, inputs: Mapping[Atom, ArrayValue], direct: Mapping[Atom, Atom], taken: set[Atom]
) -> Target | None:
    for var, atom in direct.items():
        value = inputs[var]
        if var in taken or value.layout != layout or value.roots != NO_ROOTS or not p.is_sole_user(atom, value):
            continue
        if not value.holding.unique and not _is_large(layout.shape):
            continue
        taken.add(var)
        return _reuse(p, var, value)
    return None


def _is_large(shape: Shape) -> bool:
    size = 1
    for extent in shape:
        if not isinstance(extent, int):
            return True
        size *= extent
    return size >= _WORTH_ASKING


def _reuse(p: Planner, var: Atom, value: ArrayValue) -> Target:
    """The memory of an input that dies, if need be after asking whether it is shared."""
    old, layout = value.holding, value.layout
    assert value.data is not None
    old.done = True
    if old.unique:
        made = ArrayValue(layout, value.data, p.hold(old.owner, unique=True))
        return Target(layout, value.data, (var,), made)
    unique = p.code.register("unique", bool_)
    size = p.bytes_of(layout.dtype, layout.shape)
    p.code.emit(IsUnique(unique, old.owner))
    data, owner = p.code.register("data", None), p.code.register("owner", None)
    with p.code.block() as scope:
        fresh = Reg(f"new_{owner.name}", None)
        p.code.emit(Alloc(fresh, size, memory=p.memory))
        orelse = p.code.finish(scope, p.data_of(fresh), fresh)
    p.code.emit(If(unique, Block((), (value.data, old.owner)), orelse, (data, owner)))
    made = ArrayValue(layout, data, p.hold(owner, unique=True))
    return Target(layout, data, (var,), made, replaced=old, reused=unique)
