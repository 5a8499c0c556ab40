"""Loops: the forms of what they carry are found by running the body until they no longer change.

Variables assigned in a loop are carries of the untyped graph; containers, cells and attributes it changes become
carries as they are found to change. Carries that turn out never to change are dropped. Number carries are run-time
values, whatever they start as. Where the first round changes a carry's type (`total = 0` … `total = total + x[i]`),
that round is peeled off.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from jitcore.ir.control import ASKED, FOR, PARALLEL, WHILE
from jitcore.ir.nodes import Atom, Graph, Literal, Var
from jitcore.ir.rewrite import substitute
from jitcore.passes.infer.domain import forms
from jitcore.passes.infer.domain.forms import CompositeForm, Form, MaybeForm, NotOneFormError, UnionForm
from jitcore.passes.infer.domain.joiner import Joiner
from jitcore.passes.infer.domain.values import Buffer, Fields, ListItems, Moved, Restart, SetItems, Value
from jitcore.passes.infer.engine import branching
from jitcore.passes.infer.engine.branching import Trial, held
from jitcore.passes.infer.engine.budget import LOOP
from jitcore.primitives.ops import python_ints
from jitcore.structs import dataclass, field
from jitcore.types import BOOL, INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

Test = Callable[[list[Value]], Value]
Body = Callable[[list[Value]], list[Value]]
_MOST_ROUNDS = 12
_ROUNDS_OF_GROWTH = 5
"""After so many, variables must not have forms of hundreds of parts any more."""
_NEW_STRUCTURE = "a container changes its length in a loop whose number of rounds is known only at run time"
_UNLIKE_ITEMS = (
    "a list gets items of several types (or such as are no numbers, arrays or containers of them) in a loop whose "
    "number of rounds is known only at run time"
)
STRUCTURAL: Final = "structural"
"""Of a loop (its binding) in `Assumptions.unrolled`: unrolled for what changes in it, not for numbers to be known."""
_WORTH_UNROLLING = 32
"""Up to this many rounds, a loop that changes a list's length is unrolled, which keeps the list's structure static."""


@dataclass(slots=True)
class Loops:
    """What is known of a program's loops."""

    solved: dict[Any, Any] = field(default_factory=dict[Any, Any])
    """Of those that were inferred before, by place: what they carry, and the forms it has."""
    unrollable: list[Any] = field(default_factory=list[Any])
    """The marks of the short ones being inferred, outermost first."""


@dataclass(slots=True)
class _Solution:
    """The forms found for a loop's carries, kept for when the loop is met again (in an outer loop's next round)."""

    forms: list[Form]
    keys: list[Any] = field(default_factory=list[Any])
    peel: bool = False
    trial: Trial | None = None
    """The body on carries of these forms: written down as it is, so that nested loops are not inferred ever more
    often."""
    moves: dict[Any, Moved] = field(default_factory=dict[Any, Moved])
    """The objects from before that go on as carries: nothing else refers to them."""
    is_none: bool = False
    """Whether there are none: the loop goes on round by round."""


@dataclass(slots=True)
class Loop:
    """One loop to be inferred. `length` is the trip count of a counted loop (whose body's first value is the index);
    `test` the condition of another."""

    name: str
    body: Body
    test: Test | None = None
    length: Atom | None = None
    place: Any = None
    """The mark under which inference is asked to unroll it, if that can be done."""
    rounds: int | None = None
    """The number of rounds, if it is known."""
    is_parallel: bool = False
    """Whether rounds may run at the same time, if nothing they do depends on others (`passes.parallel`)."""
    by_rounds: Callable[[list[Value]], list[Value]] | None = None
    """How to write it down round by round instead, from its beginning; None: inference must start anew for that."""


def run_loop(infer: Infer, loop: Loop, inits: list[Value]) -> list[Value]:
    """Emit a loop and give what its carries are afterwards."""
    place = (infer.place(), loop.name)
    known = infer.loops.solved.get(place)
    if known is not None and known.peel:
        return _peel(infer, loop, inits, place)
    with infer.budget.part(LOOP, infer.span, place):
        solution = _solve(infer, loop, inits, known)
    if solution.is_none:
        assert loop.by_rounds is not None
        return loop.by_rounds(inits)
    if solution.peel:
        infer.loops.solved[place] = solution
        return _peel(infer, loop, inits, place)
    if known is None:
        infer.loops.solved[place] = _Solution(solution.forms, solution.keys)
    return _emit(infer, loop, inits, solution)


