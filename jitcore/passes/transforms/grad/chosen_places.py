"""Places that loops carry and branches make, as values.

A derivative by what a place holds is kept in the place's shadow, and which shadow that is has to be known backwards. It
is not where a loop goes on with another place each round (`y = y * 2` after `y += x`), or where one branch makes a
place and another hands on the one that was there. So before a graph is differentiated, such a place becomes a value:
what goes from round to round, or out of the branch, is what the place holds, and a new place is made of it.

Before:

    y: ref = ref_new(x)
    def body(i, y_1: ref):
        ...
        return y_2
    y_3 = for_(body, n, y)

After:

    def body(i, v):
        y_1: ref = ref_new(v)
        ...
        return ref_read(y_2)
    v_1 = for_(body, n, ref_read(y))
    y_3 = ref_new(v_1)

Places that others know, too (the caller's array, one that is read after the loop), must stay what they are. They are
numbered, 0 being a place that nobody else knows, and the number is carried along: `y_1` is
`switch([ref_new(v), known_1, known_2, …], number)`. Views of known places are such, too, where they can be taken
outside as well. What cannot be told apart in this way is left as it is: two variables that are one new place, other
views of known places, places in unions or given to the host.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias

from jitcore.ir.analysis import all_bindings, symbols_in, uses
from jitcore.ir.control import CALL, COND, FOR, SWITCH, TRY, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Op, Params, Var
from jitcore.passes.transforms.grad.activity import is_window
from jitcore.passes.transforms.grad.records import refusal_at
from jitcore.primitives.ops import state
from jitcore.primitives.ops.widening import widen
from jitcore.source import Span
from jitcore.structs import dataclass, field
from jitcore.types import INT, RefType

_LOOPS = (FOR, WHILE)
_BRANCHES = (COND, SWITCH, TRY)
_OWN = Literal(0, INT)
"""The number of a place that nobody else knows."""


def with_values(graph: Graph, is_active: Callable[[Var], bool]) -> Graph:
    """A graph whose loops and branches give values instead of places that derivatives flow through, as far as they can;
    the same graph if there are none."""
    controls = (b for b in all_bindings(graph) if b.op in _LOOPS or b.op in _BRANCHES)
    if not any(isinstance(o.type, RefType) and is_active(o) for b in controls for o in b.outs):
        return graph
    values = _Values(graph, is_active)
    values.block(values.top)
    return values.top.frozen()


class _StaysError(Exception):
    """A loop or branch has to be left as it is."""


@dataclass(slots=True, eq=False)
class _Block:
    """A graph that is being changed."""

    name: str
    span: Span
    params: list[Var]
    results: list[Atom]
    around: _Node | None
    body: list[_Node] = field(default_factory=list["_Node"])

    def frozen(self) -> Graph:
        body = tuple(node.frozen() for node in self.body)
        return Graph(self.name, tuple(self.params), body, tuple(self.results), self.span)


@dataclass(slots=True, eq=False)
class _Node:
    """A binding that is being changed."""

    outs: list[Var]
    op: Op
    args: list[Atom]
    params: Params
    span: Span
    block: _Block
    blocks: list[_Block] = field(default_factory=list[_Block])

    def frozen(self) -> Binding:
        graphs = tuple(block.frozen() for block in self.blocks)
        return Binding(tuple(self.outs), self.op, tuple(self.args), self.span, self.params, graphs)


@dataclass(frozen=True, slots=True)
class _Window:
    """How a part of a place is taken: the operator with its other arguments and its parameters, and what it gives."""

    op: Op
    args: tuple[Atom, ...]
    params: tuple[tuple[str, object], ...]
    type: RefType

    @staticmethod
    def of(node: _Node) -> _Window:
        return _Window(node.op, tuple(node.args[1:]), tuple(sorted(node.params.items())), _ref(node.outs[0]))


_Windows: TypeAlias = "tuple[_Window, ...] | None"
"""What a variable is seen through, the last window first; None: through some that cannot be told."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A place that is known outside of a loop or branch, or a part of one."""

    place: Var
    windows: tuple[_Window, ...] = ()

    @property
    def type(self) -> RefType:
        return self.windows[0].type if self.windows else _ref(self.place)


@dataclass(slots=True)
class _Ends:
    """What a variable that holds a place may be, seen from a loop or branch: places made in it (by the variable that
    `ref_new` gave, or that a loop around them carries), places from outside, and whether it may be a mere part of one
    it carries."""

    made: set[Var] = field(default_factory=set[Var])
    known: dict[_Known, None] = field(default_factory=dict[_Known, None])
    is_part_of_carry: bool = False


