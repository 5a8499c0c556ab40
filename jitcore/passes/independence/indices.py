"""Ints of a loop's rounds as polynomials: in the number of the round, and in what is the same in all rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jitcore.ir.analysis import all_graphs, symbols_in
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import FOR
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Op, Var
from jitcore.primitives.ops import conversions, elementwise
from jitcore.primitives.ops import python_ints as ints
from jitcore.primitives.ops.widening import widen
from jitcore.structs import dataclass
from jitcore.types import INT, Dim, DimExpr, fresh_symbol, symbol

_SUMS: Final[Mapping[Op, int]] = {
    ints.int_add: 1,
    ints.int_sub: -1,
    ints.int_add_modular: 1,
    ints.int_sub_modular: -1,
}
_PRODUCTS: Final = (ints.int_mul, ints.int_mul_modular)


@dataclass(frozen=True, slots=True)
class Span:
    """All ints from `low` to `high`, both included, for each round."""

    low: Dim
    high: Dim


class Indices:
    """The ints of one loop. Extents that the body does not introduce are symbols of their own."""

    def __init__(self, loop: Binding, everywhere: Mapping[Var, Binding]) -> None:
        """`everywhere`: the bindings of the variables of the whole module graph."""
        (body,) = loop.graphs
        self.loop = loop
        self.everywhere = everywhere
        self.number = fresh_symbol("round")
        """What stands for the number of the round."""
        self._spans: dict[Atom, Span | None] = {body.params[0]: Span(self.number, self.number)}
        self._symbols: dict[Var, DimExpr] = {}
        self._atoms: dict[str, Var] = {}
        self.definitions: dict[Var, Binding] = {}
        """Of the variables that the body binds."""
        self._inner: set[str] = set()
        """The symbols that mean something else in each round."""
        self._dims: dict[str, Atom] = {}
        self._bound: set[Var] = set()
        self._counters: dict[Var, Atom] = {}
        self.homes: dict[Binding, Graph] = {}
        """The graphs that bindings are in."""
        for graph in all_graphs(body):
            self.homes.update(dict.fromkeys(graph.body, graph))
            self._bound.update(graph.params)
            self._inner |= symbols_in(tuple(q.type for q in graph.params))
            for binding in graph.body:
                self._bound.update(binding.outs)
                self.definitions.update(dict.fromkeys(binding.outs, binding))
                if binding.op is conversions.as_dim:
                    self._dims[binding.params["symbol"]] = binding.args[0]
                elif binding.op is widen:
                    self._inner |= symbols_in(tuple(out.type for out in binding.outs))
                elif binding.op is FOR:
                    self._counters[binding.graphs[0].params[0]] = binding.args[0]
        self._inner |= self._dims.keys()

    @property
    def rounds(self) -> Dim:
        """How many rounds there are."""
        found = self.span(self.loop.args[0])
        assert found is not None
        return found.high

    def is_outer(self, atom: Atom) -> bool:
        """Whether something is the same in all rounds."""
        return isinstance(atom, Literal) or atom not in self._bound

    def span(self, atom: Atom) -> Span | None:
        """Where an int lies in each round; None if that is not known."""
        if isinstance(atom, Literal):
            return Span(int(atom.value), int(atom.value))
        if atom not in self._bound:
            made = self._symbol(atom)
            return Span(made, made)
        if atom not in self._spans:
            self._spans[atom] = None  # while it is looked for
            self._spans[atom] = self._found(atom)
        return self._spans[atom]

    def _symbol(self, var: Var) -> DimExpr:
        found = self._symbols.get(var)
        if found is None:
            found = self._symbols[var] = fresh_symbol("same")
            self._atoms[str(found)] = var
        return found

    def _found(self, var: Var) -> Span | None:
        if var in self._counters:
            count = self.span(self._counters[var])
            return None if count is None else Span(0, count.high - 1)
        binding = self.definitions.get(var)
        if binding is None:
            return None
        if binding.op is conversions.extent:
            return self.of_dim(binding.params["dim"])
        if binding.op is ints.int_select:
            return self._clamped(binding)
        if binding.op in _SUMS or binding.op in _PRODUCTS:
            x, y = (self.span(arg) for arg in binding.args)
            if x is None or y is None:
                return None
            if binding.op in _PRODUCTS:
                return _product(x, y)
            if _SUMS[binding.op] > 0:
                return Span(x.low + y.low, x.high + y.high)
            return Span(x.low - y.high, x.high - y.low)
        if binding.op is ints.int_neg:
            x = self.span(binding.args[0])
            return None if x is None else Span(-x.high, -x.low)
        return None

    def _clamped(self, binding: Binding) -> Span | None:
        """The rounds of a loop: `n` of `0 if n < 0 else n`, as none run where there are none."""
        asked = self.definitions.get(binding.args[0]) if isinstance(binding.args[0], Var) else None
        zero, number = binding.args[1:]
        if asked is None or asked.op is not ints.int_lt or asked.args[0] is not number:
            return None
        is_zero = isinstance(zero, Literal) and zero.value == 0
        return self.span(number) if is_zero else None

    def of_dim(self, dim: Dim) -> Span | None:
        """Where a dimension lies."""
        if not isinstance(dim, DimExpr):
            return Span(dim, dim)
        return Span(dim, dim) if self._inner.isdisjoint(dim.symbols) else None

    def start(self, dim: Dim, extent: Dim) -> Span | None:
        """What a dimension was made of, where a slice of an axis begins or ends, before it was put between 0 and the
        axis's extent. What is found is right wherever it is not negative."""
        if not isinstance(dim, DimExpr) or len(dim.symbols) != 1:
            return self.of_dim(dim)
        (name,) = dim.symbols
        if name not in self._dims:
            return self.of_dim(dim)
        rest = dim - symbol(name)
        raw = self._unclamped(self._dims[name], extent)
        made = None if raw is None else self.span(raw)
        return None if made is None or rest != -1 else made

    def _unclamped(self, atom: Atom, extent: Dim) -> Atom | None:
        """The int of which an extent is 1 more, through NumPy's rules for ends of slices: where it is negative it
        counts from the end, and it is put between 0 and the axis's extent."""
        made = self._made_by(atom, conversions.to_scalar)
        more = None if made is None else self._made_by(made.args[0], elementwise.add)
        if more is None or not _is_number(more.args[1], 1):
            return None
        atom = more.args[0]
        while (made := self._made_by(atom)) is not None:
            if made.op is conversions.from_scalar:
                return made.args[0]
            place = self._clamped_place(made, extent)
            if place is None:
                return None
            atom = made.args[place]
        return None

    def _clamped_place(self, made: Binding, extent: Dim) -> int | None:
        """Which operand is put between 0 and an axis's extent, or is counted from the end where it is negative."""
        if made.op is elementwise.maximum:
            return 0 if _is_number(made.args[1], 0) else None
        if made.op is elementwise.minimum:
            return 0 if self._is_extent(made.args[1], extent) else None
        return 2 if made.op is elementwise.select and self._is_negative(made.args[0], made.args[2]) else None

    def _made_by(self, atom: Atom, op: Op | None = None) -> Binding | None:
        made = self.definitions.get(atom) if isinstance(atom, Var) else None
        return made if made is not None and (op is None or made.op is op) else None

    def _is_extent(self, atom: Atom, extent: Dim) -> bool:
        if isinstance(atom, Literal):
            return isinstance(extent, int) and _is_number(atom, extent)
        made = self.everywhere.get(atom)
        number = made.args[0] if made is not None and made.op is conversions.from_scalar else None
        asked = self.everywhere.get(number) if isinstance(number, Var) else None
        return asked is not None and asked.op is conversions.extent and asked.params["dim"] is extent

    def _is_negative(self, condition: Atom, number: Atom) -> bool:
        made = self._made_by(condition, elementwise.less)
        return made is not None and made.args[0] is number and _is_number(made.args[1], 0)

    def asked(self, builder: GraphBuilder, value: Dim) -> Atom:
        """A polynomial in what is the same in all rounds, as an int."""
        if not isinstance(value, DimExpr):
            return Literal(int(value), INT)
        total: Atom | None = None
        for monomial, coefficient in value.terms:
            product: Atom = Literal(coefficient, INT)
            for part in monomial:
                assert isinstance(part, str)
                factor: Atom = self._atoms.get(part) or builder.emit(conversions.extent, (), {"dim": symbol(part)})[0]
                product = builder.emit(ints.int_mul_modular, (product, factor))[0]
            total = product if total is None else builder.emit(ints.int_add_modular, (total, product))[0]
        assert total is not None
        return total

    def can_ask(self, value: Dim) -> bool:
        """Whether a polynomial is of what can be had before the loop."""
        if not isinstance(value, DimExpr):
            return True
        plain = all(isinstance(part, str) for monomial, _ in value.terms for part in monomial)
        return plain and self._inner.isdisjoint(value.symbols) and str(self.number) not in value.symbols


def _is_number(atom: Atom, number: int) -> bool:
    return isinstance(atom, Literal) and atom.value == number


def _product(x: Span, y: Span) -> Span | None:
    """Products of a number that is known and one in a span; of two that are known."""
    for a, b in ((x, y), (y, x)):
        if a.low is a.high or a.low == a.high:
            if b.low is b.high or b.low == b.high:
                return Span(a.low * b.low, a.low * b.low)
            if isinstance(a.low, int):
                ends = (a.low * b.low, a.low * b.high)
                return Span(*(ends if a.low >= 0 else ends[::-1]))
    return None


def linear(value: Dim, number: DimExpr) -> tuple[Dim, Dim] | None:
    """a and b of a * number + b, neither with the number in it; None if there are none."""
    if not isinstance(value, DimExpr):
        return 0, value
    slope: Dim = 0
    rest: Dim = 0
    name = str(number)
    for monomial, coefficient in value.terms:
        count = monomial.count(name)
        if count > 1 or any(not isinstance(part, str) and name in str(part) for part in monomial):
            return None
        others: Dim = coefficient
        for part in monomial:
            if part != name:
                others = others * DimExpr((((part,), 1),))
        if count:
            slope = slope + others
        else:
            rest = rest + others
    return slope, rest
