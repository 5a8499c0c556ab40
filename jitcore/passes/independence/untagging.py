"""Carries that may still be what they were before a loop (a Python number) or what rounds made of them (a NumPy one).

Such a union is taken apart, into whether it is of the second kind, and a number of its dtype: what rounds do to it is
then one operation, and no choice of two. `best = 0.0`, then `best = max(best, x[i])`, is of this kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from jitcore.ir.analysis import EffectAnalysis, uses
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import COND, FOR, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Var
from jitcore.ir.rewrite import with_body
from jitcore.primitives.ops import conversions, unions
from jitcore.primitives.ops import python_ints as ints
from jitcore.structs import dataclass
from jitcore.types import BOOL, INT, ScalarType, TensorType, Type, UnionType

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A union of a number and of an element of an array; the element is member `main`."""

    type: UnionType
    main: int

    @property
    def element(self) -> TensorType:
        """The type of the element."""
        made = self.type.members[self.main]
        assert isinstance(made, TensorType)
        return made


@dataclass(frozen=True, slots=True)
class _Parts:
    """A union taken apart: whether it is an element, and the number."""

    is_element: Atom
    number: Atom


class _UnknownError(Exception):
    """Something is done to a union that is not known here."""


def _kind(type_: Type | None) -> _Kind | None:
    if not isinstance(type_, UnionType) or len(type_.members) != 2:
        return None
    elements = [k for k, m in enumerate(type_.members) if isinstance(m, TensorType) and not m.shape]
    numbers = [m for m in type_.members if isinstance(m, ScalarType) and m.dtype.kind in "if"]
    return _Kind(type_, elements[0]) if len(elements) == 1 and len(numbers) == 1 else None


def untagged(loop: Binding) -> tuple[Sequence[Binding], Binding, Sequence[Binding]] | None:
    """What comes before a loop, the loop and what comes after it, in which such carries are taken apart; None if there
    are none, or something is done to them that is not known here."""
    kinds = [_kind(out.type) for out in loop.outs]
    if not any(kinds):
        return None
    before, after = GraphBuilder("before", loop.span), GraphBuilder("after", loop.span)
    args: list[Atom] = [loop.args[0]]
    for kind, arg in zip(kinds, loop.args[1:], strict=True):
        args += [arg] if kind is None else _taken_apart(before, kind, arg)
    try:
        body = _Untagger().body(loop.graphs[0], 1)
    except _UnknownError:
        return None
    outs: list[Var] = []
    for kind, out, arg in zip(kinds, loop.outs, loop.args[1:], strict=True):
        if kind is None:
            outs.append(out)
            continue
        flag, number = Var(out.name, BOOL, out.span), Var(out.name, kind.element, out.span)
        outs += [flag, number]
        then, orelse = GraphBuilder("then", loop.span), GraphBuilder("orelse", loop.span)
        made = then.emit(unions.union_make, (number,), {"type": kind.type, "tag": kind.main})
        graphs = (then.finish(made), orelse.finish((arg,)))
        after.append(Binding((out,), COND, (flag,), loop.span, {}, graphs))
    new = Binding(tuple(outs), FOR, tuple(args), loop.span, loop.params, (body,))
    return before.body, new, after.body


def _taken_apart(builder: GraphBuilder, kind: _Kind, union: Atom) -> tuple[Atom, Atom]:
    tag = builder.emit(unions.union_tag, (union,))[0]
    flag = builder.emit(ints.int_eq, (tag, Literal(kind.main, INT)))[0]
    then, orelse = GraphBuilder("then", builder.span), GraphBuilder("orelse", builder.span)
    element = then.emit(unions.union_get, (union,), {"index": kind.main})
    number = orelse.emit(unions.union_get, (union,), {"index": 1 - kind.main})
    made = orelse.emit(conversions.from_scalar, number, {"dtype": kind.element.dtype})
    return flag, builder.emit(COND, (flag,), graphs=(then.finish(element), orelse.finish(made)))[0]


