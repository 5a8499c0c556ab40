"""The `hoist` pass: checks leave innermost counted loops.

Between which bounds a loop's ints lie is told before it, from the number of rounds and from what is around the loop.
Where the bounds say that indices are inside and that nothing overflows, the loop runs without those checks. It is there
twice: where they do not say so the loop with all checks runs, so that an exception comes in its round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Final

from jitcore.ir.analysis import all_bindings, all_graphs, definitions, free_variables, symbols_in
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import CALL, COND, FOR, SWITCH, TRY, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Op, Var
from jitcore.ir.rewrite import Rewriter, clone, with_body
from jitcore.passes.bounds import Bound, Condition, Interval, Terms
from jitcore.passes.registry import Pass
from jitcore.primitives.ops import python_ints as ints
from jitcore.primitives.ops.conversions import check, check_index, check_position, extent, integer_range, to_scalar
from jitcore.primitives.ops.widening import widen
from jitcore.structs import dataclass
from jitcore.types import INT, Dim, TensorType

_MOST_BINDINGS: Final = 150
"""Larger bodies are not doubled: beside them the checks cost little."""
_EXACT: Final = 2.0**52
"""The most that ints may be which decide about indices: their bounds are exact as floats."""
_LAST_EXACT: Final = 2.0**53
"""The most that numbers may be which are known: they are exact as floats themselves."""
_FITS: Final = 2.0**62
"""The most that other ints may be: they fit in 64 bits, whatever rounding took from their bounds."""
_DECIDED: Final = (check_index, check_position)
_LOOPS: Final = (FOR, WHILE, CALL, TRY, SWITCH)
_MODULAR: Final[dict[Op, Op]] = {
    ints.int_add: ints.int_add_modular,
    ints.int_sub: ints.int_sub_modular,
    ints.int_mul: ints.int_mul_modular,
}
_ORDERS: Final[dict[Op, tuple[bool, float]]] = {
    ints.int_lt: (False, 1.0),
    ints.int_le: (False, 0.0),
    ints.int_gt: (True, 1.0),
    ints.int_ge: (True, 0.0),
}
"""Of a comparison: whether its operands change places, and by how much the second is larger at least."""


@dataclass(frozen=True)
class Hoist(Pass):
    """Asks before innermost counted loops whether the checks of their ints hold.

    before    for_(body, n)                                 # body: k = check_index(i, extent=m)
    after     cond(for_(body without it, n), for_(body, n), float(n) - 1.0 <= float(m) - 1.0)
    """

    name: ClassVar[str] = "hoist"

    def run(self, module: Module) -> Module:
        """The module with doubled loops."""
        return _Hoister().module(module)


class _Hoister(Rewriter):
    def __init__(self) -> None:
        super().__init__()
        self._asked: set[Var] = set()
        """What is computed before loops to decide about their checks."""

    def rewrite(self, binding: Binding) -> Iterable[Binding]:
        """A loop whose checks can be asked before becomes a conditional of two, or one without checks if they hold."""
        if binding.op not in (FOR, WHILE):
            return (binding,)
        lifted, binding = self._lifted(binding)
        if binding.op is WHILE or _is_left_alone(binding):
            return (*lifted, binding)
        analysis = _Analysis(binding)
        analysis.run()
        if not analysis.finds:
            return (*lifted, binding)
        builder = GraphBuilder("hoist", binding.span)
        holds = analysis.terms.all_hold(builder, analysis.conditions)
        body = _Unchecked(analysis).graph(binding.graphs[0])
        if isinstance(holds, Literal):
            return (*lifted, Binding(binding.outs, FOR, binding.args, binding.span, binding.params, (body,)))
        self._asked.update(asked.outs[0] for asked in builder.body)
        graphs = (_branch("then", binding, clone(body)), _branch("orelse", binding, clone(binding.graphs[0])))
        return (*lifted, *builder.body, Binding(binding.outs, COND, (holds,), binding.span, {}, graphs))

    def _lifted(self, loop: Binding) -> tuple[list[Binding], Binding]:
        """What loops inside this one ask that is the same in all of its rounds, and the loop without it."""
        body = loop.graphs[-1]
        if not any(out in self._asked for b in body.body for out in b.outs):
            return [], loop
        around = _symbols_around(body)
        changing: set[Atom] = {*body.params}
        lifted: list[Binding] = []
        left: list[Binding] = []
        for b in body.body:
            is_asked = bool(b.outs) and b.outs[0] in self._asked
            if is_asked and changing.isdisjoint(b.args) and symbols_in(b.params.get("dim")) <= around:
                lifted.append(b)
            else:
                changing.update(b.outs)
                left.append(b)
        graphs = (*loop.graphs[:-1], with_body(body, left, body.results))
        return lifted, Binding(loop.outs, loop.op, loop.args, loop.span, loop.params, graphs)


def _is_left_alone(loop: Binding) -> bool:
    for count, binding in enumerate(all_bindings(loop.graphs[0])):
        if binding.op in _LOOPS or count >= _MOST_BINDINGS:
            return True
    return False


def _branch(name: str, loop: Binding, body: Graph) -> Graph:
    """A graph of a loop like another one, with a body of its own."""
    builder = GraphBuilder(name, loop.span)
    types = [out.type for out in loop.outs]
    outs = builder.emit(FOR, loop.args, loop.params, (body,), types=types, names=[out.name for out in loop.outs])
    return builder.finish(outs)


def _symbols_around(body: Graph) -> frozenset[str]:
    """The symbols of dimensions that mean inside a loop what they mean before it: others may be bound to something
    else."""
    types = [param.type for param in body.params]
    types += [out.type for b in all_bindings(body) if b.op is widen for out in b.outs]
    named = {str(b.params["symbol"]) for b in all_bindings(body) if "symbol" in b.params}
    return symbols_in(tuple(var.type for var in free_variables(body))) - symbols_in(tuple(types)) - named


class _Unchecked(Rewriter):
    """Leaves out the checks that an analysis found to hold."""

    def __init__(self, found: _Analysis) -> None:
        super().__init__()
        self._found = found

    def rewrite(self, binding: Binding) -> Iterable[Binding]:
        """What does the same where the checks hold."""
        if binding.op is check:
            return () if binding.args[0] in self._found.true else (binding,)
        if binding.op is COND and binding.outs and binding.outs[0] in self._found.decided:
            graph = binding.graphs[self._found.decided[binding.outs[0]]]
            self.replaced.update(zip(binding.outs, graph.results, strict=True))
            return graph.body
        if len(binding.outs) != 1:
            return (binding,)
        (out,) = binding.outs
        if out in self._found.chosen:
            self.replaced[out] = binding.args[self._found.chosen[out]]
            return ()
        if out in self._found.from_end:
            builder = GraphBuilder("index", binding.span)
            if binding.op is check_index:
                (size,) = builder.emit(extent, (), {"dim": binding.params["extent"]})
            else:
                size = binding.args[1]
            return (*builder.body, Binding(binding.outs, ints.int_add_modular, (binding.args[0], size), binding.span))
        if out in self._found.fitting:
            return (Binding(binding.outs, _MODULAR[binding.op], binding.args, binding.span),)
        return (binding,)


@dataclass(frozen=True, slots=True)
class _Range:
    """Where an int lies in each round: in an interval, or, for `carries`, in one around what a carry was before the
    round. `alone`: it may lie in the interval itself, too."""

    interval: Interval
    carries: frozenset[Var] = frozenset()
    alone: bool = True


class _Analysis:
    """What is found of the checks of one loop: those that go if all `conditions` hold."""

    def __init__(self, loop: Binding) -> None:
        self.terms = Terms()
        self.conditions: list[Condition] = []
        self.chosen: dict[Var, int] = {}
        """Variables that are one of the arguments of their binding, by its position."""
        self.from_end: set[Var] = set()
        """Checked indices that all count from the end."""
        self.fitting: set[Var] = set()
        """Results that do not overflow."""
        self.true: set[Atom] = set()
        """Conditions of checks, which hold."""
        self.decided: dict[Var, int] = {}
        """Which branch is always taken, by the first output of its binding."""
        self._loop = loop
        (self._body,) = loop.graphs
        self._definitions = definitions(self._body)
        self._bound = {*self._definitions, *(q for graph in all_graphs(self._body) for q in graph.params)}
        self._around = _symbols_around(self._body)
        self._exact = self._deciding()
        self._ranges: dict[Var, _Range] = {}

    @property
    def finds(self) -> bool:
        """Whether there is a check less."""
        return bool(self.chosen or self.from_end or self.fitting or self.true or self.decided)

    def run(self) -> None:
        """Find the checks. Carries first: what they are after a round follows from what they were before it."""
        pending = [q for q in self._body.params[1:] if q.type is INT]
        known: dict[Var, _Range] = {}
        while pending:
            self._walk_all({**known, **{q: _Range(Interval(0.0, 0.0), frozenset((q,)), False) for q in pending}})
            found = {q: made for q in pending if (made := self._carried(q)) is not None}
            known |= {q: _Range(made) for q, made in found.items()}
            pending = [q for q in pending if q not in found] if found else []
        self._walk_all(known)
        for carry, made in known.items():
            self.conditions += self.terms.within(made.interval, _EXACT if carry in self._exact else _FITS)
        if False in self.conditions:  # of a carry: nothing that was found of it is true
            self._walk_all({})

    def _walk_all(self, carries: dict[Var, _Range]) -> None:
        for found in (self.conditions, self.chosen, self.from_end, self.fitting, self.true, self.decided):
            found.clear()
        rounds = self.terms.of_int(self._loop.args[0])
        self._ranges = {self._body.params[0]: _Range(Interval(0.0, self.terms.sub(rounds, 1.0))), **carries}
        self._walk(self._body)

    def _carried(self, carry: Var) -> Interval | None:
        """Where a carry lies before each round."""
        place = self._body.params.index(carry)
        following = self._range(self._body.results[place - 1])
        if following is None or following.carries - {carry}:
            return None
        terms, step = self.terms, following.interval
        start = terms.point(terms.of_int(self._loop.args[place]))
        if following.alone:
            start = terms.join(start, step)
        if not following.carries:
            return start
        rounds = terms.sub(terms.of_int(self._loop.args[0]), 1.0)
        growth = Interval(terms.smallest(step.low, 0.0), terms.largest(step.high, 0.0))
        return terms.sum(start, Interval(terms.mul(rounds, growth.low), terms.mul(rounds, growth.high)))

    def _deciding(self) -> set[Var]:
        """The ints of the loop from which it follows whether an index is inside."""
        found: set[Var] = set()
        pending: list[Atom] = [
            arg for b in self._definitions.values() if b.op in _DECIDED or b.op in _ORDERS for arg in b.args
        ]
        while pending:
            var = pending.pop()
            if not isinstance(var, Var) or var in found or var not in self._bound or var.type is not INT:
                continue
            found.add(var)
            binding = self._definitions.get(var)
            if binding is None:
                if var in self._body.params[1:]:
                    pending.append(self._body.results[self._body.params.index(var) - 1])
            elif binding.op is COND:
                pending += [graph.results[binding.outs.index(var)] for graph in binding.graphs]
            elif not _is_of_number(binding):
                pending += binding.args
        return found

    # --- ranges

    def _range(self, atom: Atom) -> _Range | None:
        if isinstance(atom, Literal) or atom not in self._bound:
            return _Range(self.terms.point(self.terms.of_int(atom))) if atom.type is INT else None
        return self._ranges.get(atom)

    def _interval(self, atom: Atom) -> Interval | None:
        made = self._range(atom)
        return None if made is None or made.carries else made.interval

    def _size(self, dim: Dim) -> Interval | None:
        known = isinstance(dim, int) or dim.symbols <= self._around
        return self.terms.point(self.terms.of_dim(dim)) if known else None

    def _assume(self, conditions: Sequence[Condition] | None) -> bool:
        """Ask conditions before the loop; whether that makes sense."""
        if conditions is None or False in conditions:
            return False
        self.conditions += conditions
        return True

    def _walk(self, graph: Graph) -> None:
        for binding in graph.body:
            if binding.op is COND:
                self._conditional(binding)
            elif binding.op is check:
                if self._assume(self._proof(binding.args[0], True)):
                    self.true.add(binding.args[0])
            elif len(binding.outs) == 1 and binding.outs[0].type is INT:
                made = self._of(binding)
                if made is not None:
                    self._ranges[binding.outs[0]] = made

    def _of(self, binding: Binding) -> _Range | None:
        if binding.op in _MODULAR:
            return self._arithmetic(binding)
        if binding.op is check_index:
            return self._index(binding, self._size(binding.params["extent"]))
        if binding.op is check_position:
            return self._index(binding, self._interval(binding.args[1]))
        if binding.op is ints.int_select:
            return self._select(binding)
        if binding.op is extent:
            made = self._size(binding.params["dim"])
        elif binding.op is to_scalar:
            made = _of_elements(binding.args[0])
        else:
            rule = _RULES.get(binding.op)
            made = rule(self.terms, *map(self._interval, binding.args)) if rule is not None else None
        return _Range(made) if made is not None else None

    def _arithmetic(self, binding: Binding) -> _Range | None:
        x, y = map(self._range, binding.args)
        if x is None or y is None or (x.carries and y.carries) or (y.carries and binding.op is ints.int_sub):
            return None
        carries, alone = x.carries | y.carries, x.alone and y.alone
        if binding.op is ints.int_mul:
            if carries:
                return None
            made = self.terms.product(x.interval, y.interval)
        elif binding.op is ints.int_add:
            made = self.terms.sum(x.interval, y.interval)
        else:
            made = self.terms.difference(x.interval, y.interval)
        if not carries:
            (out,) = binding.outs
            if not self._assume(self.terms.within(made, _EXACT if out in self._exact else _FITS)):
                return None
            self.fitting.add(out)
        return _Range(made, carries, alone)

    def _index(self, binding: Binding, size: Interval | None) -> _Range | None:
        terms, index = self.terms, self._interval(binding.args[0])
        if size is None:
            return None
        (out,) = binding.outs
        is_exact = terms.at_most(size.high, _EXACT)
        if index is not None:
            if isinstance(index.high, float) and index.high < 0.0:
                if self._assume([is_exact, terms.at_most(terms.sub(0.0, size.low), index.low)]):
                    self.from_end.add(out)
                    return _Range(terms.sum(index, size))
            elif self._assume(
                [is_exact, terms.at_most(0.0, index.low), terms.at_most(index.high, terms.sub(size.low, 1.0))]
            ):
                self.chosen[out] = 0
                return _Range(index)
        return _Range(Interval(0.0, terms.sub(size.high, 1.0)))

    def _select(self, binding: Binding) -> _Range | None:
        condition, then, orelse = binding.args
        (out,) = binding.outs
        for wanted, position in ((True, 1), (False, 2)):
            proof = self._proof(condition, wanted)
            known = proof is not None and all(c is True for c in proof)
            if known or (not wanted and self._is_of_sign(condition, orelse) and self._assume(proof)):
                self.chosen[out] = position
                return self._range(binding.args[position])
        return self._join(self._range(then), self._range(orelse))

    def _is_of_sign(self, condition: Atom, number: Atom) -> bool:
        """Whether a condition asks if a number is negative, as for an index that counts from the end."""
        asked = self._definitions.get(condition) if isinstance(condition, Var) else None
        if asked is None or asked.op is not ints.int_lt or asked.args[0] is not number:
            return False
        return isinstance(asked.args[1], Literal) and asked.args[1].value == 0

    def _join(self, x: _Range | None, y: _Range | None) -> _Range | None:
        if x is None or y is None:
            return None
        return _Range(self.terms.join(x.interval, y.interval), x.carries | y.carries, x.alone or y.alone)

    # --- conditions

    def _proof(self, atom: Atom, wanted: bool) -> list[Condition] | None:
        """Conditions from which it follows that a bool is `wanted`; None if there are none."""
        if isinstance(atom, Literal):
            return [bool(atom.value) is wanted]
        binding = self._definitions.get(atom)
        if binding is None:
            return None
        if binding.op is ints.bool_not:
            return self._proof(binding.args[0], not wanted)
        if binding.op is ints.bool_and and wanted:
            x, y = (self._proof(arg, True) for arg in binding.args)
            return None if x is None or y is None else [*x, *y]
        if binding.op not in _ORDERS:
            return None
        a, b, apart = self._compared(binding)
        if a is None or b is None:
            return None
        known = [isinstance(arg, Literal) and abs(arg.value) <= _LAST_EXACT - apart for arg in binding.args]
        sides = zip((a, b), known[::-1] if _ORDERS[binding.op][0] else known, strict=True)
        exact = [c for side, is_exact in sides if not is_exact for c in self.terms.within(side, _EXACT)]
        if wanted:
            return [*exact, self.terms.at_most(self.terms.add(a.high, apart), b.low)]
        return [*exact, self.terms.at_most(b.high, self.terms.sub(self.terms.add(a.low, apart), 1.0))]

    def _compared(self, binding: Binding) -> tuple[Interval | None, Interval | None, float]:
        """The intervals of a and b, and c, for a comparison that says whether a + c <= b."""
        swapped, apart = _ORDERS[binding.op]
        a, b = binding.args[::-1] if swapped else binding.args
        return self._interval(a), self._interval(b), apart

    def _conditional(self, binding: Binding) -> None:
        for place, graph in enumerate(binding.graphs):
            proof = self._proof(binding.args[0], place == 0) if binding.outs else None
            if proof is not None and all(c is True for c in proof):  # what has to be asked may as well be untrue
                self._walk(graph)
                self.decided[binding.outs[0]] = place
                known = [(out, self._range(r)) for out, r in zip(binding.outs, graph.results, strict=True)]
                self._ranges.update((out, found) for out, found in known if found is not None)
                return
        made: list[list[_Range | None]] = []
        before = self._ranges
        for wanted, graph in zip((True, False), binding.graphs, strict=True):
            self._ranges = {**before}
            self._suppose(binding.args[0], wanted)
            self._walk(graph)
            made.append([self._range(r) if r.type is INT else None for r in graph.results])
        self._ranges = before
        for out, x, y in zip(binding.outs, *made, strict=True):
            joined = self._join(x, y)
            if joined is not None:
                self._ranges[out] = joined

    def _suppose(self, atom: Atom, wanted: bool) -> None:
        """Narrow the ranges of what is compared: a branch is taken only where the comparison says so."""
        binding = self._definitions.get(atom) if isinstance(atom, Var) else None
        if binding is None:
            return
        if binding.op is ints.bool_not:
            self._suppose(binding.args[0], not wanted)
        elif binding.op is ints.bool_and and wanted:
            for arg in binding.args:
                self._suppose(arg, True)
        elif binding.op in _ORDERS:
            terms, (a, b, apart) = self.terms, self._compared(binding)
            if a is None or b is None:
                return
            x, y = binding.args[::-1] if _ORDERS[binding.op][0] else binding.args
            if wanted:  # x + apart <= y
                self._narrow(x, a.low, terms.smallest(a.high, terms.sub(b.high, apart)))
                self._narrow(y, terms.largest(b.low, terms.add(a.low, apart)), b.high)
            else:  # y <= x + apart - 1
                self._narrow(x, terms.largest(a.low, terms.add(b.low, 1.0 - apart)), a.high)
                self._narrow(y, b.low, terms.smallest(b.high, terms.add(a.high, apart - 1.0)))

    def _narrow(self, atom: Atom, low: Bound, high: Bound) -> None:
        if isinstance(atom, Var) and atom in self._bound:
            self._ranges[atom] = _Range(Interval(low, high))


# --- ranges of single operations: None for an argument of which nothing is known ---------------------


def _of_elements(atom: Atom) -> Interval | None:
    type_ = atom.type
    if not isinstance(type_, TensorType) or not type_.dtype.is_integer or type_.dtype.itemsize > 4:
        return None
    low, high = integer_range(type_.dtype)
    return Interval(float(low), float(high))


def _is_of_number(binding: Binding) -> bool:
    """Whether between which bounds a result lies follows from one operand, which is known."""
    known = [a for a in binding.args if isinstance(a, Literal)]
    return (binding.op is ints.int_mod and binding.args[1] in known) or (
        binding.op is ints.int_and and any(a.value >= 0 for a in known)
    )


def _and(terms: Terms, x: Interval | None, y: Interval | None) -> Interval | None:
    for operand in (x, y):  # a number says more than bounds that need not be exact
        if operand is not None and operand.is_known_positive and operand.low == operand.high:
            return Interval(0.0, operand.high)
    highs = [known.high for known in (x, y) if known is not None and known.is_known_positive]
    return Interval(0.0, terms.smallest(*highs)) if highs else None


def _or(terms: Terms, x: Interval | None, y: Interval | None) -> Interval | None:
    if x is None or y is None or not (x.is_known_positive and y.is_known_positive):
        return None
    return Interval(0.0, terms.add(x.high, y.high))


def _mod(terms: Terms, x: Interval | None, y: Interval | None) -> Interval | None:
    if y is None:
        return None
    return Interval(terms.smallest(0.0, terms.add(y.low, 1.0)), terms.largest(0.0, terms.sub(y.high, 1.0)))


def _smaller(terms: Terms, x: Interval | None, y: Interval | None) -> Interval | None:
    """Of what lies between its first argument and 0."""
    return Interval(terms.smallest(0.0, x.low), terms.largest(0.0, x.high)) if x is not None else None


def _floordiv(terms: Terms, x: Interval | None, y: Interval | None) -> Interval | None:
    positive = y is not None and isinstance(y.low, float) and y.low >= 1.0
    return _smaller(terms, x, y) if positive else None


def _min(terms: Terms, x: Interval | None, y: Interval | None) -> Interval | None:
    if x is None or y is None:
        return None
    return Interval(terms.smallest(x.low, y.low), terms.smallest(x.high, y.high))


def _max(terms: Terms, x: Interval | None, y: Interval | None) -> Interval | None:
    if x is None or y is None:
        return None
    return Interval(terms.largest(x.low, y.low), terms.largest(x.high, y.high))


_RULES: Final[dict[Op, Callable[..., Interval | None]]] = {
    ints.int_and: _and,
    ints.int_or: _or,
    ints.int_xor: _or,
    ints.int_mod: _mod,
    ints.int_floordiv: _floordiv,
    ints.int_rshift: _smaller,
    ints.int_min: _min,
    ints.int_max: _max,
    ints.bool_to_int: lambda terms, x: Interval(0.0, 1.0),
}
