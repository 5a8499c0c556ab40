"""The `parallel` pass: loops over `prange` as parts of their rounds that may run at the same time.

How many parts there are, and which rounds they have, depends on the number of rounds alone: so results do not depend
on the number of threads, and sums of floats are the same in every run. A part goes through its rounds as the loop did,
with variables and memory of its own for what all rounds add to; a loop over the parts puts together what they leave.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Final, TypeAlias

from jitcore.ir.analysis import EffectAnalysis, all_bindings, definitions, uses
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import ASKED, CALL, COND, FOR, PARALLEL, PROVEN, TRY, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Op, Var, type_of
from jitcore.ir.rewrite import clone, substitute, with_body, with_graphs
from jitcore.passes.independence.accesses import Memory, memory_of
from jitcore.passes.independence.combining import Combination
from jitcore.passes.independence.indices import Indices
from jitcore.passes.independence.reductions import Choice, reduction
from jitcore.passes.independence.untagging import untagged
from jitcore.passes.plan.aliasing import Aliasing
from jitcore.passes.registry import Pass
from jitcore.primitives.core.registry import HostCode, Primitive
from jitcore.primitives.ops import conversions, growing, joining, state
from jitcore.primitives.ops import python_ints as ints
from jitcore.source import Problem, RaceError
from jitcore.structs import dataclass
from jitcore.types import BOOL, INT, DType, RefType, ScalarType, StackType, TensorType

PARTS: Final = 64
"""Into how many parts rounds are divided, at most: so many that cores which are done early find others to do."""
PARTS_OF_ARRAYS: Final = 16
"""The same where each has an array of its own to add to."""
WORTH_A_PART: Final = 2048
"""Operations that a part has at least, if that can be told: some microseconds."""
_UNNAMED: Final = ("c", FOR.name)
"""What the variables of a loop are called that are no variables of the user's."""
_APPENDED: Final = (growing.put_row, growing.room, growing.add_row)


@dataclass(frozen=True, slots=True)
class Same:
    """What every round leaves in a carry."""

    value: Atom


Way: TypeAlias = "Combination | Choice | Same"
"""How what parts of the rounds leave in a carry becomes what the loop leaves."""


@dataclass(frozen=True)
class Parallel(Pass):
    """Divides loops that may run in parallel, and refuses those whose rounds depend on one another.

    before    s = for_(body, n, 0.0, parallel='asked')      # body: s + x[i]
    after     for_(part, 64, parallel='proven')             # part: sums[k] = for_(body, n // 64, 0.0)
              s = for_(merge, 64, 0.0)                      # merge: s + sums[k]
    """

    name: ClassVar[str] = "parallel"
    overlapping: Sequence[tuple[int, int]] | None = None
    """Which parameters of the entry may share memory, by their positions; None: any."""

    def run(self, module: Module) -> Module:
        """The module with divided loops. Raises RaceError."""
        if not any(b.params.get(PARALLEL) == ASKED for b in all_bindings(module)):
            return module
        problems: list[Problem] = []
        graphs = {
            name: _Divider(module, graph, self._pairs(module, name), problems).divided(graph)
            for name, graph in module.graphs.items()
        }
        if problems:
            raise RaceError(problems)
        return with_graphs(module, graphs)

    def _pairs(self, module: Module, name: str) -> list[tuple[Var, Var]] | None:
        if name != module.entry or self.overlapping is None:
            return None
        params = module.main.params
        return [(params[a], params[b]) for a, b in self.overlapping]


