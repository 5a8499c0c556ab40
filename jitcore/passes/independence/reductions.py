"""What a loop carries from round to round: what each round only adds to (or multiplies, or takes the least of), so that
parts of the rounds may each have their own, or what the order of the rounds decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jitcore.ir.analysis import free_variables
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import COND, FOR, SWITCH, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Op, Var
from jitcore.ir.rewrite import inline
from jitcore.passes.independence.combining import Combination, combination
from jitcore.primitives.ops import conversions
from jitcore.primitives.ops import elementwise as ew
from jitcore.primitives.ops import python_floats as floats
from jitcore.primitives.ops import python_ints as ints
from jitcore.structs import dataclass
from jitcore.types import BOOL

_COMPARISONS: Final = frozenset[Op](
    [
        *(ints.int_lt, ints.int_le, ints.int_gt, ints.int_ge),
        *(floats.float_lt, floats.float_le, floats.float_gt, floats.float_ge),
        *(ew.less, ew.less_equal, ew.greater, ew.greater_equal),
    ]
)
_SELECTS: Final = frozenset[Op]([ints.int_select, floats.float_select, ew.select])


@dataclass(frozen=True, slots=True)
class Choice:
    """The smaller or the larger of two numbers, as the program chooses it: `steps`, of which the last is a condition,
    compare a `new` one with what there was (`before`), which is kept where the condition is not `wanted`."""

    steps: tuple[Binding, ...]
    before: Var
    new: Var
    wanted: bool

    @property
    def kind(self) -> tuple[object, ...]:
        """What two choices have in common that may follow each other."""
        return self.steps[0].op, self.steps[0].args[0] is self.before, self.wanted

    def emit(self, builder: GraphBuilder, before: Atom, new: Atom) -> Atom:
        """Choose among two others."""
        graph = Graph("choice", (self.before, self.new), self.steps, self.steps[-1].outs, builder.span)
        made, (condition,) = inline(graph, (before, new))
        for binding in made:
            builder.append(binding)
        results = (new, before) if self.wanted else (before, new)
        graphs = tuple(Graph(n, (), (), (r,), builder.span) for n, r in zip(("then", "orelse"), results, strict=True))
        return builder.emit(COND, (condition,), graphs=graphs)[0]

    def emit_for_each(self, builder: GraphBuilder, before: Atom, new: Atom) -> Atom:
        """Choose for each element of two arrays."""
        compared = self.steps[0]
        args = [before if a is self.before else new for a in compared.args]
        condition = builder.emit(compared.op, args)[0]
        return builder.emit(ew.select, (condition, *((new, before) if self.wanted else (before, new))))[0]


def reduction(body: Graph, carry: Var, result: Atom) -> Combination | Choice | None:
    """How what parts of the rounds leave in a carry may be put together; None if the order of the rounds matters."""
    return _found(_Search(body.params), body, carry, result)


def change(graph: Graph, write: Binding, read: Var) -> Combination | Choice | None:
    """The same of what a write leaves in a place, of what was read there in the same graph."""
    rest = tuple(b for b in graph.body if b is not write)
    alone = Graph(graph.name, (), rest, (write.args[1],), graph.span)
    return _found(_Search(()), alone, read, write.args[1])


def replacement(graph: Graph, choice: Binding, write: Binding, read: Var) -> Choice | None:
    """The same where a branch only writes another number to a place, if that compares so with what was read there."""
    new = write.args[1]
    place = next(k for k, g in enumerate(choice.graphs) if write in g.body)
    alone = len(choice.graphs) == 2 and not choice.graphs[1 - place].body and not choice.outs
    if not alone or any(b is not write and not b.op.effects.pure for b in choice.graphs[place].body):
        return None
    out = Var(read.name, read.type, read.span)
    pair = (new, read) if place == 0 else (read, new)
    graphs = tuple(Graph(n, (), (), (r,), choice.span) for n, r in zip(("then", "orelse"), pair, strict=True))
    chosen = Binding((out,), COND, choice.args, choice.span, {}, graphs)
    body = tuple(chosen if b is choice else b for b in graph.body)
    made = _found(_Search(()), Graph(graph.name, (), body, (out,), graph.span), read, out)
    return made if isinstance(made, Choice) else None


def _found(search: _Search, graph: Graph, start: Var, end: Atom) -> Combination | Choice | None:
    if not search.leads(graph, start, end) or not search.found:
        return None
    return united(search.found)


def united(found: Sequence[Combination | Choice]) -> Combination | Choice | None:
    """The one way in which several changes follow each other; None if there is none."""
    first, *others = found
    for other in others:
        if isinstance(first, Choice) or isinstance(other, Choice):
            if not (isinstance(first, Choice) and isinstance(other, Choice) and first.kind == other.kind):
                return None
        elif other.op is not first.op:
            return None
    return first


class _Search:
    """Follows a carry through a round: each use of it must be a step towards its next value."""

    def __init__(self, carries: Sequence[Var]) -> None:
        self.found: list[Combination | Choice] = []
        self._carries: set[Atom] = {*carries}
        """Those of the loop, each of which is followed, and what rounds have made of them."""

    def leads(self, graph: Graph, start: Var, end: Atom) -> bool:
        """Whether `end` is what only such steps make of `start`, which is used for nothing else."""
        current: Var = start
        while True:
            users = [b for b in graph.body if _uses(b, current)]
            if isinstance(end, Literal) and end.type is BOOL and not users and current not in graph.results:
                self.found.append(Combination(ints.bool_or if end.value else ints.bool_and))
                return True  # what is marked once stays so
            leaves = graph.results.count(current)
            if current is end:
                return not users and leaves == 1
            following = None if leaves else self._step(graph, users, current)
            if following is None:
                return False
            current = following

    def _step(self, graph: Graph, users: Sequence[Binding], current: Var) -> Var | None:
        if len(users) == 1:
            (user,) = users
            if user.args.count(current) == 1 and not any(current in free_variables(g) for g in user.graphs):
                return self._loop(user, current) if user.graphs else self._operation(user, current)
            return self._branches(user, current) if current not in user.args and user.op in (COND, SWITCH) else None
        return self._choice(graph, users, current)

    def _operation(self, user: Binding, current: Var) -> Var | None:
        made = combination(user.op, user.args.index(current), current.type)
        if made is None or len(user.outs) != 1 or user.outs[0].type is not current.type:
            return None
        self.found.append(made)
        return user.outs[0]

    def _loop(self, user: Binding, current: Var) -> Var | None:
        if user.op not in (FOR, WHILE):
            return None
        head = 1 if user.op is FOR else 0
        place, body = user.args.index(current) - head, user.graphs[-1]
        for arg, param, out in zip(user.args[head:], body.params[head:], user.outs, strict=True):
            if arg in self._carries:
                self._carries.update((param, out))
        if place < 0 or (user.op is WHILE and self._is_tested(user.graphs[0], user.graphs[0].params[place])):
            return None
        return user.outs[place] if self.leads(body, body.params[place + head], body.results[place]) else None

    @staticmethod
    def _is_tested(test: Graph, param: Var) -> bool:
        return any(_uses(b, param) for b in test.body) or param in test.results

    def _branches(self, user: Binding, current: Var) -> Var | None:
        known = len(self.found)
        for place, out in enumerate(user.outs):
            if all(self.leads(g, current, g.results[place]) for g in user.graphs):
                return out
            del self.found[known:]
        return None

    def _choice(self, graph: Graph, users: Sequence[Binding], current: Var) -> Var | None:
        """`x if x < m else m`, and the like: a comparison, and what it decides."""
        if len(users) != 2 or users[0].op not in _COMPARISONS or users[0].args.count(current) != 1:
            return None
        compared, chosen = users
        new = next(a for a in compared.args if a is not current)
        if not isinstance(new, Var) or new.type is not current.type:
            return None
        steps, condition = [compared], compared.outs[0]
        after = [b for b in graph.body if _uses(b, condition)]
        if len(after) == 1 and after[0].op is conversions.to_scalar:
            steps, condition = [compared, after[0]], after[0].outs[0]
            after = [b for b in graph.body if _uses(b, condition)]
        if len(after) != 1 or after[0] is not chosen or chosen.args[0] is not condition:
            return None
        is_select = chosen.op in _SELECTS
        if not is_select and (chosen.op is not COND or any(g.body for g in chosen.graphs)):
            return None
        given = [chosen.args[1:]] if is_select else list(zip(*(g.results for g in chosen.graphs), strict=True))
        place = next((k for k, pair in enumerate(given) if set(pair) == {new, current}), None)
        # what else it decides is only whether one was ever chosen
        if place is None or not all(self._is_mark(pair) for k, pair in enumerate(given) if k != place):
            return None
        self.found.append(Choice(tuple(steps), current, new, given[place][0] is new))
        self._carries.update(chosen.outs)
        return chosen.outs[place]

    def _is_mark(self, pair: Sequence[Atom]) -> bool:
        """Whether a carry is marked or stays as it is."""
        marks = [a for a in pair if isinstance(a, Literal) and a.type is BOOL]
        return len(marks) == 1 and any(a in self._carries for a in pair)


def _uses(binding: Binding, var: Var) -> bool:
    return var in binding.args or any(var in free_variables(g) for g in binding.graphs)
