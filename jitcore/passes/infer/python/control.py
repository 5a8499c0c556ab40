"""The loops of untyped graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jitcore.ir.nodes import Atom, Binding, Graph
from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import (
    FUNCTION_KEY,
    UNDEFINED,
    Iterator,
    Maybe,
    Number,
    ParallelRange,
    Range,
    Reference,
    Sequence,
    Static,
    Stream,
    Tuple,
    Union,
    Value,
)
from jitcore.passes.infer.engine import branching, budget, numbers, paths_taken
from jitcore.passes.infer.engine.handlers import Env, env_function, handles, is_in_library
from jitcore.passes.infer.engine.loops import STRUCTURAL, Loop, run_loop
from jitcore.passes.infer.python import buffers, containers, iteration, streams
from jitcore.rounds import is_parallel
from jitcore.source import Problem, RaceError
from jitcore.types import INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def _run(infer: Infer, graph: Graph, env: Env, values: list[Value]) -> list[Value]:
    infer.bind(graph.params, values, env)
    return infer.run(graph, env)


@handles("py_while", unions=True)
def _while(infer: Infer, b: Binding, values: list[Value], env: Env) -> list[Value]:
    test, body = b.graphs

    def tested(carries: list[Value]) -> Value:
        with paths_taken.in_test(infer):
            condition = _run(infer, test, env, carries)[0]
        return abstract.truth(infer, condition)

    place = ("loop", infer.place())
    if place in infer.assumptions.statics or place[1][-1] in infer.assumptions.unrolled:
        with infer.budget.part(budget.ROUNDS, infer.span, place):
            left = _known_rounds(infer, body, env, tested, values)
        if left is None:
            return values
        values = left
    by_arrays = infer.notes_paths and _is_decided_by_arrays(infer, tested, values)
    joined = by_arrays and not is_in_library(env)

    def around(carries: list[Value]) -> list[Value]:
        ways = paths_taken.Ways(infer)
        if joined:
            ways.keep(carries)
        with paths_taken.decided(infer, by_arrays=by_arrays):
            left = _run(infer, body, env, carries)
        if joined:
            ways.keep(left)
            ways.require_alike()
        return left

    left = run_loop(infer, Loop("while", around, tested, place=place), values)
    infer.paths_taken.by_arrays += by_arrays
    return left


def _is_decided_by_arrays(infer: Infer, tested: Callable[[list[Value]], Value], values: list[Value]) -> bool:
    """Whether the condition of a loop is computed from elements of arrays."""
    found: list[Value] = []

    def test() -> list[Value]:
        found.append(tested(values))
        return found

    branching.trial(infer, "test", test)
    return bool(found) and infer.paths_taken.is_decided_by_arrays(found[0])


def _known_rounds(
    infer: Infer, body: Graph, env: Env, tested: Callable[[list[Value]], Value], carries: list[Value]
) -> list[Value] | None:
    """The rounds of a `while` whose condition is known before each (`while x.ndim < 4`), `carries` being changed by
    them; what is left for a loop to go on with, None if nothing is."""
    # where something changes its structure, arguments that decide how often are known, too
    structural = (STRUCTURAL, infer.binding) in infer.assumptions.unrolled
    for number in range(_SHORT):
        found = branching.trial(infer, "test", lambda: [tested(carries)]).values
        condition = found[0] if found is not None else None
        if not isinstance(condition, Static) and not (structural and isinstance(condition, Number) and condition.paths):
            return carries
        if not infer.need_static(condition, "the condition of this loop"):
            return None
        carries[:] = _round(infer, body, env, number, None, carries, False)[1]
    return carries


@handles("py_for", unions=True)
def _for(infer: Infer, b: Binding, values: list[Value], env: Env) -> list[Value]:
    (body,) = b.graphs
    if isinstance(values[0], Union | Maybe):
        return infer.distribute(values[:1], lambda vs: _for(infer, b, [*vs, *values[1:]], env))
    source = abstract.iterable(infer, values[0])
    breaks = bool(b.params.get("breaks", False))
    place = ("loop", infer.place())
    if isinstance(source, Stream):
        return streams.loop(infer, source, lambda given: _run(infer, body, env, given), values[1:], breaks=breaks)
    if isinstance(source, Iterator) and isinstance(source.source, Tuple):
        with infer.budget.part(budget.ROUNDS, infer.span, place):
            return _through_iterator(infer, body, env, source, values[1:], breaks, place)
    sequence = containers.as_sequence(infer, source)

    def by_rounds(carries: list[Value]) -> list[Value]:
        with infer.budget.part(budget.ROUNDS, infer.span, place):
            return _by_rounds(infer, body, env, source, sequence, carries, breaks, place)

    if sequence is None or _is_unrolled(infer, place, sequence):
        return by_rounds(values[1:])
    is_range = isinstance(source, Range)
    parallel = isinstance(source, ParallelRange) and FUNCTION_KEY in env and is_parallel(env_function(env))
    if parallel and breaks:
        message = "break or return in a loop over prange: its rounds run at the same time, and later ones have run"
        raise RaceError([Problem(infer.span, message, "a loop over range, or one that does all its rounds")])
    return _counted(infer, body, env, sequence, values[1:], breaks, place, is_range, by_rounds, parallel)


def _by_rounds(
    infer: Infer,
    body: Graph,
    env: Env,
    source: Value,
    sequence: Sequence | None,
    carries: list[Value],
    breaks: bool,
    place: tuple[str, Any],
) -> list[Value]:
    """A loop that is unrolled, as long as its length is known."""
    found = abstract.iterate_static(infer, source)
    if found is None and sequence is not None:  # its length was known where it was to be unrolled, and is not here
        return _counted(infer, body, env, sequence, carries, breaks, place, False)
    if found is None:
        raise infer.unsupported(
            "this loop's index must be known when the function is compiled, and its bounds are values of the run",
            "a loop over a range with constant bounds",
        )
    if isinstance(source, Reference) and source.kind is list:
        return _through_list(infer, body, env, source, 0, carries, breaks, place)
    lists = source.lists if isinstance(source, Tuple) else iteration.lists_among(infer, (source,))
    return _unrolled(infer, body, env, list(found), carries, breaks, lists)


_SHORT = 32
"""The most rounds of a loop that is unrolled because another one of the same source had to be."""


def _is_unrolled(infer: Infer, place: tuple[str, Any], sequence: Sequence) -> bool:
    """Whether it is known that a loop must be unrolled."""
    if place in infer.assumptions.statics:
        return True
    is_short = isinstance(sequence.length, Static) and sequence.length.value <= _SHORT
    return is_short and place[1][-1] in infer.assumptions.unrolled


def _unrolled(
    infer: Infer,
    body: Graph,
    env: Env,
    found: list[Value],
    carries: list[Value],
    breaks: bool,
    lists: tuple[tuple[int, Any], ...] = (),
    first: int = 0,
) -> list[Value]:
    """Over a container of unlike items: one copy of the body for each. `lists`: what items come from (`Tuple.lists`),
    the first of them from position `first`."""
    for k, item in enumerate(found):
        stop, carries = _round(infer, body, env, k, item, carries, breaks)
        if stop is True:
            return carries
        if stop is not False:
            rest, reached = found[k + 1 :], carries
            if not rest and not lists:
                return carries

            def go_on(rest: list[Value] = rest, reached: list[Value] = reached, at: int = first + k + 1) -> list[Value]:
                iteration.require_unchanged(infer, lists, at)
                return _unrolled(infer, body, env, rest, reached, breaks, lists, at)

            return branching.branch(infer, stop, lambda r=reached: r, go_on)
        iteration.require_unchanged(infer, lists, first + k + 1)
    return carries


def _round(
    infer: Infer, body: Graph, env: Env, number: int, item: Value | None, carries: list[Value], breaks: bool
) -> tuple[bool | Atom, list[Value]]:
    """A copy of the body for one item (None: of a `while`): whether the loop ends with it, and what it leaves."""
    binding, calls, layer = infer.binding, infer.calls, infer.layer
    infer.budget.round()
    infer.calls = (*calls, (binding, number))
    infer.layer = layer if item is None else budget.layer_of(infer.heap, (item,)) or layer
    try:
        left = _run(infer, body, env, carries if item is None else [item, *carries])
    finally:
        infer.calls, infer.binding, infer.layer = calls, binding, layer
    if not breaks:
        return False, left
    return infer.truth(abstract.truth(infer, left[0])), left[1:]


def _through_list(
    infer: Infer,
    body: Graph,
    env: Env,
    target: Reference,
    first: int,
    carries: list[Value],
    breaks: bool,
    place: tuple[str, object],
) -> list[Value]:
    """Over a list from one position on, one copy of the body for each item that it has when the loop gets there; a loop
    once its length is known only at run time."""
    k = first
    while True:
        if infer.heap.buffer(target) is not None:
            return _counted(infer, body, env, _rest_of_list(infer, target, k), carries, breaks, place, False)
        contents = infer.heap.items(target)
        if k >= len(contents):
            return carries
        if k >= containers.MOST_UNROLLED:
            raise infer.unsupported("a loop over a list that grows without end")
        stop, carries = _round(infer, body, env, k, contents[k], carries, breaks)
        k += 1
        if stop is True:
            return carries
        if stop is not False:
            return branching.branch(
                infer,
                stop,
                lambda r=carries: r,
                lambda r=carries, n=k: _through_list(infer, body, env, target, n, r, breaks, place),
            )


def _through_iterator(
    infer: Infer,
    body: Graph,
    env: Env,
    source: Iterator,
    carries: list[Value],
    breaks: bool,
    place: tuple[str, object],
    round_: int = 0,
) -> list[Value]:
    """Over what is left of an iterator over unlike items, one copy of the body for each; a loop once its position is
    known only at run time."""
    while True:
        if not isinstance(iteration.position(infer, source), Static):
            return _counted(infer, body, env, iteration.moving(infer, source), carries, breaks, place, False)
        _at_loop(infer)
        item = iteration.following(infer, source, UNDEFINED)
        if item is UNDEFINED:
            return carries
        stop, carries = _round(infer, body, env, round_, item, carries, breaks)
        round_ += 1
        if stop is True:
            return carries
        if stop is not False:
            return branching.branch(
                infer,
                stop,
                lambda r=carries: r,
                lambda r=carries, n=round_: _through_iterator(infer, body, env, source, r, breaks, place, n),
            )


def _at_loop(infer: Infer) -> None:
    """What the next item raises comes from the loop as a whole."""
    assert infer.binding is not None
    infer.at(infer.binding.span)


def _rest_of_list(infer: Infer, target: Reference, first: int) -> Sequence:
    whole = buffers.sequence(infer, target)
    reaches = whole.reaches
    assert reaches is not None

    def at(index: Value) -> Value:
        return numbers.binary(infer, "+", index, Static(first)) if first else index

    length = numbers.binary(infer, "-", whole.length, Static(first)) if first else whole.length
    return Sequence(length, lambda i: whole.item(at(i)), lambda i: reaches(at(i)))


def _counted(
    infer: Infer,
    body: Graph,
    env: Env,
    sequence: Sequence,
    carries: list[Value],
    breaks: bool,
    place: tuple[str, object],
    unrollable: bool,
    by_rounds: Callable[[list[Value]], list[Value]] | None = None,
    is_parallel: bool = False,
) -> list[Value]:
    known = isinstance(sequence.length, Static) and sequence.length.value <= containers.MOST_UNROLLED
    paths = frozenset([place]) if unrollable and known else None
    mark = place if known else None
    rounds = sequence.length.value if isinstance(sequence.length, Static) else None

    def round_of(index: Value, values: list[Value]) -> list[Value]:
        if isinstance(index, Number):
            index = Number(index.atom, index.type, index.dim, paths)
        _at_loop(infer)
        return _run(infer, body, env, [sequence.item(index), *values])

    def reaches(index: Value) -> Value:
        if sequence.reaches is not None:
            return sequence.reaches(index)
        return numbers.compare(infer, "<", index, sequence.length)

    if not breaks and sequence.reaches is not None:
        left = run_loop(
            infer,
            Loop(
                "for",
                lambda vs: [numbers.binary(infer, "+", vs[0], Static(1)), *round_of(vs[0], vs[1:])],
                lambda vs: reaches(vs[0]),
            ),
            [Static(0), *carries],
        )
        return left[1:]
    if not breaks:
        length = infer.number_atom(sequence.length, INT)
        loop = Loop("for", lambda vs: round_of(vs[0], vs[1:]), None, length, mark, rounds, is_parallel, by_rounds)
        return run_loop(infer, loop, carries)

    def more(values: list[Value]) -> Value:
        going = abstract.not_(infer, values[1])
        if infer.uses_boxes and sequence.reaches is not None:  # it raises where a dict or set has changed its size
            further = infer.truth(going)
            if isinstance(further, bool):
                return reaches(values[0]) if further else Static(False)
            return branching.branch(infer, further, lambda: [reaches(values[0])], lambda: [Static(False)])[0]
        return numbers.both(infer, going, reaches(values[0]))

    def one_round(values: list[Value]) -> list[Value]:
        left = round_of(values[0], values[2:])
        following = numbers.binary(infer, "+", values[0], Static(1))
        return [following, abstract.truth(infer, left[0]), *left[1:]]

    state = [Static(0), Static(False), *carries]
    again = None if by_rounds is None else lambda vs: [*state[:2], *by_rounds(vs[2:])]
    done = run_loop(infer, Loop("for", one_round, more, None, mark, rounds, by_rounds=again), state)
    return done[2:]
