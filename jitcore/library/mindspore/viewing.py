"""Operators of MindSpore's generated interface that give views of their input, which share its memory, and those that
change it in place."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import indexing, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, normal_axis, rank_of
from jitcore.library.math import elementwise
from jitcore.library.mindspore import joining, methods, shaping

# --- views --------------------------------------------------------------------------------------------


@operator("select_ext_view SelectExtView")
def select_view(input: Any, dim: Any, index: Any) -> Any:
    """The part of the input at an index along an axis."""
    a = as_array(input)
    return indexing.getitem(a, (*[slice(None)] * normal_axis(dim, rank_of(a)), index))


@operator("slice_ext_view SliceExtView")
def slice_view(input: Any, dim: Any = 0, start: Any = 0, end: Any = None, step: Any = 1) -> Any:
    """The input from `start` to `end` along an axis."""
    a = as_array(input)
    return indexing.getitem(a, (*[slice(None)] * normal_axis(dim, rank_of(a)), slice(start, end, step)))


@operator("transpose_ext_view TransposeExtView")
def swapped_view(input: Any, dim0: Any, dim1: Any) -> Any:
    """The input with two axes exchanged."""
    return shapes.swapaxes(input, dim0, dim1)


operator("narrow_view NarrowView")(shaping.narrow)
operator("transpose_view TransposeView")(shaping.transpose)
operator("broadcast_to_view BroadcastToView")(shaping.broadcast_to)
operator("expand_dims_view ExpandDimsView")(shaping.expand_dims)
operator("squeeze_view SqueezeView")(shaping.squeeze)
operator("reshape_view ReshapeView")(shaping.reshape)
operator("chunk_view ChunkView")(joining.chunk)
operator("split_tensor_view SplitTensorView")(joining.split)
operator("unstack_ext_view UnstackExtView")(shapes.unstack)

# --- in place -----------------------------------------------------------------------------------------


@operator("inplace_add_ext InplaceAddExt inplace_adds_ext InplaceAddsExt", "raw")
def add_scaled_in_place(input: Any, other: Any, alpha: Any = 1) -> Any:
    """The Tensor itself, with alpha times another added."""
    return elementwise.assign_add(input, elementwise.multiply(other, alpha))


@operator("inplace_sub_ext InplaceSubExt inplace_sub_scalar InplaceSubScalar", "raw")
def sub_scaled_in_place(input: Any, other: Any, alpha: Any = 1) -> Any:
    """The Tensor itself, with alpha times another subtracted."""
    return elementwise.assign_sub(input, elementwise.multiply(other, alpha))


operator("inplace_copy InplaceCopy", "raw")(methods.copy_in_place)
operator("inplace_mul InplaceMul inplace_muls InplaceMuls", "raw")(methods.mul_in_place)
operator("inplace_div InplaceDiv inplace_divs InplaceDivs", "raw")(methods.div_in_place)
operator("inplace_zero InplaceZero", "raw")(methods.zero_in_place)
operator("inplace_fill_scalar InplaceFillScalar inplace_fill_tensor InplaceFillTensor", "raw")(methods.fill_in_place)
