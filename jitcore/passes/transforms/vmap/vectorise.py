"""Graphs with an axis of rows added to what differs from row to row; the rest is computed once for all of them.

It is for graphs in which rows cannot tell that they are computed together (`can_be_vectorised`): nothing that differs
raises, or writes to what is not the graph's own. Where rows part, both branches are computed and one is selected, and a
loop goes on until the last row is done, with the carries of the others held still.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from jitcore.ir.analysis import EffectAnalysis, all_bindings, symbols_in
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import COND, FOR, SWITCH, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Module, Var, type_of
from jitcore.ir.rewrite import clone
from jitcore.passes.transforms.vmap.dependence import Dependence
from jitcore.passes.transforms.vmap.rows import batch_type, by_rows
from jitcore.primitives.core import batching
from jitcore.primitives.core.batching import Operand
from jitcore.primitives.core.registry import Primitive
from jitcore.primitives.differentiation import to_shape
from jitcore.primitives.ops import conversions, elementwise, reductions, shape, widening
from jitcore.primitives.tracing import GraphEvaluator
from jitcore.types import BOOL, INT, Dim, RefType, ScalarType, StackType, TensorType, UnionType


def can_be_vectorised(graph: Graph, differs: Dependence, graphs: dict[str, Graph]) -> bool:
    """Whether computing all rows together is the same as one after the other."""
    effects = EffectAnalysis(Module("", graphs))
    if any(isinstance(r.type, RefType) for r in graph.results):
        return False
    for b in all_bindings(graph):
        if any(isinstance(o.type, UnionType | RefType | StackType) for o in b.outs if differs(o)):
            return False
        if isinstance(b.op, Primitive):
            found = b.op.effects
            if found.io or found.writes or (any(map(differs, b.args)) and not _can_differ(b, b.op)):
                return False
        elif b.op not in (COND, SWITCH, WHILE, FOR) or not _parts_well(b, differs, effects):
            return False
    return True


_CONVERSIONS = (conversions.from_scalar, conversions.to_scalar)


def _can_differ(b: Binding, op: Primitive) -> bool:
    """Whether a primitive may be computed for all rows together, whatever they are. (A loop over Python numbers is best
    left as it is.)"""
    if op.effects.reads or op is widening.widen:
        return False
    if op.effects.raises and (op not in _CONVERSIONS or _may_overflow(b)):
        return False
    if batching.rule_of(op) is None and any(isinstance(a.type, ScalarType) for a in (*b.args, *b.outs)):
        return False
    known = {s for a in b.args for s in symbols_in(a.type)}.union(*map(symbols_in, b.params.values()))
    return all(symbols_in(o.type) <= known for o in b.outs)


def _may_overflow(b: Binding) -> bool:
    """Whether a Python int is made an element of an integer array that it may not fit."""
    dtype = b.params.get("dtype")
    return b.args[0].type is INT and dtype is not INT.dtype and dtype is not None and dtype.kind in "iu"


def _parts_well(b: Binding, differs: Dependence, effects: EffectAnalysis) -> bool:
    """Whether rows that take different ways through control flow can all take each."""
    if not differs(b.graphs[0].results[0] if b.op is WHILE else b.args[0]):
        return True
    # a way that a row does not take must end all the same
    ends = all(effects.ends(inner) for g in b.graphs for inner in g.body)
    return b.op in (COND, WHILE) and ends and all(effects.of_graph(g).pure for g in b.graphs)


def _of_type(x: Atom, wanted: TensorType) -> Atom:
    """A batch as one of exactly this type."""
    return x if type_of(x) is wanted else to_shape(x, wanted.shape)


class Vectoriser:
    """Emits bindings for n rows; `batches` are the batched variables' batches."""

    def __init__(self, evaluator: GraphEvaluator, differs: Dependence, n: Dim) -> None:
        self.evaluator = evaluator
        self.differs = differs
        self.n = n
        self.batches: dict[Var, Atom] = {}

    @property
    def builder(self) -> GraphBuilder:
        return self.evaluator.builder

    def operand(self, atom: Atom) -> Operand:
        """An argument of a primitive."""
        type_ = type_of(atom)
        row = type_.shape if isinstance(type_, TensorType) else ()
        if isinstance(atom, Var) and atom in self.batches:
            return Operand(self.batches[atom], True, row)
        return Operand(atom, False, row)

    def batch(self, atom: Atom) -> Atom:
        """A value as a batch."""
        return batching.tiled(self.operand(atom), self.n)

    def bindings(self, body: Sequence[Binding]) -> None:
        """Emit a body."""
        for b in body:
            self.builder.span = b.span
            if b.op in (COND, SWITCH):
                self._branches(b)
            elif b.op in (FOR, WHILE):
                self._loop(b)
            elif any(isinstance(a, Var) and a in self.batches for a in b.args):
                self._primitive(b)
            else:
                self.builder.append(b)

    def _primitive(self, b: Binding) -> None:
        op = b.op
        assert isinstance(op, Primitive)
        operands = [self.operand(a) for a in b.args]
        rule = batching.rule_of(op)
        made = rule(op, operands, b.params, self.n) if rule is not None and len(b.outs) == 1 else None
        if made is None:
            self._one_by_one(b)
            return
        (out,) = b.outs
        self._set(out, made)

    def _set(self, out: Var, made: Atom) -> None:
        wanted = batch_type(type_of(out), self.n)
        assert wanted is not None
        self.batches[out] = _of_type(made, wanted)

    def _one_by_one(self, b: Binding) -> None:
        """A loop over the rows for one primitive."""
        chosen = list(dict.fromkeys(a for a in b.args if isinstance(a, Var) and a in self.batches))
        outs = tuple(Var(o.name, o.type, o.span) for o in b.outs)
        params = {v: Var(v.name, v.type, v.span) for v in chosen}
        args = tuple(params.get(a, a) if isinstance(a, Var) else a for a in b.args)
        graph = Graph(b.op.name, tuple(params.values()), (replace(b, args=args, outs=outs),), outs, b.span)
        made = by_rows(self.evaluator, graph, [self.batches[v] for v in chosen], self.n)
        for out, batch in zip(b.outs, made, strict=True):
            self._set(out, batch)

    # --- control flow -------------------------------------------------------------------------------

    def _nested(self, graph: Graph, params: Sequence[Var], results: Callable[[], Sequence[Atom]]) -> Graph:
        outer = self.builder
        self.evaluator.builder = GraphBuilder(graph.name, graph.span)
        try:
            self.bindings(graph.body)
            made = tuple(results())
            return Graph(graph.name, tuple(params), tuple(self.builder.body), made, graph.span)
        finally:
            self.evaluator.builder = outer

    def _given(self, atom: Atom, batched: bool) -> Atom:
        return self.batch(atom) if batched else atom

    def _typed(self, var: Var, batched: bool) -> Var:
        """A variable for a value or for a batch of it; then it is known as the batch."""
        if not batched:
            return var
        made = Var(var.name, batch_type(type_of(var), self.n), var.span)
        self.batches[var] = made
        return made

    def _branches(self, b: Binding) -> None:
        if self.operand(b.args[0]).batched:
            self._both(b)
            return
        batched = [self.differs(o) for o in b.outs]

        def ends(graph: Graph) -> Callable[[], Sequence[Atom]]:
            return lambda: [self._given(r, w) for r, w in zip(graph.results, batched, strict=True)]

        graphs = tuple(self._nested(g, (), ends(g)) for g in b.graphs)
        outs = tuple(self._typed(o, w) for o, w in zip(b.outs, batched, strict=True))
        self.builder.append(replace(b, outs=outs, graphs=graphs))

    def _both(self, b: Binding) -> None:
        """Rows part: compute both branches, and select."""
        condition = self.batch(b.args[0])
        for graph in b.graphs:
            self.bindings(graph.body)
        for out, one, other in zip(b.outs, *(g.results for g in b.graphs), strict=True):
            self._set(out, self._select(condition, self.batch(one), self.batch(other)))

    def _select(self, condition: Atom, one: Atom, other: Atom) -> Atom:
        type_ = type_of(one)
        assert isinstance(type_, TensorType)
        if type_.rank > 1:
            condition = shape.expand_dims(condition, axis=tuple(range(1, type_.rank)))
        return elementwise.select(condition, one, other)

    def _loop(self, b: Binding) -> None:
        head = 1 if b.op is FOR else 0
        body = b.graphs[-1]
        if b.op is WHILE and self.differs(b.graphs[0].results[0]):
            self._masked(b)
            return
        batched = [self.differs(c) for c in body.params[head:]]
        inits = [self._given(a, w) for a, w in zip(b.args[head:], batched, strict=True)]
        graphs: list[Graph] = []
        for graph in b.graphs:
            skip = head if graph is body else 0
            params = [*graph.params[:skip]]
            params += [self._typed(p, w) for p, w in zip(graph.params[skip:], batched, strict=True)]
            wanted = batched if graph is body else [False]

            def ends(graph: Graph = graph, wanted: Sequence[bool] = wanted) -> Sequence[Atom]:
                return [self._given(r, w) for r, w in zip(graph.results, wanted, strict=True)]

            graphs.append(self._nested(graph, params, ends))
        outs = tuple(self._typed(o, w) for o, w in zip(b.outs, batched, strict=True))
        self.builder.append(replace(b, args=(*b.args[:head], *inits), outs=outs, graphs=tuple(graphs)))

    def _masked(self, b: Binding) -> None:
        """Rows end at different rounds: go on until all have, the carries of those that have held still."""
        test, body = b.graphs
        inits = [self.batch(a) for a in b.args]
        going = self._test(test, inits)
        mask = TensorType(BOOL.dtype, (self.n,))
        types = [type_of(a) for a in inits]
        head = Graph("going", *self._any(mask, types), b.span)
        builder = GraphBuilder(body.name, body.span)
        go = builder.param("go", mask)
        carries = [builder.param(p.name, t) for p, t in zip(body.params, types, strict=True)]
        outer, self.evaluator.builder = self.builder, builder
        try:
            self.batches.update(zip(body.params, carries, strict=True))
            self.bindings(body.body)
            results = [
                self._select(go, _of_type(self.batch(r), _array_type(c)), c)
                for r, c in zip(body.results, carries, strict=True)
            ]
            goes = elementwise.bitwise_and(go, self._test(test, results))
        finally:
            self.evaluator.builder = outer
        step = builder.finish((goes, *results))
        outs = tuple(self._typed(o, True) for o in b.outs)
        self.builder.append(
            replace(b, args=(going, *inits), outs=(Var("go", mask, b.span), *outs), graphs=(head, step))
        )

    def _test(self, test: Graph, carries: Sequence[Atom]) -> Atom:
        """The test of a loop for batches of carries. (Its bindings may be emitted more than once.)"""
        copy = clone(test)
        self._also(test, copy)
        self.batches.update(zip(copy.params, carries, strict=True))
        self.bindings(copy.body)
        return self.batch(copy.results[0])

    def _also(self, graph: Graph, copy: Graph) -> None:
        """A copy of a graph differs where the graph does."""
        pairs = list(zip(graph.params, copy.params, strict=True))
        for one, other in zip(all_bindings(graph), all_bindings(copy), strict=True):
            pairs += zip(one.outs, other.outs, strict=True)
            for inner, inner_copy in zip(one.graphs, other.graphs, strict=True):
                pairs += zip(inner.params, inner_copy.params, strict=True)
        self.differs.batched.update(c for v, c in pairs if self.differs(v))

    def _any(
        self, mask: TensorType, types: Sequence[object]
    ) -> tuple[tuple[Var, ...], tuple[Binding, ...], tuple[Atom, ...]]:
        """The parameters, body and results of the test of a masked loop: whether any row goes on."""
        builder = GraphBuilder("going", self.builder.span)
        go = builder.param("go", mask)
        for type_ in types:
            builder.param("c", type_)  # type: ignore[arg-type]
        outer, self.evaluator.builder = self.builder, builder
        try:
            some = conversions.to_scalar(reductions.reduce_any(go, axis=(0,), keepdims=False))
        finally:
            self.evaluator.builder = outer
        return tuple(builder.params), tuple(builder.body), (some,)


def _array_type(atom: Atom) -> TensorType:
    type_ = type_of(atom)
    assert isinstance(type_, TensorType)
    return type_
