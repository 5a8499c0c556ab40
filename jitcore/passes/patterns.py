"""Rewrite rules in the notation of the IR's text form, and matching them.

mul(x, 1) -> x                  a name matches any atom, the same one wherever it stands
abs((y := abs(x))) -> y         an operator matches the output of a binding of it; `:=` names that output
add(x, -0.0) -> x               a literal matches one that is the same bit for bit, Python number or rank-0 array:
                                0 and 1 are integers, 0.0, -0.0 and 1.0 floats, True and False bools
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from jitcore.ir.nodes import Atom, Binding, Literal, Var
from jitcore.types import ScalarType, TensorType, Type

Number: TypeAlias = "bool | int | float"


@dataclass(frozen=True, slots=True)
class Rule:
    """Where `left` matches a binding, its output is what `right` (a name or a literal) stands for."""

    left: ast.Call
    right: ast.expr
    text: str

    def apply(self, binding: Binding, definitions: Mapping[Var, Binding]) -> Atom | None:
        """The atom that `binding`'s output equals by this rule; None if it does not match."""
        found: dict[str, Atom] = {}
        if not _matches_binding(self.left, binding, definitions, found):
            return None
        if isinstance(self.right, ast.Name):
            atom = found[self.right.id]
        else:
            atom = Literal(ast.literal_eval(self.right), binding.outs[0].type)
        return atom if atom.type is binding.outs[0].type else None  # broadcasting would change the shape


def read_rules(text: str) -> dict[str, list[Rule]]:
    """Rules, one a line, by the operator they begin with."""
    rules: dict[str, list[Rule]] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        left_text, _, right_text = line.partition(" -> ")
        left = ast.parse(left_text, mode="eval").body
        right = ast.parse(right_text, mode="eval").body
        assert isinstance(left, ast.Call), line
        rules.setdefault(_operator(left), []).append(Rule(left, right, line))
    return rules


def operators_in(rules: Mapping[str, list[Rule]]) -> Iterator[str]:
    """The names of all operators that rules mention."""
    for group in rules.values():
        for rule in group:
            yield from (_operator(node) for node in ast.walk(rule.left) if isinstance(node, ast.Call))


def _operator(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Name)
    return call.func.id


def _matches_binding(
    pattern: ast.Call, binding: Binding, definitions: Mapping[Var, Binding], found: dict[str, Atom]
) -> bool:
    return (
        binding.op.name == _operator(pattern)
        and len(binding.args) == len(pattern.args)
        and len(binding.outs) == 1
        and all(_matches(p, a, definitions, found) for p, a in zip(pattern.args, binding.args, strict=True))
    )


def _matches(pattern: ast.expr, atom: Atom, definitions: Mapping[Var, Binding], found: dict[str, Atom]) -> bool:
    match pattern:
        case ast.Name(name):
            known = found.setdefault(name, atom)
            return known is atom or same_literal(known, atom)
        case ast.NamedExpr(ast.Name(name), inner):
            return _matches(inner, atom, definitions, found) and found.setdefault(name, atom) is atom
        case ast.Call():
            binding = definitions.get(atom) if isinstance(atom, Var) else None
            return binding is not None and _matches_binding(pattern, binding, definitions, found)
        case _:
            return isinstance(atom, Literal) and is_number(atom, ast.literal_eval(pattern))


def is_number(atom: Atom, number: Number) -> bool:
    """Whether `atom` is the literal `number`, of that kind (bool, integer, float) and sign of zero."""
    kind = _kind(atom.type) if isinstance(atom, Literal) else ""
    wanted = {bool: "b", int: "iu", float: "f"}[type(number)]
    return bool(kind) and kind in wanted and isinstance(atom, Literal) and same_number(atom.value, number)


def same_number(a: Any, b: Any) -> bool:
    """Whether two Python numbers are the same, signs of zero included."""
    return a == b and math.copysign(1.0, a) == math.copysign(1.0, b)


def same_literal(a: Atom, b: Atom) -> bool:
    """Whether two atoms are literals of one type and value (never for NaN)."""
    if not (isinstance(a, Literal) and isinstance(b, Literal) and a.type is b.type and _kind(a.type) in tuple("biuf")):
        return False
    return same_number(a.value, b.value)


def _kind(type_: Type | None) -> str:
    if isinstance(type_, ScalarType) or (isinstance(type_, TensorType) and not type_.shape):
        return type_.dtype.kind
    return ""
