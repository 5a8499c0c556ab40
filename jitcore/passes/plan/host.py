"""Primitives computed by their NumPy references, called back with the GIL held."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jitcore.ir.analysis import symbols_in
from jitcore.ir.nodes import Binding, type_of
from jitcore.passes.plan.values import NO_ROOTS, ArrayValue
from jitcore.passes.plan.words import Word, from_words, to_words, word_types
from jitcore.primitives.registry import Primitive
from jitcore.program.nodes import Host, Operand, Reg
from jitcore.source import InternalError
from jitcore.structs import dataclass

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner


@dataclass(frozen=True, eq=False)
class Reference:
    """A primitive's reference with its static parameters, giving a tuple of results."""

    primitive: Primitive
    params: dict[str, Any]

    def __call__(self, *args: Any) -> tuple[Any, ...]:
        made = self.primitive.reference(*args, **self.params)
        return made if isinstance(made, tuple) else () if made is None else (made,)


def lower_host(p: Planner, binding: Binding) -> None:
    """Call a primitive's reference. Arrays it gives come as new contiguous blocks."""
    assert isinstance(binding.op, Primitive)
    params = p.params(binding)
    if symbols_in(tuple(params.values())):
        raise InternalError(f"plan: {binding.op.name} is computed by NumPy and cannot have symbolic parameters")
    types = [type_of(out) for out in binding.outs]
    args: list[Operand] = []
    for atom in binding.args:
        args += to_words(p, type_of(atom), p.value(atom), p.lending)
    outs = [p.code.register("result", word) for t in types for word in word_types(t)]
    index = p.tables.host_call(Reference(binding.op, params), [type_of(a) for a in binding.args], types)
    p.code.emit(Host(index, tuple(args), tuple(outs), p.site("Exception")))
    words = _words(outs)
    for out, type_ in zip(binding.outs, types, strict=True):
        value = from_words(p, type_, words, p.hold, NO_ROOTS, contiguous=True)
        if isinstance(value, ArrayValue) and not value.layout.shape:
            value = p.element_value(value.dtype, p.element(value))
        p.define(out, value)


def _words(registers: list[Reg]) -> Iterator[Word]:
    for register in registers:
        yield lambda register=register: register
