"""Extents made of numbers of the run (`np.zeros(n)`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.nodes import Atom, Literal, Var
from jitcore.passes.infer.domain.values import Number, Path
from jitcore.primitives.ops import conversions, python_ints
from jitcore.types import INT, Dim, fresh_symbol

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


class NumberExtents:
    """The extents made of numbers in one inference; `first` builds what is outside of all branches and loops."""

    def __init__(self, infer: Infer, first: GraphBuilder) -> None:
        self.infer = infer
        self._first = first
        self._dims: dict[Atom, tuple[Dim, bool]] = {}
        """The extents made outside of all branches and loops, and whether it was checked there that they are none below
        0."""
        self._vars: set[Var] = set()
        self._seen = 0
        self.equal: dict[tuple[Dim, Dim], None] = {}
        """Pairs of extents that were taken to be equal, neither of them an 1 that broadcasts (or that squeezing leaves
        out)."""
        self.paths: dict[str, frozenset[Path] | None] = {}
        """By the name of an extent computed while running, the paths of the number that it is of; see
        `values.Number`."""

    def as_dim(self, value: Number) -> Dim:
        """A run-time int as an extent: ValueError if it is negative. One that the program has from the start is one
        extent wherever it becomes one, so that arrays made of it in each round of a loop have one shape."""
        known = self._dims.get(value.atom)
        if known is None and self.infer.builder is not self._first and self._is_from_the_start(value.atom):
            known = self._dims[value.atom] = (self._dim_from_the_start(value.atom), False)
        if known is not None:
            dim, is_checked = known
            if not is_checked:
                fits = self.infer.emit(python_ints.int_ge, value.atom, Literal(0, INT))
                message = "negative dimensions are not allowed"
                self.infer.emit_all(conversions.check, fits, exception="ValueError", message=message)
            return dim
        made = fresh_symbol()
        self.infer.emit_all(conversions.as_dim, value.atom, symbol=str(made))
        if self.infer.builder is self._first and not self.infer.attempts:
            self._dims[value.atom] = (made, True)
        return made

    def _is_from_the_start(self, atom: Atom) -> bool:
        """Whether a number is known outside of all branches and loops."""
        if self.infer.recursions.is_inside or not isinstance(atom, Var):
            return False
        body = self._first.body
        self._vars.update(self._first.params, *(b.outs for b in body[self._seen :]))
        self._seen = len(body)
        return atom in self._vars

    def _dim_from_the_start(self, atom: Atom) -> Dim:
        """A number as an extent outside of all branches and loops: 0 for a negative one, which is refused where it is
        used."""
        builder, self.infer.builder, span = self.infer.builder, self._first, self._first.span
        attempts, self.infer.attempts = self.infer.attempts, []
        try:
            self.infer.builder.span = builder.span
            negative = self.infer.emit(python_ints.int_lt, atom, Literal(0, INT))
            made = fresh_symbol()
            extent = self.infer.emit(python_ints.int_select, negative, Literal(0, INT), atom)
            self.infer.emit_all(conversions.as_dim, extent, symbol=str(made))
            return made
        finally:
            self.infer.builder.span = span
            self.infer.builder, self.infer.attempts = builder, attempts
