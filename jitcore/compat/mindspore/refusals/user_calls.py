"""What MindSpore says to calls of the user's own functions, and of what is no function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from jitcore.compat.mindspore.refusals.naming import abstract, items_of
from jitcore.passes.infer.dialect import Operand, Operation, Parameters

_SPREAD: Final = ("tuple", "list", "dict", "range", "object", "union", "instance")
_UNCALLED: Final = (
    "dtype",
    "none",
    "int",
    "float",
    "bool",
    "str",
    "tuple",
    "range",
    "list",
    "dict",
    "tensor",
    "ellipsis",
    "slice",
)


def uncalled(callee: Operand) -> BaseException | None:
    """The answer to a call of what is no function."""
    return ValueError("The object is not callable. Please check code.") if callee.kind in _UNCALLED else None


def answer(
    params: Parameters, args: Sequence[Operand], keywords: Mapping[str, Operand], name: str = ""
) -> BaseException | None:
    """The answer to a call whose arguments are too few, too many or unknown; MindSpore numbers the `name` that it shows."""
    unknown = next((k for k in keywords if k not in params.names), None)
    if unknown is not None and not params.open_keywords:
        return RuntimeError(f"Got an unexpected keyword argument '{unknown}'")
    twice = next((n for n in params.positional[: len(args)] if n in keywords), None)
    if twice is not None:
        return TypeError(f"Multiply values for specific argument: {twice}")
    if params.open_arguments or params.open_keywords:
        return None
    given, count = len(args) + len(keywords), len(params.names)
    plainly = not params.optional and not keywords and len(params.positional) == count
    if plainly and given != count:
        return TypeError(
            f"The parameters number of the function is {count}, but the number of provided arguments is {given}."
        )
    if name and len(args) > len(params.positional):
        return RuntimeError(
            f"Function:{name}_0 takes {len(params.positional)} positional arguments, but {len(args)} were given."
        )
    absent = next((n for n in params.names[len(args) :] if n not in keywords and n not in params.optional), None)
    if absent is not None:
        return RuntimeError(f"Miss argument input for parameter:{absent}")
    return None


def starred(operation: Operation) -> BaseException | None:
    """The answer to a call with `*x` or `**x`: both spread the items of a sequence, and the entries of a dict."""
    unspread = next((x for x in operation.operands if x.kind not in _SPREAD), None)
    if unspread is not None:
        return RuntimeError(
            f"The arguments of UnpackCall operator should be tuple, list or dict, but got {abstract(unspread)}".rstrip()
        )
    if operation.name is None or any(x.kind not in ("tuple", "list", "dict", "range") for x in operation.operands):
        return None
    args = [x for k, x in operation.keywords.items() if k.isdigit()]
    keywords = {k: x for k, x in operation.keywords.items() if not k.isdigit()}
    for x in operation.operands:
        if x.kind != "dict":
            args += items_of(x)
        elif all(isinstance(k, str) for k in x.keys):
            keywords.update(zip(x.keys, x.items, strict=True))
    return answer(operation.name, args, keywords)
