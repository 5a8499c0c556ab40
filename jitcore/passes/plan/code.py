"""Writes statements: blocks and their scopes, registers, scalar computations made once, dimensions as numbers.

A table symbol (a symbol in the types of the ANF) may stand for different extents in different scopes, and for a new
one where a loop's carry or a `widen` introduces it again. So types' dimensions are *resolved* first, to dimensions over
internal symbols, each of which is one register for good.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any

from jitcore import stopping
from jitcore.program.nodes import Block, Imm, Offset, Operand, Reg, Scalar, Statement
from jitcore.source import NOWHERE, InternalError, Span
from jitcore.types import Dim, DimExpr, DType, Shape, fresh_symbol, i64, substitute_dims

NULL = Imm(0, None)
_DIM_OPERATIONS = {"//": "floordiv", "%": "mod", "max": "max", "min": "min"}


class Scope:
    """One block being written. What is computed in it is known in the blocks inside it."""

    __slots__ = ("known", "parent", "resolved", "spans", "statements", "symbols")

    def __init__(self, parent: Scope | None) -> None:
        self.parent = parent
        self.statements: list[Statement] = []
        self.spans: list[Span] = []
        self.known: dict[Any, Operand] = {}
        self.symbols: dict[str, Dim] = {}
        self.resolved: dict[DimExpr, Dim] = {}


class Code:
    """The statements of one function as they are written."""

    def __init__(self) -> None:
        self.scope = Scope(None)
        self.span = NOWHERE
        """Where what is written stands in the source."""
        self._registers = 0
        self._numbers: dict[str, Operand] = {}
        """The operands of internal symbols."""
        self._dims: dict[Reg, Dim] = {}

    # --- blocks and registers -----------------------------------------------------------------------

    def emit(self, statement: Statement) -> None:
        """Append a statement to the current block."""
        stopping.check()
        self.scope.statements.append(statement)
        self.scope.spans.append(self.span)

    def register(self, hint: str, type_: DType | None) -> Reg:
        """A new register."""
        self._registers += 1
        return Reg(f"{hint}_{self._registers}", type_)

    @contextmanager
    def block(self) -> Generator[Scope]:
        """Write into a new block inside the current one; `finish` makes it a Block."""
        outer = self.scope
        self.scope = Scope(outer)
        try:
            yield self.scope
        finally:
            self.scope = outer

    @staticmethod
    def finish(scope: Scope, *results: Operand) -> Block:
        """The statements of a scope as a block."""
        return Block(tuple(scope.statements), results, tuple(scope.spans))

    # --- scalars ------------------------------------------------------------------------------------

    def known(self, key: Any) -> Operand | None:
        """What was remembered as `key` in this block or one around it."""
        scope: Scope | None = self.scope
        while scope is not None:
            found = scope.known.get(key)
            if found is not None:
                return found
            scope = scope.parent
        return None

    def remember(self, key: Any, operand: Operand) -> Operand:
        """Remember an operand for `known`, in this block and those inside it."""
        self.scope.known[key] = operand
        return operand

    def compute(self, op: str, type_: DType, *args: Operand) -> Operand:
        """The result of a scalar operation, computed once where it is known."""
        key = (op, type_, *(a if isinstance(a, Reg) else (a.type, type(a.value), repr(a.value)) for a in args))
        found = self.known(key)
        if found is None:
            out = self.register(op.rpartition(".")[2], type_)
            self.emit(Scalar(out, op, args))
            found = self.remember(key, out)
        return found

    def offset(self, base: Operand, elements: Dim, itemsize: int) -> Operand:
        """The address `elements` elements past `base`."""
        if elements == 0:
            return base
        key = ("offset", base, elements * itemsize)
        found = self.known(key)
        if found is None:
            amount = self.number(elements * itemsize)
            out = self.register("at", None)
            self.emit(Offset(out, base, amount))
            found = self.remember(key, out)
        return found

    # --- dimensions ---------------------------------------------------------------------------------

    def dimension(self, operand: Operand) -> Dim:
        """The internal dimension that an i64 operand is."""
        if isinstance(operand, Imm):
            return int(operand.value.real)
        found = self._dims.get(operand)
        if found is None:
            made = fresh_symbol("_")
            (name,) = made.symbols
            self._numbers[name] = operand
            found = self._dims[operand] = made
        return found

    def number(self, dim: Dim) -> Operand:
        """An internal dimension as an i64 operand."""
        if not isinstance(dim, DimExpr):
            return Imm(int(dim), i64)
        found = self.known(dim)
        if found is None:
            found = self.remember(dim, self._evaluate(dim))
            if isinstance(found, Reg):
                self._dims.setdefault(found, dim)
        return found

    def _evaluate(self, dim: DimExpr) -> Operand:
        total: Operand | None = None
        for monomial, coefficient in dim.terms:
            product: Operand | None = None
            for atom in monomial:
                factor = self._numbers[atom] if isinstance(atom, str) else self._operation(*atom)
                product = factor if product is None else self.compute("mul", i64, product, factor)
            if product is None:
                product = Imm(coefficient, i64)
            elif coefficient != 1:
                product = self.compute("mul", i64, product, Imm(coefficient, i64))
            total = product if total is None else self.compute("add", i64, total, product)
        return total if total is not None else Imm(0, i64)

    def _operation(self, op: str, a: Dim, b: Dim) -> Operand:
        return self.compute(_DIM_OPERATIONS[op], i64, self.number(a), self.number(b))

    # --- table symbols ------------------------------------------------------------------------------

    def bind(self, symbol: str, dim: Dim) -> None:
        """From here on, in this block and those inside it, the table symbol stands for an internal dimension."""
        self.scope.symbols[symbol] = dim
        self.scope.resolved.clear()

    def meaning(self, symbol: str) -> Dim | None:
        """What a table symbol stands for here; None if it has not been introduced."""
        scope: Scope | None = self.scope
        while scope is not None:
            found = scope.symbols.get(symbol)
            if found is not None:
                return found
            scope = scope.parent
        return None

    def is_resolvable(self, dim: Dim) -> bool:
        """Whether all symbols of a type's dimension have been introduced."""
        return not isinstance(dim, DimExpr) or all(self.meaning(s) is not None for s in dim.symbols)

    def resolve(self, dim: Dim) -> Dim:
        """The internal dimension that a type's dimension is here."""
        if not isinstance(dim, DimExpr):
            return dim
        found = self.scope.resolved.get(dim)
        if found is None:
            found = substitute_dims(dim, self.environment(dim.symbols))
            self.scope.resolved[dim] = found
        return found

    def resolve_shape(self, shape: Shape) -> Shape:
        """`resolve` for every extent."""
        return tuple(map(self.resolve, shape))

    def environment(self, symbols: Iterable[str]) -> dict[str, Dim]:
        """What table symbols stand for here."""
        found: dict[str, Dim] = {}
        for name in symbols:
            dim = self.meaning(name)
            if dim is None:
                raise InternalError(f"the dimension {name!r} is used where nothing has introduced it")
            found[name] = dim
        return found


def bare_symbol(dim: Dim) -> str | None:
    """The name of the symbol that a dimension is, if it is one."""
    if isinstance(dim, DimExpr) and len(dim.terms) == 1:
        (monomial, coefficient) = dim.terms[0]
        if coefficient == 1 and len(monomial) == 1 and isinstance(monomial[0], str):
            return monomial[0]
    return None