def _peel(infer: Infer, loop: Loop, inits: list[Value], place: Any) -> list[Value]:
    """One round, if there is one, and then the loop on what it leaves."""
    binding, calls, span = infer.binding, infer.calls, infer.span

    def rest() -> list[Value]:
        first = loop.body([_index(infer, 0), *inits] if loop.length is not None else inits)
        infer.binding, infer.builder.span = binding, span
        remaining = _Remaining(infer, loop)
        infer.calls = (*calls, (binding, "peeled", loop.name))
        try:
            return run_loop(infer, remaining.loop, first)
        finally:
            infer.calls = calls

    enters = _enters(infer, loop, inits)
    if isinstance(enters, bool):
        return rest() if enters else inits
    return branching.branch(infer, enters, rest, lambda: inits)


def _enters(infer: Infer, loop: Loop, inits: list[Value]) -> bool | Atom:
    if loop.test is not None:
        return infer.truth(loop.test(inits))
    assert loop.length is not None
    if isinstance(loop.length, Literal):
        return loop.length.value > 0
    return infer.emit(python_ints.int_gt, loop.length, Literal(0, INT))


class _Remaining:
    """A counted loop without its first round."""

    def __init__(self, infer: Infer, loop: Loop) -> None:
        self.infer = infer
        if loop.length is None:
            self.loop = Loop(loop.name, loop.body, loop.test, None, loop.place)
            return
        rounds = None if loop.rounds is None else loop.rounds - 1
        if isinstance(loop.length, Literal):
            length: Atom = Literal(loop.length.value - 1, INT)
        else:
            length = infer.emit(python_ints.int_sub, loop.length, Literal(1, INT))

        def body(values: list[Value]) -> list[Value]:
            index = infer.number_atom(values[0], INT)
            shifted = infer.emit(python_ints.int_add, index, Literal(1, INT))
            return loop.body([infer.number(shifted, values[0]), *values[1:]])

        self.loop = Loop(loop.name, body, None, length, loop.place, rounds, loop.is_parallel)


def _index(infer: Infer, k: int) -> Value:
    return infer.number(Literal(k, INT))


def _solve(infer: Infer, loop: Loop, inits: list[Value], known: _Solution | None) -> _Solution:
    """Run the body on ever wider forms until they hold."""
    new_keys_from = infer.heap.next_key + 1
    joiner = Joiner(infer, new_keys_from, grows=not _is_short(infer, loop))
    joiner.in_loop, joiner.states = True, (infer.heap.state, infer.heap.state)
    keys: list[Any] = list(known.keys) if known is not None else []
    carried = joiner.forms_of_carries(inits)
    keys = [k for k in keys if k not in joiner.moves]
    carried += [joiner.form_of(v, runtime=True) for v in held(infer.heap.state, keys)]
    if known is not None and len(known.forms) == len(carried):
        carried = [joiner.join(a, b) for a, b in zip(known.forms, carried, strict=True)]
    for number in range(_MOST_ROUNDS):
        if not infer.budget.passed(*carried) and number >= _ROUNDS_OF_GROWTH:
            break
        solution = _Solution(carried, keys, moves={key: Moved(joiner.place) for key in joiner.moves})
        trial = _run_body(infer, loop, solution, inits)
        solution.trial = trial
        if trial.values is None:
            return solution
        changed = [
            k for k in branching.changed_keys(infer.heap.state, (trial.heap,)) if k not in (*keys, *joiner.moves)
        ]
        if branching.align(infer, (*keys, *changed), (infer.heap.state, trial.heap)):
            return _solve(infer, loop, inits, known)
        if any(_resized(infer, infer.heap.state.get(k), trial.heap.get(k), loop) for k in (*keys, *changed)):
            return _unroll(infer, loop)
        left = trial.values + held(trial.heap, keys)
        state, infer.heap.state = infer.heap.state, trial.heap
        try:
            joiner.look_for_sharing(left)
            new = [joiner.form_of(v, runtime=True) for v in left]
        finally:
            infer.heap.state = state
        if any(_grows(infer, a, b, loop) for a, b in zip(carried, new, strict=True)):
            return _unroll(infer, loop)
        joiner.states = (infer.heap.state, trial.heap)
        try:
            joined = [joiner.join(a, b) for a, b in zip(carried, new, strict=True)]
        except NotOneFormError:
            return _unroll(infer, loop, _UNLIKE_ITEMS)
        if any(_changes_type(a, b) for a, b in zip(carried, joined, strict=True)) and not _is_peeled(infer, loop):
            return _Solution(carried, keys, peel=True)
        moved = joiner.moves.difference(solution.moves)
        if joined == carried and not changed and not moved:
            return solution
        joined = joined[: len(inits)] + [f for k, f in zip(keys, joined[len(inits) :], strict=True) if k not in moved]
        keys, changed = [k for k in keys if k not in moved], [k for k in changed if k not in moved]
        keys = [*keys, *changed]
        carried = joined + [joiner.form_of(v, runtime=True) for v in held(infer.heap.state, changed)]
    if _may_be_unrolled(infer, loop):
        return _unroll(infer, loop)
    raise infer.unsupported(
        "the types of this loop's variables never settle",
        "give each variable one type (and one nesting of containers) before the loop",
    )


