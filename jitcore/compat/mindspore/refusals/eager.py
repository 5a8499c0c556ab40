"""MindSpore's words for calls of its functions line by line, asked once jitcore has raised of one.

ops.add(x)          # TypeError: add() missing 1 required positional argument: 'other'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from jitcore import ops
from jitcore.compat.mindspore.refusals import (
    calls,
    conversions,
    eager_items,
    eager_operators,
    functions,
    operators,
    overloads,
    primitive_calls,
    probed,
    signatures,
    string_operators,
    views,
)
from jitcore.library import tables
from jitcore.library.operators import METHODS
from jitcore.nn import Cell
from jitcore.ops.primitives import Primitive
from jitcore.passes.infer.engine.operands import Operand, of_object


def around(function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]) -> BaseException | None:
    """What is known around calls of a function, method or operator."""
    miscounted = primitive_calls.miscounted(function, len(args), list(keywords))
    if miscounted is not None:
        return miscounted
    given = [eager_operators.operand(a) for a in args]
    if isinstance(function, Primitive):
        return calls.of_operator(function, given, "eager")
    if isinstance(function, Cell):
        return calls.of_layer(function, given, {k: eager_operators.operand(v) for k, v in keywords.items()}, "eager")
    name = calls.callee(function)
    if name is None or not probed.has(name):
        return None
    return probed.refused(name, given, {k: eager_operators.operand(v) for k, v in keywords.items()}, "eager")


def reworded(
    function: Callable[..., Any] | str, args: Sequence[Any], keywords: Mapping[str, Any]
) -> BaseException | None:
    """What MindSpore raises of a call, if it has words of its own for it."""
    if isinstance(function, str):
        return eager_items.put(*args) if function == "[]=" else conversions.refused(function, args[0])
    if (refused := string_operators.refused(function, args, keywords)) is not None:
        return refused
    op = _operators().get(id(function))
    if op == "[]":
        return eager_items.got(*args)
    if op is not None:
        return eager_operators.negated(args[0]) if op == "-x" else eager_operators.unlike(op, args)
    return (
        around(function, args, keywords)
        or _chosen(function, args, keywords)
        or by_rules(function, args, keywords, counted=True)
    )


def by_rules(
    function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any], *, counted: bool = False
) -> BaseException | None:
    """What the rules of graphs say to a call; `counted`: the number of its arguments included."""
    if isinstance(function, Primitive):
        options = {k: of_object(v) for k, v in function.params.items()}
        return _called(function.name, [eager_operators.operand(a) for a in args], options)
    if isinstance(function, Cell):
        return None
    if id(function) in _operators():
        return None
    callee = calls.callee(function) or ""
    if callee.startswith("Tensor."):
        given = [eager_operators.operand(a) for a in args]
        named = {k: eager_operators.operand(v) for k, v in keywords.items()}
        method, operands = calls.of_method(callee[7:], given, keywords)
        if (told := functions.refused_method(callee[7:], operands, named, _unlike)) is not None:
            return _plain(told, args)
        return None if method is None else _unlike(method, operands, {})
    name = calls.function_name(function)
    if name is None:
        return None
    if functions.has(name) and (miscounted := _miscounted(name, len(args), keywords)) is not None:
        return miscounted if counted else None
    given = [eager_operators.operand(a) for a in args]
    named = {k: eager_operators.operand(v) for k, v in keywords.items()}
    if functions.has(name) and functions.checked(name):
        known = set(keywords) <= set(functions.parameters(name))
        return _plain(functions.refused(name, given, named, _unlike), args) if known else None
    if signatures.is_function(name) and signatures.miscalled(name, given, named) is None:
        return _unlike(*signatures.of_function(name, given, named))
    return None


def of_method(name: str, x: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> BaseException | None:
    """What MindSpore raises of a call of a Tensor's method that takes the types of its arguments."""
    given = [eager_operators.operand(a) for a in (x, *args)]
    named = {k: eager_operators.operand(v) for k, v in keywords.items()}
    if name == "transpose" and not named:
        return views.transposed(given[0], given[1:])
    if name == "astype" and args:
        return conversions.of_dtype(args[0])
    if name == "item":
        return conversions.of_several(x.size)
    told = functions.refused_method(name, given, named, _unlike)
    if told is None:
        operator, operands = calls.of_method(name, given, keywords)
        told = None if operator is None else _unlike(operator, operands, {})
    return _plain(told, args)


@cache
def _methods() -> dict[int, str]:
    """The overloaded methods of Tensors that are no functions of `ops` and have one name, by identity."""
    methods = {**tables.ARRAY_METHODS, **METHODS}
    named: dict[int, list[str]] = {}
    for name, function in methods.items():
        named.setdefault(id(function), []).append(name)
    elsewhere = {id(f) for f in vars(ops).values()}
    return {k: n[0] for k, n in named.items() if len(n) == 1 and k not in elsewhere and overloads.has_method(n[0])}


def _chosen(function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]) -> BaseException | None:
    """The answer to a method or function that is chosen by the types of its arguments."""
    given = [eager_operators.operand(a) for a in args]
    named = {k: eager_operators.operand(v) for k, v in keywords.items()}
    method = _methods().get(id(function))
    if method is not None:
        return overloads.refused_eagerly(method, given[1:], named)
    name = calls.overload_name(function)
    return None if name is None else overloads.refused_function(name, given, named, eager=True)


def _plain(found: BaseException | None, args: Sequence[Any]) -> BaseException | None:
    """An exception as Python raises it: without the quotes that MindSpore's compiler puts around its text, and with
    Python's names of classes."""
    text = str(found)
    if isinstance(found, AttributeError):
        return AttributeError(f"'{type(args[0]).__name__}' object{text.partition(' object')[2]}")
    if found is None or len(text) < 2 or not text[0] == text[-1] == "'":
        return found
    return type(found)(text[1:-1])


@cache
def _operators() -> dict[int, str]:
    """The operators that functions stand for, by identity."""
    binary = {**tables.BINARY_OPERATORS, **tables.COMPARISON_OPERATORS}
    return {
        id(tables.TENSOR_GETITEM): "[]",
        id(tables.UNARY_OPERATORS["-"]): "-x",
        **{id(f): op for op, f in binary.items()},
    }


def _unlike(name: str, operands: Sequence[Operand], options: Mapping[str, Operand]) -> BaseException | None:
    """What is said of an operator that a function makes and calls."""
    found = operators.unfit(name, options) or _called(name, operands, options)
    own = _NAMES.get(name)
    return found if found is None or own is None else type(found)(str(found).replace(name, own))


_NAMES: Final = {"MaskedFillScalar": "MaskedFill"}
"""Operators that graphs alone have, and how they are named line by line."""


def _called(name: str, operands: Sequence[Operand], options: Mapping[str, Operand]) -> BaseException | None:
    """What an operator says when it is called: of types, with the whole call, and of dtypes and shapes."""
    return (
        signatures.refused_whole(name, list(operands), dict(options))
        or views.refused(name, operands, options)
        or operators.unlike(name, operands, options)
    )


def _miscounted(name: str, given: int, keywords: Mapping[str, Any]) -> TypeError | None:
    """Python's own words, with the names that MindSpore's parameters have."""
    return primitive_calls.by_parameters(name, functions.declared(name), given, keywords, receiver=False)
