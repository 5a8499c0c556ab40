"""The stages of what was compiled as lines, each with the places in the source that it is of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jitcore.backends import lookup
from jitcore.config import settings
from jitcore.headroom import room_to_recurse
from jitcore.ir.nodes import Binding, Graph, Module
from jitcore.ir.printer import to_text
from jitcore.ir.python import FunctionSource
from jitcore.kernel.printer import print_kernel
from jitcore.program.nodes import Launch, Program, Statement
from jitcore.program.printer import program_lines
from jitcore.program.walk import blocks_of
from jitcore.runtime.compile import Code, Compilation, table_rows
from jitcore.runtime.records import CompilationRecord
from jitcore.source import NOWHERE
from jitcore.structs import dataclass, field
from jitcore.view.places import Places, spans_of

PANES: Mapping[str, tuple[str, ...]] = {
    "graph": ("source", "anf", "typed", "grad", "opt", "fused"),
    "kernels": ("kernels", "program"),
    "llvm": ("llvm",),
    "asm": ("asm",),
}
"""What is shown in one column, of which one stage at a time is seen."""

TITLES: Mapping[str, tuple[str, str]] = {
    "source": ("Desugared", "the function as desugared Python"),
    "anf": ("ANF", "the graph before anything is known of types"),
    "typed": ("Typed", "the graph for one signature, with types"),
    "grad": ("Gradient", "the graph of its gradient"),
    "opt": ("Optimised", "the graph after all passes that make it smaller"),
    "fused": ("Fused", "the graph with operations grouped into kernels"),
    "kernels": ("Kernels", "the loops that compute arrays"),
    "program": ("Program", "what runs between kernels: scalars, memory, checks, calls"),
    "llvm": ("LLVM", "LLVM IR, as it is given to LLVM"),
    "asm": ("Assembly", "the machine code"),
}
"""By stage: what it is called, and what it shows."""


@dataclass(slots=True)
class Stage:
    """The text of a stage; `marks` has for each line the number of the set of its places."""

    lines: list[str] = field(default_factory=list[str])
    marks: list[int] = field(default_factory=list[int])

    def add(self, text: str, mark: int = 0) -> None:
        """Add the lines of a text, which are all of the same places."""
        lines = text.splitlines() or [""]
        self.lines += lines
        self.marks += [mark] * len(lines)

    def shown(self, name: str) -> dict[str, object]:
        """For the page."""
        title, doc = TITLES[name]
        pane = next(pane for pane, names in PANES.items() if name in names)
        return {
            "id": name,
            "title": title,
            "doc": doc,
            "pane": pane,
            "text": "\n".join(self.lines),
            "marks": self.marks,
        }


def stages_of(record: CompilationRecord, places: Places) -> dict[str, Stage]:
    """The stages of a record, in their order. One that was only declared has the first two, one that is a part of a
    gradient those from optimisation on."""
    made = record.made
    stages: dict[str, Stage] = {}
    if isinstance(made, FunctionSource):
        return _read(made, places)
    if isinstance(made, Compilation):
        stages |= _before(made, places)
    code = made.code if isinstance(made, Compilation) else made
    assert isinstance(code, Code)
    stages["opt"] = _graphs([code.optimised], places)
    stages["fused"] = _graphs([code.fused], places)
    return stages | _code(code.program, places)


def _before(made: Compilation, places: Places) -> dict[str, Stage]:
    """The stages before optimisation."""
    stages = {} if made.source is None else _read(made.source, places)
    differentiated = made.inferred.notes.get("differentiated")
    if differentiated:
        stages["typed"] = _graphs(differentiated, places)
        stages["grad"] = _graphs([made.inferred.module], places)
    else:
        stages["typed"] = _graphs([made.inferred.module], places)
    return stages


def _read(source: FunctionSource, places: Places) -> dict[str, Stage]:
    """A function as it was read."""
    text = Stage()
    text.add(source.text)
    return {"source": text, "anf": _graphs([source.graph], places)}


def _graphs(roots: Iterable[Module | Graph], places: Places) -> Stage:
    stage = Stage()
    for k, root in enumerate(roots):
        if k:
            stage.add("")
        with room_to_recurse(_RECURSION_LIMIT):
            text = to_text(root, spans=False)
        first = len(stage.lines)
        stage.add(text.text)
        for node, line in text.lines.items():
            spans = spans_of(node) if isinstance(node, Binding) else (node.span,)
            stage.marks[first + line] = places.set_of(spans)
        for row in table_rows(text):
            stage.add(row)
    return stage


_RECURSION_LIMIT = 60_000


def _code(program: Program, places: Places) -> dict[str, Stage]:
    """Kernels and what is between them, LLVM and assembly."""
    marks = _marks(program, places)
    launched: dict[str, set[int]] = {}
    for statement, mark in marks.values():
        if isinstance(statement, Launch):
            launched.setdefault(statement.kernel, set()).add(mark)
    of_kernels = {name: places.union(found) for name, found in launched.items()}
    stages = {"kernels": Stage(), "program": Stage()}
    for name, kernel in program.kernels.items():
        stages["kernels"].add(print_kernel(kernel), of_kernels.get(name, 0))
        stages["kernels"].add("")
    for text, statement in program_lines(program):
        stages["program"].add(text, 0 if statement is None else marks[id(statement)][1])
    backend = lookup(settings.device_target)
    numbers = {key: mark for key, (_, mark) in marks.items()}
    for name, lines in backend.marked(program, numbers, {n: frozenset((m,)) for n, m in of_kernels.items()}).items():
        stage = stages[name] = Stage()
        known: dict[frozenset[int], int] = {frozenset(): 0}
        for line, found in lines:
            if found not in known:
                known[found] = places.union(found)
            stage.lines.append(line)
            stage.marks.append(known[found])
    return stages


def _marks(program: Program, places: Places) -> dict[int, tuple[Statement, int]]:
    """By the ids of a program's statements: these, and the numbers of the sets of their places."""
    found: dict[int, tuple[Statement, int]] = {}
    pending = [(function.body, NOWHERE) for function in program.functions.values()]
    while pending:
        block, around = pending.pop()
        placed = block.spans or (around,) * len(block.statements)
        for statement, span in zip(block.statements, placed, strict=True):
            spans = statement.spans if isinstance(statement, Launch) else (span,)
            found[id(statement)] = statement, places.set_of(spans)
            pending += ((nested, span) for nested in blocks_of(statement))
    return found
