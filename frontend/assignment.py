"""Which names may have no value where they are read, and which variables a function made earlier sees change.

One pass along the control flow of a function whose exits (`break`, `return` …) are still where the user wrote them.
It marks each read of a local variable that may be unassigned (`is_unsure` on the name's node), notes the variables a
function in it may find unassigned (`Scope.unsure`), and puts into cells (`Scope.cells`) the variables assigned to after
a function that uses them has been made. A variable assigned only before needs none: its value is simply used.
`by_value`: nor does any that has a value for certain where the function is made, which keeps that value whatever is
assigned later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from jitcore.frontend.desugar.comprehension import COMPREHENSIONS
from jitcore.frontend.desugar.nodes import is_true
from jitcore.frontend.scopes import Scope, parameters_of

_AST = gast.AST
_UNREACHABLE = -1  # where control never gets, every variable has a value


def analyse(scope: Scope, *, by_value: bool = False) -> None:
    """Analyse a function and the functions in it."""
    stack = [scope]
    while stack:
        current = stack.pop()
        if not current.is_generator:
            _Flow(current, by_value).function()
        stack += current.inner


class _Flow:
    """The state while going along one function: sets of variables, a bit each.

    `assigned`: those that have a value for certain; `captured`: those some function made by now uses; `kept`: those of
    which functions made in the innermost loop keep the value (`by_value`), unless the loop assigns to them; `stored`:
    those assigned to in the innermost loop.
    """

    def __init__(self, scope: Scope, by_value: bool) -> None:
        self.scope = scope
        self.by_value = by_value
        self.bits = {name: 1 << k for k, name in enumerate(sorted(scope.local))}
        self.assigned = 0
        self.captured = 0
        self.kept = 0
        self.stored = 0
        self.breaks: list[int] = []
        self.deleted = sum(self.bits[name] for name in scope.deleted if name in self.bits)

    def function(self) -> None:
        node = self.scope.node
        for parameter in parameters_of(node.args):
            self.assign(parameter.id)
        if type(node) is gast.Lambda:
            self.expression(node.body)
        else:
            self.block(node.body)

    def block(self, statements: Sequence[Any]) -> None:
        for statement in statements:
            handler = _STATEMENTS.get(type(statement))
            if handler is not None:
                handler(self, statement)
            else:
                self.parts(statement)

    def assign(self, name: str) -> None:
        bit = self.bits.get(name, 0)
        if self.captured & bit:
            self.scope.cells.add(name)
        self.assigned |= bit
        self.stored |= bit

    def make_function(self, inner: Scope) -> None:
        """A function is made here: note what it uses of this one."""
        for name, owner in inner.enclosing.items():
            if owner is self.scope:
                bit = self.bits[name]
                if not self.assigned & bit:
                    inner.unsure.add(name)
                if self.by_value and self.assigned & bit:
                    self.kept |= bit
                else:
                    self.captured |= bit

    def expression(self, node: Any) -> None:
        kind = type(node)
        if kind is gast.Name:
            self.name(node)
            return
        handler = _EXPRESSIONS.get(kind)
        if handler is not None:
            handler(self, node)
        else:
            self.parts(node)

    def parts(self, node: Any) -> None:
        """What a node consists of, in the order it is evaluated."""
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, _AST):
                self.expression(value)
            elif isinstance(value, list):
                for item in value:
                    if isinstance(item, _AST):
                        self.expression(item)

    def name(self, node: Any) -> None:
        kind = type(node.ctx)
        if kind is gast.Store:
            self.assign(node.id)
            return
        bit = self.bits.get(node.id, 0)
        if bit and not self.assigned & bit:
            node.is_unsure = True
        if kind is gast.Del:
            self.assign(node.id)
            self.assigned &= ~bit

    def loop(self, go: Callable[[], None]) -> list[int]:
        """A loop's rounds, as `go` describes one; gives the states at its `break`s."""
        stored, self.stored = self.stored, 0
        breaks, self.breaks = self.breaks, []
        kept, self.kept = self.kept, 0
        if self.assigned != _UNREACHABLE:
            self.assigned &= ~self.deleted  # a round before may have deleted them
        go()
        # what is made in one round sees the assignments of the next
        changed = self.stored & (self.captured | self.kept)
        if changed:
            self.scope.cells.update(name for name, bit in self.bits.items() if changed & bit)
        self.stored |= stored
        self.kept |= kept
        breaks, self.breaks = self.breaks, breaks
        return breaks


def _assign(flow: _Flow, node: Any) -> None:
    flow.expression(node.value)
    for target in node.targets:
        flow.expression(target)


def _augmented(flow: _Flow, node: Any) -> None:
    if type(node.target) is gast.Name:
        if not flow.assigned & flow.bits.get(node.target.id, 0):
            node.target.is_unsure = True
        flow.expression(node.value)
        flow.assign(node.target.id)
    else:
        flow.expression(node.target)
        flow.expression(node.value)


def _annotated(flow: _Flow, node: Any) -> None:
    if node.value is not None:
        flow.expression(node.value)
        flow.expression(node.target)
    elif type(node.target) is not gast.Name:
        flow.parts(node.target)


def _leave(flow: _Flow, node: Any) -> None:
    flow.parts(node)
    if type(node) is gast.Break:
        flow.breaks.append(flow.assigned)
    flow.assigned = _UNREACHABLE


