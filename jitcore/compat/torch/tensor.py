"""PyTorch's Tensor: jitcore's, with PyTorch's methods, promotion and text, and gradients by `backward()`; and what
frameworks of its shape have in common."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, Self

import numpy as np

import jitcore
from jitcore.compat.torch import dtypes
from jitcore.compat.torch.arguments import Data
from jitcore.compat.torch.autograd import GradientFunction, RemovableHandle, backward
from jitcore.compat.torch.declaring import METHODS, refusal
from jitcore.compat.torch.promotion import promoted
from jitcore.compat.torch.sizes import Size, device
from jitcore.compat.torch.text import text_of
from jitcore.library import tables
from jitcore.library.array import creation, insertions
from jitcore.library.core import marking, values
from jitcore.library.core.defaults import default_float
from jitcore.library.math import elementwise
from jitcore.primitives.core import evaluation
from jitcore.runtime import autograd
from jitcore.runtime.dialects import dialect
from jitcore.types import DType


@marking.library("tensor")
def constructed(*data: object) -> Any:
    """`torch.Tensor(…)`: of extents, nothing, or data."""
    if len(data) == 1 and values.category(data[0]) is None:
        return creation.array(data[0], default_float())
    if len(data) == 1 and values.category(data[0]) == "tensor":
        return elementwise.astype(data[0], default_float())
    return creation.zeros(tuple(data), default_float())


@marking.library("raw")
def _numel(tensor: jitcore.Tensor) -> Any:
    return values.evaluator().number(insertions.size_of(tensor))


def shape_property(size: type[Size]) -> Any:
    """The property that is a Tensor's extents: line by line of a framework's class of them."""

    @marking.library("raw")
    def shape(tensor: jitcore.Tensor) -> Any:
        """The extents."""
        found = tuple(map(values.evaluator().number, values.shape_of(tensor)))
        return found if evaluation.is_tracing() else size(found)

    return property(shape)


def dtype_property(known: Mapping[DType, dtypes.dtype]) -> Any:
    """The property that is a Tensor's element type, as a framework's object of it."""

    @marking.library("raw")
    def dtype(tensor: jitcore.Tensor) -> Any:
        """The element type."""
        return known[values.dtype_of_value(tensor)]

    return property(dtype)


class TensorBase(jitcore.Tensor):
    """What Tensors of frameworks of PyTorch's shape have, whichever's they are."""

    __slots__ = ()

    def __init__(self, *data: Data) -> None:
        given: Any = data[0] if len(data) == 1 else data
        kind = default_float().numpy
        of_extents = not data or all(isinstance(n, int) for n in data)
        super().__init__(np.zeros(given if data else 0, kind) if of_extents else np.array(given, kind))

    # --- what it is ---------------------------------------------------------------------------------------

    dtype: Any
    shape: Any

    def size(self, dim: int | None = None) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The extents, or one of them."""
        return self.shape if dim is None else self.shape[dim]

    def numel(self) -> int:
        """The number of elements."""
        return _numel(self)

    nelement = numel

    def ndimension(self) -> int:
        """The number of axes."""
        return self.ndim

    def element_size(self) -> int:
        """The bytes of an element."""
        return self.dtype.itemsize

    @property
    def T(self) -> Any:
        """The axes reversed."""
        return tables.ARRAY_PROPERTIES["T"](self)

    @property
    def mT(self) -> Any:
        """The last two axes exchanged."""
        return tables.ARRAY_PROPERTIES["mT"](self)

    # --- gradients ----------------------------------------------------------------------------------------

    @property
    @marking.between
    def requires_grad(self) -> bool:
        """Whether gradients go to it, or through it."""
        return autograd.needs_gradient(self)

    @requires_grad.setter
    def requires_grad(self, required: bool) -> None:
        autograd.set_requires_grad(self, required)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Have it need a gradient, or not; the Tensor."""
        autograd.set_requires_grad(self, requires_grad)
        return self

    @property
    @marking.between
    def is_leaf(self) -> bool:
        """Whether nothing that is recorded made it."""
        return autograd.is_leaf(self)

    @property
    @marking.between
    def grad(self) -> Any:
        """The gradient that has been added up; None if there is none."""
        return autograd.grad_of(self)

    @grad.setter
    def grad(self, grad: jitcore.Tensor | None) -> None:
        autograd.set_grad(self, grad)

    @property
    @marking.between
    def grad_fn(self) -> Any:
        """What made it."""
        edge = autograd.edge_of(self)
        return GradientFunction(edge[0]) if isinstance(edge, tuple) else None

    @marking.between
    def backward(
        self,
        gradient: jitcore.Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: jitcore.Tensor | Sequence[jitcore.Tensor] | None = None,
    ) -> None:
        """Add the gradients of what it came of to their `grad`."""
        backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def register_hook(self, hook_fn: Callable[[Any], Any]) -> Any:
        """Have `hook_fn(gradient)` called when its gradient is complete."""
        return RemovableHandle(autograd.register_hook(self, hook_fn))

    def retain_grad(self) -> None:
        """Keep its gradient though it is no leaf."""
        autograd.retain(self)

    # --- other containers of elements ----------------------------------------------------------------------

    def __bool__(self) -> bool:
        if self._array.size != 1:
            how_many = "no values" if not self._array.size else "more than one value"
            raise RuntimeError(f"Boolean value of Tensor with {how_many} is ambiguous")
        return bool(self._array)

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self), self._array, self._history is not None and self.is_leaf and self.requires_grad)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        made = _rebuilt(type(self), self._array.copy(), self.requires_grad)
        if self.grad is not None:
            made.grad = self.grad.clone()
        memo[id(self)] = made
        return made


@dialect("torch", promotion=promoted, construct=constructed, refused=refusal)
class Tensor(TensorBase):
    """`torch.Tensor`: see PyTorch's documentation of it.

    >>> from jitcore.compat.torch.functions.creation import tensor
    >>> x = tensor([1.0, 2.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([2., 4.])
    """

    __slots__ = ()

    dtype = dtype_property(dtypes.OF)
    shape = shape_property(Size)

    @property
    def device(self) -> Any:
        """Where its memory is."""
        return device("cpu")

    def cuda(self, device: object = None, non_blocking: bool = False) -> NoReturn:
        """There is no such device."""
        del device, non_blocking
        raise AssertionError("Torch not compiled with CUDA enabled")

    def numpy(self, *, force: bool = False) -> Any:
        """An ndarray of the same memory."""
        if not force and autograd.needs_gradient(self):
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        return self._array

    def __repr__(self, *, tensor_contents: object = None) -> str:
        del tensor_contents
        return text_of(self)

    __str__ = __repr__

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the "
                "moment."
            )
        return super().__deepcopy__(memo)


def _rebuilt(cls: type[jitcore.Tensor], array: np.ndarray[Any, Any], requires_grad: bool) -> Any:
    made = jitcore.runtime.tensor.made_of(cls, array)
    if requires_grad:
        autograd.set_requires_grad(made, True)
    return made


def add_methods() -> None:
    """Give Tensors what the function files have declared as methods."""
    for name, method in METHODS.items():
        setattr(TensorBase, name, method)
