"""Primitives computed by their NumPy references, called back with the GIL held."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from jitcore.ir.analysis import symbols_in
from jitcore.ir.nodes import Binding, type_of
from jitcore.kernel.build import ArrayLayout
from jitcore.passes.plan.transfers import Lent, received
from jitcore.passes.plan.values import ArrayValue
from jitcore.passes.plan.words import Word, from_words, to_words, word_types
from jitcore.primitives.core.long_calls import FEW, LONG, may_be_left, reference_of
from jitcore.primitives.core.registry import HostCode, Primitive
from jitcore.program.nodes import HOST, Host, Operand, Reg
from jitcore.source import InternalError
from jitcore.structs import dataclass
from jitcore.types import INT, ScalarType, Shape, TensorType, Type

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner


_MOST_NUMBERS: Final = 16
"""Arguments and result of a call without a callback."""


@dataclass(frozen=True, eq=False)
class Reference:
    """A primitive's reference with its static parameters, giving a tuple of results. `size`: its last arguments are its
    extents."""

    primitive: Primitive
    params: dict[str, Any]
    size: Shape | None = None

    def __call__(self, *args: Any) -> tuple[Any, ...]:
        if self.size is None:
            made = self.primitive.reference(*args, **self.params)
        else:
            count = len(args) - len(self.size)
            made = self.primitive.reference(*args[:count], **self.params, size=args[count:])
        return made if isinstance(made, tuple) else () if made is None else (made,)


@dataclass(frozen=True, eq=False)
class LongReference:
    """A reference that may take long: signals' handlers run meanwhile."""

    primitive: Primitive
    params: dict[str, Any]
    arrays: tuple[int, ...]
    """Which of its arguments are arrays."""

    def __call__(self, *args: Any) -> tuple[Any, ...]:
        for k in self.arrays:
            if args[k].size >= FEW:
                made = reference_of(self.primitive, args, self.params)
                break
        else:
            made = self.primitive.reference(*args, **self.params)
        return made if isinstance(made, tuple) else () if made is None else (made,)


def lower_host(p: Planner, binding: Binding) -> None:
    """Call a primitive's reference. Arrays it gives come as new contiguous blocks."""
    assert isinstance(binding.op, Primitive)
    assert isinstance(binding.op.lowering, HostCode)
    params, size = _split(p, binding)
    if symbols_in(tuple(params.values())):
        raise InternalError(f"plan: {binding.op.name} is computed by NumPy and cannot have symbolic parameters")
    types = [type_of(out) for out in binding.outs]
    args: list[Operand] = []
    lent = Lent(p)
    show = partial(_lent, p) if p.memory == HOST else lent.lend
    for atom in binding.args:
        args += to_words(p, type_of(atom), p.value(atom), show)
    outs = [p.code.register("result", word) for t in types for word in word_types(t)]
    args += [p.code.number(n) for n in size or ()]
    given = [type_of(a) for a in binding.args]
    callee = _callee(binding.op, params) if _of_numbers([*given, *types]) and len(types) == 1 else None
    described = _described(binding.op, params) if types else ""
    reference = Reference(binding.op, params, size)
    if size is None and _may_be_long(binding.op, given):
        reference = LongReference(
            binding.op, params, tuple(k for k, t in enumerate(given) if isinstance(t, TensorType))
        )
    function, objects = callee or reference, binding.op.lowering.objects if callee else 0
    given += [INT] * len(size or ())
    direct = None if binding.op.lowering.direct is None else binding.op.lowering.direct(size, **params)
    index = p.tables.host_call(
        function, given, types, callee is not None, described, objects, direct, binding.op.name, params
    )
    p.code.emit(Host(index, tuple(args), tuple(outs), p.site("Exception")))
    lent.give_back()
    receive = partial(_held, p) if p.memory == HOST else partial(received, p)
    words = _words(outs)
    for out, type_ in zip(binding.outs, types, strict=True):
        value = from_words(p, type_, words, receive, contiguous=True)
        if isinstance(value, ArrayValue) and not value.layout.shape:
            value = p.element_value(value.dtype, p.element(value))
        p.define(out, value)


def _lent(p: Planner, value: ArrayValue) -> ArrayValue:
    p.lending(value.holding)
    return value


def _held(p: Planner, layout: ArrayLayout, data: Operand, owner: Operand) -> ArrayValue:
    return ArrayValue(layout, data, p.hold(owner))


def _split(p: Planner, binding: Binding) -> tuple[dict[str, Any], Shape | None]:
    """The static parameters of a host call, and the size that is passed as arguments."""
    assert isinstance(binding.op, Primitive)
    assert isinstance(binding.op.lowering, HostCode)
    params = p.params(binding)
    if binding.op.lowering.direct is None:
        return params, None
    del params["shape"]
    return params, params.pop("size")


def _may_be_long(primitive: Primitive, types: Sequence[Type]) -> bool:
    """Whether arguments of these types may give a host call so much to do that signals' handlers must run meanwhile."""
    assert isinstance(primitive.lowering, HostCode)
    shapes = [t.shape for t in types if isinstance(t, TensorType)]
    if not shapes or not may_be_left(primitive):
        return False
    known = [[extent for extent in shape if isinstance(extent, int)] for shape in shapes]
    return list(map(len, known)) != list(map(len, shapes)) or primitive.lowering.cost(known) >= LONG


def _callee(primitive: Primitive, params: dict[str, Any]) -> Callable[..., Any] | None:
    """A function of numbers, giving one, that computes a primitive; None where there is only its reference."""
    assert isinstance(primitive.lowering, HostCode)
    return primitive.lowering.callee(**params) if primitive.lowering.callee is not None else None


def _described(primitive: Primitive, params: dict[str, Any]) -> str:
    """What a call computes, by the names that users know; empty for what the runtime does for itself."""
    assert isinstance(primitive.lowering, HostCode)
    if primitive.lowering.quick:
        return ""
    name = params.get("name", primitive.name)
    return f"{params['module']}.{name}" if "module" in params else str(name)


def _of_numbers(types: Sequence[Type]) -> bool:
    return len(types) < _MOST_NUMBERS and all(isinstance(t, ScalarType) for t in types)


def _words(registers: list[Reg]) -> Iterator[Word]:
    for register in registers:
        yield lambda register=register: register
