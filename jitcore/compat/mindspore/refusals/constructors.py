"""What MindSpore says to the arguments that layers and operators are made with:
`For 'Dense', the 'in_channels' must be int, but got 'str'`.

The table `constructors.txt` holds the facts: a class, and below it the checks of its arguments in order,
`check argument [as name]: limits (who)`.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from jitcore import nn
from jitcore.common.parameter import Parameter, ParameterTuple
from jitcore.compat.mindspore.checking import Rel, Validator
from jitcore.compat.mindspore.refusals import layer_arguments, layers, signatures, tables, tensors
from jitcore.nn import Cell
from jitcore.ops.primitives import Primitive
from jitcore.passes.infer.engine.operands import of_object
from jitcore.runtime.tensor import Tensor
from jitcore.structs import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """A check of an argument: which, how the message names it and its class, and its limits."""

    kind: str
    argument: str
    name: str
    limits: str
    who: str | None


@cache
def _table() -> dict[str, list[Check]]:
    table: dict[str, list[Check]] = {}
    checks: list[Check] = []
    for line in tables.lines("constructors"):
        if line.startswith(" "):
            checks.append(_parsed(line.strip()))
        else:
            checks = table[line.strip()] = []
    return table


def _parsed(line: str) -> Check:
    line, _, who = line.removesuffix(")").partition(" (") if line.endswith(")") and " (" in line else (line, "", "")
    rest, _, limits = line.partition(": ")
    kind, _, named = rest.partition(" ")
    argument, _, name = named.partition(" as ")
    return Check(kind, argument, name or argument, limits, None if who == "-" else who)


def check(cls: type, args: Sequence[Any], keywords: Mapping[str, Any]) -> frozenset[str]:
    """Raise what MindSpore does for these arguments of a class; those that it looks at when the object is called."""
    module, name = cls.__module__, cls.__name__
    if not module.startswith("jitcore.") or module.startswith(("jitcore.nn.mint", "jitcore.nn.grouped")):
        return frozenset()
    if issubclass(cls, Parameter | ParameterTuple):
        tensors.check(cls, args)
        return frozenset()
    of_layers = issubclass(cls, Cell)
    checks = _table().get(f"{'nn' if of_layers else 'ops'}.{name}", ())
    listed = not of_layers and signatures.has_options(name)
    if not checks and not listed and not of_layers:
        return frozenset()
    signature = cls.constructor() if issubclass(cls, Primitive) else inspect.signature(cls)
    given = _bound(name if of_layers else None, signature, args, keywords)
    if of_layers and (refused := layer_arguments.refused(name, given, signature)) is not None:
        raise refused
    for one in checks:
        if one.argument in given:
            _run(one, given[one.argument], name if one.who == "" else one.who)
    if listed:
        refused = signatures.refused_options(name, {k: of_object(v) for k, v in given.items()}, given)
        if refused is not None:
            raise refused
    if of_layers:
        layers.check(name, given)
    return signatures.late_options(name) if listed else frozenset()


def check_function(name: str, given: Mapping[str, Any]) -> None:
    """Raise what MindSpore does for these arguments of a function of `nn`."""
    refused = layer_arguments.refused(name, given, inspect.signature(getattr(nn, name)))
    if refused is not None:
        raise refused
    for one in _table()[f"nn.{name}"]:
        if one.argument in given:
            _run(one, given[one.argument], name if one.who == "" else one.who)


def has(operator: str) -> bool:
    """Whether the table has checks of an operator's constructor."""
    return f"ops.{operator}" in _table()


def check_operator(operator: str, given: Mapping[str, Any]) -> None:
    """Raise what MindSpore does for these arguments of an operator's constructor."""
    for one in _table()[f"ops.{operator}"]:
        if one.argument in given:
            _run(one, given[one.argument], operator if one.who == "" else one.who)


