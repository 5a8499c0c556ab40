"""Functions that cannot be compiled whole, split into what can be and what the interpreter runs."""

from __future__ import annotations

import ast
import builtins
import contextlib
import decimal
import io
import tempfile
import threading
import warnings
import weakref
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import CellType, CodeType, FunctionType
from typing import Any, Final

from jitcore.frontend.fetch import fetch
from jitcore.frontend.outlining.code import Origin, arguments
from jitcore.frontend.outlining.flow import Flow
from jitcore.frontend.outlining.functions import defined_by
from jitcore.frontend.outlining.nodes import COMPILED, ENTER, LEAVE, SEGMENT, UNSET
from jitcore.frontend.outlining.split import Piece, Splitter
from jitcore.frontend.outlining.uses import COMPREHENSIONS, own_nodes
from jitcore.frontend.outlining.worth import is_worthwhile, resolved
from jitcore.frontend.recursion import deeply
from jitcore.lookup import attribute_of
from jitcore.source import CompileError, Problem, Span
from jitcore.structs import dataclass

__all__ = ["Outline", "Outliner", "Place", "Segment", "is_segment_call"]

_FRAME_FUNCTIONS: Final = frozenset({"locals", "vars", "dir", "eval", "exec"})
"""Builtins that see all variables of the function that calls them."""

_drivers: Final[dict[int, weakref.ref[CodeType]]] = {}


