"""Functions made in a function: those that its segments may make again, and calls of functions that are compiled."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from typing import Any

from jitcore.frontend.outlining.flow import Flow
from jitcore.frontend.outlining.nodes import COMPILED, call, placed
from jitcore.frontend.outlining.uses import FUNCTIONS, own_nodes, uses_of


def defined_by(node: ast.stmt) -> list[str]:
    """The name of a function that a statement defines."""
    match node:
        case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda()):
            return [name]
        case _:
            return []


def is_only_called(name: str, run: Sequence[ast.stmt]) -> bool:
    """Whether nothing is done with a function in a run but calling it."""
    called = {id(n.func) for s in run for n in ast.walk(s) if isinstance(n, ast.Call)}
    return all(id(n) in called for s in run for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == name)


def local_functions(flow: Flow, node: ast.FunctionDef) -> dict[str, ast.stmt]:
    """Functions made in a function that may be made again wherever they are used: nothing tells them from the first."""
    count: dict[str, int] = {}
    for n in own_nodes(node.body):
        names = uses_of([n]).written if isinstance(n, (*FUNCTIONS, ast.alias, ast.ExceptHandler)) else set[str]()
        names = {n.id} if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load) else names
        for name in names:
            count[name] = count.get(name, 0) + 1
    found: dict[str, ast.stmt] = {}
    for statement in own_nodes(node.body):
        if not isinstance(statement, (ast.FunctionDef, ast.Assign)):
            continue
        for name in defined_by(statement):
            made: Any = statement if isinstance(statement, ast.FunctionDef) else statement.value
            defaults = [*made.args.defaults, *(d for d in made.args.kw_defaults if d is not None)]
            plain = not getattr(made, "decorator_list", ()) and all(isinstance(d, ast.Constant) for d in defaults)
            if plain and count.get(name) == 1 and name in flow.bits and not uses_of([statement]).rebound:
                found[name] = statement
    return found


class CompiledCalls(ast.NodeTransformer):
    """Has functions that are called in a statement compiled where they can be; what it changes, it copies."""

    def __init__(self, calls: set[int]) -> None:
        self._calls = calls

    def visit(self, node: ast.AST) -> Any:
        if not any(id(n) in self._calls for n in ast.walk(node)):
            return node
        made: Any = copy.copy(node)
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                setattr(made, name, [self.visit(v) if isinstance(v, ast.AST) else v for v in value])
            elif isinstance(value, ast.AST):
                setattr(made, name, self.visit(value))
        if id(node) in self._calls:
            made.func = placed(call(COMPILED, []), made.func, [made.func])
        return made