def _bound(
    layer: str | None, signature: inspect.Signature, args: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """The arguments by name; none if they do not fit."""
    takes_any = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
    if layer is not None and takes_any and (told := layer_arguments.miscounted(layer, args, keywords)) is not None:
        raise told
    try:
        return dict(signature.bind(*args, **keywords).arguments)
    except TypeError as error:
        told = None if layer is None else layer_arguments.unbound(layer, args, keywords, error)
        if told is not None:
            raise told from None
        return {}


def _limits(one: Check) -> tuple[Any, ...]:
    """The numbers, relations and types that a check has besides."""
    return tuple(_limit(word) for word in one.limits.split())


def _limit(word: str) -> Any:
    if word in Rel.__members__:
        return Rel[word]
    return _TYPES[word] if word in _TYPES else ast.literal_eval(word)


_TYPES: Final[dict[str, type]] = {
    "int": int, "float": float, "bool": bool, "str": str, "tuple": tuple, "list": list, "dict": dict, "Tensor": Tensor,
    "Parameter": Parameter, "Cell": Cell,
}  # fmt: skip


def _run(one: Check, value: Any, who: str | None) -> None:
    if one.kind == "value_type":
        Validator.check_value_type(one.name, value, _limits(one), who)
    elif one.kind in _KINDS:
        _KINDS[one.kind](one, value, who)
    elif one.kind == "string":
        valid = one.limits.split("|")
        if not (isinstance(value, str) and {value, value.lower(), value.upper()} & set(valid)):
            Validator.check_string(value, valid, one.name, who)
    else:
        getattr(Validator, f"check_{one.kind}")(value, *_limits(one), one.name, who)


def _pair(one: Check, value: Any, who: str | None) -> None:
    """One positive int or a tuple of two (of four, too, where the check says so)."""
    Validator.check_value_type(one.name, value, (int, tuple), who)
    lengths = (2, 4) if one.limits == "four" else (2,)
    items = value if isinstance(value, tuple) else (value, value)
    if len(items) in lengths and all(type(i) is int and i > 0 for i in items):
        return
    four = "or four " if one.limits == "four" else ""
    raise ValueError(
        f"For '{who}' attr '{one.name}' must be an positive int number or a tuple of two "
        f"{four}positive int numbers, but got {value}"
    )


def _sizes(one: Check, value: Any, who: str | None) -> None:
    """What ints can be made of."""
    if not isinstance(value, int | tuple | list | Tensor) and value is not None:
        raise ValueError(f"For '{who}', the value of '{one.name}' is invalid: '{value}'.")


def _axes(one: Check, value: Any, who: str | None) -> None:
    """An int, or several, of the types that the check names alone."""
    if type(value) is not int:
        Validator.check_value_type(one.name, value, _limits(one), who)


def _enumerated(one: Check, value: Any, who: str | None) -> None:
    """One of MindSpore's names for a number."""
    if value is not None and not isinstance(value, str | Tensor):
        raise TypeError(f"For '{who}', the input '{one.name}' should be a str, but got {type(value)}.")
    if isinstance(value, str) and value.upper() not in one.limits.upper().split("|"):
        raise ValueError(f"Failed to convert the value \"{value}\" of input '{one.name}' of '{who}' to enum.")


def _instance(one: Check, value: Any, who: str | None) -> None:
    """Of the very type."""
    if not isinstance(value, _limits(one)):
        raise TypeError(
            f"For '{who}', the argument '{one.name}' must be type of {one.limits}, "
            f"but got '{one.name}' type: {type(value)}."
        )


def _upper(one: Check, value: Any, who: str | None) -> None:
    """One of the strings, in capitals."""
    Validator.check_string(value.upper(), one.limits.split("|"), one.name, who)


_KINDS: Final = {
    "axes": _axes,
    "pair": _pair,
    "sizes": _sizes,
    "enum": _enumerated,
    "upper": _upper,
    "instance": _instance,
}
