"""Generator functions: `yield` as a call of what consumes the items, and as a point where the function is resumed.

```python
def g(n):                →   complete:              stopping:                     resumed (see `resuming`):
    for i in range(n):           for i in range(n):     for i in range(n):            while _jc_going:
        yield i                      (yield i)              if (yield i):                 if _jc_state == 0: …
                                                                return
```
`complete` is for consumers that take every item. In `stopping`, `yield` gives whether the consumer wants no more: then
the function returns, and does what is to be done by a `finally` on the way. Of `resumed`, each run goes on to the next
item; only a function with a `yield` in a `try` has none.

A generator function's node gets the three as its attribute `generator`, and the first as its body. Its other constructs
must have been desugared, exits aside.
"""

from __future__ import annotations

import copy
from typing import Any, Final

import gast

from jitcore.frontend.desugar import exits, resuming
from jitcore.frontend.desugar.nodes import assign, constant, if_, load, located, store
from jitcore.frontend.desugar.resuming import Resumed
from jitcore.frontend.desugar.temporaries import Temporaries
from jitcore.frontend.survey import FUNCTION_NODES, Survey
from jitcore.structs import dataclass

_YIELDS = (gast.Yield, gast.YieldFrom)


@dataclass(frozen=True, slots=True, eq=False)
class Generator:
    """The bodies of a generator function: for all items, for some, and to be resumed. `is_guarded`: whether one of its
    handlers would catch what its consumer raises."""

    complete: list[Any]
    stopping: list[Any]
    resumed: Resumed | None
    is_guarded: bool


ORDER: Final = 50


def is_needed(found: Survey) -> bool:
    """Whether there are generator functions."""
    return any(kind in found for kind in _YIELDS)


def desugar(tree: Any, temporaries: Temporaries) -> Any:
    """The tree, whose generator functions get their bodies, inner ones first."""
    for child in gast.iter_child_nodes(tree):
        desugar(child, temporaries)
    if type(tree) is gast.FunctionDef and any(type(node) in _YIELDS for node in _own(tree)):
        tree.generator = _bodies(tree, temporaries)
        tree.body = tree.generator.complete
    return tree


def _own(function: Any) -> list[Any]:
    """The nodes of a function's body without those of functions in it."""
    found: list[Any] = []
    stack = list(function.body)
    while stack:
        node = stack.pop()
        found.append(node)
        if not isinstance(node, FUNCTION_NODES):
            stack.extend(gast.iter_child_nodes(node))
    return found


def _bodies(function: Any, temporaries: Temporaries) -> Generator:
    body = _block(function.body, _Delegation(temporaries).visit)
    is_guarded = any(_is_guard(node) for node in _own(function))
    stopping = _block(copy.deepcopy(body), _Stopping(temporaries).visit)
    resumed = resuming.resumed(copy.deepcopy(body), temporaries)
    complete = _block(body, _Complete().visit)  # the statements as written: functions in them are built from these
    if resumed is not None:
        resumed.body = _structured(function, resumed.body, temporaries)
    return Generator(
        _structured(function, complete, temporaries),
        _structured(function, stopping, temporaries),
        resumed,
        is_guarded,
    )


def _block(statements: list[Any], visit: Any) -> list[Any]:
    done: list[Any] = []
    for statement in statements:
        made = visit(statement)
        done += made if isinstance(made, list) else [made]
    return done


def _structured(function: Any, body: list[Any], temporaries: Temporaries) -> list[Any]:
    """A body without early exits. What it returns is seen by nobody."""
    whole = located(gast.FunctionDef(function.name, function.args, body, [], None, None), function)
    whole.scope = function.scope
    return exits.desugar(whole, temporaries).body


def _is_guard(node: Any) -> bool:
    """Whether a `try` with handlers has a `yield` in its body."""
    return type(node) is gast.Try and bool(node.handlers) and any(type(inner) in _YIELDS for inner in _own(node))


def yielded(statement: Any) -> Any | None:
    """The `yield` or `yield from` that a statement consists of (perhaps assigning what it gives)."""
    if type(statement) in (gast.Expr, gast.Assign, gast.AnnAssign) and type(statement.value) in _YIELDS:
        return statement.value
    return None


class _OwnStatements(gast.NodeTransformer):
    """Goes through the statements of a function that are its own."""

    def visit_FunctionDef(self, node: Any) -> Any:
        """A function inside: left as it is."""
        return node

    def visit_Lambda(self, node: Any) -> Any:
        """A function inside: left as it is."""
        return node


class _Delegation(_OwnStatements):
    """`yield from it` is `for item in it: yield item`, and gives None."""

    def __init__(self, temporaries: Temporaries) -> None:
        self.temporaries = temporaries

    def _statement(self, node: Any) -> Any:
        found = yielded(node)
        if type(found) is not gast.YieldFrom:
            return node
        name = self.temporaries.fresh("item")
        again = located(gast.Expr(located(gast.Yield(load(name, found)), found)), found)
        loop = located(gast.For(store(name, found), found.value, [again], [], None), node)
        return [loop, *_assigning_none(node)]

    visit_Expr = visit_Assign = visit_AnnAssign = _statement


class _Complete(_OwnStatements):
    """`x = yield v` gives the consumer `v`, and None to `x`."""

    def _statement(self, node: Any) -> Any:
        found = yielded(node)
        if found is None or type(node) is gast.Expr:
            return node
        return [located(gast.Expr(found), node), *_assigning_none(node)]

    visit_Expr = visit_Assign = visit_AnnAssign = _statement


class _Stopping(_OwnStatements):
    """After each `yield` the function returns if the consumer wants no more."""

    def __init__(self, temporaries: Temporaries) -> None:
        self.temporaries = temporaries

    def _statement(self, node: Any) -> Any:
        found = yielded(node)
        if found is None:
            return node
        name = self.temporaries.fresh("enough")
        leave = if_(load(name, node), [located(gast.Return(None), node)], [], node)
        return [assign(name, found, node), leave, *_assigning_none(node)]

    visit_Expr = visit_Assign = visit_AnnAssign = _statement


def _assigning_none(node: Any) -> list[Any]:
    """What is left to be done after the `yield` of a statement."""
    if type(node) is gast.Expr:
        return []
    targets = node.targets if type(node) is gast.Assign else [node.target]
    return [located(gast.Assign(targets, constant(None, node), None), node)]
