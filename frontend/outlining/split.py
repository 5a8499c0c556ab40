"""Splits a function that cannot be compiled whole: what can be compiled becomes functions of their own, segments, that
the rest, the driver, calls.

The driver is the user's function with runs of statements replaced by calls of segments. It is run by the interpreter.
Statements that hold a place that cannot be compiled stay in it: compound ones with their blocks split in turn.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from jitcore.frontend.outlining.crossing import Crossing, exits
from jitcore.frontend.outlining.flow import EVERYTHING, Flow
from jitcore.frontend.outlining.functions import CompiledCalls, defined_by, is_only_called, local_functions
from jitcore.frontend.outlining.nodes import ENTER, LEAVE, SEGMENT, call, constant, name, placed, placed_at_segment
from jitcore.frontend.outlining.uses import mask, own_nodes, uses_of
from jitcore.frontend.outlining.worth import is_worthwhile
from jitcore.structs import dataclass, field

_STARTED: Final = "_jc_started"

_STAYS: Final = (ast.Global, ast.Nonlocal, ast.ClassDef, ast.Import, ast.ImportFrom)


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Statements that become a segment: its parameters, its statements, and the parts of its key."""

    statements: tuple[ast.stmt, ...]
    parameters: tuple[str, ...]
    body: tuple[ast.stmt, ...]

    @property
    def lines(self) -> tuple[int, int]:
        last = self.statements[-1]
        return self.statements[0].lineno, last.end_lineno or last.lineno


@dataclass(slots=True, eq=False)
class Split:
    """A split function: the driver's statements, its segments, and the statements it runs itself for some reason."""

    body: list[ast.stmt] = field(default_factory=list[ast.stmt])
    pieces: list[Piece] = field(default_factory=list[Piece])
    places: list[ast.stmt] = field(default_factory=list[ast.stmt])


