"""Parameter: a Tensor with a name that training changes in place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from jitcore.common.initializer import initializer
from jitcore.library.core.values import evaluator
from jitcore.primitives.core import constructing, dialects
from jitcore.runtime import hooks
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType


def _rank(dtype: DType) -> tuple[bool, bool, int]:
    """By which dtypes are ordered: bools, ints, floats, complex numbers; among these, by their size."""
    return dtype.kind == "c", dtype.is_float, dtype.itemsize


class Parameter(Tensor):
    """A Tensor with a name; it keeps one memory for life: assignments, optimizers and compiled code write into it.

    >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
    >>> w.set_data(Tensor([3.0, 4.0])).asnumpy().tolist()
    [3.0, 4.0]
    """

    __slots__ = ("__dict__", "comm_fusion", "layerwise_parallel", "name", "parallel_optimizer", "requires_grad")
    __jitcore_keeps_memory__: ClassVar[bool] = True
    """`+=` writes to it in any case: see `dialects.Meanings.augments_in_place`."""
    _dtype_of_int: ClassVar[DType | None] = None
    """Of Parameters made of ints; None: a Tensor's."""
    _no_data: ClassVar[tuple[type, ...]] = (str,)
    """Of which classes nothing is that it is given to hold."""

    # what MindSpore keeps of it for servers, caches and devices: of no effect here
    cache_enable: bool = False
    cache_shape: tuple[int, ...] = ()
    is_init: bool = True
    is_param_ps: bool = False
    key: int = -1
    parallel_optimizer_comm_recompute: bool = False
    requires_aggr: bool = True
    sliced: bool = False
    unique: bool = False

    def __init__(
        self,
        default_input: Any,
        name: str | None = None,
        requires_grad: bool = True,
        layerwise_parallel: bool = False,
        parallel_optimizer: bool = True,
    ) -> None:
        constructing.vouched(
            type(self), (default_input, name, requires_grad, layerwise_parallel, parallel_optimizer), {}
        )
        if isinstance(default_input, bool):
            raise ValueError("a Parameter is made of a number or a Tensor, not of a bool")
        super().__init__(default_input, self._dtype_of_int if type(default_input) is int else None)
        if name is not None and not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"a Parameter's name is a string, not {type(name).__name__}")
        for what, flag in (
            ("requires_grad", requires_grad),
            ("layerwise_parallel", layerwise_parallel),
            ("parallel_optimizer", parallel_optimizer),
        ):
            if not isinstance(flag, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"{what} of a Parameter is a bool, not {type(flag).__name__}")
        self.name = name or "Parameter"
        self.requires_grad = requires_grad
        self.layerwise_parallel = layerwise_parallel
        self.parallel_optimizer = parallel_optimizer
        self.comm_fusion = 1

    @property
    def data(self) -> Parameter:
        """The Parameter itself, which is its Tensor. What is assigned to it is written into its memory."""
        return self

    @data.setter
    def data(self, data: Any) -> None:
        self.set_data(Tensor(data, self.dtype))

    @property
    def has_hooks(self) -> bool:
        """Whether `register_hook` added a function that is still there."""
        return hooks.exist() and len(self.hooks()) > 0

    @property
    def inited_param(self) -> Parameter:
        """The Parameter itself: it is initialised when it is made."""
        return self

    @property
    def param_info(self) -> str:
        """The name."""
        return self.name

    def set_data(self, data: Any, slice_shape: bool = False) -> Parameter:
        """Write new elements of the same shape into its memory, converted to its dtype.

        Raises ValueError for another shape, TypeError for floats given to an int Parameter, and for a Tensor of a wider
        dtype (of which any float is wider than any int).
        """
        del slice_shape
        if data is None or isinstance(data, self._no_data):
            raise TypeError(
                "Parameter data must be [`Tensor`, `int`, `float`] or a kind of `Tensor` (like `Tensor`). "
                f"But with type {type(data)}."
            )
        new = data if isinstance(data, Tensor) else Tensor(data)
        if new.shape != self.shape:
            raise ValueError(f"Parameter {self.name!r} has shape {self.shape}; data of shape {new.shape} does not fit")
        wider = new is data and _rank(new.dtype) > _rank(self.dtype)
        fits = not wider and np.can_cast(new.asnumpy().dtype, self.asnumpy().dtype, "same_kind")
        if not fits and not dialects.meanings_of_tensor(self).parameters_take_all_dtypes:
            raise TypeError(f"Parameter {self.name!r} is of {self.dtype}; data of {new.dtype} does not fit")
        evaluator().write(self, new if new.dtype is self.dtype else new.astype(self.dtype))
        return self

    assign_value = set_data

    def clone(self, init: Any = "same") -> Parameter:
        """A new Parameter of the same shape, name and flags; `init` ('same': the same elements) fills it."""
        source = Tensor(self) if init == "same" else initializer(init, self.shape, self.dtype)
        return Parameter(source, self.name, self.requires_grad, self.layerwise_parallel, self.parallel_optimizer)

    def init_data(self, *_: Any, **__: Any) -> Parameter:
        """The Parameter itself: it is initialised when it is made."""
        return self

    def __repr__(self) -> str:
        return (
            f"Parameter (name={self.name}, shape={self.shape}, dtype={self.dtype}, requires_grad={self.requires_grad})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (
            self.asnumpy(),
            self.name,
            self.requires_grad,
            self.layerwise_parallel,
            self.parallel_optimizer,
        )

    def __copy__(self) -> Parameter:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        made = self.clone()
        memo[id(self)] = made
        return made


def _restore(array: Any, *rest: Any) -> Parameter:
    return Parameter(array, *rest)


class ParameterTuple(tuple[Parameter, ...]):
    """A tuple of Parameters. Raises TypeError if something else is among them.

    >>> len(ParameterTuple([Parameter(1.0, name="a"), Parameter(2.0, name="b")]))
    2
    """

    __slots__ = ()

    def __new__(cls, iterable: Iterable[Parameter] = ()) -> ParameterTuple:
        constructing.vouched(cls, (iterable,), {})
        items = tuple(iterable)
        for item in items:
            if not isinstance(item, Parameter):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(
                    "For ParameterTuple initialization, ParameterTuple input should be 'Parameter' "
                    f"collection, but got a {type(iterable)}."
                )
        return super().__new__(cls, items)

    def clone(self, prefix: str, init: Any = "same") -> ParameterTuple:
        """Clones of the Parameters, named with a prefix."""
        made: list[Parameter] = []
        for parameter in self:
            copy = parameter.clone(init)
            copy.name = f"{prefix}.{parameter.name}"
            made.append(copy)
        return ParameterTuple(made)
