"""Functions that give elements another shape, or another order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from jitcore import ops
from jitcore.compat.paddle.arguments import Axes, DTypeLike, Extents
from jitcore.compat.paddle.declaring import FUNCTIONS, METHODS, alias, function, method, only_method, operation
from jitcore.compat.paddle.functions.axes import (
    axes_in,
    axis_in,
    axis_of,
    extents,
    extents_of,
    known_number,
    several,
)
from jitcore.compat.torch.functions import shaping as torch
from jitcore.library.array import indexing, shapes
from jitcore.library.core import marking, values
from jitcore.runtime.tensor import Tensor
from jitcore.types import broadcast_shapes as _broadcast_shapes


def _shaped(x: Tensor, shape: Sequence[Any]) -> tuple[Any, ...]:
    """Extents of a new shape, of which 0 keeps what there is at its place. Raises ValueError for a 0 behind them."""
    held = extents_of(x)
    wanted: list[Any] = []
    for k, n in enumerate(shape):
        if isinstance(n, int) and n == 0 and 0 not in held:
            if k >= len(held):
                raise ValueError(
                    f"(InvalidArgument) The index of 0 in `shape` must be less than the input tensor X's dimensions. "
                    f"But received shape[{k}] = 0, X's dimensions = {len(held)}."
                )
            n = held[k]
        wanted.append(n)
    if sum(isinstance(n, int) and n == -1 for n in wanted) > 1:
        raise ValueError(f"(InvalidArgument) Only one dimension value of 'shape' can be -1, but received {wanted}")
    return tuple(wanted)


@operation
def _reshape(x: Tensor, shape: Extents) -> Any:
    return ops.reshape(x, _shaped(x, extents(shape)))


@marking.library("raw")
def reshape(x: Tensor, *shape: Extents, name: str | None = None, **keywords: Extents) -> Any:
    """The elements in another shape, of which 0 keeps an extent and -1 is what is left."""
    del name
    given: Any = keywords.get("shape", shape[0] if len(shape) == 1 else list(shape))
    return _reshape(x, given)


FUNCTIONS["reshape"] = METHODS["reshape"] = reshape


@method
def view(x: Tensor, shape_or_dtype: Extents | DTypeLike) -> Any:
    if isinstance(shape_or_dtype, list | tuple | int):
        return ops.reshape(x, _shaped(x, extents(shape_or_dtype)))
    raise NotImplementedError("view: of another dtype, the same memory is not there; use cast")


@method
def view_as(x: Tensor, other: Tensor) -> Any:
    return ops.reshape(x, extents_of(other))


@method
def flatten(x: Tensor, start_axis: int = 0, stop_axis: int = -1) -> Any:
    first, last = axis_in(x, start_axis), axis_in(x, stop_axis)
    if last < first:
        raise ValueError("(InvalidArgument) The stop_axis should be greater than or equal to start_axis.")
    return torch.flatten(x, first, last)


@method
def ravel(input: Tensor) -> Any:
    return ops.reshape(input, (-1,))


@method
def unflatten(x: Tensor, axis: int, shape: Extents) -> Any:
    return torch.unflatten(x, axis_in(x, axis), extents(shape))


@method
def squeeze(x: Tensor, axis: Axes | Tensor = None) -> Any:
    return torch.squeeze(x, None if axis is None else tuple(axis_in(x, a) for a in several(axis)))


@method
def unsqueeze(x: Tensor, axis: Axes | Tensor) -> Any:
    made = x
    for a in several(axis):
        made = ops.unsqueeze(made, axis_of(a, values.rank_of(made) + 1))
    return made


@method
def transpose(x: Tensor, perm: Sequence[int]) -> Any:
    order = tuple(perm)
    if len(order) != values.rank_of(x):
        raise ValueError(
            f"(InvalidArgument) the Tensor has {values.rank_of(x)} axes, but perm names {len(order)}: {list(order)}"
        )
    axes = tuple(axis_in(x, a) for a in order)
    if len(set(axes)) < len(axes):
        raise ValueError(f"(InvalidArgument) perm names an axis more than once: {list(order)}")
    return shapes.transpose(x, axes) if axes else x


@operation
def _permute(input: Tensor, dims: Sequence[int]) -> Any:
    return transpose(input, dims)


@marking.library("raw")
def permute(input: Tensor, *dims: int | Sequence[int], **keywords: Sequence[int]) -> Any:
    """The axes in another order."""
    given: Any = keywords.get("dims", dims[0] if len(dims) == 1 else dims)
    return _permute(input, tuple(given))


FUNCTIONS["permute"] = METHODS["permute"] = permute


@method
def t(input: Tensor) -> Any:
    if values.rank_of(input) > 2:
        raise ValueError(
            "Input(input) only support N-D (N<=2) tensor, but received length of Input(input) is "
            f"{values.rank_of(input)}. Perhaps you can use paddle.tensor.transpose() instead."
        )
    return shapes.transpose(input)


@method
def matrix_transpose(x: Tensor) -> Any:
    if values.rank_of(x) < 2:
        raise ValueError(f"Tensor.mT only supports tensors with 2 or more dimensions, got {values.rank_of(x)}")
    return shapes.swapaxes(x, -2, -1)


METHODS["mT"] = property(matrix_transpose)


@method
def moveaxis(x: Tensor, source: Axes, destination: Axes) -> Any:
    first, second = (tuple(axis_in(x, a) for a in several(given)) for given in (source, destination))
    if len(first) != len(second):
        raise AssertionError("'source' must have the same number with 'destination'")
    return ops.movedim(x, first, second)


@method
def swapaxes(x: Tensor, axis0: int, axis1: int) -> Any:
    return shapes.swapaxes(x, axis_in(x, axis0), axis_in(x, axis1))


# --- repeated ------------------------------------------------------------------------------------------


@method
def expand(x: Tensor, shape: Extents) -> Any:
    wanted, held = extents(shape), extents_of(x)
    new = len(wanted) - len(held)
    if new < 0:
        raise ValueError(
            f"(InvalidArgument) The number of elements ({len(wanted)}) of 'shape' must be greater than or equal to "
            f"the rank ({len(held)}) of the Tensor"
        )
    known = (held[k - new] if isinstance(n, int) and n == -1 and k >= new else n for k, n in enumerate(wanted))
    return ops.broadcast_to(x, tuple(known))


@method
def broadcast_to(x: Tensor, shape: Extents) -> Any:
    return expand(x, shape)


@method
def expand_as(x: Tensor, y: Tensor) -> Any:
    return ops.broadcast_to(x, extents_of(y))


@function
def broadcast_tensors(input: Sequence[Tensor]) -> Any:
    return list(ops.broadcast_tensors(*input))


@marking.library("raw")
def broadcast_shapes(*shapes: Sequence[int]) -> Any:
    """The shape in which arrays of these are computed with together, a list. Raises ValueError if there is none."""
    made: Any = ()
    for shape in shapes:
        made, pairs = _broadcast_shapes(tuple(made), tuple(shape))
        for a, b in pairs:
            values.require_equal(a, b, "(InvalidArgument) Broadcast dimension mismatch: {0} and {1}")
    return list(made)


FUNCTIONS["broadcast_shape"] = FUNCTIONS["broadcast_shapes"] = broadcast_shapes


@method
def tile(x: Tensor, repeat_times: Extents) -> Any:
    times = extents(repeat_times)
    return ops.tile(x, times) if times else x


@only_method
def repeat(x: Tensor, *repeats: Extents) -> Any:
    return tile(x, repeats[0] if len(repeats) == 1 else list(repeats))  # pyright: ignore[reportArgumentType]


@method
def repeat_interleave(
    x: Tensor, repeats: int | Tensor, axis: int | None = None, *, output_size: int | None = None
) -> Any:
    del output_size
    return torch.repeat_interleave(x, repeats, None if axis is None else axis_in(x, axis))


# --- joined --------------------------------------------------------------------------------------------


def _of_one_dtype(x: Sequence[Tensor], function: str) -> list[Any]:
    """Tensors, of which there is one at least and all are of one dtype. Raises ValueError otherwise."""
    given = list(x)
    if not given:
        raise ValueError(
            f"(InvalidArgument) {function}(): argument 'x' must be a list of Tensors, but got an empty list"
        )
    for k, one in enumerate(given):
        if not values.is_array(one):
            raise ValueError(
                f"(InvalidArgument) {function}(): argument 'x' must be a list of Tensors, but got "
                f"{type(one).__name__} at position {k}"
            )
    kinds = [values.dtype_of_value(one).numpy.name for one in given]
    if len(set(kinds)) > 1:
        other = next(k for k, kind in enumerate(kinds) if kind != kinds[0])
        raise ValueError(
            f"(InvalidArgument) The data_type of input tensor in list isn't consistent, the first tensor is "
            f"{kinds[0]}, but {other}th tensor is {kinds[other]}."
        )
    return given


@function
def concat(x: Sequence[Tensor] | Tensor, axis: int | Tensor = 0) -> Any:
    if values.is_array(x):  # as many as the run says, which are the rows of an array
        return ops.cat(x, axis_of(axis, values.rank_of(x) - 1))
    given = _of_one_dtype(cast("Sequence[Tensor]", x), "concat")
    return torch.cat(given, axis_in(given[0], axis))


@function
def stack(x: Sequence[Tensor] | Tensor, axis: int = 0) -> Any:
    if values.is_array(x):  # as many as the run says, which are the rows of an array
        return ops.stack(x, axis_of(axis, values.rank_of(x)))
    given = _of_one_dtype(cast("Sequence[Tensor]", x), "stack")
    return ops.stack(given, axis_of(axis, values.rank_of(given[0]) + 1))


METHODS["concat"], METHODS["stack"] = concat, stack


@function
def hstack(x: Sequence[Tensor]) -> Any:
    return ops.hstack(_of_one_dtype(x, "hstack"))


@function
def vstack(x: Sequence[Tensor]) -> Any:
    return ops.vstack(_of_one_dtype(x, "vstack"))


@function
def dstack(x: Sequence[Tensor]) -> Any:
    return ops.dstack(_of_one_dtype(x, "dstack"))


@function
def column_stack(x: Sequence[Tensor]) -> Any:
    return ops.column_stack(_of_one_dtype(x, "column_stack"))


@function
def block_diag(inputs: Sequence[Tensor]) -> Any:
    return ops.block_diag(*_of_one_dtype(inputs, "block_diag"))


@function
def cartesian_prod(x: Sequence[Tensor]) -> Any:
    return ops.cartesian_prod(*x)


@function
def combinations(x: Tensor, r: int = 2, with_replacement: bool = False) -> Any:
    return ops.combinations(x, r, with_replacement)


@function
def meshgrid(*args: Tensor | Sequence[Tensor], indexing: str = "ij") -> Any:
    given: Any = args[0] if len(args) == 1 and isinstance(args[0], list | tuple) else args
    return list(ops.meshgrid(*given, indexing=indexing))


# --- taken apart ---------------------------------------------------------------------------------------


@method
def split(x: Tensor, num_or_sections: int | Sequence[int], axis: int | Tensor = 0) -> Any:
    where = axis_in(x, axis)
    if not values.rank_of(x):
        raise ValueError("(InvalidArgument) split: the Tensor has no axes")
    whole = values.static_extent(x, where)
    if isinstance(num_or_sections, list | tuple):
        counts = [values.static_int(known_number(n), "a section") for n in num_or_sections]
        rest = whole - sum(n for n in counts if n != -1)
        if counts.count(-1) > 1 or rest < 0 or (rest and -1 not in counts):
            raise ValueError(
                f"(InvalidArgument) Sum of Attr(num_or_sections) {counts} must be equal to the input's size along the "
                f"split dimension, {whole}; one of them may be -1."
            )
        return list(torch.split(x, [rest if n == -1 else n for n in counts], where))
    count = values.static_int(num_or_sections, "the number of parts")
    if count <= 0 or whole % count:
        raise ValueError(
            f"(InvalidArgument) The input's size along the split dimension must be evenly divisible by "
            f"Attr(num_or_sections). But received Attr(num_or_sections) = {count}, the size is {whole}."
        )
    return list(torch.split(x, max(whole // count, 1), where)) if whole else [x] * count


@method
def chunk(x: Tensor, chunks: int, axis: int | Tensor = 0) -> Any:
    return split(x, chunks, axis)


@only_method
def split_with_sizes(x: Tensor, split_sizes: Sequence[int], dim: int = 0) -> Any:
    return split(x, split_sizes, dim)


@method
def tensor_split(x: Tensor, num_or_indices: int | Sequence[int], axis: int | Tensor = 0) -> Any:
    return list(ops.tensor_split(x, num_or_indices, axis_in(x, axis)))


@method
def hsplit(x: Tensor, num_or_indices: int | Sequence[int]) -> Any:
    _require_rank(x, 1, "hsplit")
    return list(ops.tensor_split(x, num_or_indices, 1 if values.rank_of(x) > 1 else 0))


@method
def vsplit(x: Tensor, num_or_indices: int | Sequence[int]) -> Any:
    _require_rank(x, 2, "vsplit")
    return list(ops.tensor_split(x, num_or_indices, 0))


@method
def dsplit(x: Tensor, num_or_indices: int | Sequence[int]) -> Any:
    _require_rank(x, 3, "dsplit")
    return list(ops.tensor_split(x, num_or_indices, 2))


def _require_rank(x: Tensor, least: int, function: str) -> None:
    if values.rank_of(x) < least:
        raise ValueError(
            f"The input tensor's dimension must be greater than {least - 1}, but got {values.rank_of(x)}: {function}"
        )


@method
def unbind(input: Tensor, axis: int = 0) -> Any:
    return list(torch.unbind(input, axis_in(input, axis)))


@method
def unstack(x: Tensor, axis: int = 0, num: int | None = None) -> Any:
    parts = list(torch.unbind(x, axis_in(x, axis)))
    if num is not None and num != len(parts):
        raise ValueError(f"(InvalidArgument) The number of Attr(num) is {num}, but the axis has {len(parts)}")
    return parts


def _bounds(given: Sequence[Any] | Tensor) -> list[Any]:
    return [values.static_int(n, "a bound") for n in extents(cast("Any", given))]


@method
def slice_(
    input: Tensor, axes: Sequence[int], starts: Sequence[int | Tensor] | Tensor, ends: Sequence[int | Tensor] | Tensor
) -> Any:
    return strided_slice(input, axes, starts, ends, [1] * len(axes))


@method
def strided_slice(
    x: Tensor,
    axes: Sequence[int],
    starts: Sequence[int | Tensor] | Tensor,
    ends: Sequence[int | Tensor] | Tensor,
    strides: Sequence[int | Tensor] | Tensor,
) -> Any:
    keys = [slice(None)] * values.rank_of(x)
    for axis, start, end, step in zip(axes, _bounds(starts), _bounds(ends), _bounds(strides), strict=True):
        where = axis_in(x, axis)
        extent = values.static_extent(x, where)
        # an end before the first element, counted from the end, takes it along when going backwards
        last = None if step < 0 and end < -extent else end
        keys[where] = slice(start, last, step)
    return indexing.getitem(x, tuple(keys))


@function
def crop(x: Tensor, shape: Extents | None = None, offsets: Extents | None = None) -> Any:
    whole = extents_of(x)
    wanted = whole if shape is None else extents(shape)
    firsts = (0,) * len(whole) if offsets is None else extents(offsets)
    keys = [slice(k, whole[a] if n == -1 else k + n) for a, (k, n) in enumerate(zip(firsts, wanted, strict=True))]
    return indexing.getitem(x, tuple(keys))


@method
def narrow(input: Tensor, dim: int, start: int | Tensor, length: int) -> Any:
    return torch.narrow(input, axis_in(input, dim), known_number(start), length)


# --- turned --------------------------------------------------------------------------------------------


@method
def flip(x: Tensor, axis: Axes) -> Any:
    axes = axes_in(x, axis)
    return ops.flip(x, axes) if axes else x


@method
def roll(x: Tensor, shifts: int | Sequence[int], axis: Axes = None) -> Any:
    return torch.roll(x, shifts, None if axis is None else tuple(axis_in(x, a) for a in several(axis)))


@method
def rot90(x: Tensor, k: int = 1, axes: Sequence[int] = (0, 1)) -> Any:
    if len(axes) != 2 or axis_in(x, axes[0]) == axis_in(x, axes[1]):
        raise ValueError(f"expected total rotation axes == 2, and different ones, but got axes = {list(axes)}")
    return torch.rot90(x, k, tuple(axes))


# --- triangles and diagonals -------------------------------------------------------------------------------


@method
def tril(x: Tensor, diagonal: int = 0) -> Any:
    _require_matrix(x, "tril")
    return ops.tril(x, diagonal)


@method
def triu(x: Tensor, diagonal: int = 0) -> Any:
    _require_matrix(x, "triu")
    return ops.triu(x, diagonal)


def _require_matrix(x: Tensor, function: str) -> None:
    if values.rank_of(x) < 2:
        raise ValueError(
            f"(InvalidArgument) {function}: the Tensor should have 2 axes at least, but it has {values.rank_of(x)}"
        )


@method
def diag(x: Tensor, offset: int = 0, padding_value: complex = 0) -> Any:
    if values.rank_of(x) > 2:
        raise ValueError(f"(InvalidArgument) diag: the Tensor should have 1 or 2 axes, but it has {values.rank_of(x)}")
    made = ops.diag_ext(x if values.rank_of(x) else ops.reshape(x, (1,)), offset)
    if values.rank_of(x) == 2 or padding_value == 0:
        return made
    marks = ops.diag_ext(ops.ones_like(x, dtype="bool"), offset)
    return ops.where(marks, made, values.as_array(padding_value, values.dtype_of_value(x)))


@method
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    return ops.diag_embed(input, offset, dim1, dim2)


@method
def diagflat(x: Tensor, offset: int = 0) -> Any:
    return torch.diagflat(x, offset)


@method
def diagonal(x: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return torch.diagonal(x, offset, axis_in(x, axis1), axis_in(x, axis2))


# --- the same elements ---------------------------------------------------------------------------------------


@only_method
def contiguous(x: Tensor) -> Any:
    return torch.contiguous(x)


def _at_least(inputs: Sequence[Any], rank: int) -> Any:
    made = [getattr(ops, f"atleast_{rank}d")(x) for x in inputs]
    return made[0] if len(made) == 1 else made


@method
def atleast_1d(*inputs: Tensor) -> Any:
    return _at_least(inputs, 1)


@method
def atleast_2d(*inputs: Tensor) -> Any:
    return _at_least(inputs, 2)


@method
def atleast_3d(*inputs: Tensor) -> Any:
    return _at_least(inputs, 3)


@method
def unfold(x: Tensor, axis: int, size: int, step: int) -> Any:
    return torch.unfold(x, axis_in(x, axis), size, step)


@method
def as_strided(x: Tensor, shape: Sequence[int], stride: Sequence[int], offset: int = 0) -> Any:
    return torch.as_strided(x, tuple(shape), tuple(stride), offset // values.dtype_of_value(x).itemsize)


for _new, _old in {
    "cat": "concat", "concatenate": "concat", "row_stack": "vstack", "reverse": "flip", "swapdims": "swapaxes",
}.items():  # fmt: skip
    alias(_new, _old)
