"""`torch.nn.Parameter`."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from typing import Any

import numpy as np

import jitcore
from jitcore.compat.torch.declaring import METHODS, as_torch
from jitcore.compat.torch.tensor import Tensor, TensorBase
from jitcore.nn import state
from jitcore.runtime import autograd, nodes


class ParameterBase(jitcore.Parameter, TensorBase):
    """What Parameters of frameworks of PyTorch's shape have, whichever's they are."""

    __slots__ = ()

    def __init__(self, data: jitcore.Tensor | None = None, requires_grad: bool = True) -> None:
        source = jitcore.Tensor.from_numpy(np.zeros(0, np.float32)) if data is None else data
        self._array, self._storage = source._array, source.storage
        self._history = self._view = None
        self.name = "Parameter"
        self.layerwise_parallel = False
        self.parallel_optimizer = True
        self.comm_fusion = 1
        if requires_grad:
            autograd.set_requires_grad(self, True)

    @property
    def requires_grad(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Whether gradients go to it."""
        return autograd.needs_gradient(self)

    @requires_grad.setter
    def requires_grad(self, required: bool) -> None:
        autograd.set_requires_grad(self, required)

    @property
    def data(self) -> Any:
        """A Tensor of the same memory that gradients end at. What is assigned to it is its memory from then on."""
        return nodes.detached(self)

    @data.setter
    def data(self, data: jitcore.Tensor) -> None:
        self._array, self._storage = data._array, None

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self), self._array, self.requires_grad)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        made = _rebuilt(type(self), self._array.copy(), self.requires_grad)
        memo[id(self)] = made
        grad = autograd.grad_of(self)
        if grad is not None:
            autograd.set_grad(made, nodes.detached(grad))
        return made


class Parameter(ParameterBase, Tensor):
    """A Tensor that is part of the Module to whose attribute it is assigned, and needs a gradient.

    >>> from jitcore.compat.torch.functions.creation import ones
    >>> Parameter(ones(2))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    __slots__ = ()

    def __repr__(self, *, tensor_contents: object = None) -> str:
        return "Parameter containing:\n" + Tensor.__repr__(self, tensor_contents=tensor_contents)

    __str__ = __repr__


class Buffer(state.Buffer):
    """A Tensor that becomes a buffer of the Module to whose attribute it is assigned."""

    __slots__ = ()

    def plain(self) -> Any:
        """The Tensor that the attribute holds then."""
        return as_torch(super().plain())


def add_methods() -> None:
    """Give Parameters the declared methods of Tensors for which `jitcore.Parameter` has something else."""
    for name in METHODS.keys() & vars(jitcore.Parameter).keys():
        setattr(ParameterBase, name, METHODS[name])


def _rebuilt(cls: type[ParameterBase], array: np.ndarray[Any, Any], requires_grad: bool) -> Any:
    return cls(jitcore.Tensor.from_numpy(array), requires_grad)
