"""Where MindSpore's operators are declared: one decorated function is `ops.name`, the class `ops.Name` and `Tensor.name`.

    @operator("addcmul Addcmul .addcmul")
    def addcmul(input, tensor1, tensor2, value=1): …

A name with a capital is a class, whose constructor takes the function's keyword-only parameters; a name after a dot is a method of
Tensors; any other is a function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from jitcore.primitives.library import Policy, library

_F = TypeVar("_F", bound=Callable[..., Any])

FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {}
CLASSES: Final[dict[str, Callable[..., Any]]] = {}
METHODS: Final[dict[str, Callable[..., Any]]] = {}
PROPERTIES: Final[dict[str, Callable[..., Any]]] = {}


def operator(names: str, policy: Policy = "tensor") -> Callable[[_F], _F]:
    """Declare an operator under the given names. The function itself stays as it is, for others to call."""

    def declare(function: _F) -> _F:
        marked = library(policy)(_unmarked(function) if policy == "raw" else function)
        for name in names.split():
            if name.startswith("."):
                _add(METHODS, name[1:], marked)
            else:
                _add(CLASSES if name[0].isupper() else FUNCTIONS, name, marked)
        return function

    return declare


def prop(name: str) -> Callable[[_F], _F]:
    """Declare an attribute of Tensors."""

    def declare(function: _F) -> _F:
        _add(PROPERTIES, name, library("tensor")(function))
        return function

    return declare


def _unmarked(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of its own with the same signature: marking it leaves the given one unmarked."""
    from functools import wraps

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        return function(*args, **keywords)

    return call


def _add(table: dict[str, Callable[..., Any]], name: str, function: Callable[..., Any]) -> None:
    if name in table:
        raise ValueError(f"the operator {name!r} is declared twice")
    table[name] = function
