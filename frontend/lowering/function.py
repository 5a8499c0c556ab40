"""The state of building one function's graph: the variables' values, the graph being written, spans and
reachability."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, Final, TypeAlias

from jitcore.frontend.desugar.temporaries import Temporaries
from jitcore.frontend.files import SourceFile
from jitcore.frontend.liveness import Liveness
from jitcore.frontend.scopes import Scope
from jitcore.frontend.spans import Spans
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import COND
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Op, Var
from jitcore.ir.python import PYTHON_OPS, UNDEFINED_VALUE, UNREACHED
from jitcore.source import Span
from jitcore.structs import dataclass

UNDEFINED: Final = Literal(UNDEFINED_VALUE, None)
UNREACHED_RESULT: Final = Literal(UNREACHED, None)
NONE: Final = Literal(None, None)


class Unit:
    """What the functions compiled together share: `function` is the outermost one."""

    __slots__ = ("file", "function", "temporaries")

    def __init__(self, function: FunctionType, file: SourceFile, temporaries: Temporaries) -> None:
        self.function = function
        self.file = file
        self.temporaries = temporaries


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A nested graph being written, and what to go back to afterwards."""

    outer: GraphBuilder
    mark: int
    was_reachable: bool


@dataclass(frozen=True, slots=True, eq=False)
class Closed:
    """A nested graph whose results are still to be given: the variables it assigned to, and whether its end is
    reached."""

    graph: GraphBuilder
    changes: dict[str, Atom]
    is_reached: bool

    def finish(self, results: Sequence[Atom]) -> Graph:
        """The graph, with results; with none to speak of if its end is never reached."""
        return self.graph.finish(results if self.is_reached else [UNREACHED_RESULT] * len(results))


