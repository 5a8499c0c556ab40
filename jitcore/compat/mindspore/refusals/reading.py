"""What MindSpore takes functions to mean where Python means something else: the tree of a function of the user's
becomes one that means that in Python.

    def f(n):
        @twice                          # no decorator of an inner function is looked at
        def g(v): return v + 1
        return g(n), (v for v in (n,))  # a generator expression is a list

An inner function keeps the values of the variables around it that they have where it is made. A name that is declared
global is read from the module, and what is assigned to it stays in the function, unread.
"""

from __future__ import annotations

import builtins
from types import FunctionType
from typing import Any, Final

import gast

from jitcore.frontend.desugar.nodes import located
from jitcore.ir.python import Reading


def rewrite(tree: Any, function: FunctionType) -> Any:
    """A function's tree as MindSpore reads it."""
    return _Rewriter(function).visit(tree)


READING: Final = Reading(rewrite, captures_values=True)
_EMPTY: Final = {"locals": gast.Dict, "vars": gast.Dict, "dir": gast.List}
"""Functions that find no variables."""


class _Rewriter(gast.NodeTransformer):
    def __init__(self, function: FunctionType) -> None:
        self.shadowed = {*function.__globals__, *function.__code__.co_freevars, *function.__code__.co_varnames}
        self.globals = set(function.__globals__)
        self.declared: set[str] = set()
        """The names that are declared global where it stands."""
        self.depth = 0

    def visit_FunctionDef(self, node: Any) -> Any:
        """A function, without its decorators where it is an inner one."""
        if self.depth:
            node.decorator_list = []
        else:
            self._separate(node)
        return self._function(node)

    def _separate(self, node: Any) -> None:
        """A variable of the outermost function that is read before it has a value (`counter = counter + 1`) is the
        module's until then, and another one afterwards."""
        had = {n.id for n in gast.walk(node.args) if isinstance(n, gast.Name)} | _declared(node)
        read: set[str] = set()
        for k, statement in enumerate(node.body):
            is_simple = isinstance(statement, gast.Assign | gast.AugAssign)
            read |= _names(statement.value if is_simple else statement, gast.Load)
            stored = _names(statement, gast.Store)
            if isinstance(statement, gast.AugAssign):
                read |= stored
            for name in stored & read & self.globals - had if is_simple else ():
                if isinstance(statement, gast.AugAssign):
                    node.body[k] = _computed(statement)
                _rename(name, [*node.body[k].targets, *node.body[k + 1 :]])
            had |= stored

    def visit_Lambda(self, node: Any) -> Any:
        """A lambda."""
        return self._function(node)

    def _function(self, node: Any) -> Any:
        before = self.declared
        self.declared = _declared(node)
        self.depth += 1
        node = self.generic_visit(node)
        self.depth -= 1
        self.declared = before
        return node

    def visit_GeneratorExp(self, node: Any) -> Any:
        """`(x for x in xs)` is `[x for x in xs]`."""
        return located(gast.ListComp(*map(self._visited, (node.elt, node.generators))), node)

    def _visited(self, part: Any) -> Any:
        return [self.visit(p) for p in part] if isinstance(part, list) else self.visit(part)

    def visit_Global(self, node: Any) -> Any:
        """Nothing: see `visit_Name`."""
        return located(gast.Pass(), node)

    def visit_Name(self, node: Any) -> Any:
        """A name that is declared global is another one where it is assigned to."""
        if node.id in self.declared and isinstance(node.ctx, gast.Store):
            node.id = _own(node.id)
        return node

    def visit_AnnAssign(self, node: Any) -> Any:
        """`x: T` makes `x` None."""
        if node.value is None and isinstance(node.target, gast.Name):
            nothing = located(gast.Constant(None, None), node)
            return located(gast.Assign([self.visit(node.target)], nothing, None), node)
        return self.generic_visit(node)

    def visit_AugAssign(self, node: Any) -> Any:
        """`g += x`, of what is declared global, computes from the module's."""
        target = node.target
        if not isinstance(target, gast.Name) or target.id not in self.declared:
            return self.generic_visit(node)
        return self.generic_visit(_computed(node))

    def visit_Call(self, node: Any) -> Any:
        """`locals` and the like find no variables; of `eval` the rules are asked as of any function."""
        node = self.generic_visit(node)
        if not isinstance(node.func, gast.Name) or node.func.id in self.shadowed:
            return node
        name = node.func.id
        if name in _EMPTY and not node.args and not node.keywords:
            parts = ([], []) if _EMPTY[name] is gast.Dict else ([], gast.Load())
            return located(_EMPTY[name](*parts), node)
        if name == "eval":
            node.func = located(gast.Constant(builtins.eval, None), node.func)
        return node


def _own(name: str) -> str:
    """The variable of a function in place of the module's."""
    return f"{name}_of_the_function"


def _rename(name: str, parts: list[Any]) -> None:
    for part in parts:
        for node in gast.walk(part):
            if isinstance(node, gast.Name) and node.id == name:
                node.id = _own(name)


def _computed(node: Any) -> Any:
    """`x += y` of a name as `x = x + y`."""
    read = located(gast.Name(node.target.id, gast.Load(), None, None), node.target)
    value = located(gast.BinOp(read, node.op, node.value), node)
    return located(gast.Assign([node.target], value, None), node)


def _names(tree: Any, context: type[Any]) -> set[str]:
    """The names that are read, or assigned to, in a tree."""
    return {n.id for n in gast.walk(tree) if isinstance(n, gast.Name) and isinstance(n.ctx, context)}


def _declared(node: Any) -> set[str]:
    """The names that a function declares global."""
    return {
        name for statement in _own_statements(node) if isinstance(statement, gast.Global) for name in statement.names
    }


def _own_statements(node: Any) -> list[Any]:
    """The statements of a function, without those of functions in it."""
    found: list[Any] = []
    pending = list(node.body) if isinstance(node.body, list) else []
    while pending:
        statement = pending.pop()
        found.append(statement)
        if not isinstance(statement, gast.FunctionDef):
            for name in ("body", "orelse", "finalbody"):
                pending += getattr(statement, name, [])
    return found
