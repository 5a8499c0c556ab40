"""The `count` pass: `while i < n` as a loop that counts its rounds.

Where the variable that is compared gets a constant more in each round, and what it is compared with stays as it is, the
number of rounds follows before the first one. The variable is still carried, and past 64 bits it raises.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final

from jitcore.ir.analysis import symbols_in
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import FOR, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Op, Var
from jitcore.ir.rewrite import Rewriter, inline
from jitcore.passes.registry import Pass
from jitcore.primitives.core.python_numbers import INT_MAX
from jitcore.primitives.core.registry import Primitive, ScalarCode
from jitcore.primitives.ops import python_ints as ints
from jitcore.primitives.ops.conversions import extent
from jitcore.structs import dataclass
from jitcore.types import INT

_MIRRORED: Final[dict[Op, Op]] = {
    ints.int_lt: ints.int_gt,
    ints.int_le: ints.int_ge,
    ints.int_gt: ints.int_lt,
    ints.int_ge: ints.int_le,
}
"""The comparison that says the same of its operands the other way round."""
_UP: Final = (ints.int_lt, ints.int_le)
_STRICT: Final = (ints.int_lt, ints.int_gt)


@dataclass(frozen=True)
class Count(Pass):
    """Counts the rounds of loops that compare a variable with a bound, and add a constant to it in each round.

    before    while_(test, body, i0)                        # test: i < n; body: i + 1
    after     for_(body, n - i0 if i0 < n else 0, i0)
    """

    name: ClassVar[str] = "count"

    def run(self, module: Module) -> Module:
        """The module with counted loops."""
        return _Counter().module(module)


@dataclass(frozen=True, slots=True)
class _Progress:
    """A loop goes on while its carry at a place compares so with a bound, and adds a constant to it."""

    place: int
    comparison: Op
    bound: Atom
    step: int


class _Counter(Rewriter):
    def rewrite(self, binding: Binding) -> Iterable[Binding]:
        """A loop whose rounds are known before as a `for_`."""
        found = _progress(*binding.graphs) if binding.op is WHILE else None
        if found is None:
            return (binding,)
        test, body = binding.graphs
        builder = GraphBuilder("count", binding.span)
        # what the test does besides comparing is the same in all rounds, and the first test comes before them
        asked = Graph(test.name, test.params, test.body, (found.bound,), test.span)
        before, (bound,) = inline(asked, binding.args)
        for made in before:
            builder.append(made)
        rounds = _rounds(builder, found, binding.args[found.place], bound)
        counter = Var("k", INT, binding.span)
        counted = Graph(body.name, (counter, *body.params), body.body, body.results, body.span)
        return (*builder.body, Binding(binding.outs, FOR, (rounds, *binding.args), binding.span, {}, (counted,)))


def _progress(test: Graph, body: Graph) -> _Progress | None:
    last = test.body[-1] if test.body else None
    if last is None or last.outs != test.results or last.op not in _MIRRORED:
        return None
    if not all(_stays(b, test.params) for b in test.body[:-1]):
        return None
    for (moving, bound), comparison in zip((last.args, last.args[::-1]), (last.op, _MIRRORED[last.op]), strict=True):
        if moving in test.params and bound not in test.params:
            place = test.params.index(moving)
            step = _step(body, place)
            if step and (step > 0) is (comparison in _UP):
                return _Progress(place, comparison, bound, step)
    return None


def _stays(binding: Binding, params: Sequence[Var]) -> bool:
    """Whether what a test computes is the same in all rounds."""
    if any(arg in params for arg in binding.args):
        return False
    if binding.op is extent:
        return symbols_in(binding.params["dim"]).isdisjoint(symbols_in(tuple(p.type for p in params)))
    effects = binding.op.effects
    changing = effects.reads or effects.writes or effects.io
    return isinstance(binding.op, Primitive) and isinstance(binding.op.lowering, ScalarCode) and not changing


def _step(body: Graph, place: int) -> int:
    """What is added to a carry in each round; 0 if that is not known."""
    carry, following = body.params[place], body.results[place]
    for b in body.body:
        if following in b.outs:
            if b.op is ints.int_sub and b.args[0] is carry and isinstance(b.args[1], Literal):
                return -b.args[1].value
            others = [arg for arg in b.args if arg is not carry]
            if b.op is ints.int_add and len(others) == 1 and isinstance(others[0], Literal):
                return others[0].value
    return 0


def _rounds(builder: GraphBuilder, found: _Progress, start: Atom, bound: Atom) -> Atom:
    """How many rounds there are: as many as an int can be where there are more, which is never reached."""

    def emit(op: Op, *args: Atom) -> Atom:
        return builder.emit(op, args)[0]

    def number(value: int) -> Literal:
        return Literal(value, INT)

    low, high = (start, bound) if found.step > 0 else (bound, start)
    distance = emit(ints.int_sub_modular, high, low)
    ahead = emit(ints.int_sub_modular, distance, number(1)) if found.comparison in _STRICT else distance
    steps = emit(ints.int_floordiv, ahead, number(abs(found.step)))
    count = emit(ints.int_add_modular, steps, number(1))
    wrapped = emit(ints.bool_or, emit(ints.int_lt, distance, number(0)), emit(ints.int_lt, count, number(0)))
    many = emit(ints.int_select, wrapped, number(INT_MAX), count)
    return emit(ints.int_select, emit(found.comparison, start, bound), many, number(0))