class Unset:
    """The class of what stands for the value of a variable that has none."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Statements as a function of their own, from line `first` to line `last`."""

    function: Any
    first: int
    last: int


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A statement that the interpreter runs, and why. `last` is the last line of it, or of its head if it has
    blocks."""

    first: int
    last: int
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """A function split: `bind` makes the driver, given what it is to call."""

    segments: tuple[Segment, ...]
    places: tuple[Place, ...]
    bind: Callable[
        [Sequence[Any], Callable[[int], float], Callable[[int, float], None], Callable[[Any], Any]], FunctionType
    ]
    """Of the segments' callables, what notes that a place is entered and left, and what gives the compiled function for
    one that a place calls."""


class Outliner:
    """Splits one function, each time it is found that something in it cannot be compiled.

    Raises CompileError if its source cannot be had.
    """

    def __init__(self, function: FunctionType) -> None:
        fetched = fetch(function)
        self._origin: Origin | None = None
        self._segments: dict[tuple[Any, ...], Segment] = {}
        if isinstance(fetched.node, ast.FunctionDef) and not _sees_frame(fetched.node):
            self._origin = Origin(function, fetched, fetched.node)
            self._bits: dict[str, int] = {}
            self._flow = Flow(fetched.node, self._lets_pass)
            self._bits = self._flow.bits

    def is_worthwhile(self) -> bool:
        """Whether compiling parts of it may gain anything."""
        return self._origin is not None and is_worthwhile(self._origin.node.body, self._resolve)

    def outline(self, error: CompileError) -> Outline | None:
        """The function split so that the places of an error are the driver's; None if nothing would be compiled."""
        return deeply(lambda: self._outline(error.problems))

    def foreseen(self, methods: Collection[str], beside: Collection[str]) -> list[Problem]:
        """Places of statements that call one of some methods and do nothing else; of those that call methods `beside`,
        too, if there are any."""
        origin = self._origin
        found: dict[str, list[ast.Expr]] = {}
        for node in () if origin is None else own_nodes(origin.node.body):
            match node:
                case ast.Expr(ast.Call(ast.Attribute(attr=name))) if name in methods or name in beside:
                    found.setdefault(name, []).append(node)
                case _:
                    pass
        if not found.keys() & set(methods):
            return []
        return [
            Problem(self._span(node.value), f"{name}(), which is called between compiled parts", is_meant=True)
            for name, nodes in found.items()
            for node in nodes
        ]

    def _span(self, node: ast.expr) -> Span:
        assert self._origin is not None
        (line, column), (end_line, end_column) = self._offsets(node)
        code = self._origin.function.__code__
        return Span(self._origin.fetched.file.name, line, column, end_line, end_column, code.co_name)

    def _outline(self, problems: Sequence[Problem]) -> Outline | None:
        origin = self._origin
        if origin is None:
            return None
        found: dict[int, tuple[ast.stmt, list[Problem]]] = {}
        calls: list[ast.Call] = []
        for problem in problems:
            span = list(problem.span.frames())[-1]
            statement = self._statement_at(span)
            if statement is None:
                return self._without_place(problems)
            found.setdefault(id(statement), (statement, []))[1].append(problem)
            called = list(self._calls_at(span, statement))
            for other, call in self._alike(called):
                found.setdefault(id(other), (other, [problem]))
                called.append(call)
            if problem.span.caller is not None:
                calls += called
        return self._split(found, (), calls)

    def _without_place(self, problems: Sequence[Problem]) -> Outline | None:
        """Split where nothing says where: in the middle, or a single statement into its blocks."""
        assert self._origin is not None
        body = [s for s in self._origin.node.body if not _is_made(s) and not defined_by(s)]
        if len(body) > 1:
            return self._split({}, (body[(len(body) - 1) // 2],), ())
        found = {id(s): (s, list(problems)) for s in body if _has_blocks(s)}
        return self._split(found, (), ()) if found else None

    def _split(
        self,
        found: Mapping[int, tuple[ast.stmt, list[Problem]]],
        cuts: Sequence[ast.stmt],
        calls: Sequence[ast.Call],
    ) -> Outline | None:
        origin = self._origin
        assert origin is not None
        offending = [statement for statement, _ in found.values()]
        made = Splitter(self._flow, origin.node, self._resolve, offending, cuts, calls).split()
        if not made.pieces or made.pieces[0].statements == tuple(origin.node.body):
            return None
        places = tuple(Place(s.lineno, _head_end(s), tuple(found[id(s)][1])) for s in made.places)
        segments = tuple(map(self._segment, made.pieces))
        body = made.body

        def bind(
            callables: Sequence[Any],
            enter: Callable[[int], float],
            leave: Callable[[int, float], None],
            compiled: Callable[[Any], Any],
        ) -> FunctionType:
            extra = {f"{SEGMENT}{k}": CellType(made) for k, made in enumerate(callables)}
            extra |= {
                ENTER: CellType(enter),
                LEAVE: CellType(leave),
                COMPILED: CellType(compiled),
                UNSET: CellType(_UNSET),
            }
            return self._driver(origin, body, extra)

        return Outline(segments, places, bind)

    def _driver(self, origin: Origin, body: Sequence[ast.stmt], extra: Mapping[str, CellType]) -> FunctionType:
        function: FunctionType = origin.function
        given = origin.node.args
        bare = ast.arguments(
            posonlyargs=list(map(_bare, given.posonlyargs)),
            args=list(map(_bare, given.args)),
            vararg=_bare(given.vararg) if given.vararg else None,
            kwonlyargs=list(map(_bare, given.kwonlyargs)),
            kw_defaults=[None] * len(given.kwonlyargs),
            kwarg=_bare(given.kwarg) if given.kwarg else None,
            defaults=[],
        )
        driver = origin.derive(bare, body, extra)
        driver.__defaults__ = function.__defaults__
        driver.__kwdefaults__ = function.__kwdefaults__
        key = id(driver.__code__)
        _drivers[key] = weakref.ref(driver.__code__, lambda _: _drivers.pop(key, None))
        return driver

    def _segment(self, piece: Piece) -> Segment:
        """A piece as a function: the same one whenever it is the same piece."""
        origin = self._origin
        assert origin is not None
        key = (*map(id, piece.statements), piece.parameters, ast.dump(piece.body[-1]), len(piece.body))
        made = self._segments.get(key)
        if made is None:
            at = piece.statements[0]
            parameters = [_parameter(name, at) for name in piece.parameters]
            function = origin.derive(arguments(parameters), piece.body, {UNSET: CellType(_UNSET)})
            made = self._segments[key] = Segment(function, *piece.lines)
        return made

    # --- finding places -------------------------------------------------------------------------------

    def _offsets(self, node: Any) -> tuple[tuple[int, int], tuple[int, int]]:
        """Where a node starts and ends, in lines and characters."""
        assert self._origin is not None
        file = self._origin.fetched.file
        return (
            (node.lineno, file.column(node.lineno, node.col_offset)),
            (node.end_lineno, file.column(node.end_lineno, node.end_col_offset)),
        )

    def _statement_at(self, span: Span) -> ast.stmt | None:
        """The innermost statement that a span starts in, if it is in this function and not its own synthetic one."""
        origin = self._origin
        assert origin is not None
        at = (span.line, span.column)
        if span.file != origin.fetched.file.name or at == (span.end_line, span.end_column):
            return None
        found: ast.stmt | None = None
        pending: list[ast.AST] = list(origin.node.body)
        while pending:
            node = pending.pop()
            if isinstance(node, ast.stmt):
                start, end = self._offsets(node)
                if start == end or not min(start, self._first(node)) <= at < end:
                    continue
                found = node
                pending = []
            if not isinstance(node, (ast.expr, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                pending += list(ast.iter_child_nodes(node))
        return found

    def _first(self, node: ast.stmt) -> tuple[int, int]:
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        return min((self._offsets(d)[0] for d in decorators), default=self._offsets(node)[0])

    def _calls_at(self, span: Span, statement: ast.stmt) -> Iterator[ast.Call]:
        """The call that leads into another function at a span."""
        end = (span.end_line, span.end_column)
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and self._offsets(node)[1] == end:
                named = isinstance(node.func, ast.Name) and node.func.id == "super"
                if not named and self._offsets(node)[0] <= (span.line, span.column):
                    yield node

    def _lets_pass(self, context: ast.expr) -> bool:
        """Whether a context is known to let exceptions pass."""
        known = resolved(context.func if isinstance(context, ast.Call) else context, self._resolve)
        return any(known is one for one in _LET_PASS)

    def _alike(self, calls: Sequence[ast.Call]) -> list[tuple[ast.stmt, ast.Call]]:
        """The other statements with calls of a function that has just been found not to be compiled, as far as it is
        known to be no operation of the language or on arrays: those depend on what they are given."""
        assert self._origin is not None
        wanted: list[Any] = []
        for call in calls:
            known = resolved(call.func, self._resolve)
            library = (attribute_of(known, "__module__", None) or "builtins").partition(".")[0]
            if known is not None and library not in ("builtins", "numpy", "math", "jitcore"):
                wanted.append(known)
        found: list[tuple[ast.stmt, ast.Call]] = []
        for statement in own_nodes(self._origin.node.body) if wanted else ():
            if not isinstance(statement, ast.stmt) or isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                continue
            parts = [n for n in ast.iter_child_nodes(statement) if isinstance(n, (ast.expr, ast.withitem))]
            inside = [n for part in parts for n in ast.walk(part) if isinstance(n, ast.Call)]
            alike = [n for n in inside if any(resolved(n.func, self._resolve) is known for known in wanted)]
            found += [(statement, call) for call in alike]
        return found

    def _resolve(self, name: str) -> Any:
        """What a name stands for that is no variable of the function; None if that is not known."""
        assert self._origin is not None
        function: FunctionType = self._origin.function
        if name in self._bits:
            return None
        free = function.__code__.co_freevars
        if name in free:
            return None
        return function.__globals__.get(name, getattr(builtins, name, None))


_UNSET: Final = Unset()
_LET_PASS: Final[tuple[Any, ...]] = (
    open, io.StringIO, io.BytesIO, contextlib.nullcontext, contextlib.closing, contextlib.redirect_stdout,
    contextlib.redirect_stderr, warnings.catch_warnings, threading.Lock, threading.RLock, tempfile.TemporaryDirectory,
    tempfile.TemporaryFile, tempfile.NamedTemporaryFile, decimal.localcontext,
)  # fmt: skip
"""Contexts that let exceptions pass."""


def is_segment_call(code: CodeType, instruction: int) -> bool:
    """Whether an instruction of a driver is about a segment, whose own frames say where the user's code is."""
    known = _drivers.get(id(code))
    if known is None or known() is not code:
        return False
    for k, (_, _, start, end) in enumerate(code.co_positions()):
        if k == instruction // 2:
            return start is not None and start == end
    return False


def _bare(parameter: ast.arg) -> ast.arg:
    return ast.copy_location(ast.arg(arg=parameter.arg, annotation=None), parameter)


def _parameter(name: str, at: ast.stmt) -> ast.arg:
    return ast.copy_location(ast.arg(arg=name, annotation=None), at)


def _sees_frame(node: ast.FunctionDef) -> bool:
    """Whether a function is a generator or coroutine, or asks for its own variables."""
    for n in own_nodes(node.body):
        if isinstance(n, (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)):
            return True
        if isinstance(n, COMPREHENSIONS) and any(g.is_async for g in n.generators):
            return True
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in _FRAME_FUNCTIONS:
            return True
    return False


def _is_made(node: ast.stmt) -> bool:
    """Whether a statement is none of the user's."""
    return node.lineno == node.end_lineno and node.col_offset == node.end_col_offset


def _has_blocks(node: ast.stmt) -> bool:
    return hasattr(node, "body") or hasattr(node, "cases")


def _head_end(node: ast.stmt) -> int:
    """The last line of a statement that is not of a block of it."""
    if isinstance(node, ast.Match):
        return node.subject.end_lineno or node.lineno
    body: list[ast.stmt] = getattr(node, "body", [])
    if not body:
        return node.end_lineno or node.lineno
    return max(node.lineno, min(body[0].lineno - 1, node.end_lineno or node.lineno))
