"""Which variables of a function are certainly assigned before each statement, and which are read after it.

Unlike the analyses of the compiled language it goes over all statements that Python has, as they stand in the source.
Sets of variables are integers, a bit each.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from jitcore.frontend.outlining.uses import (
    COMPREHENSIONS,
    FUNCTIONS,
    LOOPS,
    capturers,
    mask,
    named,
    own_nodes,
    parameters_of,
    uses_of,
)
from jitcore.structs import dataclass

Summary: TypeAlias = "tuple[int, int, int]"
"""What a statement does: reads before any assignment of its own, assigns on every path, assigns on some path."""

EVERYTHING: Final = -1


@dataclass(frozen=True, slots=True)
class _Targets:
    """What is read after control leaves a statement other than by its end."""

    break_: int = 0
    continue_: int = 0
    return_: int = 0
    raise_: int = 0


class Flow:
    """The result for one function; statements are known by identity."""

    def __init__(self, node: ast.FunctionDef, lets_pass: Callable[[ast.expr], bool]) -> None:
        self._lets_pass = lets_pass
        """Whether the context that an expression gives is known to let exceptions pass."""
        self.parameters = [a.arg for a in parameters_of(node)]
        uses = uses_of(node.body)
        written = [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in uses.written]
        local = dict.fromkeys([*self.parameters, *written, *sorted(uses.written)])
        self.names = [name for name in local if name not in uses.outer]
        self.bits = {name: 1 << k for k, name in enumerate(self.names)}
        self.outer = uses.outer
        self.capturers = [(made, mask(names, self.bits)) for made, names in capturers(node.body)]
        self.captured = 0
        for _, names in self.capturers:
            self.captured |= names
        self.stable = EVERYTHING & ~self._changing(node)
        """Variables that no function made to run later sees change: a copy of them is as good."""
        self.assigned_before: dict[int, int] = {}
        self.assigned_after: dict[int, int] = {}
        self.live_before: dict[int, int] = {}
        self.live_after: dict[int, int] = {}
        self.live_in_handlers: dict[int, int] = {}
        self._summaries: dict[int, Summary] = {}
        self._breaks: list[int] = []
        self._forwards(node.body, mask(self.parameters, self.bits))
        self._backwards(node.body, 0, _Targets())

    def spelled(self, names: int) -> list[str]:
        """A set's names, in order of first appearance."""
        return [name for name, bit in self.bits.items() if names & bit]

    def _changing(self, node: ast.FunctionDef) -> int:
        """Variables that may be assigned to after a function that uses them was made."""
        stores: list[tuple[tuple[int, int], int, list[ast.AST]]] = []
        makers: list[tuple[tuple[int, int], int, list[ast.AST]]] = []
        made = {id(m): names for m, names in self.capturers}
        stack: list[tuple[ast.AST, list[ast.AST]]] = [(s, []) for s in node.body]
        while stack:
            inner, loops = stack.pop()
            around = [*loops, inner] if isinstance(inner, (*LOOPS, *COMPREHENSIONS)) else loops
            at = (getattr(inner, "lineno", 0), getattr(inner, "col_offset", 0))
            if id(inner) in made:
                makers.append((at, made[id(inner)], around))
            if isinstance(inner, (*FUNCTIONS, ast.ClassDef)):
                stored = uses_of([inner])
                names = stored.rebound | stored.written
                if names:
                    stores.append((at, mask(names, self.bits), around))
                continue
            names = (
                {inner.id} if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load) else set(named(inner))
            )
            if names:
                stores.append((at, mask(names, self.bits), around))
            stack += [(child, around) for child in ast.iter_child_nodes(inner)]
        changing = 0
        for at, used, loops in makers:
            for place, stored, others in stores:
                if used & stored and (place >= at or any(loop in others for loop in loops)):
                    changing |= used & stored
        return changing

    # --- what a statement does ------------------------------------------------------------------------

    def summary(self, node: ast.stmt) -> Summary:
        """What a statement does."""
        made = self._summaries.get(id(node))
        if made is None:
            made = self._summaries[id(node)] = self._summarise(node)
        return made

    def block(self, statements: Sequence[ast.stmt]) -> Summary:
        """What statements do, one after the other."""
        read = sure = maybe = 0
        for statement in reversed(statements):
            reads, kills, stores = self.summary(statement)
            read = reads | (read & ~kills)
            sure |= kills
            maybe |= stores
        return read, sure, maybe

    def _summarise(self, node: ast.stmt) -> Summary:
        match node:
            case ast.If():
                return self._branches([node.test], [node.body, node.orelse])
            case ast.Match():
                heads: list[ast.AST] = [
                    part for case in node.cases for part in (case.pattern, case.guard) if part is not None
                ]
                read, _, maybe = self.block([s for case in node.cases for s in case.body])
                first, sure, stores = self._simple([node.subject])
                tests, _, bound = self._simple(heads)
                return first | (tests & ~bound) | self._unbound(node), sure, maybe | stores | bound
            case ast.While():
                read, _, maybe = self._branches([node.test], [node.body, node.orelse])
                return read, self._simple([node.test])[1], maybe
            case ast.For() | ast.AsyncFor():
                target = mask(uses_of([node.target]).written, self.bits)
                read, _, maybe = self.block(node.body)
                first, _, _ = self._simple([node.iter, node.target])
                rest, _, other = self.block(node.orelse)
                return first | (read & ~target) | rest, 0, target | maybe | other | self._simple([node.iter])[2]
            case ast.With() | ast.AsyncWith():
                first, _, stores = self._simple(list(node.items))
                read, _, maybe = self.block(node.body)
                return first | read, 0, stores | maybe
            case ast.Try() | ast.TryStar():
                return self._try(node)
            case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
                read, _, maybe = self._simple([node])
                return read, EVERYTHING, maybe
            case _:
                return self._simple([node])

    def _unbound(self, node: ast.Match) -> int:
        """What the cases read that their patterns do not bind."""
        read = 0
        for case in node.cases:
            read |= self.block(case.body)[0] & ~mask(uses_of([case.pattern]).written, self.bits)
        return read

    def _branches(self, heads: Sequence[ast.AST], bodies: Sequence[Sequence[ast.stmt]]) -> Summary:
        read, first, maybe = self._simple(heads)
        sure = EVERYTHING
        for body in bodies:
            reads, kills, stores = self.block(body)
            read |= reads & ~first
            sure &= kills
            maybe |= stores
        return read, sure | first, maybe

    def _try(self, node: ast.Try | ast.TryStar) -> Summary:
        read, sure, maybe = self.block([*node.body, *node.orelse])
        for handler in node.handlers:
            reads, kills, stores = self.block(handler.body)
            named = mask([handler.name] if handler.name else [], self.bits)
            test = self._simple([handler.type])[0] if handler.type is not None else 0
            read |= test | (reads & ~named)
            sure &= kills
            maybe |= stores | named
        reads, kills, stores = self.block(node.finalbody)
        return read | reads, sure | kills, maybe | stores

    def _simple(self, nodes: Sequence[ast.AST]) -> Summary:
        uses = uses_of(nodes)
        every = {n.target.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.NamedExpr)}
        perhaps = every - {name for node in nodes for name in _certainly_named(node)}
        written = mask(uses.written | uses.rebound, self.bits)
        sure = mask(uses.written - perhaps - uses.deleted, self.bits)
        if any(isinstance(node, ast.AnnAssign) and node.value is None for node in nodes):
            written = sure = 0
        return mask(uses.read | uses.deleted, self.bits), sure, written

    # --- certainly assigned ---------------------------------------------------------------------------

    def _forwards(self, statements: Sequence[ast.stmt], assigned: int) -> int:
        for node in statements:
            self.assigned_before[id(node)] = assigned
            assigned = self.assigned_after[id(node)] = self._after(node, assigned)
        return assigned

    def _after(self, node: ast.stmt, assigned: int) -> int:
        match node:
            case ast.If():
                assigned |= self._simple([node.test])[1]
                return self._forwards(node.body, assigned) & self._forwards(node.orelse, assigned)
            case ast.Match():
                after = assigned
                for case in node.cases:
                    after &= self._forwards(case.body, assigned | mask(uses_of([case.pattern]).written, self.bits))
                return after
            case ast.While() | ast.For() | ast.AsyncFor():
                return self._after_loop(node, assigned)
            case ast.With() | ast.AsyncWith():
                inside = assigned | self._simple(list(node.items))[1]
                self._forwards(node.body, inside)
                return inside & ~self._deleted(node.body)  # the context may end the body at any place
            case ast.Try() | ast.TryStar():
                return self._after_try(node, assigned)
            case ast.Return() | ast.Raise() | ast.Continue():
                return EVERYTHING
            case ast.Break():
                self._breaks.append(assigned)
                return EVERYTHING
            case _:
                return (assigned | self._simple([node])[1]) & ~self._deleted([node])

    def _after_loop(self, node: ast.While | ast.For | ast.AsyncFor, assigned: int) -> int:
        head = assigned & ~self._deleted(node.body) if assigned != EVERYTHING else assigned
        head |= self._simple([node.test if isinstance(node, ast.While) else node.iter])[1]
        target = 0 if isinstance(node, ast.While) else mask(uses_of([node.target]).written, self.bits)
        breaks, self._breaks = self._breaks, []
        self._forwards(node.body, head | target)
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
        breaks, self._breaks = self._breaks, breaks
        after = EVERYTHING if endless else self._forwards(node.orelse, head)
        for state in breaks:
            after &= state
        return after

    def _after_try(self, node: ast.Try | ast.TryStar, assigned: int) -> int:
        deleted = self._deleted(node.body)
        after = self._forwards(node.orelse, self._forwards(node.body, assigned))
        for handler in node.handlers:
            named = mask([handler.name] if handler.name else [], self.bits)
            after &= self._forwards(handler.body, (assigned & ~deleted) | named) & ~named
        every = [*node.body, *node.orelse, *(s for handler in node.handlers for s in handler.body)]
        final = self._forwards(node.finalbody, assigned & ~self._deleted(every))
        if final == EVERYTHING:
            return EVERYTHING
        return (after | self.block(node.finalbody)[1]) & ~self._deleted(node.finalbody)

    def _deleted(self, statements: Sequence[ast.stmt]) -> int:
        return mask(uses_of(statements).deleted, self.bits) | self.unbound_by_handlers(statements)

    def unbound_by_handlers(self, statements: Sequence[ast.stmt]) -> int:
        """The names of exceptions in some statements, which their handlers delete at their end."""
        handlers = [n.name for n in own_nodes(statements) if isinstance(n, ast.ExceptHandler) and n.name]
        return mask(handlers, self.bits)

    # --- read afterwards ------------------------------------------------------------------------------

    def _backwards(self, statements: Sequence[ast.stmt], live: int, to: _Targets) -> int:
        """Note what is live before and after each statement, and give what is before the first."""
        for node in reversed(statements):
            match node:
                case ast.Break():
                    live = to.break_
                case ast.Continue():
                    live = to.continue_
                case ast.Return():
                    live = to.return_
                case ast.Raise():
                    live = to.raise_
                case _:
                    pass
            live |= self.captured
            self.live_after[id(node)] = live
            self.live_in_handlers[id(node)] = to.raise_
            self._inside(node, live, to)
            read, sure, _ = self.summary(node)
            leaves = isinstance(node, (ast.Break, ast.Continue, ast.Return, ast.Raise))
            live = read | (live if leaves else live & ~sure) | to.raise_ | self.captured | self._live_inside(node)
            self.live_before[id(node)] = live
        return live

    def _live_inside(self, node: ast.stmt) -> int:
        """What is live where the blocks of a statement begin, but for what it assigns to itself before: a `finally` in
        it may hand on a variable that the statement assigns to where no exception is raised."""
        match node:
            case ast.Try() | ast.TryStar():
                blocks, named = [node.body], 0
            case ast.If() | ast.While():
                blocks, named = [node.body, node.orelse], 0
            case ast.For() | ast.AsyncFor():
                blocks, named = [node.body, node.orelse], self._simple([node.target])[2]
            case ast.With() | ast.AsyncWith():
                targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
                blocks, named = [node.body], self._simple(targets)[2]
            case ast.Match():
                blocks, named = [c.body for c in node.cases], self._simple([c.pattern for c in node.cases])[2]
            case _:
                return 0
        found = 0
        for block in blocks:
            found |= self.live_before[id(block[0])] if block else 0
        return found & ~named

    def _inside(self, node: ast.stmt, live: int, to: _Targets) -> None:
        match node:
            case ast.If():
                self._backwards(node.body, live, to)
                self._backwards(node.orelse, live, to)
            case ast.Match():
                for case in node.cases:
                    self._backwards(case.body, live, to)
            case ast.While() | ast.For() | ast.AsyncFor():
                ended = self._backwards(node.orelse, live, to)
                head = ended | live | self.summary(node)[0] | self.block(node.body)[0]
                self._backwards(node.body, head, _Targets(live, head, to.return_, to.raise_))
            case ast.With() | ast.AsyncWith():
                suppresses = not all(self._lets_pass(item.context_expr) for item in node.items)
                caught = to.raise_ | live if suppresses else to.raise_
                self._backwards(node.body, live, _Targets(to.break_, to.continue_, to.return_, caught))
            case ast.Try() | ast.TryStar():
                self._inside_try(node, live, to)
            case _:
                pass

    def _inside_try(self, node: ast.Try | ast.TryStar, live: int, to: _Targets) -> None:
        if node.finalbody:
            final = self._backwards(node.finalbody, live | to.break_ | to.continue_ | to.return_ | to.raise_, to)
            live, to = final, _Targets(final, final, final, final)
        caught = to.raise_
        for handler in node.handlers:
            caught |= self._backwards(handler.body, live, to) & ~mask([handler.name] if handler.name else [], self.bits)
            if handler.type is not None:
                caught |= self._simple([handler.type])[0]
        ended = self._backwards(node.orelse, live, to)
        self._backwards(node.body, ended, _Targets(to.break_, to.continue_, to.return_, caught))


def _certainly_named(node: ast.AST) -> Iterator[str]:
    """The names that assignment expressions in a node assign to whenever the node is evaluated."""
    stack = [node]
    while stack:
        node = stack.pop()
        match node:
            case ast.NamedExpr():
                yield node.target.id
                stack.append(node.value)
            case ast.BoolOp():
                stack.append(node.values[0])
            case ast.IfExp():
                stack.append(node.test)
            case ast.Compare():
                stack += [node.left, node.comparators[0]]
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                stack.append(node.generators[0].iter)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() | ast.ClassDef():
                pass
            case _:
                stack += list(ast.iter_child_nodes(node))