class _Values:
    """Puts values in the place of places."""

    def __init__(self, graph: Graph, is_active: Callable[[Var], bool]) -> None:
        self.is_active = is_active
        self.makers: dict[Var, tuple[_Node | _Block, int]] = {}
        self.held: list[Var] = []
        """Places that something else holds, too."""
        self.uses: Counter[Var] = uses(graph)
        self.top = self._thawed(graph, None)

    def _thawed(self, graph: Graph, around: _Node | None) -> _Block:
        block = _Block(graph.name, graph.span, list(graph.params), list(graph.results), around)
        self.makers.update((p, (block, k)) for k, p in enumerate(graph.params))
        for b in graph.body:
            node = _Node(list(b.outs), b.op, list(b.args), b.params, b.span, block)
            node.blocks = [self._thawed(g, node) for g in b.graphs]
            block.body.append(node)
            self._note(node)
        return block

    def _note(self, node: _Node) -> None:
        self.makers.update((o, (node, k)) for k, o in enumerate(node.outs))
        refs = [a for a in node.args if isinstance(a, Var) and isinstance(a.type, RefType)]
        if not refs or node.op in _LOOPS:
            return
        if node.op is CALL:
            self.held += refs if any(isinstance(o.type, RefType) for o in node.outs) else ()
        elif not (is_window(node.op) or node.op is widen):
            simple = node.op in (state.ref_read, state.ref_write, state.ref_add) and len(refs) == 1
            self.held += () if simple else refs

    # --- blocks -------------------------------------------------------------------------------------

    def block(self, block: _Block) -> None:
        """Change the loops and branches of a block, and of those nested in it."""
        body, block.body = block.body, []
        for node in body:
            if node.op in _LOOPS:
                self._loop(node)
                continue
            for inner in node.blocks:
                self.block(inner)
            block.body.append(node)
            if node.op in _BRANCHES and not node.params.get("recompute"):
                self._branches(node)

    def _emit(self, block: _Block, op: Op, args: Sequence[Atom], out: Var, **params: object) -> _Node:
        """A primitive at the end of a block."""
        node = _Node([out], op, list(args), params, out.span, block)
        self._note(node)
        block.body.append(node)
        return node

    def _read(self, block: _Block, place: Atom, wanted: RefType) -> Var:
        """What a place holds, as a value of the wanted target's type."""
        assert isinstance(place, Var)
        held, target = _ref(place).target, wanted.target
        value = Var(place.name, held, place.span)
        self._emit(block, state.ref_read, [place], value)
        if held is target:
            return value
        widened = Var(place.name, target, place.span)
        self._emit(block, widen, [value], widened, shape=target.shape)
        return widened

    def _place(self, block: _Block, out: Var, value: Var, number: Atom, known: Sequence[_Known]) -> None:
        """Make `out` at the end of a block: a place of the value's own, or the known one of that number."""
        if not known:
            self._emit(block, state.ref_new, [value], out)
            return
        own = Var(out.name, out.type, out.span)
        self._emit(block, state.ref_new, [value], own)
        node = self._emit(block, SWITCH, [number], out)
        node.blocks = [_Block("place", out.span, [], [own], node) for _ in range(1 + len(known))]
        for choice, block in zip(known, node.blocks[1:], strict=True):
            if choice.type is out.type:  # it is no choice otherwise
                block.results[0] = self._taken(block, choice)

    def _taken(self, block: _Block, known: _Known) -> Var:
        """A known place, or the part of it that is meant, at the end of a block."""
        place = known.place
        for window in reversed(known.windows):
            part = Var(place.name, window.type, place.span)
            self._emit(block, window.op, [place, *window.args], part, **dict(window.params))
            place = part
        return place

    # --- loops --------------------------------------------------------------------------------------

    def _loop(self, node: _Node) -> None:
        """Change a loop, and append it to its block."""
        block = node.block
        try:
            carries, known = self._carries(node)
        except _StaysError:
            carries, known = [], []
        head = node.op is FOR
        before = {k: node.blocks[-1].params[head + k] for k in carries}
        numbers: _Numbers = {}
        for k, carry in before.items():
            init = node.args[head + k]
            node.args[head + k] = self._read(block, init, _ref(carry))
            if known:
                begun = _Known(init) if isinstance(init, Var) else None
                node.args.append(Literal(known.index(begun) + 1, INT) if begun in known else _OWN)
        for inner in node.blocks:
            numbers.update(self._enter(inner, carries, head, known))
        for inner in node.blocks:
            self.block(inner)
        block.body.append(node)
        body = node.blocks[-1]
        given = [body.results[k] for k in carries]
        for k, result in zip(carries, given, strict=True):
            body.results[k] = self._read(body, result, _ref(before[k]))
        if known:
            body.results += [self._number(r, node, known, numbers) for r in given]
        outs = [(k, node.outs[k]) for k in carries]
        number_of: list[Atom] = [_OWN for _ in outs]
        for k, out in outs:
            node.outs[k] = Var(out.name, _ref(out).target, out.span)
        if known:
            made = [Var("place", INT, node.span) for _ in outs]
            node.outs += made
            number_of = [*made]
        self._note(node)
        for (k, out), number in zip(outs, number_of, strict=True):
            self._place(block, out, node.outs[k], number, known)

    def _enter(self, block: _Block, carries: Sequence[int], head: int, known: Sequence[_Known]) -> _Numbers:
        """Give a graph of a loop values for its carries, and make places of them; the places' numbers."""
        numbers: _Numbers = {}
        body, block.body = block.body, []
        for k in carries:
            carry = block.params[head + k]
            value = block.params[head + k] = Var(carry.name, _ref(carry).target, carry.span)
            if known:
                number = numbers[carry, ()] = Var("place", INT, carry.span)
                block.params.append(number)
            if self.uses[carry]:
                self._place(block, carry, value, numbers.get((carry, ()), _OWN), known)
        self.makers.update((p, (block, k)) for k, p in enumerate(block.params))
        block.body += body
        return numbers

    def _carries(self, node: _Node) -> tuple[list[int], list[_Known]]:
        """Which of a loop's carries become values, and the places that others know which they may be. Raises
        _StaysError."""
        head = node.op is FOR
        body = node.blocks[-1]
        carries = body.params[head:]
        places = [k for k, c in enumerate(carries) if isinstance(c.type, RefType)]
        if not any(self.is_active(v) for k in places for v in (node.outs[k], carries[k])):
            return [], []
        ends = {k: self._ends(body.results[k], node) for k in places}
        self._check(node, list(ends.values()))
        known: dict[_Known, None] = {}
        reached: dict[int, set[_Known]] = {}
        for k in places:
            init = node.args[head + k]
            own = {} if self._is_private(init, node) or not isinstance(init, Var) else {_Known(init): None}
            reached[k] = {*own, *ends[k].known}
            known |= {**own, **ends[k].known}
        if known and any(e.is_part_of_carry for e in ends.values()):
            raise _StaysError
        for _ in places:  # from carry to carry
            for k in places:
                reached[k].update(*(reached[j] for j in places if carries[j] in ends[k].made))
        if any(p.type is not t for k in places for p in reached[k] for t in (carries[k].type, node.outs[k].type)):
            raise _StaysError
        return places, list(known)

    def _is_private(self, place: Atom, node: _Node) -> bool:
        """Whether a place that a loop begins with is known to nobody else."""
        maker = self.makers.get(place) if isinstance(place, Var) else None
        if maker is None or not isinstance(maker[0], _Node) or maker[0].op is not state.ref_new:
            return False
        return maker[0].block is node.block and isinstance(place, Var) and self.uses[place] == 1

    # --- branches -----------------------------------------------------------------------------------

    def _branches(self, node: _Node) -> None:
        """Change branches that have been appended to their block."""
        places = [k for k, o in enumerate(node.outs) if isinstance(o.type, RefType)]
        if not any(self.is_active(node.outs[k]) for k in places):
            return
        alive = [b for b in node.blocks if b.results]
        ends: dict[int, _Ends] = {}
        try:
            for k in places:
                for inner in alive:
                    ends[k] = self._ends(inner.results[k], node, ends.get(k))
            made = {k: e for k, e in ends.items() if e.made}
            self._check(node, list(made.values()))
            if any(p.type is not node.outs[k].type for k, e in made.items() for p in e.known):
                raise _StaysError
        except _StaysError:
            return
        for k, found in made.items():
            out, known = node.outs[k], list(found.known)
            number: Atom = _OWN
            if known:
                numbers: _Numbers = {}
                for inner in alive:
                    inner.results.append(self._number(inner.results[k], node, known, numbers))
                number = Var("place", INT, node.span)
                node.outs.append(number)
            for inner in alive:
                inner.results[k] = self._read(inner, inner.results[k], _ref(out))
            value = node.outs[k] = Var(out.name, _ref(out).target, out.span)
            self._note(node)
            self._place(node.block, out, value, number, known)

    # --- what a place may be ------------------------------------------------------------------------

    def _is_inside(self, var: Var, around: _Node) -> bool:
        maker = self.makers.get(var)
        if maker is None:
            return False
        block = maker[0] if isinstance(maker[0], _Block) else maker[0].block
        while block.around is not None:
            if block.around is around:
                return True
            block = block.around.block
        return False

    def _ends(self, place: Atom, around: _Node, found: _Ends | None = None) -> _Ends:
        """What a place may be, seen from a loop or branch. Raises _StaysError where that is not known."""
        found = found or _Ends()
        waiting: list[tuple[Atom, _Windows]] = [(place, ())]
        seen: set[tuple[Atom, _Windows]] = set()
        while waiting:
            var, windows = waiting.pop()
            if (var, windows) in seen:
                continue
            seen.add((var, windows))
            assert isinstance(var, Var)
            if not self._is_inside(var, around):
                if windows is None or not all(self._is_outside(w, var, around) for w in windows):
                    raise _StaysError
                found.known[_Known(var, windows)] = None
                continue
            maker, k = self.makers[var]
            if isinstance(maker, _Block):
                loop = maker.around
                assert loop is not None
                if loop is around:
                    found.made.add(var)
                    found.is_part_of_carry |= windows != ()
                else:
                    waiting += [(a, windows and None) for a in _first_and_next(loop, k - (loop.op is FOR))]
            elif maker.op is state.ref_new:
                found.made.add(var)
            elif is_window(maker.op):
                waiting.append((maker.args[0], None if windows is None else (*windows, _Window.of(maker))))
            elif maker.op is widen:
                waiting.append((maker.args[0], None))
            elif maker.op in _LOOPS:
                waiting += [(a, windows and None) for a in _first_and_next(maker, k)]
            elif maker.op in _BRANCHES and not maker.params.get("recompute"):
                waiting += [(b.results[k], windows) for b in maker.blocks if b.results]
            else:
                raise _StaysError
        return found

    def _is_outside(self, window: _Window, place: Var, around: _Node) -> bool:
        """Whether a window can be taken outside of a loop or branch: all that it goes by is known there."""
        if any(isinstance(a, Var) and self._is_inside(a, around) for a in window.args):
            return False
        return symbols_in((window.type, *(value for _, value in window.params))) <= symbols_in(place.type)

    def _check(self, node: _Node, ends: Sequence[_Ends]) -> None:
        """Raises _StaysError if two variables may be one new place, or something else holds one."""
        made = set[Var]()
        for e in ends:
            if not made.isdisjoint(e.made):
                raise _StaysError
            made |= e.made
        for place in self.held:
            if self._is_inside(place, node) and not made.isdisjoint(self._ends(place, node).made):
                raise _StaysError

    def _number(
        self, place: Atom, around: _Node, known: Sequence[_Known], numbers: _Numbers, windows: tuple[_Window, ...] = ()
    ) -> Atom:
        """The number of a place, or of the part of it that windows show, at the end of a loop's round or of a branch;
        branches inside give it, too."""
        assert isinstance(place, Var)
        if (place, windows) in numbers:
            return numbers[place, windows]
        if not self._is_inside(place, around):
            return Literal(known.index(_Known(place, windows)) + 1, INT)
        maker, k = self.makers[place]
        if not isinstance(maker, _Node) or maker.op in _LOOPS:
            raise refusal_at(place, "the derivative of a loop that carries an array written in place")
        if is_window(maker.op):
            return self._number(maker.args[0], around, known, numbers, (*windows, _Window.of(maker)))
        if maker.op not in _BRANCHES:  # made there, or seen with other extents
            return _OWN
        number = numbers[place, windows] = Var("place", INT, place.span)
        for block in maker.blocks:
            if block.results:
                block.results.append(self._number(block.results[k], around, known, numbers, windows))
        maker.outs.append(number)
        self._note(maker)
        return number


_Numbers: TypeAlias = "dict[tuple[Var, tuple[_Window, ...]], Atom]"
"""The numbers of places, and of parts of them, at one point."""


def _first_and_next(loop: _Node, k: int) -> tuple[Atom, Atom]:
    """What a loop's carry begins with, and goes on with."""
    return loop.args[k + (loop.op is FOR)], loop.blocks[-1].results[k]


def _ref(var: Var) -> RefType:
    assert isinstance(var.type, RefType)
    return var.type
