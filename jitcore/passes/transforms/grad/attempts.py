"""Bodies of `try_` that do half their work: what they have written when they raise is differentiated, too.

Reverse mode runs a body backwards if it came to its end. If it was left by an exception, only what it had written to
places until then is of any effect, and how far it came is known only when it runs. So such a body becomes code that
goes on step by step: each binding that may raise is a `try_` of its own, which says whether it did and puts the
exception aside (`park`), and what follows is done only if it did not. Then a `try_` without anything else in its body
raises what was put aside (`unpark`), for the handlers.

Before:

    def body():
        ref_write(place, x)
        y = float_sqrt(z)
        return y
    out = try_(body, handler, names=(('ValueError',),))

After:

    def step():
        y = float_sqrt(z)
        return False, y
    def aside():
        park()
        return True, 0.0
    ref_write(place, x)
    failed, y = try_(step, aside, names=(('ValueError',),))
    def rest():
        cond(raise_it, nothing, failed)
        return y
    out = try_(rest, handler, names=(('ValueError',),))
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from typing import Any

from jitcore.ir.analysis import all_bindings, free_variables, symbols_in
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import CALL, COND, FOR, SWITCH, TRY, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Var, type_of
from jitcore.ir.rewrite import clone, inline
from jitcore.passes.transforms.grad.activity import Activity
from jitcore.passes.transforms.grad.records import refusal
from jitcore.primitives.core import broadcasting
from jitcore.primitives.core.evaluation import evaluating_by
from jitcore.primitives.core.registry import Primitive
from jitcore.primitives.ops import conversions, python_ints, state, unions
from jitcore.primitives.tracing import GraphEvaluator
from jitcore.types import BOOL, INT, RefType, ScalarType, TensorType, Type, UnionType

_FAILED, _FINE = Literal(True, BOOL), Literal(False, BOOL)


def is_half_done(b: Binding, activity: Activity, graphs: Mapping[str, Graph]) -> bool:
    """Whether handlers may find that the body of a `try_` has written derivatives' values to places."""
    body, *handlers = b.graphs
    if not any(h.results or not b.outs for h in handlers):
        return False
    return writes_outside(body, activity, graphs)


def writes_outside(graph: Graph, activity: Activity, graphs: Mapping[str, Graph]) -> bool:
    """Whether a graph writes to active places that it has not made itself."""
    own = {activity.root(o) for b in all_bindings(graph) for o in b.outs if isinstance(o.type, RefType)}
    own -= set(free_variables(graph))
    for b in all_bindings(graph):
        if b.op is CALL:
            targets = b.args if _writes_anything(b.params["callee"], graphs, set()) else ()
        else:
            targets = b.args[:1] if isinstance(b.op, Primitive) and b.op.effects.writes else ()
        for target in targets:
            if isinstance(target, Var) and isinstance(target.type, RefType) and activity.is_active(target):
                root = activity.root(target)
                if root not in own or root in activity.joined:
                    return True
    return False


def _writes_anything(name: str, graphs: Mapping[str, Graph], seen: set[str]) -> bool:
    if name in seen:
        return False
    seen.add(name)
    bindings = list(all_bindings(graphs[name]))
    return any(isinstance(b.op, Primitive) and b.op.effects.writes for b in bindings) or any(
        _writes_anything(b.params["callee"], graphs, seen) for b in bindings if b.op is CALL
    )


def stepwise(b: Binding, activity: Activity, graphs: Mapping[str, Graph]) -> list[Binding]:
    """A `try_` with its body step by step, and what is left of it."""
    steps = _Steps(b, activity, graphs)
    failed, rest, values = steps.body(b)
    after = GraphBuilder("rest", b.span)
    steps.raise_if(after, failed)
    inlined, results = inline(rest, values)
    after.body += inlined
    made = Binding(b.outs, TRY, (), b.span, b.params, (after.finish(results), *b.graphs[1:]))
    return [*steps.builder.body, made]


