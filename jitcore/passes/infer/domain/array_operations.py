"""What Python's operators, attributes and items do to arrays: declared for the models of Python's types, which know no
array, and modelled by those of arrays, which know the library."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.modelled import modelled
from jitcore.passes.infer.domain.values import Array, Value
from jitcore.types import DType

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.state import State


@modelled
def binary(infer: State, op: str, x: Value, y: Value) -> Value:
    """`x op y` with an array among them."""
    raise NotImplementedError


@modelled
def inplace(infer: State, op: str, target: Array, operand: Value) -> Value:
    """`target op= operand`: writes into the target's memory."""
    raise NotImplementedError


@modelled
def unary(infer: State, op: str, x: Array) -> Value:
    """`op x`."""
    raise NotImplementedError


@modelled
def compare(infer: State, op: str, x: Value, y: Value) -> Value:
    """`x op y` for an elementwise comparison."""
    raise NotImplementedError


@modelled
def divmod_(infer: State, x: Value, y: Value) -> Value:
    """`divmod(x, y)` with an array among them."""
    raise NotImplementedError


@modelled
def truth(infer: State, x: Array) -> Value:
    """`bool(x)`: of arrays with one element."""
    raise NotImplementedError


@modelled
def item(infer: State, x: Array, dtype: DType | None = None, *, real: bool = True) -> Value:
    """The only element of an array as a Python number, as `int(x)` and `float(x)` take it (converted to `dtype`
    before); of complex arrays the real part, unless `real` is false."""
    raise NotImplementedError


@modelled
def contains(infer: State, x: Array, wanted: Value) -> Value:
    """`wanted in x`, a bool."""
    raise NotImplementedError


@modelled
def class_of(x: Array) -> type:
    """`type(x)`."""
    raise NotImplementedError


@modelled
def attribute(infer: State, x: Array, name: str) -> Value:
    """`x.name`."""
    raise NotImplementedError


@modelled
def set_attribute(infer: State, x: Array, name: str, value: Value) -> bool:
    """`x.name = value`, if it only changes elements."""
    raise NotImplementedError


@modelled
def getitem(infer: State, x: Array, key: Value) -> Value:
    """`x[key]`."""
    raise NotImplementedError


@modelled
def setitem(infer: State, x: Array, key: Value, value: Value) -> None:
    """`x[key] = value`."""
    raise NotImplementedError


@modelled
def call_or_refuse(
    infer: State,
    name: str,
    plain: Callable[..., Any],
    function: Callable[..., Any],
    args: Sequence[Value],
    keywords: Mapping[str, Value],
    sized: bool = True,
) -> Value:
    """Call the library function that stands for `plain`. Without `sized` no number among the arguments is an extent or
    a count."""
    raise NotImplementedError


@modelled
def call_library(
    infer: State, obj: object, replaced: object, args: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """Call a library function, or the one that `obj`, a function of NumPy, is `replaced` by."""
    raise NotImplementedError


@modelled
def of_constants(infer: State, obj: object, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value | None:
    """What `obj`, a function of NumPy, gives, computed now, if it depends on its arguments alone and all of them are
    known. None if it has to be called while running."""
    raise NotImplementedError


@modelled
def call_method(infer: State, name: str, *values: Value, **keywords: Value) -> Value:
    """The method of arrays that a builtin stands for, of the first of the values."""
    raise NotImplementedError
