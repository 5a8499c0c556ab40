"""Fluid's Variables: with elements, Tensors of Paddle's with fluid's text and gradients; static ones with its text."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np

from jitcore.compat.paddle import autograd as ways
from jitcore.compat.paddle import naming
from jitcore.compat.paddle.fluid import visiting
from jitcore.compat.paddle.fluid.text import dynamic_text, static_text
from jitcore.compat.paddle.fluid.types import OF, dtype_named
from jitcore.compat.paddle.nn.parameter import Parameter as LayerParameter
from jitcore.compat.paddle.promotion import promoted
from jitcore.compat.paddle.static import variables
from jitcore.compat.paddle.static.recording import record
from jitcore.compat.paddle.tensor import Tensor, constructed
from jitcore.library.core import marking, values
from jitcore.primitives.core import evaluation
from jitcore.runtime import autograd
from jitcore.runtime.dialects import dialect
from jitcore.runtime.tensor import made_of

CATEGORY: Final = "tensor:paddle.fluid"


@marking.library("raw")
def _shape(tensor: Tensor) -> Any:
    """The extents."""
    return list(map(values.evaluator().number, values.shape_of(tensor)))


@marking.library("raw")
def _dtype(tensor: Tensor) -> Any:
    """The element type."""
    found = values.dtype_of_value(tensor)
    return found if evaluation.is_tracing() else OF[found]


class array(np.ndarray[Any, Any]):
    """What `numpy()` gives of one element: `float()` and `int()` take it whatever axes it has, as NumPy 1 had it."""

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())


@dialect("paddle.fluid", promotion=promoted, construct=constructed)
class Variable(Tensor):
    """What fluid computes in dynamic mode."""

    __slots__ = ()

    shape: Any = property(_shape)
    dtype: Any = property(_dtype)

    def numpy(self) -> Any:
        """An ndarray of its elements."""
        made = self._array.copy()
        return made.view(array) if made.size == 1 and made.ndim else made

    @marking.between
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, backward_strategy: object = None, retain_graph: bool = False
    ) -> None:
        """Add the gradients of the sum of its elements to those of what it came of."""
        del backward_strategy
        ways.backward(self, None, retain_graph)
        visiting.visit(self)

    @marking.between
    def gradient(self) -> Any:
        """The gradient that has been added up, as an ndarray; zeros where one has come by and nothing arrived, None
        where none has."""
        return visiting.gradient_of(self)

    @marking.between
    def clear_gradient(self, set_to_zero: bool = True) -> None:
        """Forget the gradient."""
        del set_to_zero
        autograd.set_grad(self, None)
        visiting.forget(self)

    def __repr__(self) -> str:
        return dynamic_text(self, self.name)

    __str__ = __repr__


class Parameter(LayerParameter, Variable):  # pyright: ignore[reportIncompatibleVariableOverride]
    """A Variable that is part of the Layer to whose attribute it is assigned, and needs a gradient."""

    __slots__ = ()

    def __repr__(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        return dynamic_text(self, self.name)

    __str__ = __repr__


class StaticVariable(variables.Variable):
    """What fluid records in static mode."""

    @property
    def shape(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The extents; -1 where they are not known before the Program runs."""
        return tuple(super().shape)

    @property
    def dtype(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The element type."""
        return OF[self.kind]

    def astype(self, dtype: object) -> Any:
        """The elements in another dtype."""
        return record(cast("Any", Tensor).astype, (self, dtype_named(dtype)), {})

    def __str__(self) -> str:
        return static_text(self)

    __repr__ = __str__


StaticVariable.result_class = StaticVariable


def to_variable(value: object, name: str | None = None, zero_copy: bool | None = None) -> Any:
    """An ndarray as a Variable; a Variable as it is. Raises TypeError for anything else."""
    del zero_copy
    if isinstance(value, Tensor | variables.Variable):
        return value
    if not isinstance(value, np.ndarray | list | tuple | int | float):
        raise TypeError(f"to_variable takes an ndarray, not {type(value).__name__}")
    made: Any = made_of(Variable, np.array(value))
    made.name = name or naming.generate("generated_var")
    return made
