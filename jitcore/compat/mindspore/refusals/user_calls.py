"""What MindSpore says to calls of the user's own functions, and of what is no function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from jitcore.passes.infer.dialect import Operand, Parameters

_UNCALLED: Final = (
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
    if not params.optional and given != count:
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
