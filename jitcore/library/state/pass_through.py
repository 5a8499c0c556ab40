"""Operators that give their operand: as it is, as a copy, as a constant for gradients."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, category, dtype_of_value, rank_of
from jitcore.library.math import elementwise
from jitcore.primitives.ops import conversions
from jitcore.primitives.ops import elementwise as e


@operator("UpdateState Load load", "raw")
def load(value: Any, expr: Any = None) -> Any:
    """`value`, as it is when this is reached."""
    del expr
    return value


@operator("depend Depend", "raw")
def depend(value: Any, expr: Any) -> Any:
    """`value`. Everything written before is done before, without this too: programs run in order."""
    del expr
    return value


@operator("Identity identity deepcopy")
def identity(input_x: Any) -> Any:
    """A copy of an array or number; anything else as it is."""
    return input_x if category(input_x) is None else elementwise.copy(input_x)


@operator("StopGradient stop_gradient")
def stop_gradient(value: Any) -> Any:
    """The value, but as a constant for gradients."""
    if isinstance(value, list | tuple):
        return type(value)([stop_gradient(item) for item in value])  # pyright: ignore[reportUnknownVariableType]
    return elementwise.stop_gradient(value) if category(value) is not None else value


@operator("stop_gradient_", "raw")
def stop_gradient_(input: Any) -> Any:
    """Have what a Tensor holds now be a constant for gradients, in place; gives the Tensor."""
    return elementwise.assign(input, elementwise.stop_gradient(input))


@operator("clone")
def clone(input: Any) -> Any:
    """A copy."""
    return elementwise.copy(input)


@operator("item")
def item(input: Any) -> Any:
    """The number in an array of one element."""
    a = as_array(input)
    return conversions.to_scalar(shapes.reshape(a, ()) if rank_of(a) else a)


@operator("IdentityN")
def identity_n(x: Any) -> Any:
    """Each of several Tensors, as it is."""
    return tuple(e.add(v, 0) if dtype_of_value(v).kind != "b" else e.bitwise_or(v, v) for v in map(as_array, x))


@operator("ConvertToDynamic", "raw")
def convert_to_dynamic(x: Any, *, is_dynamic_rank: Any = False) -> Any:
    """The operand itself: what is not known when the program is compiled is told by the arguments."""
    del is_dynamic_rank
    return x