def _if(flow: _Flow, node: Any) -> None:
    flow.expression(node.test)
    before = flow.assigned
    flow.block(node.body)
    after, flow.assigned = flow.assigned, before
    flow.block(node.orelse)
    flow.assigned &= after


def _while(flow: _Flow, node: Any) -> None:
    after_test = _UNREACHABLE

    def go() -> None:
        nonlocal after_test
        flow.expression(node.test)
        after_test = flow.assigned
        flow.block(node.body)

    breaks = flow.loop(go)
    flow.assigned = _UNREACHABLE if is_true(node.test) else after_test
    _finish(flow, node, breaks)


def _for(flow: _Flow, node: Any) -> None:
    flow.expression(node.iter)
    before = _UNREACHABLE

    def go() -> None:
        nonlocal before
        before = flow.assigned
        flow.expression(node.target)
        flow.block(node.body)

    breaks = flow.loop(go)
    flow.assigned = before
    _finish(flow, node, breaks)


def _finish(flow: _Flow, node: Any, breaks: list[int]) -> None:
    flow.block(node.orelse)
    for state in breaks:
        flow.assigned &= state


def _try(flow: _Flow, node: Any) -> None:
    before = flow.assigned if flow.assigned == _UNREACHABLE else flow.assigned & ~flow.deleted
    flow.block(node.body)
    flow.block(node.orelse)
    ends = [flow.assigned]
    for handler in node.handlers:
        flow.assigned = before
        if handler.type is not None:
            flow.expression(handler.type)
        if handler.name is not None:
            flow.expression(handler.name)
        flow.block(handler.body)
        if handler.name is not None and flow.assigned != _UNREACHABLE:
            flow.assigned &= ~flow.bits.get(handler.name.id, 0)
        ends.append(flow.assigned)
    after = _UNREACHABLE
    for end in ends:
        after &= end
    flow.assigned = before
    flow.block(node.finalbody)
    flow.assigned |= after


def _define(flow: _Flow, node: Any) -> None:
    for decorator in node.decorator_list:
        flow.expression(decorator)
    if flow.by_value and flow.assigned != _UNREACHABLE:  # in its body its name is itself, whatever had the name before
        flow.assigned &= ~flow.bits.get(node.name, 0)
    _lambda(flow, node)
    flow.assign(node.name)


def _import(flow: _Flow, node: Any) -> None:
    for alias in node.names:
        flow.assign(alias.asname or alias.name.partition(".")[0])


def _lambda(flow: _Flow, node: Any) -> None:
    for default in (*node.args.defaults, *node.args.kw_defaults):
        if default is not None:
            flow.expression(default)
    flow.make_function(node.scope)


def _generator(flow: _Flow, node: Any) -> None:
    flow.expression(node.generators[0].iter)
    flow.make_function(node.scope)


def _named(flow: _Flow, node: Any) -> None:
    flow.expression(node.value)
    flow.assign(node.target.id)


def _only_first(flow: _Flow, nodes: Sequence[Any]) -> None:
    """Operands of which only the first is evaluated for certain."""
    flow.expression(nodes[0])
    after = flow.assigned
    for node in nodes[1:]:
        flow.expression(node)
    flow.assigned = after


def _boolean(flow: _Flow, node: Any) -> None:
    _only_first(flow, node.values)


def _compare(flow: _Flow, node: Any) -> None:
    flow.expression(node.left)
    _only_first(flow, node.comparators)


def _conditional(flow: _Flow, node: Any) -> None:
    flow.expression(node.test)
    before = flow.assigned
    flow.expression(node.body)
    after, flow.assigned = flow.assigned, before
    flow.expression(node.orelse)
    flow.assigned &= after


def _dict(flow: _Flow, node: Any) -> None:
    for key, value in zip(node.keys, node.values, strict=True):
        if key is not None:
            flow.expression(key)
        flow.expression(value)


def _comprehension(flow: _Flow, node: Any) -> None:
    flow.expression(node.generators[0].iter)
    before = flow.assigned

    def go() -> None:
        for k, generator in enumerate(node.generators):
            if k:
                flow.expression(generator.iter)
            flow.expression(generator.target)
            for test in generator.ifs:
                flow.expression(test)
        if type(node) is gast.DictComp:
            flow.expression(node.key)
            flow.expression(node.value)
        else:
            flow.expression(node.elt)

    flow.loop(go)
    flow.assigned = before


_STATEMENTS: dict[type[Any], Callable[[_Flow, Any], None]] = {
    gast.Assign: _assign,
    gast.AugAssign: _augmented,
    gast.AnnAssign: _annotated,
    gast.If: _if,
    gast.While: _while,
    gast.For: _for,
    gast.Try: _try,
    gast.FunctionDef: _define,
    gast.Import: _import,
    gast.ImportFrom: _import,
    **dict.fromkeys((gast.Return, gast.Raise, gast.Break, gast.Continue), _leave),
}

_EXPRESSIONS: dict[type[Any], Callable[[_Flow, Any], None]] = {
    gast.Lambda: _lambda,
    gast.GeneratorExp: _generator,
    gast.NamedExpr: _named,
    gast.BoolOp: _boolean,
    gast.Compare: _compare,
    gast.IfExp: _conditional,
    gast.Dict: _dict,
    **dict.fromkeys(COMPREHENSIONS, _comprehension),
}
