"""Operators among several devices, as they are for the only one that there is; and the questions about overflow asked
there."""

from __future__ import annotations

from typing import Any

from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array
from jitcore.library.math import comparisons, elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import shape as s
from jitcore.types import f32

_WORLD = "hccl_world_group"


@operator("AllReduce")
def all_reduce(input_x: Any, *, op: Any = "sum", group: Any = _WORLD) -> Any:
    """The sum, product, maximum or minimum over the devices of a group."""
    _require_reduction("AllReduce", op)
    del group
    return elementwise.copy(input_x)


@operator("ReduceScatter")
def reduce_scatter(input_x: Any, *, op: Any = "sum", group: Any = _WORLD) -> Any:
    """A device's share of the rows of what `AllReduce` gives."""
    _require_reduction("ReduceScatter", op)
    del group
    return elementwise.copy(input_x)


@operator("AllGather")
def all_gather(input_x: Any, *, group: Any = _WORLD) -> Any:
    """The rows of all devices of a group, one device after the other."""
    del group
    return elementwise.copy(input_x)


@operator("Broadcast", "raw")
def broadcast(input_x: Any, *, root_rank: Any, group: Any = _WORLD) -> Any:
    """The tuple of Tensors that the device `root_rank` of a group has."""
    del root_rank, group
    return tuple(input_x)


def _require_reduction(name: str, op: Any) -> None:
    if not isinstance(op, str):
        raise TypeError(f"For '{name}', the 'op' must be str, but got {type(op).__name__}.")
    if op not in ("sum", "max", "min", "prod"):
        raise ValueError(f"For '{name}', the 'op' is one of 'sum', 'max', 'min', 'prod', but got {op!r}.")


@operator("FloatStatus")
def float_status(x: Any) -> Any:
    """A Tensor of one element: 1.0 if an element of x is not finite, else 0.0."""
    fine = reductions.all(comparisons.isfinite(as_array(x)))
    return s.reshape(elementwise.astype(elementwise.logical_not(fine), f32), shape=(1,))


@operator("all_finite", "raw")
def all_finite(inputs: Any) -> Any:
    """Whether all elements of all Tensors are finite."""
    fine = None
    for item in inputs:
        here = reductions.all(comparisons.isfinite(as_array(item)))
        fine = here if fine is None else elementwise.logical_and(fine, here)
    if fine is None:
        raise ValueError("all_finite asks about at least one Tensor")
    return fine