class FunctionBuilder:
    """Builds the graph of one function. `values` are its variables' current values, `cells` those kept in cells.

    `frame_variables`: inside a comprehension that is a frame of its own, the comprehension's variables; to it, the
    function's are free variables.
    """

    def __init__(
        self,
        unit: Unit,
        scope: Scope,
        qualname: str,
        spans: Spans,
        graph: GraphBuilder,
        parent: FunctionBuilder | None = None,
    ) -> None:
        self.unit = unit
        self.scope = scope
        self.qualname = qualname
        self.spans = spans
        self.graph = graph
        self.parent = parent
        self.values: dict[str, Atom] = {}
        self.cells: dict[str, Var] = {}
        self.kept: list[dict[str, Var]] = []
        """For each body of `try` being written, the cells in which its handlers find variables as the body leaves
        them."""
        self.perhaps_undefined: set[Var] = set()
        self.frame_variables: list[str] | None = None
        self.is_reachable = True
        self.consumer: Var | None = None
        """In a generator's body: what `yield` gives items to."""
        self.test_span: Span = spans.of(scope.node)
        self.liveness = Liveness(scope, unit.temporaries) if not scope.is_generator else None
        self._changes: list[tuple[str, Atom | None]] = []

    # Bindings

    def emit(self, op: str, args: Sequence[Atom], span: Span, hint: str, /, **params: Any) -> Var:
        """Append a Python operation with one result."""
        out = Var(hint, None, span)
        self.graph.append(Binding((out,), PYTHON_OPS[op], tuple(args), span, params))
        return out

    def perform(self, op: str, args: Sequence[Atom], span: Span, /, **params: Any) -> None:
        """Append a Python operation without result."""
        self.graph.append(Binding((), PYTHON_OPS[op], tuple(args), span, params))

    def emit_control(
        self,
        op: Op,
        args: Sequence[Atom],
        graphs: tuple[Graph, ...],
        span: Span,
        hints: Sequence[str],
        /,
        **params: Any,
    ) -> tuple[Var, ...]:
        """Append an operation with nested graphs."""
        outs = tuple(Var(self.written(hint), None, span) for hint in hints)
        return self.graph.append(Binding(outs, op, tuple(args), span, params, graphs))

    def name_value(self, value: Atom, name: str) -> Atom:
        """A value just computed, its variable renamed to what it is assigned to, for readers of the graph."""
        body = self.graph.body
        if not body or len(body[-1].outs) != 1 or body[-1].outs[0] is not value:
            return value
        last = body[-1]
        renamed = Var(self.written(name), None, last.span)
        body[-1] = Binding((renamed,), last.op, last.args, last.span, last.params, last.graphs)
        if value in self.perhaps_undefined:
            self.perhaps_undefined.add(renamed)
        return renamed

    def written(self, name: str) -> str:
        """A name as the user wrote it."""
        return self.unit.temporaries.written(name)

    # Variables

    def set_value(self, name: str, value: Atom) -> None:
        """Give a variable that is in no cell another value."""
        self._changes.append((name, self.values.get(name)))
        self.values[name] = value

    def is_free(self, name: str) -> bool:
        """Whether a variable of this function is read inside a comprehension's frame, and is not the
        comprehension's."""
        return self.frame_variables is not None and name not in self.frame_variables

    def may_be_undefined(self, value: Atom) -> bool:
        return value is UNDEFINED or value in self.perhaps_undefined

    # Nested graphs

    def open(self, name: str, span: Span) -> Opened:
        """Begin a nested graph."""
        opened = Opened(self.graph, len(self._changes), self.is_reachable)
        self.graph = GraphBuilder(name, span)
        self.is_reachable = True
        return opened

    def close(self, opened: Opened) -> Closed:
        """End a nested graph; variables have the values they had before it."""
        changed = self._changes[opened.mark :]
        closed = Closed(self.graph, {name: self.values[name] for name, _ in changed}, self.is_reachable)
        for name, old in reversed(changed):
            if old is None:
                del self.values[name]
            else:
                self.values[name] = old
        del self._changes[opened.mark :]
        self.graph, self.is_reachable = opened.outer, opened.was_reachable
        return closed

    def join(
        self, then: Closed, orelse: Closed, names: Sequence[str], span: Span, predicate: Atom, **values: Value
    ) -> Any:
        """The `cond` of two graphs: gives variables their joined values, and the joined further `values`."""
        results = [
            [value[k] for value in values.values()]
            + [branch.changes.get(name, self.values.get(name, UNDEFINED)) for name in names]
            for k, branch in enumerate((then, orelse))
        ]
        graphs = (then.finish(results[0]), orelse.finish(results[1]))
        outs = self.emit_control(COND, (predicate,), graphs, span, [*values, *names])
        for out, *sides in zip(outs, *results, strict=True):
            reached = [value for value, branch in zip(sides, (then, orelse), strict=True) if branch.is_reached]
            if any(map(self.may_be_undefined, reached)):
                self.perhaps_undefined.add(out)
        for name, out in zip(names, outs[len(values) :], strict=True):
            self.set_value(name, out)
        self.is_reachable = self.is_reachable and (then.is_reached or orelse.is_reached)
        return outs[: len(values)]

    def choose(
        self, predicate: Atom, span: Span, then: Callable[[], Atom], orelse: Callable[[], Atom], hint: str
    ) -> Atom:
        """The value of one of two expressions; variables that either assigns to are joined."""
        opened = self.open("then", span)
        one = then()
        closed_then = self.close(opened)
        opened = self.open("else", span)
        other = orelse()
        closed_else = self.close(opened)
        changed = dict.fromkeys((*closed_then.changes, *closed_else.changes))
        names = [name for name in changed if name not in self.unit.temporaries]
        (value,) = self.join(closed_then, closed_else, names, span, predicate, **{hint: (one, other)})
        return value

    # Trees: each class of node is registered with the function that builds it

    def value(self, node: Any) -> Atom:
        """Evaluate an expression."""
        return EXPRESSIONS[type(node)](self, node)

    def block(self, statements: Sequence[Any]) -> Atom | None:
        """Run statements; gives the value returned if they end by returning."""
        for statement in statements:
            returned = STATEMENTS[type(statement)](self, statement)
            if returned is not None or not self.is_reachable:
                return returned
        return None

    def span(self, node: Any) -> Span:
        return self.spans.of(node)


Value: TypeAlias = "tuple[Atom, Atom]"
"""What each of two branches gives."""

EXPRESSIONS: Final[dict[type[Any], Callable[[FunctionBuilder, Any], Atom]]] = {}
STATEMENTS: Final[dict[type[Any], Callable[[FunctionBuilder, Any], Atom | None]]] = {}

Expression: TypeAlias = "Callable[[FunctionBuilder, Any], Atom]"
Statement: TypeAlias = "Callable[[FunctionBuilder, Any], Atom | None]"


def expression(*classes: type[Any]) -> Callable[[Expression], Expression]:
    """Register the function that builds expressions of these classes."""

    def register(function: Expression) -> Expression:
        EXPRESSIONS.update(dict.fromkeys(classes, function))
        return function

    return register


def statement(*classes: type[Any]) -> Callable[[Statement], Statement]:
    """Register the function that builds statements of these classes; it gives the value if it returns one."""

    def register(function: Statement) -> Statement:
        STATEMENTS.update(dict.fromkeys(classes, function))
        return function

    return register
