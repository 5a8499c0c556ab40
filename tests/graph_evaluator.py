"""Runs typed graphs with the primitives' NumPy references, for tests; and builds graphs from functions over primitives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import CALL, COND, FOR, FUSED, SWITCH, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Op, Var
from jitcore.primitives.core import evaluation
from jitcore.primitives.core.registry import Primitive
from jitcore.primitives.tracing import GraphEvaluator, operands
from jitcore.types import (
    DimExpr,
    RefType,
    ScalarType,
    TensorType,
    Type,
    bool_,
    c128,
    dtype_of,
    evaluate_dim,
    f64,
    i64,
)

# --- building ---------------------------------------------------------------------------------------


def graph(name: str, types: Sequence[Type], write: Callable[..., Any]) -> Graph:
    """The graph of a function over primitives (and `control`); its result is an atom or a tuple of them."""
    builder = GraphBuilder(name)
    params = [builder.param(f"x{k}", t) for k, t in enumerate(types)]
    with evaluation.evaluating_by(GraphEvaluator(builder)):
        made = write(*params)
    results = made if isinstance(made, tuple) else () if made is None else (made,)
    return builder.finish(operands(results) if results else [])


def control(
    op: Op,
    args: Sequence[Any] = (),
    graphs: Sequence[Graph] = (),
    types: Sequence[Type] | None = None,
    **params: Any,
) -> Any:
    """A control-flow binding in the graph being built."""
    evaluator = evaluation.current()
    assert isinstance(evaluator, GraphEvaluator)
    atoms = [a if isinstance(a, Var | Literal) else operands((a,))[0] for a in args]
    outs = evaluator.builder.emit(op, atoms, params, tuple(graphs), types=types)
    return outs[0] if len(outs) == 1 else outs


def type_of_value(value: Any) -> Type:
    """The type of a NumPy array or Python number."""
    if type(value) in (bool, int, float, complex):
        return ScalarType({bool: bool_, int: i64, float: f64, complex: c128}[type(value)])
    array = np.asarray(value)
    return TensorType(dtype_of(array.dtype), array.shape)


# --- evaluating -------------------------------------------------------------------------------------


class Evaluation:
    """One run of a module."""

    def __init__(self, module: Module) -> None:
        self.module = module

    def graph(self, graph: Graph, args: Sequence[Any], env: Mapping[Var, Any], dims: Mapping[str, int]) -> list[Any]:
        values = dict(env)
        known = dict(dims)
        for param, arg in zip(graph.params, args, strict=True):
            self.bind(param, arg, values, known)
        for binding in graph.body:
            self.binding(binding, values, known)
        return [self.atom(r, values) for r in graph.results]

    def bind(self, var: Var, value: Any, values: dict[Var, Any], dims: dict[str, int]) -> None:
        values[var] = value
        type_ = var.type.target if isinstance(var.type, RefType) else var.type
        if isinstance(type_, TensorType):
            for dim, extent in zip(type_.shape, np.shape(value), strict=True):
                if isinstance(dim, DimExpr) and str(dim) in dim.symbols:
                    dims[str(dim)] = extent

    def atom(self, atom: Atom, values: Mapping[Var, Any]) -> Any:
        if isinstance(atom, Var):
            return values[atom]
        if isinstance(atom.type, TensorType):
            return np.asarray(atom.value, atom.type.dtype.numpy)
        return atom.value

    def binding(self, b: Binding, values: dict[Var, Any], dims: dict[str, int]) -> None:
        args = [self.atom(a, values) for a in b.args]
        made = self.primitive(b, args, dims) if isinstance(b.op, Primitive) else self.control(b, args, values, dims)
        for out, value in zip(b.outs, made, strict=True):
            if isinstance(out.type, TensorType):
                value = np.asarray(value)
            self.bind(out, value, values, dims)

    def primitive(self, b: Binding, args: list[Any], dims: dict[str, int]) -> Sequence[Any]:
        assert isinstance(b.op, Primitive)
        if b.op.name == "as_dim":
            dims[b.params["symbol"]] = args[0]
        if b.op.name == "widen":
            return (args[0],)
        params = {k: _evaluated(v, dims) for k, v in b.params.items()}
        if b.op.name in ("ref_new", "ref_read"):
            return (np.array(args[0]),)
        if b.op.name == "ref_view":  # also where it is of one element
            whole = ("s", 0, 1, 1)
            return (b.op.reference(args[0][..., None], *args[1:], spec=(*params["spec"], whole))[..., 0],)
        made = b.op.reference(*args, **params)
        return made if isinstance(made, tuple) and len(b.outs) != 1 else () if not b.outs else (made,)

    def control(self, b: Binding, args: list[Any], values: dict[Var, Any], dims: dict[str, int]) -> Sequence[Any]:
        if b.op is COND:
            return self.graph(b.graphs[0 if args[0] else 1], [], values, dims)
        if b.op is SWITCH:
            return self.graph(b.graphs[args[0]], [], values, dims)
        if b.op is FUSED:
            return self.graph(b.graphs[0], args, values, dims)
        if b.op is CALL:
            return self.graph(self.module.graphs[b.params["callee"]], args, {}, {})
        if b.op is FOR:
            carries = args[1:]
            for i in range(args[0]):
                carries = self.graph(b.graphs[0], [i, *carries], values, dims)
            return carries
        assert b.op is WHILE
        carries = args
        while self.graph(b.graphs[0], carries, values, dims)[0]:
            carries = self.graph(b.graphs[1], carries, values, dims)
        return carries


def _evaluated(value: Any, dims: Mapping[str, int]) -> Any:
    if isinstance(value, DimExpr):
        return evaluate_dim(value, dims)
    if type(value) is tuple:
        return tuple(_evaluated(v, dims) for v in value)
    return value


def evaluate(module: Module, args: Sequence[Any]) -> list[Any]:
    """The results of a module's entry on NumPy arrays (written to in place) and numbers."""
    return Evaluation(module).graph(module.main, args, {}, {})