class _Untagger:
    """Rebuilds graphs with unions taken apart."""

    def __init__(self) -> None:
        self._parts: dict[Var, _Parts] = {}
        self._numbers: dict[Var, Var] = {}
        """By the Python number that a union held before the loop: the union."""
        self._replaced: dict[Var, Atom] = {}
        self._effects = EffectAnalysis()
        self._flags: set[Var] = set()
        """What says of unions whether they are elements."""
        self._tags: dict[Atom, int] = {}
        """Of the tags of unions: which one says so."""
        self._asked: dict[Var, bool] = {}
        """Of questions whether a union has a tag: whether it is that one."""

    def body(self, graph: Graph, head: int) -> Graph:
        """A loop's body, or its test; the first `head` parameters are no carries."""
        params: list[Var] = list(graph.params[:head])
        for param in graph.params[head:]:
            params += self._split(param) or [param]
        return self._graph(graph, tuple(params))

    def _split(self, var: Var) -> list[Var]:
        """The flag and the number that a variable is from here on; none if it is no such union."""
        kind = _kind(var.type)
        if kind is None:
            return []
        flag, number = Var(var.name, BOOL, var.span), Var(var.name, kind.element, var.span)
        self._parts[var] = _Parts(flag, number)
        return [flag, number]

    def _graph(self, graph: Graph, params: tuple[Var, ...]) -> Graph:
        body: list[Binding] = []
        for binding in graph.body:
            body += self._binding(binding)
        made = Graph(graph.name, params, tuple(body), self._spread(graph.results), graph.span)
        return self._without_questions(made)

    def _without_questions(self, graph: Graph) -> Graph:
        """A graph without what asks for tags that nothing depends on any more."""
        count, left = uses(graph), list[Binding]()
        for binding in reversed(graph.body):
            asks = bool(binding.outs) and binding.outs[0] in {*self._tags, *self._asked}
            if asks and not count[binding.outs[0]]:
                count.subtract(arg for arg in binding.args if isinstance(arg, Var))
            else:
                left.append(binding)
        return with_body(graph, left[::-1], graph.results)

    def _spread(self, atoms: Iterable[Atom]) -> tuple[Atom, ...]:
        """Atoms, unions among them taken apart."""
        made: list[Atom] = []
        for atom in atoms:
            if _kind(atom.type) is None:
                made.append(self._atom(atom))
            else:
                parts = self._union(atom)
                made += [parts.is_element, parts.number]
        return tuple(made)

    def _union(self, atom: Atom) -> _Parts:
        parts = self._parts.get(atom) if isinstance(atom, Var) else None
        if parts is None:
            raise _UnknownError
        return _Parts(self._atom(parts.is_element), self._atom(parts.number))

    def _atom(self, atom: Atom) -> Atom:
        if not isinstance(atom, Var):
            return atom
        if atom in self._numbers:
            raise _UnknownError
        return self._replaced.get(atom, atom)

    def _binding(self, binding: Binding) -> Sequence[Binding]:
        op = binding.op
        if op is unions.union_make and (kind := _kind(binding.outs[0].type)) is not None:
            (held,) = binding.args
            if binding.params["tag"] == kind.main:
                self._parts[binding.outs[0]] = _Parts(Literal(True, BOOL), self._atom(held))
            elif isinstance(held, Var) and held in self._numbers:  # what it was before the loop
                self._parts[binding.outs[0]] = self._union(self._numbers[held])
            else:
                raise _UnknownError
            return ()
        if op is unions.union_tag and (kind := _kind(binding.args[0].type)) is not None:
            parts = self._union(binding.args[0])
            args = (parts.is_element, Literal(kind.main, INT), Literal(1 - kind.main, INT))
            self._tags[binding.outs[0]] = kind.main
            return (Binding(binding.outs, ints.int_select, args, binding.span),)
        if op is unions.union_get and (kind := _kind(binding.args[0].type)) is not None:
            parts = self._union(binding.args[0])
            if binding.params["index"] == kind.main:
                self._replaced[binding.outs[0]] = parts.number
            else:
                assert isinstance(binding.args[0], Var)
                self._numbers[binding.outs[0]] = binding.args[0]
            return ()
        if op is conversions.from_scalar and binding.args[0] in self._numbers:
            union = self._numbers[binding.args[0]]
            parts = self._union(union)
            if binding.outs[0].type is not parts.number.type:
                raise _UnknownError
            self._replaced[binding.outs[0]] = parts.number
            return ()
        return self._other(binding)

    def _other(self, binding: Binding) -> Sequence[Binding]:
        head = 1 if binding.op is FOR else 0
        if binding.op in (FOR, WHILE):
            *tests, body = binding.graphs
            graphs = (*(self.body(g, 0) for g in tests), self.body(body, head))
        else:
            graphs = tuple(self._graph(g, g.params) for g in binding.graphs)
        args = self._spread(binding.args) if binding.graphs else tuple(map(self._atom, binding.args))
        if not binding.graphs and any(_kind(a.type) for a in binding.args):
            raise _UnknownError
        outs: list[Var] = []
        for out in binding.outs:
            parts = self._split(out)
            self._flags.update(parts[:1])
            outs += parts or [out]
        if binding.op is ints.int_eq and binding.args[0] in self._tags and isinstance(binding.args[1], Literal):
            is_main = binding.args[1].value == self._tags[binding.args[0]]
            self._asked[binding.outs[0]] = is_main
        made = Binding(tuple(outs), binding.op, args, binding.span, binding.params, graphs)
        taken = self._either(made) if binding.op is COND else None
        if taken is None:
            return (made,)
        self._replaced.update(zip(made.outs, taken.results, strict=True))
        return taken.body

    def _either(self, choice: Binding) -> Graph | None:
        """The branch that does for both: for they do the same, or where one is for unions that hold an element, the
        other one, which leaves them that or marks them."""
        then, orelse = choice.graphs
        if not (self._effects.of_graph(then).pure and self._effects.of_graph(orelse).pure):
            return None
        if _same(then, orelse, {}):
            return then
        is_element = self._asked.get(choice.args[0]) if isinstance(choice.args[0], Var) else None
        if is_element is None:
            return None
        of_element, other = (then, orelse) if is_element else (orelse, then)
        marks = [r for r, out in zip(of_element.results, choice.outs, strict=True) if out in self._flags]
        stay = all(isinstance(mark, Literal) and mark.value for mark in marks)
        flags = frozenset(self._flags)
        return (
            other
            if stay and _same(_numbers(then, choice.outs, flags), _numbers(orelse, choice.outs, flags), {})
            else None
        )


