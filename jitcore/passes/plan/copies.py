"""Moves elements from one array to another: memory copies, copying kernels, fills, accumulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitcore.kernel.build import Index, IndexLike, KernelBuilder
from jitcore.passes.plan.launches import launch
from jitcore.passes.plan.values import ArrayValue
from jitcore.program.nodes import Copy, Imm, Scalar, StoreElement
from jitcore.types import Shape, TensorType

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner


def same_place(a: ArrayValue, b: ArrayValue) -> bool:
    """Whether two arrays are known to be the same elements of the same memory in the same order."""
    return a.data == b.data and a.layout == b.layout


def copy_into(p: Planner, target: ArrayValue, source: ArrayValue) -> None:
    """Write `source`, broadcast, to `target`. They do not overlap, unless they are the same place."""
    if same_place(target, source):
        return
    if not target.layout.shape:
        _store_element(p, target, source, accumulate=False)
        return
    plain = source.layout.shape == target.layout.shape and source.data is not None
    if plain and source.layout.is_contiguous and target.layout.is_contiguous:
        assert target.data is not None
        assert source.data is not None
        size = TensorType(source.dtype, source.layout.shape).size * source.dtype.itemsize
        p.code.emit(Copy(target.data, source.data, p.code.number(size)))
        return
    _store(p, target, source, accumulate=False)


def add_into(p: Planner, target: ArrayValue, source: ArrayValue) -> None:
    """Add `source`, broadcast, to the elements of `target`. They do not overlap, unless they are the same place."""
    if target.layout.shape:
        _store(p, target, source, accumulate=True)
    else:
        _store_element(p, target, source, accumulate=True)


def _store_element(p: Planner, target: ArrayValue, source: ArrayValue, *, accumulate: bool) -> None:
    assert target.data is not None
    element = p.element(source)
    if accumulate:
        total = p.code.register("total", target.dtype)
        p.code.emit(Scalar(total, "add", (p.element(target), element)))
        element = total
    p.code.emit(StoreElement(target.data, element))


def _store(p: Planner, target: ArrayValue, source: ArrayValue, *, accumulate: bool) -> None:
    assert target.data is not None
    layouts = {"source": source.layout, "target": target.layout}
    if source.element is not None:
        del layouts["source"]
    aliases = {"source": ("target",), "target": ("source",)} if same_place(target, source) else None
    k = KernelBuilder("accumulate" if accumulate else "copy", layouts, aliases)
    index = k.axes(target.layout.shape)
    buffers = {"target": target.data}
    scalars = {}
    if source.element is None:
        assert source.data is not None
        buffers["source"] = source.data
        value = k.load("source", broadcast_index(index, source.layout.shape, target.layout.shape))
    elif isinstance(source.element, Imm):
        value = k.const(source.dtype, source.element.value)
    else:
        scalars["value"] = source.element
        value = k.scalar("value", source.dtype)
    k.store("target", index, value, accumulate=accumulate)
    launch(p, k, buffers, scalars)


def broadcast_index(index: tuple[IndexLike, ...], shape: Shape, into: Shape) -> tuple[IndexLike, ...]:
    """The index into an array of `shape` for an index into its broadcast to the shape `into`."""
    rank = len(shape)
    own = index[len(index) - rank :]
    extents = into[len(into) - rank :]
    zero = Index()
    return tuple(zero if d == 1 and e != 1 else i for i, d, e in zip(own, shape, extents, strict=True))
