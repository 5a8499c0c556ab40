"""MindSpore's Tensor and Parameter: jitcore's, with what MindSpore means by their operators and methods."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

import numpy as np

import jitcore
from jitcore.primitives.core import constructing, dialects
from jitcore.primitives.core.dialects import Dialect, Meanings
from jitcore.runtime.dialects import dialect
from jitcore.runtime.tensor import made_of
from jitcore.types import DType, dtype_of, i32, i64

CATEGORY: Final = "tensor:mindspore"
_MEANINGS: Final = Meanings(
    place_dtype=i64,
    least_place_dtype=i32,
    sum_of_ints=i64,
    least_running_sum=i32,
    means_of_ints_are_ints=True,
    powers_of_ints_are_ints=True,
    squeezes_what_it_can=True,
    transposes_all_ranks=True,
    whole_has_no_axes=True,
    wraps_ints=True,
    converts_no_others=True,
    augments_in_place=False,
    parameters_take_all_dtypes=True,
    gradients_see_writes=False,
)


@dialect("mindspore", meanings=_MEANINGS, by_line=True)
class Tensor(jitcore.Tensor):
    """`mindspore.Tensor`: see MindSpore's documentation of it.

    >>> x = Tensor([1, 2, 3])
    >>> x.mean()
    Tensor(shape=[], dtype=Int64, value= 2)
    """

    __slots__ = ()
    __jitcore_meant__: ClassVar[type] = jitcore.Tensor

    @staticmethod
    def from_numpy(array: np.ndarray[Any, Any]) -> Tensor:
        """As `jitcore.Tensor.from_numpy`."""
        if not isinstance(array, np.ndarray):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("Expected a NumPy array.")
        made: Any = made_of(Tensor, array)
        try:
            dtype_of(array.dtype)
        except TypeError as error:
            if constructing.adopted(made, array, None) is None:
                raise constructing.worded(Tensor, error, array=array) from None
        return made


MINDSPORE: Final[Dialect] = dialects.known[CATEGORY]


class Parameter(jitcore.Parameter, Tensor):
    """`mindspore.Parameter`: see MindSpore's documentation of it.

    >>> Parameter(2, name="a")
    Parameter (name=a, shape=(), dtype=Int32, requires_grad=True)
    """

    __slots__ = ()
    __jitcore_meant__: ClassVar[type] = jitcore.Parameter
    _dtype_of_int: ClassVar[DType | None] = i32
    _no_data: ClassVar[tuple[type, ...]] = (str, list, tuple, np.ndarray)

    def clone(self, init: object = "same") -> Parameter:
        """As `jitcore.Parameter.clone`."""
        return of_framework(super().clone(init))

    def __reduce__(self) -> tuple[Any, ...]:
        function, args = super().__reduce__()
        return _restored, (function, args)


def _restored(function: Callable[..., object], args: Sequence[object]) -> Parameter:
    return of_framework(function(*args))


def of_framework(value: object) -> Any:
    """A Tensor or Parameter of jitcore's that nobody else has yet, as MindSpore's; anything else as it is."""
    if type(value) is jitcore.Tensor:
        value.__class__ = Tensor
    elif type(value) is jitcore.Parameter:
        value.__class__ = Parameter
    return value
