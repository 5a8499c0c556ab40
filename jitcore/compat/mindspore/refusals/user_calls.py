"""What MindSpore says to calls of the user's own functions, and of what is no function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Final

from jitcore.compat.mindspore.refusals.naming import abstract, items_of
from jitcore.lookup import attribute_of
from jitcore.nn import CellDict, CellList
from jitcore.passes.infer.domain.callees import Parameters
from jitcore.passes.infer.engine.operands import UNKNOWN, Operand, Operation

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
    if callee.kind in _UNCALLED or isinstance(callee.value, CellList | CellDict):
        return ValueError("The object is not callable. Please check code.")
    if callee.kind == "ndarray":
        return ValueError("ndarrayis not a callable object")
    if callee.kind != "object" or callee.value is UNKNOWN or callable(callee.value):
        return None
    if isinstance(callee.value, ModuleType):
        return None
    name = type(callee.value).__name__
    if attribute_of(type(callee.value), "__ms_class__", False):
        return ValueError(f"MsClassObject: '{name}' has no __call__ function, please check the code.")
    return ValueError(f"{name}is not a callable object")


def answer(
    params: Parameters, args: Sequence[Operand], keywords: Mapping[str, Operand], name: str = ""
) -> BaseException | None:
    """The answer to a call whose arguments are too few, too many or unknown; MindSpore numbers the `name` that it
    shows."""
    name, given, most = name or params.name, len(args), len(params.positional)
    if params.open_arguments:
        largest = given + len(params.optional)
        if largest < most:
            return RuntimeError(
                f"For function:{name}_0, its max argument size: {largest} is less than parameter size: {most} , "
                f"actual argument size from caller: {given}"
            )
    elif not params.open_keywords and not params.optional and not keywords and len(params.names) == most:
        return None if given == most else miscounted(most, given)
    elif given > most:
        return RuntimeError(f"Function:{name}_0 takes {most} positional arguments, but {given} were given.")
    for keyword in keywords:
        if keyword in params.positional[:given]:
            return TypeError(f"Multiply values for specific argument: {keyword}")
        if keyword not in params.names and not params.open_keywords:
            return RuntimeError(f"Got an unexpected keyword argument '{keyword}'")
    required = (*params.positional[given:], *(n for n in params.names if n not in params.positional))
    absent = next((n for n in required if n not in keywords and n not in params.optional), None)
    return None if absent is None else RuntimeError(f"Miss argument input for parameter:{absent}")


def miscounted(count: int, given: int) -> TypeError:
    """The answer to another number of arguments than a function without defaults takes."""
    return TypeError(
        f"The parameters number of the function is {count}, but the number of provided arguments is {given}."
    )


def starred(operation: Operation) -> BaseException | None:
    """The answer to a call with `*x` or `**x`: both spread the items of a sequence, and the entries of a dict."""
    unspread = next((x for x in operation.operands if x.kind not in _SPREAD), None)
    if unspread is not None:
        return RuntimeError(
            f"The arguments of UnpackCall operator should be tuple, list or dict, but got {abstract(unspread)}".rstrip()
        )
    if any(x.dynamic for x in operation.operands):
        return RuntimeError("Can not get size for dynamic length sequence")
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


_NO_CONSTRUCT: Final = "For 'Cell', the method 'construct' is not defined."


def of_no_construct(error: AttributeError) -> AttributeError:
    """What MindSpore's compiler says of a Cell without `construct`."""
    return AttributeError(f"'{_NO_CONSTRUCT}'") if str(error) == _NO_CONSTRUCT else error
