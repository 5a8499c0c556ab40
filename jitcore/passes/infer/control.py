"""The loops of untyped graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitcore.ir.nodes import Binding, Graph, Var
from jitcore.passes.infer import builtins_, containers, numbers, operations
from jitcore.passes.infer.loops import Loop, run_loop
from jitcore.passes.infer.operations import handles
from jitcore.passes.infer.values import Number, Range, Sequence, Static, Value
from jitcore.types import INT

if TYPE_CHECKING:
    from jitcore.passes.infer.core import Infer

Env = dict[Var, Value]


def _run(infer: Infer, graph: Graph, env: Env, values: list[Value]) -> list[Value]:
    env.update(zip(graph.params, values, strict=True))
    return infer.run(graph, env)


@handles("py_while")
def _while(infer: Infer, b: Binding, values: list[Value], env: Env) -> list[Value]:
    test, body = b.graphs

    def tested(carries: list[Value]) -> Value:
        return operations.truth(infer, _run(infer, test, env, carries)[0])

    return run_loop(infer, Loop("while", lambda carries: _run(infer, body, env, carries), tested), values)


@handles("py_for")
def _for(infer: Infer, b: Binding, values: list[Value], env: Env) -> list[Value]:
    (body,) = b.graphs
    source = builtins_.iterable(infer, values[0])
    breaks = bool(b.params.get("breaks", False))
    place = ("loop", infer.place())
    sequence = containers.as_sequence(infer, source)
    if sequence is None or place in infer.marks.statics:
        found = containers.iterate_static(infer, source)
        if found is None:
            raise infer.unsupported(
                "this loop's index must be known when the function is compiled, and its bounds are values of the run",
                "a loop over a range with constant bounds",
            )
        return _unrolled(infer, body, env, list(found), values[1:], breaks)
    return _counted(infer, body, env, sequence, values[1:], breaks, place, isinstance(source, Range))


def _unrolled(
    infer: Infer, body: Graph, env: Env, found: list[Value], carries: list[Value], breaks: bool
) -> list[Value]:
    """Over a container of unlike items: one copy of the body for each."""
    for k, item in enumerate(found):
        binding, calls = infer.binding, infer.calls
        infer.calls = (*calls, (binding, k))
        try:
            left = _run(infer, body, env, [item, *carries])
        finally:
            infer.calls, infer.binding = calls, binding
        if not breaks:
            carries = left
            continue
        stop, carries = infer.truth(operations.truth(infer, left[0])), left[1:]
        if stop is True:
            return carries
        if stop is not False:
            rest, reached = found[k + 1 :], carries
            if not rest:
                return carries
            return infer.branch(
                stop, lambda r=reached: r, lambda r=reached, f=rest: _unrolled(infer, body, env, f, r, breaks)
            )
    return carries


def _counted(
    infer: Infer,
    body: Graph,
    env: Env,
    sequence: Sequence,
    carries: list[Value],
    breaks: bool,
    place: tuple[str, object],
    unrollable: bool,
) -> list[Value]:
    known = isinstance(sequence.length, Static) and sequence.length.value <= containers.MOST_UNROLLED
    paths = frozenset([place]) if unrollable and known else None
    mark = place if known else None

    def round_of(index: Value, values: list[Value]) -> list[Value]:
        if isinstance(index, Number):
            index = Number(index.atom, index.type, index.dim, paths)
        return _run(infer, body, env, [sequence.item(index), *values])

    if not breaks:
        length = infer.number_atom(sequence.length, INT)
        return run_loop(infer, Loop("for", lambda vs: round_of(vs[0], vs[1:]), None, length, mark), carries)

    def more(values: list[Value]) -> Value:
        going = operations.not_(infer, values[1])
        return containers.both(infer, going, numbers.compare(infer, "<", values[0], sequence.length))

    def one_round(values: list[Value]) -> list[Value]:
        left = round_of(values[0], values[2:])
        following = numbers.binary(infer, "+", values[0], Static(1))
        return [following, operations.truth(infer, left[0]), *left[1:]]

    done = run_loop(infer, Loop("for", one_round, more, None, mark), [Static(0), Static(False), *carries])
    return done[2:]
