"""Whose variable a name is: the scopes of a function and of the functions in it, as CPython's symbol table has them.

Comprehensions must have had their variables renamed (`desugar.comprehension`): they have no scope here. Generator
expressions have one.
"""

from __future__ import annotations

from collections.abc import Container
from enum import Enum
from typing import Any

import gast


class Place(Enum):
    """Where a name's value is found."""

    LOCAL = "a variable of the function"
    ENCLOSING = "a variable of a function around it, compiled with it"
    CLOSURE = "a free variable of the outermost function"
    GLOBAL = "a global variable or builtin"


class Scope:
    """The names of one function, lambda or generator expression.

    `local`: its own variables, parameters among them. `enclosing`: variables of functions around it that it or a
    function in it uses, with their owners. `cells`: own variables kept in a cell, since a function in it sees them
    change. `unsure`: those of `enclosing` that may have no value when this function is made. `deleted`: targets of
    `del`.
    """

    __slots__ = (
        "cells", "closure", "deleted", "enclosing", "global_", "inner", "local", "node", "nonlocal_",
        "parent", "unsure", "used", "written",
    )  # fmt: skip

    def __deepcopy__(self, memo: Any) -> Scope:
        """Copies of a function's node are of the same function."""
        return self

    def __init__(self, node: Any, parent: Scope | None, closure: Container[str]) -> None:
        self.node = node
        self.parent = parent
        self.closure = closure
        self.inner: list[Scope] = []
        self.local: set[str] = set()
        self.used: set[str] = set()
        self.written: set[str] = set()
        self.global_: set[str] = set()
        self.nonlocal_: set[str] = set()
        self.deleted: set[str] = set()
        self.enclosing: dict[str, Scope] = {}
        self.cells: set[str] = set()
        self.unsure: set[str] = set()

    @property
    def is_generator(self) -> bool:
        """Whether this is a generator expression's."""
        return type(self.node) is gast.GeneratorExp

    def place(self, name: str) -> Place:
        """Where a name used in this scope is found."""
        if name in self.local:
            return Place.LOCAL
        if name in self.enclosing:
            return Place.ENCLOSING
        return Place.CLOSURE if name in self.closure and name not in self.global_ else Place.GLOBAL


def analyse(tree: Any, closure: Container[str]) -> Scope:
    """The scope of a function, with those of the functions in it; each function's node gets its own as `scope`.

    `closure` names the free variables of the function itself.
    """
    root = Scope(tree, None, closure)
    scopes = _collect(tree, root)
    for scope in scopes:
        scope.local = scope.written - scope.global_ - scope.nonlocal_
    for scope in scopes:
        for name in scope.used | scope.nonlocal_:
            if name not in scope.local and name not in scope.global_:
                _find(scope, name)
        for name in scope.written & scope.nonlocal_:
            owner = scope.enclosing.get(name)
            if owner is not None:
                owner.cells.add(name)
    return root


def _find(scope: Scope, name: str) -> None:
    """Note the owner of a name in every scope between its use and there."""
    between = [scope]
    owner = scope.parent
    while owner is not None and name not in owner.local:
        if name in owner.global_:
            return
        between.append(owner)
        owner = owner.parent
    if owner is not None:
        for passed in between:
            passed.enclosing[name] = owner


def _collect(tree: Any, root: Scope) -> list[Scope]:
    """Gather the names of every scope, outer scopes first."""
    tree.scope = root
    scopes = [root]
    stack: list[tuple[Any, Scope]] = _inside(tree, root)
    while stack:
        node, scope = stack.pop()
        kind = type(node)
        if kind is gast.Name:
            _name(node, scope)
        elif kind in (gast.FunctionDef, gast.Lambda, gast.GeneratorExp):
            if kind is gast.FunctionDef:
                scope.written.add(node.name)
            inner = node.scope = Scope(node, scope, scope.closure)
            scope.inner.append(inner)
            scopes.append(inner)
            stack += [(part, scope) for part in _outside(node)]
            stack += _inside(node, inner)
        elif kind is gast.NamedExpr:
            _named(node.target.id, scope)
            stack.append((node.value, scope))
        elif kind is gast.AnnAssign:
            stack += [(part, scope) for part in (node.target, node.value) if part is not None]
        elif kind is gast.ExceptHandler:
            stack += [(child, scope) for child in gast.iter_child_nodes(node)]
            if node.name is not None:  # deleted at the handler's end
                scope.deleted.add(node.name.id)
        elif kind is gast.Global:
            scope.global_.update(node.names)
        elif kind is gast.Nonlocal:
            scope.nonlocal_.update(node.names)
        elif kind in (gast.Import, gast.ImportFrom):
            scope.written.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
        else:
            stack += [(child, scope) for child in gast.iter_child_nodes(node)]
    return scopes


def _name(node: Any, scope: Scope) -> None:
    kind = type(node.ctx)
    if kind is gast.Load:
        scope.used.add(node.id)
        return
    scope.written.add(node.id)
    if kind is gast.Del:
        scope.deleted.add(node.id)


def _named(name: str, scope: Scope) -> None:
    """`name := …` in a generator expression assigns to the function around it."""
    while scope.is_generator and scope.parent is not None:
        scope.nonlocal_.add(name)
        scope.written.add(name)
        scope = scope.parent
    scope.written.add(name)


def _outside(node: Any) -> list[Any]:
    """The parts of a function that are evaluated where it is made."""
    if type(node) is gast.GeneratorExp:
        return [node.generators[0].iter]
    decorators = node.decorator_list if type(node) is gast.FunctionDef else []
    return [*decorators, *node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]


def _inside(node: Any, scope: Scope) -> list[tuple[Any, Scope]]:
    """The parts of a function that are evaluated when it runs. Its parameters are noted."""
    if type(node) is gast.GeneratorExp:
        first = node.generators[0]
        parts = [first.target, *first.ifs, *node.generators[1:], node.elt]
        return [(part, scope) for part in parts]
    scope.written.update(parameter.id for parameter in parameters_of(node.args))
    body = node.body if isinstance(node.body, list) else [node.body]
    return [(part, scope) for part in body]


def parameters_of(args: Any) -> list[Any]:
    """The parameters' nodes, in the order a function's code has them except that `*args` stands before keyword-only
    ones."""
    starred = [args.vararg] if args.vararg is not None else []
    doubly = [args.kwarg] if args.kwarg is not None else []
    return [*args.posonlyargs, *args.args, *starred, *args.kwonlyargs, *doubly]
