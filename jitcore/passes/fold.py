"""The `fold` pass: operations on constants are done now, by their references."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from jitcore.ir.nodes import Atom, Binding, Literal, Module
from jitcore.ir.rewrite import Rewriter
from jitcore.passes.registry import Pass
from jitcore.primitives.core.registry import Builtin, Elementwise, Primitive, ScalarCode
from jitcore.primitives.ops.conversions import check
from jitcore.structs import dataclass
from jitcore.types import ScalarType, TensorType, Type


@dataclass(frozen=True)
class Fold(Pass):
    """Computes what depends on constants only: Python numbers and rank-0 arrays.

    before    a: i64 = int_add(2, 3)
              b: i64 = int_floordiv(a, 0)
    after     b: i64 = int_floordiv(5, 0)

    What raises is left to raise at run time, where and when the program would.
    """

    name: ClassVar[str] = "fold"
    cleans_up: ClassVar[tuple[int, ...]] = (20, 40)

    def run(self, module: Module) -> Module:
        """The module with constants folded."""
        return _Folder().module(module)


class _Folder(Rewriter):
    def rewrite(self, binding: Binding) -> Iterable[Binding]:
        literals = _folded(binding)
        if literals is None:
            return (binding,)
        self.replaced.update(zip(binding.outs, literals, strict=True))
        return ()


def _folded(binding: Binding) -> list[Literal] | None:
    """The values of the outputs; None if they are not known now."""
    op = binding.op
    if not isinstance(op, Primitive) or not binding.args:
        return None
    for arg in binding.args:
        if not isinstance(arg, Literal):
            return None
    if not _may_fold(op) or not all(_is_number(out.type) for out in binding.outs):
        return None
    if op is check:  # which makes the exception, of a class that may be the user's, when the program runs
        return [] if _is_true(binding.args[0]) else None
    args = [_operand(a.value, a.type) for a in binding.args if isinstance(a, Literal)]
    try:
        with np.errstate(all="ignore"):
            made: Any = op.reference(*args, **binding.params)
    except Exception:  # whatever it raises, it raises when the program runs
        return None
    values = made if isinstance(made, tuple) else () if made is None else (made,)
    literals = [_literal(v, out.type) for v, out in zip(values, binding.outs, strict=True)]
    return None if any(literal is None for literal in literals) else [x for x in literals if x is not None]


def _is_true(atom: Atom) -> bool:
    return isinstance(atom, Literal) and bool(atom.value)


def _may_fold(op: Primitive) -> bool:
    if op.effects.reads or op.effects.writes or op.effects.io:
        return False
    match op.lowering:
        case Elementwise(exact=exact):
            return exact
        case ScalarCode():
            return True
        case Builtin(of_values=of_values):
            return of_values
        case _:
            return False


def _is_number(type_: Type | None) -> bool:
    return isinstance(type_, ScalarType) or (isinstance(type_, TensorType) and not type_.shape)


def _operand(value: Any, type_: Type | None) -> Any:
    return np.asarray(value, type_.dtype.numpy) if isinstance(type_, TensorType) else value


def _literal(value: Any, type_: Type | None) -> Literal | None:
    if isinstance(type_, TensorType):
        array = np.asarray(value)
        return Literal(array.item(), type_) if array.dtype == type_.dtype.numpy and not array.shape else None
    assert isinstance(type_, ScalarType)
    python = {"b": bool, "i": int, "f": float, "c": complex}[type_.dtype.kind]
    if type(value) is not python or (isinstance(value, int) and not -(2**63) <= value < 2**63):
        return None
    return Literal(value, type_)
