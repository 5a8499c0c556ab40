"""`oneflow.nn.Module` and `oneflow.nn.Parameter`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from jitcore.compat.oneflow.placing import placement as Placement
from jitcore.compat.oneflow.placing import sbp as Sbp
from jitcore.compat.oneflow.tensor import Tensor
from jitcore.compat.torch.nn import module
from jitcore.compat.torch.nn.parameter import ParameterBase
from jitcore.compat.torch.tensor import TensorBase


class Parameter(ParameterBase, Tensor):
    """A Tensor that is part of the Module to whose attribute it is assigned, and needs a gradient.

    >>> from jitcore.compat.oneflow.tables.functions import ones
    >>> Parameter(ones(2))
    tensor([1., 1.], dtype=oneflow.float32, requires_grad=True)
    """

    __slots__ = ()

    def __repr__(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        return Tensor.__repr__(self)

    __str__ = __repr__


class Module(module.Module):
    """The base of networks, as OneFlow documents it: subclasses define `forward`.

    >>> from jitcore.compat.oneflow.tables.functions import tensor
    >>> class Double(Module):
    ...     def forward(self, x):
    ...         return x * 2
    >>> Double()(tensor([1.0, 2.0]))
    tensor([2., 4.], dtype=oneflow.float32)
    """

    _framework: ClassVar[str] = "oneflow"
    _tensor_type: ClassVar[type[TensorBase]] = Tensor
    _parameter_type: ClassVar[type[ParameterBase]] = Parameter

    def to_global(
        self, placement: Placement | None = None, sbp: Sbp | Sequence[Sbp] | None = None, **kwargs: object
    ) -> Self:
        """The Module, all of which is in the one process that there is."""
        del placement, sbp, kwargs
        return self

    to_consistent = to_global

    def to_local(self) -> Self:
        """The Module."""
        return self
