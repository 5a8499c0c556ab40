"""Kernels of a program that differ in their extent alone: one function does the work of them all.

An optimizer computes the same of each Parameter, whatever its shape. Where a kernel goes through its arrays in order,
element by element, its extent is all that is known of the shape; so there is one kernel with an extent of the run, and
for each of the others a function that calls it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from jitcore.backends.llvm.kernels.prepare import with_joined_axes
from jitcore.backends.native.ir.text import LLVMModule, quoted, register_type
from jitcore.kernel.nodes import Axis, Kernel, Param, launch_signature
from jitcore.structs import dataclass, replace
from jitcore.types import i64

FEWEST: Final = 3
"""So many kernels are worth one with an extent of the run, which is longer than each of them."""
_EXTENT: Final = "extent.of.the.run"


@dataclass(frozen=True, slots=True)
class Alike:
    """The kernel that a kernel is one of, and the extent that makes it so."""

    general: Kernel
    extent: int


def kernels_alike(kernels: Iterable[Kernel]) -> Mapping[str, Alike]:
    """By name: the kernels that one with an extent of the run stands for, named after the first of them."""
    groups: dict[str, list[tuple[str, Kernel, int]]] = {}
    for kernel in kernels:
        if (found := _general(kernel)) is not None:
            general, extent = found
            key = repr(replace(general, name=""))  # which tells 0.0 and -0.0 apart
            groups.setdefault(key, []).append((kernel.name, general, extent))
    made: dict[str, Alike] = {}
    for members in groups.values():
        if len(members) >= FEWEST:
            name, first, _ = members[0]
            general = replace(first, name=f"{name}.of.any.extent")
            made.update((name, Alike(general, extent)) for name, _, extent in members)
    return made


def _general(kernel: Kernel) -> tuple[Kernel, int] | None:
    """A kernel with its extent as a last parameter, and what that is; None if it has not one alone, or folds
    anything."""
    if kernel.reductions or kernel.serial:
        return None
    joined = with_joined_axes(kernel)
    axis = joined.axes[0] if len(joined.axes) == 1 else None
    if axis is None or not isinstance(axis.extent, int):
        return None
    general = replace(joined, axes=(Axis(axis.name, _EXTENT),), params=(*joined.params, Param(_EXTENT, i64)))
    return general, axis.extent


def define_one_of(kernel: Kernel, name: str, general: str, extent: int, module: LLVMModule) -> None:
    """Define a kernel as a call of the general one."""
    buffers, params = launch_signature(kernel)
    types = [*("ptr" for _ in buffers), *(register_type(p.dtype) for p in params)]
    given = [f"{type_} %p{k}" for k, type_ in enumerate(types)]
    call = f"call void @{quoted(general)}({', '.join([*given, f'i64 {extent}'])})"
    module.define(name, f"define void @{quoted(name)}({', '.join(given)}) nounwind {{\n  {call}\n  ret void\n}}")
