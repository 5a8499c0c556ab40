"""Tensors of strings, as MindSpore makes of NumPy's arrays of them: they tell their shape and give the array back; what
computes refuses them."""

# pyright: reportPrivateUsage=false
# (a Tensor of strings holds its array where every Tensor does)

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from jitcore.compat.mindspore.api import string
from jitcore.compat.mindspore.refusals import eager_operators, string_operators
from jitcore.compat.mindspore.tensor import Parameter, Tensor


class _OfStrings(Tensor):
    """What Tensors and Parameters of strings have in common."""

    __slots__ = ()

    @property
    def dtype(self) -> Any:
        """`mindspore.string`."""
        return string

    @property
    def T(self) -> Any:
        """The Tensor itself, unless it has axes to reverse."""
        if self.ndim > 1:
            raise string_operators.no_view()
        return self

    @property
    def data(self) -> Any:
        """A Tensor that shares its memory. What is assigned to it is what the Tensor holds from now on."""
        return wrap(self._array)

    @data.setter
    def data(self, data: Any) -> None:
        self._array = data._array

    def set_data(self, data: Any, slice_shape: bool = False) -> Any:
        """Hold the strings of another Tensor from now on."""
        del slice_shape
        self._array = data._array
        return self

    assign_value = set_data

    def value(self) -> Any:
        """The Tensor itself."""
        return self

    contiguous = value

    def __bool__(self) -> bool:
        raise string_operators.no_number()

    def __int__(self) -> int:
        raise string_operators.no_number()

    __float__ = __complex__ = __index__ = __int__  # type: ignore[assignment]

    def item(self, *_: Any) -> Any:
        """Raises TypeError: no string is a number."""
        raise string_operators.no_number()

    tolist = item

    def __iter__(self) -> Iterator[Any]:
        raise string_operators.no_view()

    def __getitem__(self, key: Any) -> Any:
        if key is ...:
            return self
        raise string_operators.no_item(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise string_operators.unput(self, key, value)

    def __contains__(self, item: Any) -> bool:
        return operator.eq(item, self)

    def __hash__(self) -> int:
        return id(self)

    def __pos__(self) -> Any:
        return self

    def __neg__(self) -> Any:
        raise string_operators.unselected("Neg")

    def __invert__(self) -> Any:
        raise string_operators.unselected("LogicalNot")

    def __format__(self, spec: str) -> str:
        if spec:
            raise TypeError(f"unsupported format string passed to {type(self).__name__}.__format__")
        return str(self)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return wrap, (self._array,)

    def __copy__(self) -> Any:
        return wrap(self._array.copy())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        made = memo[id(self)] = wrap(self._array.copy())
        return made


def _give_operators() -> None:
    """Every operator asks what MindSpore says to strings."""
    for op in string_operators.OPERATORS:
        setattr(_OfStrings, eager_operators.method_name(op), _method(op, reflected=False))
        if op not in string_operators.COMPARISONS:
            setattr(_OfStrings, eager_operators.method_name(op, reflected=True), _method(op, reflected=True))


def _method(op: str, *, reflected: bool) -> Callable[[Any, Any], Any]:
    def method(self: Tensor, other: Any) -> Any:
        return string_operators.operated(op, *((other, self) if reflected else (self, other)))

    return method


_give_operators()


class StringTensor(_OfStrings):
    """A Tensor of strings."""

    __slots__ = ()

    def __repr__(self) -> str:
        shown = np.array2string(self._array, separator=", ") if self.ndim else repr(self._array.item())
        return f"Tensor(shape={list(self.shape)}, dtype={self.dtype}, value={chr(10) if self.ndim > 1 else ' '}{shown})"


class StringParameter(_OfStrings, Parameter):
    """A Parameter of strings."""

    __slots__ = ()
    __hash__ = _OfStrings.__hash__


StringTensor.__name__ = Tensor.__name__
StringParameter.__name__ = Parameter.__name__
_HOLDING: Final[dict[type, type]] = {
    Tensor: StringTensor,
    StringTensor: StringTensor,
    Parameter: StringParameter,
    StringParameter: StringParameter,
}
"""The class of what holds strings, by the class of what was to be made of them."""


def wrap(array: Any) -> Any:
    """A Tensor of an array of strings, sharing its memory."""
    made = StringTensor.__new__(StringTensor)
    made._array = array
    made._history = made._storage = made._view = None
    return made


def adopted(tensor: Any, data: Any, dtype: Any) -> Any:
    """The array that a Tensor holds of data that is no array of numbers, as it is of strings then; None for what is
    none of strings either. A dtype converts no strings, and `mindspore.string` nothing."""
    if isinstance(data, Tensor):
        data = data._array if isinstance(data, _OfStrings) and dtype in (None, string) else None
    elif isinstance(data, bytes):
        data = np.array(data)
    if isinstance(data, np.ndarray | np.bytes_) and data.dtype.kind in "US":
        tensor.__class__ = _HOLDING.get(type(tensor), type(tensor))
        return np.array(data)
    return None if data is None or dtype is not string else Tensor(data)._array