class _Divider:
    """Divides the loops of one module graph."""

    def __init__(
        self, module: Module, graph: Graph, overlapping: list[tuple[Var, Var]] | None, problems: list[Problem]
    ) -> None:
        self._effects = EffectAnalysis(module)
        self._aliasing = Aliasing(graph, self._effects, overlapping)
        self._definitions = definitions(graph)
        self._uses = uses(graph)
        self._problems = problems

    def divided(self, graph: Graph) -> Graph:
        """A graph with its outermost loops that may run in parallel divided."""
        body: list[Binding] = []
        for binding in graph.body:
            if binding.params.get(PARALLEL) == ASKED:
                made = self._loop(binding) if self._is_apart(binding) else None
                if made is not None:
                    body += made
                    continue
            nested = tuple(map(self.divided, binding.graphs))
            same = all(a is b for a, b in zip(nested, binding.graphs, strict=True))
            body.append(binding if same else _with(binding, nested))
        return with_body(graph, body, graph.results)

    def _is_apart(self, loop: Binding) -> bool:
        """Whether rounds do nothing that keeps its order: call Python (but for functions of numbers), or
        what may do so, or handle exceptions."""
        if any(isinstance(type_of(a), StackType) for a in loop.args):
            return False
        for binding in all_bindings(loop.graphs[0]):
            op = binding.op
            if op in (CALL, TRY) or self._effects.of_binding(binding).io:
                return False
            is_host = isinstance(op, Primitive) and isinstance(op.lowering, HostCode)
            if is_host and not all(isinstance(a.type, ScalarType) for a in (*binding.args, *binding.outs)):
                return False
        return True

    def _loop(self, loop: Binding) -> Iterable[Binding] | None:
        """The bindings in place of a loop; None, and what is wrong is noted, if its rounds depend on one another."""
        apart = untagged(loop)
        if apart is None:
            return self._plain_loop(loop)
        before, inner, after = apart
        self._definitions.update((out, b) for b in (*before, inner, *after) for out in b.outs)
        self._uses.update(dict.fromkeys(inner.outs, 1))
        made = self._plain_loop(inner)
        return None if made is None else (*before, *made, *after)

    def _plain_loop(self, loop: Binding) -> Iterable[Binding] | None:
        indices = Indices(loop, self._definitions)
        memory = memory_of(loop.graphs[0], indices, self._aliasing)
        carried = [self._carried(loop, place, indices) for place in range(len(loop.outs))]
        problems = [*memory.problems, *(c for c in carried if isinstance(c, Problem))]
        if problems:
            self._problems += {(p.span.line, p.message): p for p in problems}.values()
            return None
        ways = [c for c in carried if not isinstance(c, Problem)]
        builder = GraphBuilder("parallel", loop.span)
        if not memory.conditions:
            _Division(builder, loop, memory, ways).emit()
            return builder.body
        holds: Atom = Literal(True, BOOL)
        for value in memory.conditions:
            asked = builder.emit(ints.int_ge, (indices.asked(builder, value), Literal(0, INT)))[0]
            holds = asked if isinstance(holds, Literal) else builder.emit(ints.bool_and, (holds, asked))[0]
        then = GraphBuilder("then", loop.span)
        outs = _Division(then, _renamed(loop), memory, ways).emit()
        orelse = GraphBuilder("orelse", loop.span)
        serial = _renamed(loop)
        orelse.append(Binding(serial.outs, FOR, serial.args, serial.span, {}, serial.graphs))
        builder.append(
            Binding(loop.outs, COND, (holds,), loop.span, {}, (then.finish(outs), orelse.finish(serial.outs)))
        )
        return builder.body

    def _carried(self, loop: Binding, place: int, indices: Indices) -> Way | Problem | None:
        """How parts of a carry are put together; None if nobody wants it."""
        (body,) = loop.graphs
        carry, result, out = body.params[place + 1], body.results[place], loop.outs[place]
        made = reduction(body, carry, result)
        if made is not None and isinstance(carry.type, ScalarType | TensorType):
            return made
        used = uses(body)[carry]
        if not used and not self._uses[out]:
            return None
        if not used and indices.is_outer(result):
            return Same(result)
        return _told(loop, carry, result, out, is_read=used > 0)


def _with(binding: Binding, graphs: tuple[Graph, ...]) -> Binding:
    return Binding(binding.outs, binding.op, binding.args, binding.span, binding.params, graphs)


def _renamed(loop: Binding) -> Binding:
    """A loop with variables of its own."""
    outs = tuple(Var(out.name, out.type, out.span) for out in loop.outs)
    return Binding(outs, loop.op, loop.args, loop.span, loop.params, (clone(loop.graphs[0]),))


def _told(loop: Binding, carry: Var, result: Atom, out: Var, *, is_read: bool) -> Problem:
    """What is wrong with a carry."""
    (body,) = loop.graphs
    made = next((b for b in all_bindings(body) if result in b.outs), None)
    span = loop.span if made is None else made.span
    appended = next((b for b in all_bindings(body) if b.op in _APPENDED), None)
    named = [v.name for v in (out, carry) if v.name not in _UNNAMED and (made is None or v.name != made.op.name)]
    if appended is not None and not (named and isinstance(carry.type, ScalarType)):
        message = "rounds append to a list, or set its items, one after the other"
        return Problem(appended.span, message, "an array with an element for each round, written at its index")
    name = named[0] if named else "what this loop leaves in an object, a list, a dict or a variable"
    if not is_read:
        message = f"{name} is used after the loop: which round is the last to set it depends on how the threads run"
        hint = "an array with an element for each round, or the last round's value computed after the loop"
        return Problem(span, message, hint)
    message = f"{name} depends on the round before, in a way that is no sum, product, smallest or largest value"
    return Problem(span, message, "range in place of prange, or a variable that each round sets before it reads it")


