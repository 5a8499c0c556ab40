"""What MindSpore says to calls of Python's own functions:
`For 'make_range', the 0th input should be a int scalar …`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jitcore.compat.mindspore.refusals import dynamic_length, items, iterating_calls, making, names, ranges
from jitcore.compat.mindspore.refusals.naming import class_name, items_of, type_text
from jitcore.passes.infer.engine.operands import UNKNOWN, Instead, Operand, Operation

Answer = Callable[[Sequence[Operand], Mapping[str, Operand]], "BaseException | Instead | None"]


def _len(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    if len(args) > 1:
        return TypeError(
            f"The parameters number of the function is 1, but the number of provided arguments is {len(args)}."
        )
    if not args or keywords:
        return None
    names = {"int": "Int", "float": "Float", "bool": "Bool", "none": "NoneType"}
    (x,) = args
    if x.kind in names:
        return AttributeError(f"'{names[x.kind]}' object has no attribute '__len__'")
    if x.kind == "tensor" and x.shape == ():
        return TypeError("Not support len of a 0-D tensor.")
    if x.kind == "function":
        return items.iterate(x)
    if x.kind == "object":
        return items.without(x, "__len__")
    return None


def _scalar(name: str) -> Answer:
    space = " " if name == "int" else ""

    def check(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
        if len(args) == 1 and (args[0].kind == "function" or any(i.kind == "tensor" for i in args[0].items)):
            given = "Func" if args[0].kind == "function" else type_text(args[0])
            return TypeError(f'Failed calling ScalarCast with "input_x={given}".')
        if len(args) != 1 or args[0].kind != "tensor" or None in args[0].shape:
            return None
        shape = args[0].shape
        if all(n == 1 for n in shape):
            return None
        return ValueError(
            "'Can not convert Tensor with more than one element to Scalar, while the data's shape is"
            f"{space}: ({', '.join(map(str, shape))})'"
        )

    return check


def _bool(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    if len(args) == 1 and args[0].kind == "tensor" and None not in args[0].shape and any(n != 1 for n in args[0].shape):
        return ValueError("'The truth value of an array with more than one element is ambiguous.'")
    return None


def _over(name: str) -> Answer:
    """Of what goes through its only argument, or the second of two."""

    def check(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
        if name in ("max", "min") and not args:
            return TypeError(f"'{name}() requires 1 argument at least.'")
        if name == "enumerate" and len(args) == 1 and list(keywords) == ["start"]:
            args, keywords = [*args, keywords["start"]], {}
        if not args or keywords:
            return None
        x = args[-1]
        if name in ("list", "tuple", "filter", "iter"):
            return items.iterate(x)
        scalar = x.kind in ("int", "float", "bool")
        if name == "sum" and x.kind == "type":
            return items.iterate(x)
        if name == "sum" and scalar and len(args) == 1:
            return TypeError(f"'{type_text(x)} object is not iterable.'")
        if name in ("max", "min") and len(args) == 1:
            if scalar:
                return TypeError("'The object is not iterable.'")
            if (
                x.kind in ("tuple", "list", "range")
                and not items_of(x)
                and all(i.value is not UNKNOWN for i in x.items)
            ):
                return ValueError(f"'{name}() arg is an empty sequence.'")
        if name in ("max", "min") and any(
            a.kind == "tensor" and len(a.shape) > 0 and a.shape != (1,) for a in args[1:]
        ):
            return ValueError("'The truth value of an array with more than one element is ambiguous.'")
        if name == "map" and x.kind in ("int", "float", "bool", "none") and len(args) == 2:
            return RuntimeError(f"Map can only be applied to list, tuple, but got {type_text(x)}.")
        if name == "enumerate" and args[0].kind in ("int", "float", "bool", "none"):
            cls = class_name(args[0])
            return TypeError(
                f"'For 'enumerate', the 'first input' should be tuple or list or tensor, but got <class '{cls}'>.'"
            )
        if name == "enumerate" and len(args) == 2 and x.kind in ("tensor", "bool"):
            return ranges.refused([x], {})
        if name == "enumerate" and len(args) == 2 and x.kind != "int":
            return TypeError(f"'For 'enumerate', the 'start' should be a const int number, but got {_constant(x)}.'")
        return None

    return check


def _constant(x: Operand) -> str:
    """A constant as messages have it."""
    if x.kind in ("tuple", "list"):
        return (
            f"({', '.join(map(_constant, x.items))})"
            if x.kind == "tuple"
            else f"[{', '.join(map(_constant, x.items))}]"
        )
    return "not const" if x.kind == "none" else str(x.value)


def _zip(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    if not args and not keywords:
        return RuntimeError("The zip operator must have at least 1 argument, but the size of arguments is 0.")
    return None


def _isinstance(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    if len(args) != 2:
        return RuntimeError(f"For 'isinstance', the number of input should be 2, but got {len(args)}")
    if args[1].kind in ("int", "str", "float", "list", "none", "bool", "dict"):
        return TypeError("isinstance() arg 2 must be a type or tuple of types.")
    return Instead(_is_tuple) if args[0].kind == "range" else None


def _is_tuple(x: Any, cls: Any) -> bool:
    return isinstance((), cls)


def _getattr(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    if len(args) < 2:
        return None
    if args[1].kind == "str":
        is_plain = len(args) == 2 and isinstance(args[1].value, str)
        found = names.attribute(Operation("attribute", args[1].value, (args[0],))) if is_plain else None
        return found if isinstance(found, BaseException) else None
    return TypeError(f"getattr(): attribute name must be string but got: {type_text(args[1])}")


def _of_none(operator: str) -> Answer:
    def check(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
        if len(args) == 1 and args[0].kind == "none":
            return TypeError(f"For Operator[{operator}], input's type 'None' does not match expected type 'Tensor'.")
        return None

    return check


def _partial(args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    if not args and not keywords:
        return RuntimeError("Args size should be greater than 0")
    if not args or args[0].kind in ("function", "union", "object", "instance"):
        return None
    return TypeError(f"For 'partial', input[0] should be Function, but got {type_text(args[0])}.")


_ANSWERS: Final[dict[Any, Answer]] = {
    range: ranges.refused, len: _len, int: _scalar("int"), float: _scalar("float"), bool: _bool, list: _over("list"),
    tuple: _over("tuple"), sum: _over("sum"), max: _over("max"), min: _over("min"), map: _over("map"),
    filter: _over("filter"), iter: _over("iter"), functools.partial: _partial, enumerate: _over("enumerate"), zip: _zip,
    isinstance: _isinstance, getattr: _getattr, abs: _of_none("Abs"), round: _of_none("Round"),
}  # fmt: skip


def answer(function: Any, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    """The answer to a call of one of Python's functions."""
    if not callable(function):
        return None
    if any(x.dynamic for x in args) and (found := dynamic_length.call(function, args)) is not None:
        return found
    for table in (iterating_calls.ANSWERS, making.ANSWERS, _ANSWERS):
        check = table.get(function)
        found = None if check is None else check(args, keywords)
        if found is not None:
            return found
    return None
