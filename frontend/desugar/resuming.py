"""Generator functions as state machines: a loop over blocks of statements, which is left at each `yield`.

```python
while i < n:      →    while _jc_going:
    yield i                if _jc_state == 0:
    i += 1                     if i < n: _jc_state = 1
                               else: _jc_state = 3
                           elif _jc_state == 1:
                               _jc_given, _jc_state, _jc_going = i, 2, False
                           elif _jc_state == 2:
                               i += 1
                               _jc_state = 0
                           else:
                               _jc_state, _jc_going = -1, False
```
Statements without a `yield`, and without an exit from a loop that has one, stay as they are. A loop over an iterable
asks it for one item at a time: `_jc_pair = advance(_jc_source, _jc_at)` gives whether there is another one, and the
item.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from jitcore.frontend.desugar.nodes import assign, constant, if_, load, located
from jitcore.frontend.desugar.temporaries import Temporaries
from jitcore.frontend.survey import FUNCTION_NODES
from jitcore.structs import dataclass

ENDED = -1
"""The state of a generator that has no more to give."""
_LOOPS = (gast.For, gast.While)


@dataclass(slots=True, eq=False)
class Resumed:
    """A body to be run once for each item. `state` and `given`: the variables that hold where it goes on and the
    item."""

    body: list[Any]
    state: str
    given: str


class Advance(gast.expr):  # type: ignore[misc]
    """Whether there is an item in `source` (or, of an iterator, a further one) at a position, and the item."""

    _fields = ("source", "at")


class _GuardedYieldError(Exception):
    """A `yield` stands in a `try`."""


def resumed(body: list[Any], temporaries: Temporaries) -> Resumed | None:
    """The state machine of a generator function's body; None where a `yield` (or `return`) is in a `try`."""
    machine = _Machine(temporaries)
    try:
        machine.block(body)
    except _GuardedYieldError:
        return None
    return Resumed(machine.whole(body[0]), machine.state, machine.given)


