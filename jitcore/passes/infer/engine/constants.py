"""Which values a program has without its arguments' elements: another framework's compiler computes these itself, and
says other things of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from jitcore.ir.nodes import Atom, Binding, Literal, Var
from jitcore.passes.infer.domain import composition
from jitcore.passes.infer.domain.values import Array, Number, Path, Range, Reference, Static, Tuple, Value
from jitcore.passes.infer.engine import marking
from jitcore.primitives.core.registry import Primitive
from jitcore.primitives.ops import conversions, views
from jitcore.types import ScalarType

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_LEFT_TO_RUN: Final = (views.view_index,)
"""What is not computed before the run though the operands are known."""

Folds = Callable[[str, bool], bool]
"""Whether nothing but the value is left of an operation (a primitive's name) that is computed before the run; and
whether its operands are of one shape."""


def is_constant(infer: Infer, value: Value) -> bool:
    """Whether a value is known before the run: numbers are, and what is made of constants and of arrays outside that
    are no Parameters."""
    match value:
        case Static():
            return True
        case Number():
            return not value.variable and _Search(infer).is_constant(value.atom)
        case Array():
            return not value.keeps_memory and _Search(infer).is_constant(value.atom)
        case Range():
            return all(is_constant(infer, v) for v in (value.start, value.stop, value.step))
        case Tuple():
            return not marking.is_marked(infer, value) and all(is_constant(infer, v) for v in value.items)
        case Reference() if value.kind is list and infer.heap.buffer(value) is None:
            return not marking.is_marked(infer, value) and all(is_constant(infer, v) for v in infer.heap.items(value))
        case _:
            return False


def is_folded(infer: Infer, value: Value, folds: Folds) -> bool:
    """Whether nothing but a value is left of what a program has: of a constant, and of what is computed of constants by
    a few operations."""
    match value:
        case Static():
            return True
        case Number():
            return not value.variable and value.atom not in infer.paths_taken.from_arrays
        case Array():
            return not value.keeps_memory and _Search(infer, partial(_is_folding, folds)).is_constant(value.atom)
        case Tuple() | Reference() if marking.is_container(value) and not marking.is_marked(infer, value):
            if isinstance(value, Reference) and infer.heap.buffer(value) is not None:
                return False
            return all(is_folded(infer, item, folds) for item in composition.decompose(infer, value)[2])
        case _:
            return isinstance(value, Range)


def _is_folding(folds: Folds, search: _Search, maker: Binding) -> bool:
    if maker.op.name == "full":  # zeros may be those of `zeros_like`, which is left to the run
        filled = search.made_of(maker.args[0])
        return not (isinstance(filled, Literal) and not filled.value)
    return folds(maker.op.name, len({getattr(a.type, "shape", None) for a in maker.args}) == 1)


def _is_computed(search: _Search, maker: Binding) -> bool:
    del search
    return maker.op not in _LEFT_TO_RUN


def _is_argument(path: Path) -> bool:
    """Whether it is an argument or an item of one, and no attribute of an object that is."""
    return path[0] == "arg" and not any(isinstance(step, tuple) and step[0] == "attr" for step in path[2:])


def _is_parameter(source: Any) -> bool:
    return getattr(type(source), "__jitcore_keeps_memory__", False) is True


class _Search:
    """Goes back from an array to what it is made of, by what is computed before the run."""

    def __init__(self, infer: Infer, computes: Callable[[_Search, Binding], bool] = _is_computed) -> None:
        self.computes = computes
        bodies = (infer.inputs.builder.body, infer.builder.body)
        done = infer.overwrites.done
        self.makers: dict[Var, Binding] = {v: b for body in bodies for b in body for v in b.outs if v not in done}
        self.given = {
            r.var
            for r in infer.inputs.records
            if isinstance(r.var.type, ScalarType) or not (_is_argument(r.path) or _is_parameter(r.source))
        }
        self.known: dict[Var, bool] = {}

    def made_of(self, atom: Atom) -> Atom:
        """The number that an array is made of, if it is."""
        maker = self.makers.get(atom) if isinstance(atom, Var) else None
        return maker.args[0] if maker is not None and maker.op is conversions.from_scalar else atom

    def is_constant(self, atom: Atom) -> bool:
        """Whether no argument and nothing that only the run has is in an atom."""
        if isinstance(atom, Literal):
            return True
        if atom not in self.known:
            self.known[atom] = self._is_made_of_constants(atom)
        return self.known[atom]

    def _is_made_of_constants(self, var: Var) -> bool:
        if var in self.given:
            return True
        maker = self.makers.get(var)
        if (
            maker is None
            or not isinstance(maker.op, Primitive)
            or maker.op.effects.io
            or not self.computes(self, maker)
        ):
            return False
        return all(map(self.is_constant, maker.args))
