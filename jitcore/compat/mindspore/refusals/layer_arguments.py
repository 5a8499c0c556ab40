"""What MindSpore says to arguments of another type that layers, losses, optimizers and learning rates are made with.

The tables hold the facts, written by `tests/compat/refusals/layer_probing.py`. `layer_arguments.txt`: a class or
function of `nn`, whether its arguments are bound to its signature (`bound`), and below it an argument (`(called)`: all
operands of the layer made), the types that it refuses there, and the exception; `{class}`, `{type}` and `{value}` are
those of what is given. `layer_signatures.txt`: the parameters of `__init__` and `construct`, with the names that
Python's messages have for them.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from jitcore.compat.mindspore.refusals import functions, primitive_calls, tables
from jitcore.compat.mindspore.refusals.naming import native_class
from jitcore.passes.infer.domain.callees import Parameters
from jitcore.passes.infer.engine.operands import Operand
from jitcore.runtime.tensor import Tensor
from jitcore.structs import dataclass, field

_KINDS: Final[dict[type, str]] = {
    str: "str", int: "int", float: "float", bool: "bool", type(None): "none", tuple: "tuple", list: "list",
    dict: "dict", Tensor: "tensor",
}  # fmt: skip
_ERRORS: Final = {error.__name__: error for error in (TypeError, ValueError, AttributeError, ZeroDivisionError)}


@dataclass(slots=True)
class _Made:
    """What is said of the arguments of one class: by the argument and its type the exception and its text."""

    bound: bool = False
    called: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """What is said of its operands, by their type."""
    answers: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict[tuple[str, str], tuple[str, str]])


@cache
def _table() -> dict[str, _Made]:
    table: dict[str, _Made] = {}
    made = _Made()
    for line in tables.lines("layer_arguments"):
        if not line.startswith(" "):
            made = table[line.removeprefix("nn.")] = _Made()
        elif line.strip() == "bound":
            made.bound = True
        else:
            argument, kinds, said = line.strip().split(" ", 2)
            error, _, message = said.partition(": ")
            told = dict.fromkeys(kinds.split(","), (error, message))
            if argument == "(called)":
                made.called |= told
            else:
                made.answers |= {(argument, kind): answer for kind, answer in told.items()}
    return table


@cache
def _signatures() -> dict[str, tuple[str, Parameters]]:
    """The functions of layers, `Dense.construct`, with their names in messages and their parameters."""
    found: dict[str, tuple[str, Parameters]] = {}
    for line in tables.lines("layer_signatures"):
        alias, equals, rest = line.partition(" = ")
        name, function = functions.parsed(rest if equals else line)
        found[alias if equals else name] = name, function.parameters
    return found


def unbound(name: str, args: Sequence[Any], keywords: Mapping[str, Any], error: TypeError) -> TypeError | None:
    """The answer to arguments that do not fit a class's signature, of which `error` tells; None where Python itself has
    the word."""
    made = _table().get(name)
    return TypeError(str(error)) if made is not None and made.bound else miscounted(name, args, keywords)


def miscounted(name: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> TypeError | None:
    """Python's answer to arguments that a class's own `__init__` in MindSpore does not take."""
    return _miscounted(f"{name}.__init__", len(args), keywords)


def _miscounted(function: str, given: int, keywords: Mapping[str, Any]) -> TypeError | None:
    if function not in _signatures():
        return None
    name, parameters = _signatures()[function]
    unknown = next((k for k in keywords if k not in parameters.names), None)
    if unknown is not None and not parameters.open_arguments and not parameters.open_keywords:
        return TypeError(f"{name}() got an unexpected keyword argument '{unknown}'")
    return primitive_calls.by_parameters(name, parameters, given, keywords, receiver=True)


def called(name: str, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    """The answer, line by line, to another number of operands than a layer has, and to those of which none is a
    Tensor."""
    if (miscounted := _miscounted(f"{name}.construct", len(args), keywords)) is not None:
        return miscounted
    kinds = {x.kind for x in (*args, *keywords.values())}
    answer = _table()[name].called.get(kinds.pop()) if len(kinds) == 1 and name in _table() else None
    return None if answer is None or not args else _worded(*answer, args[0].value)


def refused(name: str, given: Mapping[str, Any], signature: inspect.Signature) -> BaseException | None:
    """The answer to what a class or function is called with, by its parameters."""
    made = _table().get(name)
    if made is None:
        return None
    for argument, value in given.items():
        kind = _KINDS.get(type(value))
        answer = made.answers.get((argument, kind)) if kind is not None else None
        if answer is not None and not _is_default(signature.parameters.get(argument), value):
            return _worded(*answer, value)
    return None


def _is_default(parameter: inspect.Parameter | None, value: object) -> bool:
    return parameter is not None and (
        parameter.default is value or (type(value) is not Tensor and parameter.default == value)
    )


def _worded(error: str, text: str, value: object) -> BaseException:
    for mark, word in (("{class}", type(value).__name__), ("{type}", native_class(value)), ("{value}", str(value))):
        text = text.replace(mark, word)
    return _ERRORS[error](text)
