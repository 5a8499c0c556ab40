"""Operators for tests of the IR and its passes that need no real primitives."""

from __future__ import annotations

from collections.abc import Callable

from jitcore.ir.nodes import PURE, Binding, Effects, Op, type_of
from jitcore.types import BOOL, INT, STACK, RefType, TensorType, Type


class RuleOp(Op):
    """An operator whose type rule is a function of the binding."""

    __slots__ = ("rule",)

    def __init__(self, name: str, rule: Callable[[Binding], tuple[Type, ...]], effects: Effects = PURE) -> None:
        self.name = name
        self.rule = rule
        self.effects = effects

    def result_types(self, binding: Binding) -> tuple[Type, ...]:
        return self.rule(binding)


def _same(binding: Binding) -> tuple[Type, ...]:
    first = type_of(binding.args[0])
    if any(type_of(arg) is not first for arg in binding.args):
        raise TypeError(f"operands {[type_of(arg) for arg in binding.args]}")
    return (first,)


def _target(binding: Binding) -> tuple[Type, ...]:
    place = type_of(binding.args[0])
    assert isinstance(place, RefType)
    return (place.target,)


def _place(binding: Binding) -> tuple[Type, ...]:
    value = type_of(binding.args[0])
    assert isinstance(value, TensorType)
    return (RefType(value),)


OPS = {
    op.name: op
    for op in (
        RuleOp("double", _same),
        RuleOp("plus", _same),
        RuleOp("checked", _same, Effects(raises=("ValueError",))),
        RuleOp("less_than", lambda b: (BOOL,)),
        RuleOp("show", lambda b: (), Effects(io=True)),
        RuleOp("place", _place),
        RuleOp("look", _target, Effects(reads=True)),
        RuleOp("put", lambda b: (), Effects(writes=True)),
        RuleOp("new_stack", lambda b: (STACK,)),
        RuleOp("push", lambda b: (STACK,)),
        RuleOp("pop", lambda b: (STACK, *b.params["types"])),
        RuleOp("free_stack", lambda b: ()),
        RuleOp("count", lambda b: (INT,)),
        RuleOp("to_dim", lambda b: (), Effects(raises=("ValueError",))),
    )
}
