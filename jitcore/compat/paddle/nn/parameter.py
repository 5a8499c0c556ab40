"""The Parameters of Layers."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from typing import Any

import numpy as np

import jitcore
from jitcore.compat.paddle import naming
from jitcore.compat.paddle.declaring import METHODS
from jitcore.compat.paddle.tensor import Tensor
from jitcore.library.core import marking
from jitcore.runtime import autograd, nodes
from jitcore.runtime.tensor import Tensor as AnyTensor


class Parameter(jitcore.Parameter, Tensor):
    """A Tensor that is part of the Layer to whose attribute it is assigned, and needs a gradient.

    >>> from jitcore.compat.paddle.functions.creation import to_tensor
    >>> Parameter(to_tensor([1.0, 2.0]))
    Parameter containing:
    Tensor(shape=[2], dtype=float32, place=Place(cpu), stop_gradient=False,
           [1., 2.])
    """

    __slots__ = ()

    optimize_attr: dict[str, float]
    """By what optimizers multiply their rate."""
    regularizer: Any
    """A penalty of its own, instead of the optimizer's."""
    need_clip: bool
    """Whether its gradients are clipped with those of others."""
    do_model_average: bool
    is_bias: bool

    def __init__(self, data: AnyTensor, trainable: bool = True, name: str | None = None) -> None:
        self._array, self._storage = data._array, data.storage
        self._history = self._view = None
        self.name = naming.generate("parameter") if name is None else name
        self.layerwise_parallel = False
        self.parallel_optimizer = True
        self.comm_fusion = 1
        self.optimize_attr = {"learning_rate": 1.0}
        self.regularizer = None
        self.need_clip = True
        self.do_model_average = True
        self.is_bias = False
        self.persistable = True
        if trainable:
            autograd.set_requires_grad(self, True)

    @property
    @marking.between
    def requires_grad(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Whether gradients go to it."""
        return autograd.needs_gradient(self)

    @requires_grad.setter
    @marking.between
    def requires_grad(self, required: bool) -> None:
        autograd.set_requires_grad(self, required)

    @property
    def trainable(self) -> bool:
        """Whether gradients go to it."""
        return autograd.needs_gradient(self)

    @trainable.setter
    def trainable(self, trainable: bool) -> None:
        autograd.set_requires_grad(self, trainable)

    @property
    def data(self) -> Any:
        """A Tensor of the same memory that gradients end at. What is assigned to it is its memory from then on."""
        return nodes.detached(self)

    @data.setter
    def data(self, data: AnyTensor) -> None:
        self._array, self._storage = data._array, None

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self), self._array, self.trainable, self.name, self.__dict__)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        made = _rebuilt(type(self), self._array.copy(), self.trainable, naming.generate(self.name), self.__dict__)
        memo[id(self)] = made
        return made

    def __repr__(self) -> str:
        return "Parameter containing:\n" + Tensor.__repr__(self)

    __str__ = __repr__


def _rebuilt(
    cls: type[Parameter], array: np.ndarray[Any, Any], trainable: bool, name: str, kept: dict[str, Any]
) -> Parameter:
    made = cls(jitcore.Tensor.from_numpy(array), trainable, name)
    made.__dict__.update(kept)
    return made


def add_methods() -> None:
    """Give Parameters the declared methods of Tensors for which `jitcore.Parameter` has something else."""
    for name in METHODS.keys() & vars(jitcore.Parameter).keys():
        setattr(Parameter, name, METHODS[name])
