"""Classes of Tensors that belong to another framework.

    @dialect("torch", promotion=result_dtype)
    class Tensor(jitcore.Tensor):
        __slots__ = ()

        def size(self, dim=None):
            return self.shape if dim is None else self.shape[dim]

Methods and operators in the body mean what they say in eager and in compiled code, where they are compiled as the
program's own functions are; whatever is not in it is jitcore's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from jitcore.library.core import values
from jitcore.primitives.core import array_classes, dialects
from jitcore.primitives.core.dialects import PLAIN, Dialect, Meanings, Promotion, Refused
from jitcore.runtime.methods import class_call, construct
from jitcore.runtime.tensor import Tensor, made_of

_T = TypeVar("_T", bound=type[Tensor])


def dialect(
    name: str,
    *,
    promotion: Promotion | None = None,
    construct: Callable[..., Any] = construct,
    refused: Refused | None = None,
    meanings: Meanings = PLAIN,
    by_line: bool = False,
) -> Callable[[_T], _T]:
    """Mark a subclass of Tensor as another framework's Tensor, of which there is one for each `name`.

    What is computed of its Tensors is of this class. `promotion(op, operands)` is the dtype that an elementwise
    operation computes in, where one of its Tensors is among the operands (dtype, category and rank of each);
    `construct` is the library function that calling the class stands for in compiled code; `refused(error)` is what is
    raised in place of what a library function raises of its Tensors; `meanings` are library functions' of its Tensors;
    `by_line`: what is in its body is for line by line alone, compiled code takes jitcore's. Raises TypeError for a
    class with slots or attributes of its own objects (it needs `__slots__ = ()`), ValueError if there is a dialect of
    this name.

    >>> from jitcore import Tensor
    >>> from jitcore.runtime.dialects import dialect
    >>> @dialect("rows_first")
    ... class Rows(Tensor):
    ...     __slots__ = ()
    ...     def size(self):
    ...         return self.shape[0]
    >>> (Rows([[1.0], [2.0]]) * 3).size()
    2
    """

    def mark(cls: _T) -> _T:
        if cls.__basicsize__ != Tensor.__basicsize__ or cls.__dictoffset__:
            raise TypeError(f"{cls.__qualname__} has slots or attributes of its own: write __slots__ = () in its body")
        own = cls.__mro__[: cls.__mro__.index(Tensor)]
        made = Dialect(name, cls, promotion, () if by_line else own, refused, meanings)
        dialects.register(made)
        cls._dialect = made  # pyright: ignore[reportPrivateUsage]
        values.KNOWN_CATEGORIES[cls] = "tensor"
        array_classes.ARRAY_CLASSES[cls] = array_classes.ArrayClass(
            made.category, class_call(made, construct), partial(made_of, cls)
        )
        return cls

    return mark