class Splitter:
    """Splits one function. `offending` are the statements that cannot be compiled (of compound ones, their heads),
    `cuts` statements that no segment may go beyond, `calls` calls in the driver of functions that are to be
    compiled."""

    def __init__(
        self,
        flow: Flow,
        node: ast.FunctionDef,
        resolve: Callable[[str], Any],
        offending: Iterable[ast.stmt],
        cuts: Iterable[ast.stmt] = (),
        calls: Iterable[ast.Call] = (),
    ) -> None:
        self._flow = flow
        self._node = node
        self._resolve = resolve
        self._offending = {id(s) for s in offending}
        self._cuts = {id(s) for s in cuts}
        self._calls = {id(c) for c in calls}
        self._kept: set[int] = set()
        """Statements found to be unfit for segments."""
        self._held = {
            id(around) for around in ast.walk(node)
            if isinstance(around, ast.stmt) and any(id(n) in self._offending for n in ast.walk(around))
        } if self._offending else set()  # fmt: skip
        self._functions = {k: s for k, s in local_functions(flow, node).items() if id(s) not in self._held}
        self._defined = mask(
            (name for n in own_nodes(node.body) if isinstance(n, ast.stmt) for name in defined_by(n)), flow.bits
        )
        self._made = Split()

    def split(self) -> Split:
        """The split function."""
        self._made.body = self._block(self._node.body, tail=True, loops=0)
        return self._made

    # --- blocks ---------------------------------------------------------------------------------------

    def _block(self, statements: Sequence[ast.stmt], tail: bool, loops: int) -> list[ast.stmt]:
        """The driver's statements for a block. `tail`: nothing follows it in the function; `loops`: how many are around
        it."""
        out: list[ast.stmt] = []
        run: list[ast.stmt] = []
        for node in statements:
            last = tail and node is statements[-1]
            if not self._is_candidate(node):
                out += self._run(run, False, loops)
                out += self._keep(node, last, loops)
                run = []
                continue
            run.append(node)
            if id(node) in self._cuts or self._stored(node) & self._flow.live_in_handlers[id(node)]:
                out += self._run(run, last, loops)
                run = []
        return out + self._run(run, tail, loops)

    def _stored(self, node: ast.stmt) -> int:
        return self._flow.summary(node)[2]

    def _is_candidate(self, node: ast.stmt) -> bool:
        """Whether a statement may be part of a segment, as far as it alone tells."""
        if id(node) in self._held or id(node) in self._kept or isinstance(node, _STAYS):
            return False
        uses = uses_of([node])
        if uses.deleted or uses.rebound or uses.outer or uses.written & self._flow.outer:
            return False
        if any(isinstance(n, (ast.Global, ast.Nonlocal, ast.ClassDef)) for n in own_nodes([node])):
            return False
        # what a handler reads must have been assigned if the statement raises; a simple one assigns last
        return not (self._stored(node) & self._flow.live_in_handlers[id(node)]) or _assigns_last(node)

    def _run(self, run: Sequence[ast.stmt], tail: bool, loops: int) -> list[ast.stmt]:
        """A run of candidates: a segment if it can be one, else split at what is in the way."""
        while run and isinstance(run[-1], (ast.Break, ast.Continue)):  # the driver's, as a function's end is
            return [*self._run(run[:-1], False, loops), *run[-1:]]
        if not run or not is_worthwhile(run, self._resolve):
            return list(run)
        unfit, piece, calls = self._fit(run, tail, loops)
        if piece is None:
            self._kept |= {id(node) for node in unfit}
            return self._block(run, tail, loops)
        self._made.pieces.append(piece)
        return calls

    # --- what stays in the driver ---------------------------------------------------------------------

    def _keep(self, node: ast.stmt, tail: bool, loops: int) -> list[ast.stmt]:
        kept = self._with_compiled_calls(self._rebuilt(node, tail, loops))
        if id(node) not in self._offending:
            return [kept]
        place = len(self._made.places)
        self._made.places.append(node)
        started = name(f"{_STARTED}{place}", ast.Store())
        enter = ast.Assign(targets=[started], value=call(ENTER, [constant(place)]))
        leave = ast.Expr(value=call(LEAVE, [constant(place), name(started.id)]))
        timed = ast.Try(body=[kept], handlers=[], orelse=[], finalbody=[leave])
        return [placed(enter, node), placed(timed, node)]

    def _rebuilt(self, node: ast.stmt, tail: bool, loops: int) -> ast.stmt:
        """A statement with its blocks split."""
        made: Any = copy.copy(node)
        match node:
            case ast.If():
                made.body = self._block(node.body, tail, loops)
                made.orelse = self._block(node.orelse, tail, loops)
            case ast.For() | ast.While():
                made.body = self._block(node.body, False, loops + 1)
                made.orelse = self._block(node.orelse, tail, loops)
            case ast.With():
                made.body = self._block(node.body, tail, loops)
            case ast.Try() | ast.TryStar():
                made.body = self._block(node.body, False, loops)
                made.orelse = self._block(node.orelse, False, loops)
                made.finalbody = self._block(node.finalbody, False, loops)
                made.handlers = [self._with_body(handler, False, loops) for handler in node.handlers]
            case ast.Match():
                made.cases = [self._with_body(case, tail, loops) for case in node.cases]
            case _:
                return node
        return made

    def _with_body(self, part: Any, tail: bool, loops: int) -> Any:
        made = copy.copy(part)
        made.body = self._block(part.body, tail, loops)
        return made

    def _with_compiled_calls(self, node: ast.stmt) -> ast.stmt:
        return CompiledCalls(self._calls).visit(node) if self._calls else node

    # --- segments -------------------------------------------------------------------------------------

    def _fit(
        self, run: Sequence[ast.stmt], tail: bool, loops: int
    ) -> tuple[Sequence[ast.stmt], Piece | None, list[ast.stmt]]:
        """A run as a segment, and the driver's statements in its place; or the statements that are unfit for it."""
        flow = self._flow
        start, end = flow.assigned_before[id(run[0])], flow.assigned_after[id(run[-1])]
        read, sure, maybe = flow.block(run)
        ways = exits(run)
        live = flow.live_after[id(run[-1])] if end != EVERYTHING else 0
        jumps = [node for node in ways if not isinstance(node, ast.Return)]
        certain = end
        for node in jumps:
            live |= flow.live_after[id(node)]
            certain &= flow.assigned_before[id(node)]
        returns = len(jumps) < len(ways)
        outs = maybe & live
        gone = (
            start & ~flow.live_before[id(run[0])]
        )  # what is read no more may be lost with the segment that assigned it
        kept = 0 if jumps else sure
        unset = outs & ((~start & ~certain) | (gone & ~kept))  # not assigned at some way out
        ins = read | (outs & ~kept & start & ~gone) | (outs & ~sure & ~unset)
        prologue, ins = self._prologue(run, ins, maybe)
        missing = (ins & ~start) | (ins & self._defined)
        unfit = [s for s in run if flow.summary(s)[0] & missing]
        unfit += [s for s in run if self._is_seen_changing(s, run, loops)]
        unfit += [s for s in run if defined_by(s) and mask(defined_by(s), flow.bits) & outs]
        unfit += [s for s in run if flow.unbound_by_handlers([s]) & outs]
        if unfit:
            return unfit, None, []
        if missing:
            return run, None, []
        parameters = self._parameters(run, ins)
        called = self._call_of(parameters)
        if tail and returns and not jumps and not outs:
            body, calls = list(run), [ast.Return(value=called)]
        else:
            crossing = Crossing(run, flow.spelled(outs), frozenset(flow.spelled(unset)), end != EVERYTHING)
            body, calls = crossing.split(called)
        calls = [placed_at_segment(s, run[0]) for s in calls]
        piece = Piece(tuple(run), tuple(parameters), (*self._definitions(prologue), *body))
        return (), piece, calls

    def _is_seen_changing(self, node: ast.stmt, run: Sequence[ast.stmt], loops: int) -> bool:
        """Whether a statement has to do with variables that functions made in the driver or elsewhere see change."""
        flow = self._flow
        inside = {id(n) for n in ast.walk(node)}
        touched = self._stored(node)
        for made, names in flow.capturers:
            if id(made) in inside:
                touched |= names
        touched &= flow.captured & ~flow.stable
        if not touched:
            return False
        if loops:
            return True
        inside = {id(n) for s in run for n in ast.walk(s)}
        rest = [n for n in ast.walk(self._node) if id(n) not in inside and n is not self._node]
        elsewhere = {n.id for n in rest if isinstance(n, ast.Name)} | {n.arg for n in rest if isinstance(n, ast.arg)}
        return bool(mask(elsewhere, flow.bits) & touched)

    def _parameters(self, run: Sequence[ast.stmt], ins: int) -> list[str]:
        names = self._flow.spelled(ins)
        uses_super = any(isinstance(n, ast.Name) and n.id == "super" for s in run for n in ast.walk(s))
        args = self._node.args
        first = [*args.posonlyargs, *args.args][:1]
        if uses_super and first:  # `super()` takes the first parameter for the object
            names = [first[0].arg, *(name for name in names if name != first[0].arg)]
        return names

    def _prologue(self, run: Sequence[ast.stmt], ins: int, stored: int) -> tuple[list[str], int]:
        """The local functions that a segment makes for itself rather than taking them, and what it takes then."""
        flow = self._flow
        made: list[str] = []
        pending = [name for name in flow.spelled(ins) if name in self._functions]
        while pending:
            name = pending.pop()
            node = self._functions[name]
            free = mask(uses_of([node]).captured, flow.bits)
            bit = flow.bits[name]
            if name in made or free & stored or free & bit or not flow.assigned_before[id(run[0])] & bit:
                continue
            if free & ~flow.stable and not is_only_called(name, run):
                continue
            made.append(name)
            ins |= free
            pending += [other for other in flow.spelled(free) if other in self._functions]
        made.sort(key=lambda name: (self._functions[name].lineno, self._functions[name].col_offset))
        return made, ins & ~mask(made, flow.bits)

    def _definitions(self, names: Sequence[str]) -> list[ast.stmt]:
        return [self._functions[name] for name in names]

    def _call_of(self, parameters: Sequence[str]) -> ast.expr:
        return call(f"{SEGMENT}{len(self._made.pieces)}", [name(p) for p in parameters])


# --- statements -------------------------------------------------------------------------------------


def _assigns_last(node: ast.stmt) -> bool:
    """Whether a statement that raises has assigned nothing."""
    match node:
        case ast.Assign(targets=[ast.Name() | ast.Tuple() as target]):
            names = [target] if isinstance(target, ast.Name) else target.elts
            return all(isinstance(n, ast.Name) for n in names) and not _has_walrus(node)
        case ast.AugAssign(target=ast.Name()) | ast.AnnAssign(target=ast.Name()):
            return not _has_walrus(node)
        case _:
            return False


def _has_walrus(node: ast.stmt) -> bool:
    return any(isinstance(n, ast.NamedExpr) for n in ast.walk(node))
