"""What MindSpore says to attributes and names that are not there: `'List' object has no attribute 'shape'`."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from jitcore.compat.mindspore import finder
from jitcore.passes.infer.dialect import Instead, Operand, Operation
from jitcore.runtime.tensor import Tensor

_CLASSES: Final[dict[str, tuple[str, type]]] = {
    "int": ("Int", int), "float": ("Float", float), "bool": ("Bool", bool), "none": ("NoneType", type(None)),
    "str": ("String", str), "tuple": ("Tuple", tuple), "range": ("Tuple", tuple), "list": ("List", list),
    "dict": ("Dictionary", dict),
}  # fmt: skip


def attribute(operation: Operation) -> BaseException | None:
    """The answer to `x.name`."""
    (x,), name = operation.operands, operation.name
    if isinstance(x.value, ModuleType) and _is_missing(x.value, name):
        return AttributeError(f"Module: 'Namespace:{x.value.__name__}' object has no attribute '{name}'")
    known = _CLASSES.get(x.kind)
    if known is None or hasattr(known[1], name) or _is_named(x, name):
        return None
    return AttributeError(f"'{known[0]}' object has no attribute '{name}'")


def _is_missing(module: ModuleType, name: str) -> bool:
    return not hasattr(module, name) or (finder.is_ours(module) and finder.lacks(module, name))


def put(operation: Operation) -> BaseException | Instead | None:
    """The answer to `x.name = value`: Tensors forget what they do not have."""
    x, name = operation.operands[0], operation.name
    if x.kind != "tensor":
        return None
    if name == "shape":
        return TypeError("Expected a Python list.")
    return None if hasattr(Tensor, name) else Instead(forgotten)


def forgotten(x: Any, *values: Any) -> None:
    """Nothing comes of it."""


def _is_named(x: Operand, name: str) -> bool:
    """Whether a tuple has a field of a name, or a number is one of NumPy's."""
    return hasattr(x.value, name)


def missing(operation: Operation) -> BaseException:
    """The answer to a name that is defined nowhere."""
    return NameError(f"The name '{operation.name}' is not defined, or not supported in graph mode.")