def _numbers(graph: Graph, outs: Sequence[Var], flags: frozenset[Var]) -> Graph:
    """A graph that leaves the numbers among `outs` alone."""

    def kept(items: Sequence[_T], of: Sequence[Var]) -> tuple[_T, ...]:
        return tuple(item for item, out in zip(items, of, strict=True) if out not in flags)

    body: list[Binding] = []
    for b in graph.body:
        made = tuple(_numbers(g, b.outs, flags) for g in b.graphs) if b.op is COND else b.graphs
        body.append(Binding(kept(b.outs, b.outs) if b.op is COND else b.outs, b.op, b.args, b.span, b.params, made))
    return Graph(graph.name, graph.params, tuple(body), kept(graph.results, outs), graph.span)


def _same(a: Graph, b: Graph, names: Mapping[Atom, Atom]) -> bool:
    """Whether two graphs compute the same; `names` are those of the first for variables of the second."""
    if len(a.body) != len(b.body) or len(a.params) != len(b.params):
        return False
    known = {**names, **dict(zip(b.params, a.params, strict=True))}

    def named(atom: Atom, other: Atom) -> bool:
        if isinstance(atom, Literal) and isinstance(other, Literal):
            return atom.type is other.type and repr(atom.value) == repr(other.value)
        return known.get(other, other) is atom

    for x, y in zip(a.body, b.body, strict=True):
        fits = x.op is y.op and x.params == y.params and len(x.args) == len(y.args) and len(x.outs) == len(y.outs)
        if not fits or len(x.graphs) != len(y.graphs) or not all(map(named, x.args, y.args)):
            return False
        if not all(_same(g, h, known) for g, h in zip(x.graphs, y.graphs, strict=True)):
            return False
        known.update(zip(y.outs, x.outs, strict=True))
    return len(a.results) == len(b.results) and all(map(named, a.results, b.results))