def _is_short(infer: Infer, loop: Loop) -> bool:
    if infer.pooling.is_used:  # in which lists are of run-time length in any case
        return False
    return loop.place is not None and loop.rounds is not None and loop.rounds <= _WORTH_UNROLLING


def _may_be_unrolled(infer: Infer, loop: Loop) -> bool:
    """Whether it is worth trying: what a `while` needs, a condition known before each round, shows then."""
    return _is_short(infer, loop) or (loop.name == "while" and loop.place is not None)


def _resized(infer: Infer, before: Any, after: Any, loop: Loop) -> bool:
    """Whether a container has another number of items, or other keys, so that the loop must be unrolled."""
    if isinstance(before, Fields) and isinstance(after, Fields):
        return False
    if isinstance(before, dict) or isinstance(after, dict):
        return not isinstance(before, dict) or not isinstance(after, dict) or before.keys() != after.keys()
    if not isinstance(before, tuple) or isinstance(before, SetItems) or not _is_short(infer, loop):
        return isinstance(before, SetItems) and isinstance(after, SetItems) and len(before) != len(after)
    return isinstance(after, Buffer) or (isinstance(after, tuple) and len(before) != len(after))


def _grows(infer: Infer, before: Form, after: Form, loop: Loop) -> bool:
    """Whether a carry is a tuple (or such) that another round makes longer, so that the loop must be unrolled."""
    if isinstance(before, CompositeForm) and not _is_short(infer, loop) and before.extra in (ListItems, (list,)):
        return False
    if not isinstance(before, CompositeForm) or not isinstance(after, CompositeForm):
        return False
    return before.kind is after.kind and len(before.items) != len(after.items)


def _unroll(infer: Infer, loop: Loop, message: str = _NEW_STRUCTURE) -> _Solution:
    """A loop that changes the structure of a container is run round by round, which it must be known how often to
    do. What was tried of it has left nothing, so that can begin here, unless its first round has been written down."""
    if loop.place is None or loop.place in infer.assumptions.statics:
        raise infer.unsupported(message, "an array of its final size, filled by index")
    infer.assumptions.add_statics([loop.place])
    infer.assumptions.unrolled.add((STRUCTURAL, loop.place[1][-1]))
    if loop.by_rounds is None:
        raise Restart
    return _Solution([], is_none=True)


def _is_peeled(infer: Infer, loop: Loop) -> bool:
    last = infer.calls[-1] if infer.calls else None
    return isinstance(last, tuple) and last == (infer.binding, "peeled", loop.name)


def _changes_type(before: Form, after: Form) -> bool:
    """Whether a carry needs a union (of more than what it had) that peeling one round may spare it."""
    if isinstance(before, MaybeForm) and isinstance(after, MaybeForm):
        return _changes_type(before.form, after.form)
    return isinstance(after, UnionForm) and not isinstance(before, UnionForm)


def _run_body(infer: Infer, loop: Loop, solution: _Solution, inits: list[Value]) -> Trial:
    """The body once, on carries of the solution's forms, as a trial whose builder has them as parameters."""
    made: list[Value] = []

    def params() -> None:
        if loop.length is not None:
            made.append(infer.number(infer.builder.param("i", INT)))
        made.extend(_carry_params(infer, solution))

    def run() -> list[Value]:
        count = len(made) - len(solution.keys)
        infer.heap.state.update(solution.moves)
        branching.restore_held(infer, solution.keys, made[count:])
        return loop.body(made[:count])

    moves_from, infer.moves_from = infer.moves_from, infer.heap.next_key + 1
    outer = infer.loops.unrollable
    infer.loops.unrollable = [*outer, loop.place] if _may_be_unrolled(infer, loop) else outer
    try:
        return branching.trial(infer, "body", run, params)
    finally:
        infer.moves_from, infer.loops.unrollable = moves_from, outer


