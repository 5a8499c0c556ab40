"""How a segment and the driver hand over: variables, also those that may have no value, and the way control leaves."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from typing import Any, Final

from jitcore.frontend.outlining.nodes import UNSET, constant, name, placed, placed_at_segment
from jitcore.frontend.outlining.uses import FUNCTIONS
from jitcore.structs import dataclass

_EXIT: Final = "_jc_exit"
_OUT: Final = "_jc_out_"

_FELL, _RETURN, _BREAK, _CONTINUE = range(4)
"""How control left a segment: the first item of its result, where there is more than one way."""


@dataclass(frozen=True, slots=True, eq=False)
class Crossing:
    """The end of a segment: a run of statements, the variables `outs` that it hands over, those of them that may be
    `unset` then, and whether control gets to its end (`falls`)."""

    run: Sequence[ast.stmt]
    outs: Sequence[str]
    unset: frozenset[str]
    falls: bool

    def split(self, call: ast.expr) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """The segment's statements, and the driver's around a call of it."""
        first = [ast.Assign(targets=[name(n, ast.Store())], value=name(UNSET)) for n in sorted(self.unset)]
        start = [placed_at_segment(s, self.run[0]) for s in first]
        body, calls = self._with_exits(call) if exits(self.run) else self._without_exits(call)
        return [*start, *body], calls

    def _target(self, out: str) -> ast.expr:
        return name(f"{_OUT}{out}" if out in self.unset else out, ast.Store())

    def _assign_set(self) -> list[ast.stmt]:
        """Assign to the variables that the segment has assigned to, of those that it may not have."""
        made: list[ast.stmt] = []
        for out in self.outs:
            if out in self.unset:
                temporary = f"{_OUT}{out}"
                test = ast.Compare(left=name(temporary), ops=[ast.IsNot()], comparators=[name(UNSET)])
                assign = ast.Assign(targets=[name(out, ast.Store())], value=name(temporary))
                made += [ast.If(test=test, body=[assign], orelse=[]), ast.Delete(targets=[name(temporary, ast.Del())])]
        return made

    def _without_exits(self, call: ast.expr) -> tuple[list[ast.stmt], list[ast.stmt]]:
        if not self.outs:
            return list(self.run), [ast.Expr(value=call)]
        targets = [self._target(out) for out in self.outs]
        values: list[ast.expr] = [name(out) for out in self.outs]
        several = len(values) > 1
        value = ast.Tuple(elts=values, ctx=ast.Load()) if several else values[0]
        target = ast.Tuple(elts=targets, ctx=ast.Store()) if several else targets[0]
        result = placed_at_segment(ast.Return(value=value), self.run[-1])
        return [*self.run, result], [ast.Assign(targets=[target], value=call), *self._assign_set()]

    def _with_exits(self, call: ast.expr) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Where control may leave in several ways, the result begins with which it was."""
        found = exits(self.run)
        encoder = _Exits({id(node) for node in found}, self.outs)
        body: list[ast.stmt] = [encoder.visit(copy.deepcopy(s, encoder.shared(s))) for s in self.run]
        if self.falls:
            body.append(placed_at_segment(ast.Return(value=_coded(_FELL, self.outs)), self.run[-1]))
        kinds = {_kind(node) for node in found}
        calls: list[ast.stmt] = [ast.Assign(targets=[name(_EXIT, ast.Store())], value=call)]
        if _RETURN in kinds:
            calls.append(_if_left(_RETURN, ast.Return(value=_item(1))))
        if self.outs:
            rest = ast.Subscript(value=name(_EXIT), slice=ast.Slice(lower=constant(1)), ctx=ast.Load())
            targets = [self._target(out) for out in self.outs]
            calls.append(ast.Assign(targets=[ast.Tuple(elts=targets, ctx=ast.Store())], value=rest))
            calls += self._assign_set()
        if _BREAK in kinds:
            calls.append(_if_left(_BREAK, ast.Break()))
        if _CONTINUE in kinds:
            calls.append(_if_left(_CONTINUE, ast.Continue()))
        return body, calls


def exits(run: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The places where control leaves a run other than by its end or an exception."""
    found: list[ast.stmt] = []
    stack: list[tuple[ast.AST, bool]] = [(node, False) for node in run]
    while stack:
        node, in_loop = stack.pop()
        if isinstance(node, ast.Return) or (isinstance(node, (ast.Break, ast.Continue)) and not in_loop):
            found.append(node)
        elif isinstance(node, (ast.For, ast.While)):
            stack += [(s, True) for s in node.body]
            stack += [(s, in_loop) for s in node.orelse]
        elif not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.expr)):
            stack += [(child, in_loop) for child in ast.iter_child_nodes(node)]
    return found


def _kind(node: ast.stmt) -> int:
    return _RETURN if isinstance(node, ast.Return) else _BREAK if isinstance(node, ast.Break) else _CONTINUE


class _Exits(ast.NodeTransformer):
    """Turns the ways out of a run into results that say which it was; works on a copy that shares what is not
    changed."""

    def __init__(self, found: set[int], outs: Sequence[str]) -> None:
        self._exits = found
        self._outs = outs
        self._copies: dict[int, ast.AST] = {}

    def shared(self, statement: ast.stmt) -> dict[int, Any]:
        """A memo for `deepcopy` by which expressions are shared with the original, and the ways out known in the
        copy."""
        memo: dict[int, Any] = {}
        for node in ast.walk(statement):
            if isinstance(node, ast.expr):
                memo[id(node)] = node
            elif id(node) in self._exits:
                copied = memo[id(node)] = copy.copy(node)
                self._copies[id(copied)] = copied
        return memo

    def visit(self, node: ast.AST) -> Any:
        if id(node) in self._copies and isinstance(node, ast.stmt):
            if isinstance(node, ast.Return):
                value = node.value if node.value is not None else placed(ast.Constant(value=None, kind=None), node)
                code = placed(constant(_RETURN), node)
                both = ast.copy_location(ast.Tuple(elts=[code, value], ctx=ast.Load()), node)
                return ast.copy_location(ast.Return(value=both), node)
            return placed(ast.Return(value=_coded(_kind(node), self._outs)), node)
        if isinstance(node, (ast.expr, *FUNCTIONS)):
            return node
        return self.generic_visit(node)


def _item(index: int) -> ast.expr:
    return ast.Subscript(value=name(_EXIT), slice=constant(index), ctx=ast.Load())


def _if_left(kind: int, then: ast.stmt) -> ast.stmt:
    test = ast.Compare(left=_item(0), ops=[ast.Eq()], comparators=[constant(kind)])
    return ast.If(test=test, body=[then], orelse=[])


def _coded(kind: int, outs: Sequence[str]) -> ast.expr:
    return ast.Tuple(elts=[constant(kind), *map(name, outs)], ctx=ast.Load())