class _Division:
    """Writes a loop as parts of its rounds, and what puts together what they leave."""

    def __init__(self, builder: GraphBuilder, loop: Binding, memory: Memory, ways: Sequence[Way | None]) -> None:
        self.builder = builder
        self.loop = loop
        self.span = loop.span
        self.sums = memory.sums
        self.ways = ways
        self.least = _least_rounds(loop.graphs[0])
        has_arrays = memory.sums or any(isinstance(a.type, TensorType) and a.type.shape for a in loop.args[1:])
        self.most = PARTS_OF_ARRAYS if has_arrays else PARTS

    def emit(self) -> tuple[Atom, ...]:
        """Write it; what its outputs are."""
        builder, loop = self.builder, self.loop
        size, parts = self._sizes(loop.args[0])
        kept = [self._kept(way, arg) for way, arg in zip(self.ways, loop.args[1:], strict=True)]
        own = {base: self._filled(_target(base), 0) for base in self.sums}
        part = self._part(size, kept, own)
        builder.append(Binding((), FOR, (parts,), self.span, {PARALLEL: PROVEN}, (part,)))
        wanted = [k for k, way in enumerate(self.ways) if way is not None]
        if wanted or own:
            merge = self._merge(wanted, kept, own)
            inits = (loop.args[k + 1] for k in wanted)
            outs = tuple(loop.outs[k] for k in wanted)
            builder.append(Binding(outs, FOR, (parts, *inits), self.span, {}, (merge,)))
        return tuple(out if k in wanted else loop.args[k + 1] for k, out in enumerate(loop.outs))

    def _sizes(self, rounds: Atom) -> tuple[Atom, Atom]:
        """How many rounds a part has, the last perhaps fewer, and how many parts there are."""
        if isinstance(rounds, Literal):
            size = max(-(-rounds.value // self.most), self.least)
            return Literal(size, INT), Literal(-(-rounds.value // size), INT)
        size = self._int(ints.int_floordiv, self._int(ints.int_add_modular, rounds, self.most - 1), self.most)
        is_less = self.builder.emit(ints.int_lt, (size, _int(self.least)))[0]
        size = self._int(ints.int_select, is_less, self.least, size)
        last = self._int(ints.int_sub_modular, size, 1)
        return size, self._int(ints.int_floordiv, self._int(ints.int_add_modular, rounds, last), size)

    def _int(self, op: Op, *args: Atom | int, builder: GraphBuilder | None = None) -> Var:
        given = [_int(a) if isinstance(a, int) else a for a in args]
        return (builder or self.builder).emit(op, given)[0]

    def _kept(self, way: Way | None, arg: Atom) -> Var | None:
        """Memory for what each part leaves in a carry."""
        return None if way is None or isinstance(way, Same) else self._filled(_array_type(arg), 0)

    def _filled(self, type_: TensorType, value: complex) -> Var:
        """Memory for an array of each part."""
        number = Literal(_of_kind(value, type_.dtype), TensorType(type_.dtype, ()))
        made = self.builder.emit(joining.full, (number,), {"shape": (self.most, *type_.shape)})
        return self.builder.emit(state.ref_new, made)[0]

    def _copy(self, builder: GraphBuilder, base: Var) -> Var:
        """Memory that a part changes in place of what all change: apart from that of others, which a core would have to
        wait for."""
        made, type_ = self.sums[base], _target(base)
        start = made.start(type_.dtype) if isinstance(made, Combination) else None
        if start is None:
            return builder.emit(state.ref_new, builder.emit(state.ref_read, (base,)))[0]
        number = Literal(start, TensorType(type_.dtype, ()))
        return builder.emit(state.ref_new, builder.emit(joining.full, (number,), {"shape": type_.shape}))[0]

    def _part(self, size: Atom, kept: Sequence[Var | None], own: Mapping[Var, Var]) -> Graph:
        """The rounds of one part."""
        loop, builder = self.loop, GraphBuilder("part", self.span)
        number = builder.param("part", INT)
        first = self._int(ints.int_mul_modular, number, size, builder=builder)
        left = self._int(ints.int_sub_modular, loop.args[0], first, builder=builder)
        is_last = builder.emit(ints.int_lt, (left, size))[0]
        rounds = self._int(ints.int_select, is_last, left, size, builder=builder)
        (body,) = loop.graphs
        places = {base: self._copy(builder, base) for base in own}
        body = substitute(body, places) if places else body
        counter = Var("k", INT, self.span)
        index = Binding((body.params[0],), ints.int_add, (first, counter), self.span)
        inner = Graph(body.name, (counter, *body.params[1:]), (index, *body.body), body.results, body.span)
        starts = [_start(builder, way, a) for way, a in zip(self.ways, loop.args[1:], strict=True)]
        lefts = builder.emit(FOR, (rounds, *starts), {}, (inner,), names=[o.name for o in loop.outs])
        for left_, memory in zip(lefts, kept, strict=True):
            if memory is not None:
                builder.emit(state.ref_write, (_row(builder, memory, number), _as_array(builder, left_)))
        for base, copies in own.items():
            changed = builder.emit(state.ref_read, (places[base],))[0]
            builder.emit(state.ref_write, (_row(builder, copies, number), changed))
        return builder.finish(())

    def _merge(self, wanted: Sequence[int], kept: Sequence[Var | None], own: Mapping[Var, Var]) -> Graph:
        """What adds what a part left to what those before it did."""
        builder = GraphBuilder("merge", self.span)
        number = builder.param("part", INT)
        carries = [builder.param(self.loop.outs[k].name, self.loop.outs[k].type) for k in wanted]
        results: list[Atom] = []
        for k, carry in zip(wanted, carries, strict=True):
            way, memory = self.ways[k], kept[k]
            if isinstance(way, Same):
                results.append(way.value)
                continue
            assert way is not None
            assert memory is not None
            found: Atom = builder.emit(state.ref_read, (_row(builder, memory, number),))[0]
            if isinstance(carry.type, ScalarType):
                found = builder.emit(conversions.to_scalar, (found,))[0]
            results.append(
                way.emit(builder, carry, found) if isinstance(way, Choice) else builder.emit(way.op, (carry, found))[0]
            )
        for base, copies in own.items():
            found = builder.emit(state.ref_read, (_row(builder, copies, number),))[0]
            before = builder.emit(state.ref_read, (base,))[0]
            way = self.sums[base]
            if isinstance(way, Choice):
                put = way.emit_for_each(builder, before, found)
            else:
                put = builder.emit(way.op, (before, found))[0]
            builder.emit(state.ref_write, (base, put))
        return builder.finish(results)


def _least_rounds(body: Graph) -> int:
    """How many rounds a part has at least: those that are over in a moment, each, are not worth another thread."""
    for binding in all_bindings(body):
        arrays = any(isinstance(out.type, TensorType) and out.type.shape for out in binding.outs)
        if binding.op in (FOR, WHILE) or arrays:
            return 1
    return max(WORTH_A_PART // (1 + sum(1 for _ in all_bindings(body))), 1)


def _int(value: int) -> Literal:
    return Literal(value, INT)


def _of_kind(value: complex, dtype: DType) -> complex | bool:
    """A number as literals of a dtype have it."""
    made = complex(value)
    return made if dtype.kind == "c" else dtype.numpy.type(made.real).item()


def _array_type(atom: Atom) -> TensorType:
    """The type of a number or an array in memory."""
    type_ = type_of(atom)
    if isinstance(type_, ScalarType):
        return TensorType(type_.dtype, ())
    assert isinstance(type_, TensorType)
    return type_


def _as_array(builder: GraphBuilder, atom: Atom) -> Atom:
    type_ = type_of(atom)
    if isinstance(type_, ScalarType):
        return builder.emit(conversions.from_scalar, (atom,), {"dtype": type_.dtype})[0]
    return atom


def _start(builder: GraphBuilder, way: Way | None, arg: Atom) -> Atom:
    """What a part begins with."""
    if not isinstance(way, Combination):
        return arg
    type_ = _array_type(arg)
    start = way.start(type_.dtype)
    if start is None:
        return arg
    if isinstance(type_of(arg), ScalarType):
        return Literal(start, type_of(arg))
    number = Literal(start, TensorType(type_.dtype, ()))
    return builder.emit(joining.full, (number,), {"shape": type_.shape})[0] if type_.shape else number


def _target(place: Var) -> TensorType:
    assert isinstance(place.type, RefType)
    return place.type.target


def _row(builder: GraphBuilder, memory: Var, number: Var) -> Var:
    """What belongs to a part."""
    rest = tuple(("s", 0, 1, extent) for extent in _target(memory).shape[1:])
    return builder.emit(state.ref_view, (memory, number), {"spec": (("i", 0), *rest)})[0]
