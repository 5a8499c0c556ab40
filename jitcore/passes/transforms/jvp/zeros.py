"""Zero tangents of values of any type."""

from __future__ import annotations

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import COND
from jitcore.ir.nodes import Atom, Graph, Literal, Var, type_of
from jitcore.passes.transforms.grad.sums import zero_of
from jitcore.primitives.ops import python_ints, state, unions
from jitcore.primitives.tracing import GraphEvaluator
from jitcore.types import INT, RefType, ScalarType, TensorType, UnionType


def zero_like(evaluator: GraphEvaluator, atom: Atom) -> Atom:
    """The zero tangent of a value, by the current evaluator; what has no tangent stands for itself."""
    type_ = type_of(atom)
    if isinstance(type_, ScalarType | TensorType):
        return zero_of(type_) if type_.dtype.is_differentiable else atom
    if isinstance(type_, RefType):
        return state.ref_new(zero_of(type_.target))
    if isinstance(type_, UnionType):
        return _zero_union(evaluator, atom, type_, 0)
    return atom


def _zero_union(evaluator: GraphEvaluator, union: Atom, type_: UnionType, tag: int) -> Atom:
    """The union with zeros in the place of its floats, whichever member it holds."""
    if tag == len(type_.members) - 1:
        return _zero_member(evaluator, union, type_, tag)
    outer, graphs = evaluator.builder, list[Graph]()
    pred: Var = python_ints.int_eq(unions.union_tag(union), Literal(tag, INT))
    for name in ("then", "orelse"):
        evaluator.builder = GraphBuilder(name, outer.span)
        try:
            made = (
                _zero_member(evaluator, union, type_, tag)
                if name == "then"
                else _zero_union(evaluator, union, type_, tag + 1)
            )
            graphs.append(evaluator.builder.finish((made,)))
        finally:
            evaluator.builder = outer
    (out,) = outer.emit(COND, (pred,), graphs=tuple(graphs))
    return out


def _zero_member(evaluator: GraphEvaluator, union: Atom, type_: UnionType, tag: int) -> Atom:
    parts = evaluator.builder.emit(unions.union_get, (union,), {"index": tag})
    zeros = [zero_like(evaluator, part) for part in parts]
    (out,) = evaluator.builder.emit(unions.union_make, zeros, {"type": type_, "tag": tag})
    return out
