"""What MindSpore says to attributes and names that are not there: `'List' object has no attribute 'shape'`."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, Final

from jitcore.compat.finder import lacks
from jitcore.compat.mindspore.modules import MINDSPORE
from jitcore.compat.mindspore.refusals import assigning, unsupported
from jitcore.compat.mindspore.refusals.naming import python_name
from jitcore.lookup import attribute_of
from jitcore.nn import Cell
from jitcore.ops.primitives import Primitive
from jitcore.passes.infer.engine.operands import UNKNOWN, Instead, Operand, Operation
from jitcore.runtime.tensor import Tensor

_CLASSES: Final[dict[str, tuple[str, type]]] = {
    "int": ("Int", int), "float": ("Float", float), "bool": ("Bool", bool), "none": ("NoneType", type(None)),
    "str": ("String", str), "tuple": ("Tuple", tuple), "range": ("Tuple", tuple), "list": ("List", list),
    "dict": ("Dictionary", dict),
}  # fmt: skip


def attribute(operation: Operation) -> BaseException | Instead | None:
    """The answer to `x.name`; a module has Python's builtins besides what is its own (`np.float`)."""
    (x,), name = operation.operands, operation.name
    if isinstance(x.value, ModuleType) and _is_missing(x.value, name):
        if hasattr(builtins, name) and not MINDSPORE.is_ours(x.value):
            return Instead(_giving(getattr(builtins, name)))
        return AttributeError(f"Module: 'Namespace:{x.value.__name__}' object has no attribute '{name}'")
    if x.is_parameter:
        return unsupported.of_a_parameter(name)
    if x.kind == "tensor" and (refused := unsupported.of_a_tensor(name)) is not None:
        return refused
    if isinstance(x.value, Cell) and (refused := unsupported.of_a_cell(x.value, name)) is not None:
        return refused
    if _is_function(x):
        known = FunctionType if x.value is UNKNOWN or isinstance(x.value, _FUNCTIONS) else x.value
        return None if hasattr(known, name) else AttributeError(f"'Function' object has no attribute '{name}'")
    if x.kind == "dict" and name == "has_key":
        return Instead(_has_key)
    known = _CLASSES.get(x.kind)
    if known is None or hasattr(known[1], name) or _is_named(x, name):
        return None
    return AttributeError(f"'{known[0]}' object has no attribute '{name}'")


def _has_key(x: dict[object, object]) -> Callable[[object], bool]:
    """A method that dicts had in Python 2."""
    return lambda key: key in x


@functools.cache
def _giving(value: Any) -> Callable[[Any], Any]:
    """The function that gives a value whatever it is called with."""

    def give(module: Any) -> Any:
        return value

    return give


_FUNCTIONS: Final = (functools.partial, Primitive)


def _is_function(x: Operand) -> bool:
    return x.kind == "function" or isinstance(x.value, _FUNCTIONS)


def absent(operation: Operation) -> BaseException | None:
    """The answer to `x.name` where Python found that an object does not have it."""
    (x,), name = operation.operands, operation.name
    if x.kind == "dtype":
        return AttributeError(f"'{python_name(x)}' object has no attribute '{name}'")
    answer = of_a_class(x.value, name) or attribute(operation)
    return answer if isinstance(answer, BaseException) else None


def of_a_class(obj: Any, name: str) -> AttributeError | None:
    """The answer to an attribute that a class, a Cell or an object of a `jit_class` does not have."""
    if not isinstance(obj, type | Cell) and not attribute_of(type(obj), "__ms_class__", False):
        return None
    module = obj.__module__
    if module.partition(".")[0] == "jitcore":
        return None
    return AttributeError(
        f"ClassMember: 'Namespace:{module}..<{type(obj).__name__}::{id(obj)}>' object has no attribute '{name}'"
    )


def _is_missing(module: ModuleType, name: str) -> bool:
    return not hasattr(module, name) or (MINDSPORE.is_ours(module) and lacks(module, name))


def put(operation: Operation) -> BaseException | Instead | None:
    """The answer to `x.name = value`: Tensors forget what they do not have."""
    x, name = operation.operands[0], operation.name
    if x.kind != "tensor":
        return assigning.refused(x, name, operation.operands[1])
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