class _Steps:
    """Writes the steps of the body of a `try_`."""

    def __init__(self, b: Binding, activity: Activity, graphs: Mapping[str, Graph]) -> None:
        self.whole = b
        self.activity = activity
        self.graphs = graphs
        self.names: tuple[Any, ...] = ()
        """Of what handlers catch around the steps being written."""
        self.handling = 0
        """How many handlers the steps being written are part of: what they caught are the last that were put aside."""
        self.builder = GraphBuilder("steps", b.span)

    def body(self, b: Binding) -> tuple[Atom, Graph, list[Atom]]:
        """Emit the steps of the body of a `try_` up to its `commit`: whether one failed; and what comes after them,
        with what it takes from them."""
        body = b.graphs[0]
        end = next((k for k, x in enumerate(body.body) if x.op is state.commit), len(body.body))
        bare = Graph(body.name, (), body.body[end:], body.results, body.span)
        done = {o for x in body.body[:end] for o in x.outs}
        needed = tuple(v for v in free_variables(bare) if v in done)
        outer = self.names
        self.names = tuple(dict.fromkeys((*(name for names in b.params["names"] for name in names), *outer)))
        failed, *values = self._block(body.body[:end], needed, [None] * len(needed))
        self.names = outer
        self.builder.span = b.span
        return failed, Graph(body.name, needed, bare.body, bare.results, body.span), values

    def raise_if(self, builder: GraphBuilder, failed: Atom) -> None:
        """Raise what was put aside if a step failed."""
        raising, nothing = self._graph("raise_it"), self._graph("nothing")
        raising.emit(state.unpark, ())
        builder.emit(COND, (failed,), graphs=(raising.finish(()), nothing.finish(())))

    def _graph(self, name: str) -> GraphBuilder:
        return GraphBuilder(name, self.builder.span)

    # --- what raises --------------------------------------------------------------------------------

    def _raises(self, b: Binding) -> bool:
        """Whether a binding may raise what the handlers are for."""
        if b.op is CALL:
            return True
        if b.graphs:
            return any(self._raises(x) for graph in b.graphs for x in graph.body)
        assert isinstance(b.op, Primitive)
        named = [b.params["exception"]] if "exception" in b.params else b.op.effects.raises
        return any(issubclass(r, c) or issubclass(c, r) for r in map(_class, named) for c in map(_class, self.names))

    # --- steps --------------------------------------------------------------------------------------

    def _block(self, body: Sequence[Binding], results: Sequence[Atom], instead: Sequence[Atom | None]) -> list[Atom]:
        """Emit bindings step by step: whether one of them failed, and the results, or what there is `instead` if one
        has (None: any value of the type)."""
        for k, b in enumerate(body):
            self.builder.span = b.span
            if not self._raises(b):
                self.builder.append(b)
                continue
            failed = self._step(b)
            rest = body[k + 1 :]
            if not rest and all(i is None for i in instead):
                return [failed, *results]
            outer = self.builder
            self.builder = self._graph("failed")
            then = self.builder.finish([_FAILED, *self._instead(results, instead)])
            self.builder = self._graph("goes_on")
            orelse = self.builder.finish(self._block(rest, results, instead))
            self.builder = outer
            return list(outer.emit(COND, (failed,), graphs=(then, orelse), names=["failed"]))
        return [_FINE, *results]

    def _instead(self, results: Sequence[Atom], instead: Sequence[Atom | None]) -> list[Atom]:
        return [self._any(type_of(r)) if i is None else i for r, i in zip(results, instead, strict=True)]

    def _step(self, b: Binding) -> Atom:
        """Emit a binding that may raise: whether it did."""
        if b.op in (COND, SWITCH):
            return self._branches(b)
        if b.op is FOR:
            return self._for(b)
        if b.op is WHILE:
            return self._while(b)
        if b.op is TRY and any(map(self._writes, b.graphs)):
            return self._try(b)
        if b.op is CALL and self._writes(Graph("call", (), (b,), (), b.span)):
            raise refusal(b, "the derivative of a `try` after a recursive function has written to places and raised")
        return self._alone(b)

    def _writes(self, graph: Graph) -> bool:
        return writes_outside(graph, self.activity, self.graphs)

    def _alone(self, b: Binding) -> Atom:
        """A `try_` of a single binding."""
        copied, outs = inline(Graph("step", (), (b,), b.outs, b.span), ())
        step = self._graph("step")
        step.body += copied
        for level in range(self.handling):  # in the handlers it is part of
            raising, around = self._graph("raise_it"), self._graph("around")
            raising.emit(state.unpark, (), {"level": level, "keep": True})
            params = {"names": (("BaseException",),)}
            outs = around.emit(
                TRY, (), params, (raising.finish(()), step.finish(outs)), types=[type_of(o) for o in outs]
            )
            step = around
        outer, self.builder = self.builder, self._graph("aside")
        self.builder.emit(state.park, ())
        values = [self._any(type_of(o)) for o in b.outs]
        graphs = step.finish([_FINE, *outs]), self.builder.finish([_FAILED, *values])
        self.builder = outer
        failed = Var("failed", BOOL, b.span)
        outer.append(Binding((failed, *b.outs), TRY, (), b.span, {"names": (self.names,)}, graphs))
        return failed

    def _try(self, b: Binding) -> Atom:
        """A `try_` whose body is done in steps, and so is the handler that its exception goes to, and what follows
        `commit`."""
        failed, rest, values = self.body(b)
        choices = self._graph("steps")
        self.raise_if(choices, failed)
        graphs = [choices.finish([Literal(0, INT)])]
        for k in range(len(b.graphs)):
            aside = self._graph("aside")
            aside.emit(state.park, ())
            graphs.append(aside.finish([Literal(k + 1, INT)]))
        params = {"names": (*b.params["names"], self.names)}
        (choice,) = self.builder.emit(TRY, (), params, tuple(graphs), names=["choice"])
        inlined, results = inline(rest, values)
        nothing = [None] * len(b.outs)
        ways = [self._nested(b.graphs[0].name, inlined, results, nothing)]
        ways += [self._handler(b, graph) for graph in b.graphs[1:]]
        ways.append(self._passed_on(b))
        made = Var("failed", BOOL, b.span)
        self.builder.append(Binding((made, *b.outs), SWITCH, (choice,), b.span, {}, tuple(ways)))
        return made

    def _handler(self, b: Binding, graph: Graph) -> Graph:
        """A handler step by step. What it caught was put aside last; it is dropped at the end."""
        outer, self.builder = self.builder, self._graph(graph.name)
        self.handling += 1
        results = graph.results or tuple(self._any(type_of(o)) for o in b.outs)
        failed, *values = self._block(graph.body, results, [None] * len(results))
        self.handling -= 1
        drop_below, drop = self._graph("failed"), self._graph("ended")
        drop_below.emit(state.drop_parked, (), {"level": 1})
        drop.emit(state.drop_parked, (), {"level": 0})
        self.builder.emit(COND, (failed,), graphs=(drop_below.finish(()), drop.finish(())))
        made, self.builder = self.builder, outer
        return made.finish([failed, *values])

    def _passed_on(self, b: Binding) -> Graph:
        """None of the handlers is for the exception."""
        outer, self.builder = self.builder, self._graph("passed_on")
        made = self.builder.finish([_FAILED, *(self._any(type_of(o)) for o in b.outs)])
        self.builder = outer
        return made

    def _branches(self, b: Binding) -> Atom:
        failed = Var("failed", BOOL, b.span)
        graphs = tuple(self._nested(g.name, g.body, g.results, [None] * len(g.results)) for g in b.graphs)
        self.builder.append(Binding((failed, *b.outs), b.op, b.args, b.span, b.params, graphs))
        return failed

    def _nested(
        self, name: str, body: Sequence[Binding], results: Sequence[Atom], instead: Sequence[Atom | None]
    ) -> Graph:
        outer, self.builder = self.builder, self._graph(name)
        try:
            return self.builder.finish(self._block(body, results, instead))
        finally:
            self.builder = outer

    def _for(self, b: Binding) -> Atom:
        """A loop that ends when a round has failed; its carries are then what they were before the round."""
        (body,) = b.graphs
        index, *carries = body.params
        outer = self.builder
        count, inits = b.args[0], b.args[1:]
        test = self._graph("more")
        k, failed, *_ = (test.param(v.name, v.type) for v in (index, Var("failed", BOOL, b.span), *carries))
        more = test.emit(python_ints.int_lt, (k, count))[0]
        stop, going = self._graph("stop"), self._graph("going")
        tested = test.emit(COND, (failed,), graphs=(stop.finish([_FINE]), going.finish([more])))
        made = GraphBuilder(body.name, b.span)
        made.params += [index, Var("failed", BOOL, b.span), *carries]
        self.builder = made
        failed, *results = self._block(body.body, body.results, carries)
        following = made.emit(python_ints.int_add, (index, Literal(1, INT)))[0]
        self.builder = outer
        graphs = test.finish(tested), made.finish([following, failed, *results])
        last, failed = Var("k", INT, b.span), Var("failed", BOOL, b.span)
        args = (Literal(0, INT), _FINE, *inits)
        outer.append(Binding((last, failed, *b.outs), WHILE, args, b.span, {}, graphs))
        return failed

    def _while(self, b: Binding) -> Atom:
        """A loop whose test is made after each round: it ends when that is false, or a round or the test has failed."""
        test, body = b.graphs
        outer = self.builder
        first, values = inline(test, b.args)
        failed, going = self._block(first, values, [_FINE])
        again = self._graph("more")
        again.params += [Var("failed", BOOL, b.span), Var("going", BOOL, b.span), *(clone_of(p) for p in body.params)]
        made = GraphBuilder(body.name, b.span)
        made.params += [Var("failed", BOOL, b.span), Var("going", BOOL, b.span), *body.params]
        self.builder = made
        bad, *results = self._block(body.body, body.results, body.params)
        self.builder = self._graph("failed")
        then = self.builder.finish([_FAILED, _FINE])
        tested = clone(test)
        repeated, wanted = inline(tested, results)
        self.builder = self._graph("test")
        orelse = self.builder.finish(self._block(repeated, wanted, [_FINE]))
        self.builder = outer
        more = made.emit(COND, (bad,), graphs=(then, orelse), names=["failed", "going"])
        graphs = again.finish([again.params[1]]), made.finish([*more, *results])
        ended, last = Var("failed", BOOL, b.span), Var("going", BOOL, b.span)
        outer.append(Binding((ended, last, *b.outs), WHILE, (failed, going, *b.args), b.span, {}, graphs))
        return ended

    # --- values that nothing looks at ---------------------------------------------------------------

    def _any(self, type_: Type) -> Atom:
        """Some value of a type."""
        match type_:
            case ScalarType():
                return Literal(type_.dtype.numpy.type(0).item(), type_)
            case TensorType() if not type_.shape:
                return Literal(type_.dtype.numpy.type(0).item(), type_)
            case TensorType() if not symbols_in(type_) - self._known():
                with evaluating_by(GraphEvaluator(self.builder)):
                    return broadcasting.zeros(type_)
            case RefType():
                return self.builder.emit(state.ref_new, (self._any(type_.target),))[0]
            case UnionType() if isinstance(type_.members[0], ScalarType | TensorType):
                member = self._any(type_.members[0])
                return self.builder.emit(unions.union_make, (member,), {"type": type_, "tag": 0})[0]
            case _:
                raise refusal(
                    self.whole, "the derivative of a `try` whose body makes arrays of extents known only there"
                )

    def _known(self) -> frozenset[str]:
        """The symbols that may be used anywhere in the steps: those of what the `try_` uses from around it."""
        return symbols_in(tuple(type_of(v) for g in self.whole.graphs for v in free_variables(g)))


def clone_of(var: Var) -> Var:
    """Another variable like this one."""
    return Var(var.name, var.type, var.span)


def _class(exception: Any) -> type[BaseException]:
    if isinstance(exception, conversions.Raising):
        exception = exception.kind
    if isinstance(exception, str):
        return getattr(builtins, exception, Exception)
    return exception if isinstance(exception, type) else type(exception)