def _carry_params(infer: Infer, solution: _Solution) -> list[Value]:
    values: list[Value] = []
    for form in solution.forms:
        atoms = [infer.builder.param("c", t) for t in forms.atom_types(form)]
        values.append(forms.unflatten(infer, form, iter(atoms)))
    return values


def _emit(infer: Infer, loop: Loop, inits: list[Value], solution: _Solution) -> list[Value]:
    """Write the loop down."""
    starts = inits + held(infer.heap.state, solution.keys)
    init_atoms = [a for f, v in zip(solution.forms, starts, strict=True) for a in forms.flatten(infer, f, v)]
    graphs: list[Graph] = []
    if loop.test is not None:
        graphs.append(_test_graph(infer, loop.test, solution))
    assert solution.trial is not None
    graphs.append(_body_graph(infer, solution.trial, solution))
    op, head = (FOR, [loop.length]) if loop.length is not None else (WHILE, [])
    args: list[Any] = [*head, *init_atoms]
    op_, args, graphs, kept = drop_invariant_carries(op, args, graphs, len(head))
    params = {PARALLEL: ASKED} if loop.is_parallel else {}
    emitted = iter(infer.builder.emit(op_, args, params, tuple(graphs)))
    outs = [next(emitted) if keep else atom for keep, atom in zip(kept, init_atoms, strict=True)]
    stream = iter(outs)
    values = [forms.unflatten(infer, f, stream) for f in solution.forms]  # type: ignore[arg-type]
    branching.restore_held(infer, solution.keys, values[len(inits) :])
    infer.heap.state.update(solution.moves)
    return values[: len(inits)]


def _test_graph(infer: Infer, test: Test, solution: _Solution) -> Graph:
    made: list[Value] = []

    def run() -> list[Value]:
        count = len(made) - len(solution.keys)
        infer.heap.state.update(solution.moves)
        branching.restore_held(infer, solution.keys, made[count:])
        return [test(made[:count])]

    moves_from, infer.moves_from = infer.moves_from, infer.heap.next_key + 1
    try:
        trial = branching.trial(infer, "test", run, lambda: made.extend(_carry_params(infer, solution)))
    finally:
        infer.moves_from = moves_from
    if trial.values is None:
        return trial.builder.finish([Literal(False, BOOL)])
    truth = infer.truth(trial.values[0])
    return trial.builder.finish([Literal(truth, BOOL) if isinstance(truth, bool) else truth])


def _body_graph(infer: Infer, trial: Trial, solution: _Solution) -> Graph:
    if trial.values is None:  # every round raises: what it would leave is never seen
        count = sum(len(forms.atom_types(f)) for f in solution.forms)
        return trial.builder.finish(trial.builder.params[len(trial.builder.params) - count :])
    values = trial.values + held(trial.heap, solution.keys)
    outer, state = infer.builder, infer.heap.state
    infer.builder, infer.heap.state = trial.builder, trial.heap
    try:
        atoms = [a for f, v in zip(solution.forms, values, strict=True) for a in forms.flatten(infer, f, v)]
    finally:
        infer.builder, infer.heap.state = outer, state
    return trial.builder.finish(atoms)


def drop_invariant_carries(
    op: Any, args: list[Any], graphs: list[Graph], head: int
) -> tuple[Any, list[Any], list[Graph], list[bool]]:
    """Remove the carries that the body hands on unchanged: inside, their parameters become their initial values."""
    body = graphs[-1]
    kept: list[bool] = []
    for param, result in zip(body.params[head:], body.results, strict=True):
        kept.append(result is not param)
    if all(kept):
        return op, args, graphs, kept
    changed: list[Graph] = []
    for graph in graphs:
        skip = head if graph is body else 0
        replaced: dict[Var, Atom] = {
            p: a for p, a, keep in zip(graph.params[skip:], args[head:], kept, strict=True) if not keep
        }
        params = (*graph.params[:skip], *(p for p, keep in zip(graph.params[skip:], kept, strict=True) if keep))
        new = substitute(Graph(graph.name, params, graph.body, graph.results, graph.span), replaced)
        if graph is body:
            results = tuple(r for r, keep in zip(new.results, kept, strict=True) if keep)
            new = Graph(new.name, new.params, new.body, results, new.span)
        changed.append(new)
    return op, [*args[:head], *(a for a, keep in zip(args[head:], kept, strict=True) if keep)], changed, kept
