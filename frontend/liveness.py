"""Which variables a branch or loop hands on: those it may assign to that are read afterwards.

Goes over a desugared function twice: forwards to sum up each statement, backwards with what is live after it. For every
`if` it gives the variables to join, for every loop those to carry round (`joins` of `Liveness`, by node). Variables in
cells have a place of their own and need neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import gast

from jitcore.frontend.desugar.comprehension import COMPREHENSIONS
from jitcore.frontend.desugar.temporaries import Temporaries
from jitcore.frontend.scopes import Scope

_AST = gast.AST

Summary: TypeAlias = "tuple[int, int, int]"
"""Sets of variables, a bit each: read before any assignment, assigned on every path, assigned on some path."""

_EVERYTHING = -1


class Liveness:
    """The result for one function."""

    def __init__(
        self, scope: Scope, temporaries: Temporaries, body: Sequence[Any] | None = None, kept: Sequence[str] = ()
    ) -> None:
        """Of another body of the function than its node's, if that is given; `kept` are read after its end."""
        self._scope = scope
        self._temporaries = temporaries
        self._bits: dict[str, int] = {}
        self._names: list[str] = []
        self._summaries: dict[int, list[Summary]] = {}
        self._kept: dict[int, int] = {}
        self.read_first: list[str] = []
        """The variables that may be read before they are assigned to."""
        self._joins: dict[int, int] = {}  # at first what a node's blocks may assign to
        body = scope.node.body if body is None else body
        if isinstance(body, list):
            live = 0
            for name in kept:
                live |= self._bit(name)
            self._block(body)
            live = self._backwards(body, live)
            self.read_first = self._written(live)

    def joins(self, node: Any) -> list[str]:
        """The variables that an `if` joins or a loop carries, in order of first appearance."""
        return self._written(self._joins[id(node)])

    def _written(self, mask: int) -> list[str]:
        names: list[str] = []
        while mask:
            lowest = mask & -mask
            names.append(self._names[lowest.bit_length() - 1])
            mask ^= lowest
        return names

    def _bit(self, name: str) -> int:
        bit = self._bits.get(name)
        if bit is None:
            scope = self._scope
            bit = 0
            if name not in scope.cells and (name in scope.local or name in self._temporaries):
                bit = 1 << len(self._names)
                self._names.append(name)
            self._bits[name] = bit
        return bit

    def _block(self, statements: Sequence[Any]) -> Summary:
        every = [self._statement(statement) for statement in statements]
        self._summaries[id(statements)] = every
        read = sure = maybe = 0
        for reads, kills, stores in reversed(every):
            read = reads | (read & ~kills)
            sure |= kills
            maybe |= stores
        return read, sure, maybe

    def _statement(self, node: Any) -> Summary:
        kind = type(node)
        if kind is gast.If:
            test, _, named = self._simple(node.test)
            read, sure, maybe = self._block(node.body)
            other_read, other_sure, other_maybe = self._block(node.orelse)
            self._joins[id(node)] = maybe | other_maybe
            return test | read | other_read, sure & other_sure, named | maybe | other_maybe
        if kind is gast.While:
            test, _, named = self._simple(node.test)
            read, _, maybe = self._block(node.body)
            self._joins[id(node)] = maybe
            return test | read, 0, named | maybe
        if kind is gast.For:
            iterated, _, named = self._simple(node.iter)
            target, sure, assigned = self._simple(node.target)
            read, _, maybe = self._block(node.body)
            self._joins[id(node)] = assigned | maybe
            return iterated | target | (read & ~sure), 0, named | assigned | maybe
        if kind is gast.Try:
            return self._try(node)
        if kind in (gast.Return, gast.Raise):
            return self._simple(node)[0], _EVERYTHING, 0
        if kind is gast.FunctionDef:
            bit = self._bit(node.name)
            return self._captured(node) | self._made(node), bit, bit
        return self._simple(node)

    def _try(self, node: Any) -> Summary:
        """A `try` with handlers only: these may find any part of the body done."""
        read, sure, maybe = self._block(node.body)
        self._kept[id(node)] = maybe
        after_read, after_sure, after_maybe = self._block(node.orelse)
        read, sure, maybe = read | (after_read & ~sure), sure | after_sure, maybe | after_maybe
        for handler in node.handlers:
            if handler.type is not None:
                read |= self._simple(handler.type)[0]
            bit = 0 if handler.name is None else self._bit(handler.name.id)
            reads, kills, stores = self._block(handler.body)
            read, sure, maybe = read | (reads & ~bit), sure & (kills | bit), maybe | stores | bit
        self._joins[id(node)] = maybe
        return read, sure, maybe

    def kept(self, node: Any) -> list[str]:
        """The variables that the handlers of a `try` may find changed by its body, and that are used then."""
        return self._written(self._kept[id(node)])

    def _made(self, node: Any) -> int:
        """What making a function reads: its decorators and defaults."""
        parts = [*getattr(node, "decorator_list", ()), *node.args.defaults, *node.args.kw_defaults]
        read = 0
        for part in parts:
            if part is not None:
                read |= self._simple(part)[0]
        return read

    def _captured(self, node: Any) -> int:
        """The variables that a function made by a node takes from this one."""
        read = 0
        for name, owner in node.scope.enclosing.items():
            if owner is self._scope:
                read |= self._bit(name)
        return read

    def _simple(self, node: Any) -> Summary:
        """A statement without branches, or an expression."""
        read = sure = maybe = 0
        stack = [node]
        while stack:
            node = stack.pop()
            kind = type(node)
            if kind is gast.Name:
                bit = self._bit(node.id)
                if type(node.ctx) is gast.Load:
                    read |= bit
                    continue
                sure |= bit
                maybe |= bit
                if type(node.ctx) is gast.Del:
                    read |= bit
            elif kind is gast.NamedExpr:  # perhaps evaluated, perhaps not
                maybe |= self._bit(node.target.id)
                stack.append(node.value)
            elif kind is gast.Lambda:
                read |= self._captured(node) | self._made(node)
            elif kind is gast.GeneratorExp:
                read |= self._captured(node)
                stack.append(node.generators[0].iter)
            elif kind is gast.Import or kind is gast.ImportFrom:
                for alias in node.names:
                    bit = self._bit(alias.asname or alias.name.partition(".")[0])
                    sure, maybe = sure | bit, maybe | bit
            elif kind in COMPREHENSIONS:
                inside = self._inside_comprehension(node)
                read, maybe = read | inside[0], maybe | inside[2]
            elif kind is gast.AnnAssign:
                stack.append(node.target)
                if node.value is not None:
                    stack.append(node.value)
                elif type(node.target) is gast.Name:
                    stack.pop()
            elif kind is gast.AugAssign and type(node.target) is gast.Name:
                bit = self._bit(node.target.id)
                read, sure, maybe = read | bit, sure | bit, maybe | bit
                stack.append(node.value)
            else:
                for name in node._fields:
                    value = getattr(node, name, None)
                    if isinstance(value, _AST):
                        stack.append(value)
                    elif isinstance(value, list):
                        stack.extend(item for item in value if isinstance(item, _AST))
        return read, sure, maybe

    def _inside_comprehension(self, node: Any) -> Summary:
        """A comprehension: the variables it goes over are its own, what it assigns by `:=` is not."""
        read = maybe = own = 0
        for generator in node.generators:
            reads, stores, named = self._simple(generator.target)
            own |= stores
            read |= reads
            maybe |= named & ~stores
        parts = [p for g in node.generators for p in (g.iter, *g.ifs)]
        parts += [node.key, node.value] if type(node) is gast.DictComp else [node.elt]
        for part in parts:
            reads, _, named = self._simple(part)
            read |= reads
            maybe |= named
        return read & ~own, 0, maybe & ~own

    def _backwards(self, statements: Sequence[Any], live: int) -> int:
        """Go back over a block with what is live after it; gives what is live before."""
        summaries = self._summaries[id(statements)]
        for node, (read, sure, _) in zip(reversed(statements), reversed(summaries), strict=True):
            kind = type(node)
            if kind is gast.If:
                self._joins[id(node)] &= live
                self._backwards(node.body, live)
                self._backwards(node.orelse, live)
            elif kind is gast.Try:
                self._joins[id(node)] &= live
                self._backwards(node.body, self._backwards(node.orelse, live))
                used = 0
                for handler in node.handlers:
                    used |= self._backwards(handler.body, live)
                self._kept[id(node)] &= used
            elif kind is gast.While or kind is gast.For:
                at_head = read | live
                self._joins[id(node)] &= at_head
                self._backwards(node.body, at_head)
            elif kind in (gast.Return, gast.Raise):
                live = 0
            live = read | (live & ~sure)
        return live
