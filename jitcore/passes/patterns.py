"""Rewrite rules in the notation of the IR's text form, and matching them.

mul(x, 1) -> x                  a name matches any atom, the same one wherever it stands
abs((y := abs(x))) -> y         an operator matches the output of a binding of it; `:=` names that output
add(x, -0.0) -> x               a literal matches one that is the same bit for bit, Python number or rank-0 array:
                                0 and 1 are integers, 0.0, -0.0 and 1.0 floats, True and False bools
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from jitcore.ir.nodes import Atom, Binding, Literal, Var
from jitcore.source import InternalError
from jitcore.structs import dataclass
from jitcore.types import ScalarType, TensorType, Type

Number: TypeAlias = "bool | int | float"


Definitions: TypeAlias = "Mapping[Var, Binding]"
Matcher: TypeAlias = "Callable[[Atom, Definitions, dict[str, Atom]], bool]"
"""Whether an atom is what a part of a pattern says, given what names were found to be; it may find more."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Where `left` matches a binding, its output is what `right` (a name or a literal) stands for."""

    left: ast.Call
    right: ast.expr
    text: str
    args: tuple[tuple[int, Matcher], ...]
    """What the arguments must be, by their places: what is quickly decided first."""

    def apply(self, binding: Binding, definitions: Definitions) -> Atom | None:
        """The atom that the output of `binding`, of the rule's operator, equals; None if it does not match."""
        found: dict[str, Atom] = {}
        if not _fit(self.args, binding, definitions, found):
            return None
        if isinstance(self.right, ast.Name):
            atom = found[self.right.id]
        else:
            atom = Literal(ast.literal_eval(self.right), binding.outs[0].type)
        return atom if atom.type is binding.outs[0].type else None  # broadcasting would change the shape


def read_rules(text: str) -> dict[str, list[Rule]]:
    """Rules, one a line, by the operator they begin with."""
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    rules: dict[str, list[Rule]] = {}
    pairs = ast.parse(
        "\n".join(f"({line.replace(' -> ', ', ')})" for line in lines)
    ).body  # parsed at once: that is quicker
    for line, pair in zip(lines, pairs, strict=True):
        match pair:
            case ast.Expr(ast.Tuple([ast.Call() as left, right])):
                rules.setdefault(_operator(left), []).append(Rule(left, right, line, _matchers(left)))
            case _:
                raise InternalError(f"not a rule: {line}")
    return rules


def operators_in(rules: Mapping[str, list[Rule]]) -> Iterator[str]:
    """The names of all operators that rules mention."""
    for group in rules.values():
        for rule in group:
            yield from (_operator(node) for node in ast.walk(rule.left) if isinstance(node, ast.Call))


def _operator(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Name)
    return call.func.id


def _matchers(pattern: ast.Call) -> tuple[tuple[int, Matcher], ...]:
    order = sorted(enumerate(pattern.args), key=lambda arg: not isinstance(arg[1], ast.Constant | ast.UnaryOp))
    return tuple((place, _matcher(arg)) for place, arg in order)


def _fit(
    args: tuple[tuple[int, Matcher], ...], binding: Binding, definitions: Definitions, found: dict[str, Atom]
) -> bool:
    if len(binding.args) != len(args) or len(binding.outs) != 1:
        return False
    for place, matches in args:
        if not matches(binding.args[place], definitions, found):
            break
    else:
        return True
    return False


def _matcher(pattern: ast.expr) -> Matcher:
    """Written as a function once, since every rule is tried on every binding of its operator."""
    match pattern:
        case ast.Name(name):
            return lambda atom, definitions, found: (
                (known := found.setdefault(name, atom)) is atom or same_literal(known, atom)
            )
        case ast.NamedExpr(ast.Name(name), inner):
            matches = _matcher(inner)
            return lambda atom, definitions, found: (
                matches(atom, definitions, found) and found.setdefault(name, atom) is atom
            )
        case ast.Call():
            return _operation_matcher(_operator(pattern), _matchers(pattern))
        case _:
            number = ast.literal_eval(pattern)
            return lambda atom, definitions, found: isinstance(atom, Literal) and is_number(atom, number)


def _operation_matcher(operator: str, args: tuple[tuple[int, Matcher], ...]) -> Matcher:
    def matches(atom: Atom, definitions: Definitions, found: dict[str, Atom]) -> bool:
        binding = definitions.get(atom) if isinstance(atom, Var) else None
        return binding is not None and binding.op.name == operator and _fit(args, binding, definitions, found)

    return matches


_KINDS: Final = {bool: "b", int: "iu", float: "f"}


def is_number(atom: Atom, number: Number) -> bool:
    """Whether `atom` is the literal `number`, of that kind (bool, integer, float) and sign of zero."""
    if not isinstance(atom, Literal):
        return False
    kind = _kind(atom.type)
    return bool(kind) and kind in _KINDS[type(number)] and same_number(atom.value, number)


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
