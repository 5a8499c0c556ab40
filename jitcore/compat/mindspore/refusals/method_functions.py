"""The methods of Tensors that MindSpore's graphs have as Python functions: their parameters, and the functions of `ops`
that they call.

The table `method_functions.txt` holds the facts (`tests/compat/refusals/graph_forms.py` writes it):
`softmax = softmax(input, axis, dtype=None): ops.softmax(input, axis, dtype=dtype)`.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping, Sequence
from functools import cache

from jitcore.compat.mindspore.refusals import functions, signatures, tables, user_calls
from jitcore.passes.infer.engine.operands import Operand, of_object
from jitcore.runtime.tensor import Tensor
from jitcore.structs import dataclass


@dataclass(frozen=True, slots=True)
class _Method:
    """A method's function, its name, and what it calls: a function of `ops`, with the function's parameters and
    literals by position and by name."""

    name: str
    function: functions.Function
    callee: str = ""
    positional: tuple[str, ...] = ()
    named: tuple[tuple[str, str], ...] = ()


@cache
def _table() -> dict[str, _Method]:
    return dict(_parsed(line) for line in tables.lines("method_functions"))


def _parsed(line: str) -> tuple[str, _Method]:
    method, _, rest = line.partition(" = ")
    declared, _, call = rest.partition(": ops.")
    name, function = functions.parsed(declared)
    callee, _, arguments = call.removesuffix(")").partition("(")
    parts = signatures.split(arguments)
    named = tuple((k, v) for k, _, v in (p.partition("=") for p in parts if "=" in p))
    return method, _Method(name, function, callee, tuple(p for p in parts if "=" not in p), named)


def miscalled(name: str, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    """What MindSpore says to a call with too few, too many or unknown arguments, the Tensor among them; not of names
    that a parameter has in another version."""
    method = _table().get(name)
    if method is None or any(k not in method.function.parameters.names and k in _own(name) for k in keywords):
        return None
    return user_calls.answer(method.function.parameters, args, keywords, method.name)


@cache
def _own(name: str) -> tuple[str, ...]:
    """The parameters of jitcore's method."""
    method = getattr(Tensor, name, None)
    return (
        tuple(inspect.signature(getattr(method, "__jitcore_method__", method)).parameters) if callable(method) else ()
    )


def called(
    name: str, args: Sequence[Operand], keywords: Mapping[str, Operand]
) -> tuple[str, list[Operand], dict[str, Operand]] | None:
    """The function of `ops` that a method calls, and its arguments."""
    method = _table().get(name)
    if method is None or not method.callee:
        return None
    names = method.function.parameters.positional
    given = {**method.function.defaults, **dict(zip(names, args, strict=False)), **keywords}
    if len(args) > len(names) or not set(method.function.parameters.names) <= set(given):
        return None

    def value(text: str) -> Operand:
        return given[text] if text in given else of_object(ast.literal_eval(text))

    return method.callee, [value(t) for t in method.positional], {k: value(t) for k, t in method.named}
