"""What is seen of a Graph while it is built: what came into its modules and went out, printed as `debug` asks for."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from jitcore.ir.nodes import Binding, type_of
from jitcore.nn.cell import Cell
from jitcore.nn.graph import text
from jitcore.nn.outlines import outline
from jitcore.passes.infer.engine.watching import Kind, watching
from jitcore.runtime.categories import as_category
from jitcore.runtime.dispatch import CompiledFunction
from jitcore.runtime.errors import is_ours
from jitcore.runtime.specialisation import Specialisation
from jitcore.types import RefType, TensorType, Type


class Seeing:
    """What the first call of a Graph has shown. `level`: how much of it is printed (-1: nothing)."""

    def __init__(self, level: int = -1) -> None:
        self.level = level
        self.seen: dict[int, tuple[Sequence[str], Sequence[str]]] = {}
        """The texts of what came into a module and went out of it, by its id."""

    @contextmanager
    def watching(self, heading: str, modules: Mapping[str, Cell]) -> Generator[None]:
        """Look on while programs are inferred."""
        names = {id(cell): path for name, module in modules.items() for path, cell in module.cells_and_names(name)}
        printed: set[int] = set()

        def begins(cell: Cell, given: Sequence[Kind]) -> None:
            if id(cell) in names:
                self.seen[id(cell)] = (_outlines(given), ())
                if self.level >= 1 and id(cell) not in printed:
                    name = text.heading(names[id(cell)], cell)
                    self._print(f"{name} start building.")
                    for line in (*text.lines_of("INPUT", names[id(cell)], self.seen[id(cell)][0]),
                                 *text.state_lines(names[id(cell)], cell)):  # fmt: skip
                        self._print(line)

        def ends(cell: Cell, given: Sequence[Kind], gave: Sequence[Kind]) -> None:
            if id(cell) in names:
                self.seen[id(cell)] = (_outlines(given), _outlines(gave))
                if self.level >= 1 and id(cell) not in printed:
                    printed.add(id(cell))
                    for line in text.lines_of("OUTPUT", names[id(cell)], self.seen[id(cell)][1]):
                        self._print(line)
                    self._print(f"{text.heading(names[id(cell)], cell)} end building.")

        with watching(begins, ends):
            yield
        if self.level >= 0:
            self._print(f"{heading} end building graph.")
            self._print(f"{heading} start compiling plan and init graph runtime.")

    def ended(self, heading: str, compiled: CompiledFunction) -> None:
        """All has been compiled."""
        if self.level >= 2:
            for line in _operations(compiled, with_places=self.level >= 3):
                self._print(line)
        if self.level >= 0:
            self._print(f"{heading} end compiling plan and init graph rumtime.")

    @staticmethod
    def _print(line: str) -> None:
        print(line, flush=True)


def _outlines(kinds: Sequence[Kind]) -> list[str]:
    return [_outline(category, type_) for category, type_ in kinds]


def _outline(category: str, type_: TensorType) -> str:
    """The text of a Tensor in a program."""
    like = as_category(category, np.empty((), type_.dtype.numpy))
    return outline(type_.shape, like.dtype, is_lazy=True)


def _operations(compiled: CompiledFunction, *, with_places: bool) -> Iterator[str]:
    """A line for each operation of the programs that a function has been compiled to."""
    parts = [compiled, *(segment.compiled for segment in compiled.regions.segments())]
    for k, b in enumerate(b for part in parts for m in part.specialisations for b in _body(m)):
        given = ", ".join(_shown(type_of(a)) for a in b.args)
        gave = ", ".join(_shown(o.type) for o in b.outs)
        line = f"(OPERATOR: {b.op.name}_{k}({given}) -> ({gave}), device=cpu, sbp=(B))"
        if with_places:
            places = [s for s in b.span.frames() if not is_ours(s.file)] or list(b.span.frames())
            line += ", location=(" + " < ".join(f"{s.file}:{s.line} in {s.function}" for s in places) + ")"
        yield line


def _body(member: Specialisation) -> Sequence[Binding]:
    return member.compilation.inferred.module.main.body


def _shown(type_: Type | None) -> str:
    target = type_.target if isinstance(type_, RefType) else type_
    if isinstance(target, TensorType):
        return f"(size=({', '.join(map(str, target.shape))}), dtype={target.dtype!r})"
    return repr(type_)