class _Machine:
    """The blocks made so far, and the one being written (None where control never gets)."""

    def __init__(self, temporaries: Temporaries) -> None:
        self.temporaries = temporaries
        self.state, self.given, self.going = map(temporaries.fresh, ("state", "given", "going"))
        self.blocks: list[list[Any]] = [[]]
        self.current: list[Any] | None = self.blocks[0]
        self.loops: list[tuple[int, int]] = []
        """For each loop around, the blocks where `continue` and `break` go."""

    def whole(self, place: Any) -> list[Any]:
        """The statements that run until there is an item, or there are no more."""
        self.leave(ENDED, place)
        chain: list[Any] = [assign(self.state, constant(ENDED, place), place), self._stop(place)]
        for number in reversed(range(len(self.blocks))):
            test = located(gast.Compare(load(self.state, place), [gast.Eq()], [constant(number, place)]), place)
            chain = [if_(test, self.blocks[number], chain, place)]
        loop = located(gast.While(load(self.going, place), chain, []), place)
        return [assign(self.going, constant(True, place), place), loop]

    def block(self, statements: Sequence[Any]) -> None:
        """Add statements where the machine has got to."""
        for statement in statements:
            if self.current is None:
                return
            if not _is_split(statement):
                self.current.append(statement)
                if type(statement) is gast.Raise:
                    self.current = None
                continue
            handler = _HANDLERS.get(type(statement))
            if handler is None:
                raise _GuardedYieldError
            handler(self, statement)

    def new(self) -> int:
        """A further block."""
        self.blocks.append([])
        return len(self.blocks) - 1

    def at(self, number: int) -> None:
        """Go on writing in a block."""
        self.current = self.blocks[number]

    def leave(self, number: int, place: Any) -> None:
        """The block being written ends; another one follows."""
        if self.current is not None:
            self.current.append(assign(self.state, constant(number, place), place))
            self.current = None

    def choose(self, test: Any, then: int, orelse: int, place: Any) -> None:
        """The block being written ends; which one follows depends."""
        assert self.current is not None
        to_then, to_orelse = (assign(self.state, constant(number, place), place) for number in (then, orelse))
        self.current.append(if_(test, [to_then], [to_orelse], place))
        self.current = None

    def give(self, node: Any) -> None:
        """`yield v`, `x = yield v`."""
        found, after = node.value, self.new()
        assert self.current is not None
        item = constant(None, node) if found.value is None else found.value
        self.current += [assign(self.given, item, node), self._stop(node)]
        self.leave(after, node)
        self.at(after)
        if type(node) is not gast.Expr:
            targets = node.targets if type(node) is gast.Assign else [node.target]
            self.blocks[after].append(located(gast.Assign(targets, constant(None, node), None), node))

    def _stop(self, place: Any) -> Any:
        return assign(self.going, constant(False, place), place)

    def if_(self, node: Any) -> None:
        """`if`, each of whose branches is blocks of its own."""
        then, orelse, after = self.new(), self.new(), self.new()
        self.choose(node.test, then, orelse, node)
        for number, statements in ((then, node.body), (orelse, node.orelse)):
            self.at(number)
            self.block(statements)
            self.leave(after, node)
        self.at(after)

    def while_(self, node: Any) -> None:
        """`while`: a block tests, and is gone back to."""
        head, body, orelse, after = self.new(), self.new(), self.new(), self.new()
        self.leave(head, node)
        self.at(head)
        self.choose(node.test, body, orelse, node)
        self._loop(node, head, body, orelse, after)

    def for_(self, node: Any) -> None:
        """`for`: a block asks for an item, and is gone back to."""
        source, at, pair = map(self.temporaries.fresh, ("source", "at", "pair"))
        head, body, orelse, after = self.new(), self.new(), self.new(), self.new()
        assert self.current is not None
        self.current += [assign(source, node.iter, node), assign(at, constant(0, node), node)]
        self.leave(head, node)
        self.at(head)
        advance = located(Advance(load(source, node), load(at, node)), node.iter)
        self.blocks[head].append(assign(pair, advance, node))
        self.choose(_item(pair, 0, node), body, orelse, node)
        further = located(gast.BinOp(load(at, node), gast.Add(), constant(1, node)), node)
        taken = located(gast.Assign([node.target], _item(pair, 1, node), None), node.target)
        self.blocks[body] += [assign(at, further, node), taken]
        self._loop(node, head, body, orelse, after)

    def _loop(self, node: Any, head: int, body: int, orelse: int, after: int) -> None:
        self.loops.append((head, after))
        self.at(body)
        self.block(node.body)
        self.leave(head, node)
        self.loops.pop()
        self.at(orelse)
        self.block(node.orelse)
        self.leave(after, node)
        self.at(after)

    def return_(self, node: Any) -> None:
        """`return`: what it gives is evaluated, and seen by nobody."""
        assert self.current is not None
        if node.value is not None and type(node.value) is not gast.Constant:
            self.current.append(located(gast.Expr(node.value), node))
        self.leave(ENDED, node)

    def break_(self, node: Any) -> None:
        """`break` out of a loop made of blocks."""
        self.leave(self.loops[-1][1], node)

    def continue_(self, node: Any) -> None:
        """`continue` of a loop made of blocks."""
        self.leave(self.loops[-1][0], node)


def _item(name: str, index: int, place: Any) -> Any:
    return located(gast.Subscript(load(name, place), constant(index, place), gast.Load()), place)


_HANDLERS = {
    gast.Expr: _Machine.give,
    gast.Assign: _Machine.give,
    gast.AnnAssign: _Machine.give,
    gast.If: _Machine.if_,
    gast.While: _Machine.while_,
    gast.For: _Machine.for_,
    gast.Return: _Machine.return_,
    gast.Break: _Machine.break_,
    gast.Continue: _Machine.continue_,
}


def _is_split(statement: Any) -> bool:
    """Whether a statement holds a `yield`, or an exit from something that does."""
    if isinstance(statement, (gast.Break, gast.Continue)):
        return True
    stack: list[tuple[Any, bool]] = [(statement, False)]
    while stack:
        node, in_loop = stack.pop()
        if isinstance(node, (gast.Yield, gast.Return)):
            return True
        if isinstance(node, (gast.Break, gast.Continue)) and not in_loop:
            return True
        if isinstance(node, FUNCTION_NODES):
            continue
        if isinstance(node, _LOOPS):
            stack += [(child, True) for child in (*node.body, node.iter if isinstance(node, gast.For) else node.test)]
            stack += [(child, in_loop) for child in node.orelse]
        else:
            stack += [(child, in_loop) for child in gast.iter_child_nodes(node)]
    return False
