"""Python's words for a number of operands that an operator's `__call__` does not take:
`Add.__call__() missing 1 required positional argument: 'other'`.

The table `primitive_calls.txt` has the operands of each, and the functions of `ops` that are operators:
`depend = Depend(value, expr)`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any

from jitcore import ops
from jitcore.compat.mindspore.refusals import signatures, tables
from jitcore.ops.primitives import Primitive
from jitcore.passes.infer.domain.callees import Parameters


@cache
def _table() -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    operators: dict[str, tuple[str, ...]] = {}
    functions: dict[str, str] = {}
    for line in tables.lines("primitive_calls"):
        head, _, rest = line.removesuffix(")").partition("(")
        function, _, operator = head.rpartition(" = ")
        operators[operator] = tuple(signatures.split(rest))
        if function:
            functions[function] = operator
    return operators, functions


@cache
def _functions() -> dict[int, str]:
    """The operators that functions with one name are, by identity."""
    named: dict[int, list[str]] = {}
    for name, function in vars(ops).items():
        named.setdefault(id(function), []).append(name)
    known = _table()[1]
    found = ((id(getattr(ops, n, None)), operator) for n, operator in known.items())
    return {k: operator for k, operator in found if len(named.get(k, ["", ""])) == 1}


def operator_of(function: Callable[..., Any]) -> str | None:
    """The operator that a function is."""
    return _functions().get(id(function))


def miscounted(function: Callable[..., Any], count: int, keywords: Sequence[str]) -> TypeError | None:
    """What Python says to a number of operands."""
    operator = type(function).__name__ if isinstance(function, Primitive) else operator_of(function)
    if operator not in _table()[0]:
        return None
    parameters = _table()[0][operator]
    names = [p.partition("=")[0] for p in parameters]
    optional = [n for n, p in zip(names, parameters, strict=True) if "=" in p]
    if not set(keywords) <= set(names):
        return None
    return by_count(f"{operator}.__call__", names, optional, count, keywords, receiver=True)


def by_parameters(
    name: str, parameters: Parameters, given: int, keywords: Collection[str], *, receiver: bool
) -> TypeError | None:
    """`by_count` of a function with these parameters; None where it takes any others, or one is given that it does not
    have: that may be a name that an earlier MindSpore had."""
    if parameters.open_arguments or parameters.open_keywords or not set(keywords) <= set(parameters.names):
        return None
    return by_count(name, parameters.positional, parameters.optional, given, list(keywords), receiver=receiver)


def by_count(
    name: str,
    positional: Sequence[str],
    optional: Sequence[str],
    given: int,
    keywords: Sequence[str],
    *,
    receiver: bool,
) -> TypeError | None:
    """Python's words for too many or too few arguments by position; `receiver`: with one more, the object that is
    called."""
    if given > len(positional):
        least = sum(n not in optional for n in positional) + receiver
        most, given = len(positional) + receiver, given + receiver
        allowed = f"from {least} to {most}" if least < most else str(most)
        were = "was" if given == 1 else "were"
        plural = "" if allowed == "1" else "s"
        return TypeError(f"{name}() takes {allowed} positional argument{plural} but {given} {were} given")
    absent = [repr(n) for n in positional[given:] if n not in optional and n not in keywords]
    if not absent:
        return None
    listed = " and ".join(absent) if len(absent) < 3 else f"{', '.join(absent[:-1])}, and {absent[-1]}"
    return TypeError(f"{name}() missing {len(absent)} required positional argument{'s' * (len(absent) > 1)}: {listed}")
