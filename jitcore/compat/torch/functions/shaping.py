"""Functions that give elements another shape, or another order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore import ops
from jitcore.compat.torch.arguments import Dims, Extents
from jitcore.compat.torch.declaring import FUNCTIONS, METHODS, alias, declared, function, method, only_method
from jitcore.compat.torch.functions.axes import axes_in, axis_in, axis_of, extents, extents_of
from jitcore.library.array import creation, shapes, views
from jitcore.library.core import marking, values
from jitcore.primitives.core import evaluation
from jitcore.runtime.tensor import Tensor
from jitcore.types import broadcast_shapes as _broadcast_shapes


@method
def reshape(input: Tensor, *size: Extents, shape: Extents | None = None) -> Any:
    return ops.reshape(input, extents(size, shape))


@only_method
def view(input: Tensor, *size: Extents) -> Any:
    return ops.reshape(input, extents(size))


@only_method
def view_as(input: Tensor, other: Tensor) -> Any:
    return ops.reshape(input, extents_of(other))


@only_method
def reshape_as(input: Tensor, other: Tensor) -> Any:
    return ops.reshape(input, extents_of(other))


@method
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Any:
    if not values.rank_of(input):
        _axes(input, (start_dim, end_dim))
        return ops.reshape(input, (1,))
    first, last = axis_in(input, start_dim), axis_in(input, end_dim)
    if last < first:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if first == last:
        return input
    extents = extents_of(input)
    joined = values.evaluator().number(values.product_of(values.shape_of(input)[first : last + 1]))
    return ops.reshape(input, (*extents[:first], joined, *extents[last + 1 :]))


@method
def ravel(input: Tensor) -> Any:
    return ops.reshape(input, (-1,))


@method
def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Any:
    axis = axis_in(input, dim)
    extents = extents_of(input)
    return ops.reshape(input, (*extents[:axis], *sizes, *extents[axis + 1 :]))


@method
def squeeze(input: Tensor, dim: Dims = None) -> Any:
    if dim is None:
        return ops.reshape(input, tuple(n for n in extents_of(input) if n != 1))
    axes = axes_in(input, dim) or ()
    kept = tuple(a for a in axes if values.evaluator().is_one(values.shape_of(input)[a]))
    return ops.squeeze(input, kept) if kept else input


@method
def unsqueeze(input: Tensor, dim: int) -> Any:
    return ops.unsqueeze(input, axis_of(dim, values.rank_of(input) + 1))


@method
def transpose(input: Tensor, dim0: int, dim1: int) -> Any:
    first, second = axis_in(input, dim0), axis_in(input, dim1)
    return shapes.swapaxes(input, first, second) if values.rank_of(input) else input


@method
def t(input: Tensor) -> Any:
    if values.rank_of(input) > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {values.rank_of(input)}D")
    return shapes.transpose(input)


@method
def adjoint(input: Tensor) -> Any:
    return ops.adjoint(input)


@method
def permute(input: Tensor, *size: Extents, dims: Extents | None = None) -> Any:
    given = extents(size, dims)
    if len(given) != values.rank_of(input):
        raise RuntimeError(
            f"permute: the Tensor has {values.rank_of(input)} dimensions, and the order names {len(given)} of them"
        )
    order = tuple(axis_in(input, d) for d in given)
    if len(set(order)) < len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return shapes.transpose(input, order)


@method
def movedim(input: Tensor, source: Extents, destination: Extents) -> Any:
    return ops.movedim(input, _axes(input, source), _axes(input, destination))


def _axes(input: Tensor, dims: Extents) -> tuple[int, ...]:
    return tuple(axis_in(input, d) for d in extents((dims,)))


@method
def swapaxes(input: Tensor, axis0: int, axis1: int) -> Any:
    return transpose(input, axis0, axis1)


@method
def swapdims(input: Tensor, dim0: int, dim1: int) -> Any:
    return transpose(input, dim0, dim1)


# --- repeated ------------------------------------------------------------------------------------------


@declared
def expand(input: Tensor, size: tuple[int, ...]) -> Any:
    return ops.broadcast_to(input, size)


@marking.library("raw")
def _expand(input: Tensor, *size: Extents) -> Any:
    """The elements over other extents, of which -1 keeps what there is: that is known before the call is compiled."""
    wanted, held = extents(size), extents_of(input)
    new = len(wanted) - len(held)
    known = (held[k - new] if isinstance(n, int) and n == -1 and k >= new else n for k, n in enumerate(wanted))
    return expand(input, tuple(known))


METHODS["expand"] = _expand


@marking.library("raw")
def expand_as(input: Tensor, other: Tensor) -> Any:
    """The elements over the extents of another Tensor, which no gradient goes to."""
    return expand(input, extents_of(other))


METHODS["expand_as"] = expand_as


@marking.library("raw")
def broadcast_to(input: Tensor, size: Extents) -> Any:
    """`expand`, under NumPy's name."""
    return _expand(input, size)


METHODS["broadcast_to"] = FUNCTIONS["broadcast_to"] = broadcast_to


@function
def broadcast_tensors(*tensors: Tensor | Sequence[Tensor]) -> Any:
    return tuple(ops.broadcast_tensors(*_several(tensors)))


@function
def broadcast_shapes(*shapes: Extents) -> Any:
    made: Any = ()
    for shape in shapes:
        made, pairs = _broadcast_shapes(tuple(made), extents((shape,)))
        for a, b in pairs:
            values.require_equal(a, b, "Shape mismatch: objects cannot be broadcast to a single shape")
    return tuple(made)


@only_method
def repeat(input: Tensor, *size: Extents, repeats: Extents | None = None) -> Any:
    given = extents(size, repeats)
    if len(given) < values.rank_of(input):
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    return ops.tile(input, given) if given else input


@method
def tile(input: Tensor, *size: Extents, dims: Extents | None = None) -> Any:
    given = extents(size, dims)
    return ops.tile(input, given) if given else input


@method
def repeat_interleave(
    input: Tensor, repeats: int | Tensor | None = None, dim: int | None = None, *, output_size: int | None = None
) -> Any:
    del output_size
    if repeats is None:
        return ops.repeat_interleave(ops.arange(extents_of(input)[0]), input, 0)
    if dim is None:
        return ops.repeat_interleave(ops.reshape(input, (-1,)), repeats, 0)
    return ops.repeat_interleave(input, repeats, axis_in(input, dim))


# --- joined --------------------------------------------------------------------------------------------


def _several(tensors: Sequence[Any]) -> tuple[Any, ...]:
    """Tensors one by one, or as one sequence."""
    return tuple(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], tuple | list) else tuple(tensors)


def _require_some(tensors: Sequence[Tensor], what: str) -> None:
    if not tensors:
        raise RuntimeError(f"{what} expects a non-empty TensorList")


@function
def cat(tensors: Sequence[Tensor], dim: int = 0) -> Any:
    if not isinstance(tensors, list | tuple):  # as many as the run says, which are the rows of an array
        return ops.cat(tensors, axis_of(dim, values.rank_of(tensors) - 1))
    _require_some(tensors, "torch.cat(): expected a non-empty list of Tensors, it")
    if any(not values.rank_of(t) for t in tensors):
        raise RuntimeError("zero-dimensional tensor (at position 0) cannot be concatenated")
    shaped = next((t for t in tensors if values.shape_of(t) != (0,)), tensors[0])
    axis = axis_in(shaped, dim)
    return ops.cat(_of_one_dtype([_empty_like(t, shaped, axis) for t in tensors]), axis)


def _empty_like(input: Tensor, other: Tensor, axis: int) -> Any:
    """A Tensor of no elements and one axis in a shape that goes with another's, any other Tensor as it is."""
    if values.shape_of(input) != (0,) or values.rank_of(other) == 1:
        return input
    return ops.reshape(input, tuple(0 if k == axis else n for k, n in enumerate(extents_of(other))))


def _of_one_dtype(tensors: Sequence[Tensor]) -> list[Any]:
    if len({values.dtype_of_value(t) for t in tensors}) == 1:
        return list(tensors)
    return list(values.promote("add", *tensors))


@function
def stack(tensors: Sequence[Tensor], dim: int = 0) -> Any:
    if not isinstance(tensors, list | tuple):  # as many as the run says, which are the rows of an array
        return ops.stack(tensors, axis_of(dim, values.rank_of(tensors)))
    _require_some(tensors, "stack")
    return ops.stack(_of_one_dtype(tensors), axis_of(dim, values.rank_of(tensors[0]) + 1))


@function
def hstack(tensors: Sequence[Tensor]) -> Any:
    _require_some(tensors, "hstack")
    return ops.hstack(_of_one_dtype(tensors))


@function
def vstack(tensors: Sequence[Tensor]) -> Any:
    _require_some(tensors, "vstack")
    return ops.vstack(_of_one_dtype(tensors))


@function
def dstack(tensors: Sequence[Tensor]) -> Any:
    _require_some(tensors, "dstack")
    return ops.dstack(_of_one_dtype(tensors))


@function
def column_stack(tensors: Sequence[Tensor]) -> Any:
    _require_some(tensors, "column_stack")
    return ops.column_stack(_of_one_dtype(tensors))


@function
def block_diag(*tensors: Tensor) -> Any:
    return ops.block_diag(*_of_one_dtype(tensors))


@function
def cartesian_prod(*tensors: Tensor) -> Any:
    return ops.cartesian_prod(*tensors)


@function
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Any:
    return ops.combinations(input, r, with_replacement)


@function
def meshgrid(*tensors: Tensor | Sequence[Tensor], indexing: str | None = None) -> Any:
    return tuple(ops.meshgrid(*_several(tensors), indexing=indexing or "ij"))


# --- taken apart ---------------------------------------------------------------------------------------


@function
def split(tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0) -> Any:
    return _parts(tensor, split_size_or_sections, dim)


def _parts(input: Tensor, size: int | Sequence[int], dim: int) -> tuple[Any, ...]:
    """The parts of a Tensor along an axis, of one extent or of several."""
    axis = axis_in(input, dim)
    if not values.rank_of(input):
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    whole = values.static_extent(input, axis)
    if isinstance(size, tuple | list):
        counts = [values.static_int(n, "a section") for n in size]
        if sum(counts) != whole:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {whole} (input tensor's size at dimension "
                f"{axis}), but got split_sizes={counts}"
            )
    else:
        step = values.static_int(size, "the size")
        if step < 0 or (step == 0 and whole):
            raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {whole}")
        counts = [min(step, whole - start) for start in range(0, whole, step)] if whole else [0]
    return _cut(input, axis, counts)


def _cut(input: Tensor, axis: int, counts: Sequence[int]) -> tuple[Any, ...]:
    starts = [sum(counts[:k]) for k in range(len(counts))]
    return tuple(shapes.slice_axis(input, axis, s, n) for s, n in zip(starts, counts, strict=True))


@method
def split_with_sizes(input: Tensor, split_sizes: Sequence[int], dim: int = 0) -> Any:
    return _parts(input, split_sizes, dim)


@method
def chunk(input: Tensor, chunks: int, dim: int = 0) -> Any:
    axis = axis_in(input, dim)
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    if not values.rank_of(input):
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    whole = values.static_extent(input, axis)
    return _parts(input, -(-whole // chunks), dim) if whole else _cut(input, axis, [0] * chunks)


@method
def tensor_split(
    input: Tensor,
    indices_or_sections: int | Sequence[int] | None = None,
    dim: int = 0,
    *,
    indices: Sequence[int] | None = None,
    sections: int | None = None,
) -> Any:
    given = next(v for v in (indices_or_sections, indices, sections) if v is not None)
    return tuple(ops.tensor_split(input, given, axis_in(input, dim)))


@method
def hsplit(input: Tensor, split_size_or_sections: int | Sequence[int]) -> Any:
    return tuple(ops.hsplit(input, split_size_or_sections))


@method
def vsplit(input: Tensor, split_size_or_sections: int | Sequence[int]) -> Any:
    return tuple(ops.vsplit(input, split_size_or_sections))


@method
def dsplit(input: Tensor, split_size_or_sections: int | Sequence[int]) -> Any:
    return tuple(ops.dsplit(input, split_size_or_sections))


@method
def unbind(input: Tensor, dim: int = 0) -> Any:
    if not values.rank_of(input):
        raise RuntimeError("Dimension specified as 0 but tensor has no dimensions")
    return tuple(ops.unbind(input, axis_in(input, dim)))


@method
def narrow(input: Tensor, dim: int, start: int, length: int) -> Any:
    axis = axis_in(input, dim)
    whole = values.static_extent(input, axis)
    if not -whole <= start <= whole:
        raise IndexError(f"Dimension out of range (expected to be in range of [-{whole}, {whole}], but got {start})")
    first = start % whole if start < 0 else start
    if length < 0 or first + length > whole:
        raise RuntimeError(f"start ({first}) + length ({length}) exceeds dimension size ({whole}).")
    return shapes.slice_axis(input, axis, first, length)


@method
def select(input: Tensor, dim: int, index: int) -> Any:
    axis = axis_in(input, dim)
    if not values.rank_of(input):
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    whole = values.static_extent(input, axis)
    if not -whole <= index < whole:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(values.static_extents(input))} at "
            f"dimension {axis}"
        )
    return ops.squeeze(shapes.slice_axis(input, axis, index % whole, 1), axis)


# --- turned --------------------------------------------------------------------------------------------


@method
def flip(input: Tensor, *size: Extents, dims: Extents | None = None) -> Any:
    axes = _axes(input, extents(size, dims))
    return ops.flip(input, axes) if axes and values.rank_of(input) else input


@method
def fliplr(input: Tensor) -> Any:
    return flip(input, 1)


@method
def flipud(input: Tensor) -> Any:
    return flip(input, 0)


@method
def roll(input: Tensor, shifts: Extents, dims: Extents | None = None) -> Any:
    return ops.roll(input, shifts, None if dims is None or dims == () else _axes(input, dims))


@method
def rot90(input: Tensor, k: int = 1, dims: Sequence[int] = (0, 1)) -> Any:
    return ops.rot90(input, k, _axes(input, tuple(dims)))


# --- triangles and diagonals -------------------------------------------------------------------------------


@method
def tril(input: Tensor, diagonal: int = 0) -> Any:
    return ops.tril(input, diagonal)


@method
def triu(input: Tensor, diagonal: int = 0) -> Any:
    return ops.triu(input, diagonal)


@method
def diag(input: Tensor, diagonal: int = 0) -> Any:
    if values.rank_of(input) not in (1, 2):
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {values.rank_of(input)}D")
    return ops.diag_ext(input, diagonal)


@method
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    return ops.diag_embed(input, offset, dim1, dim2)


@method
def diagflat(input: Tensor, offset: int = 0) -> Any:
    return ops.diag_embed(ops.reshape(input, (-1,)), offset, 0, 1)


@method
def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    first, second = axis_in(input, dim1), axis_in(input, dim2)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    made = ops.diagonal(input, offset, first, second)
    if not evaluation.is_tracing() and input.asnumpy().flags.writeable:
        made.asnumpy().setflags(write=True)  # NumPy's is for reading only
    return made


# --- the same elements ---------------------------------------------------------------------------------------


@only_method
def contiguous(input: Tensor, memory_format: object = None) -> Any:
    del memory_format
    if evaluation.is_tracing() or input.is_contiguous():
        return input
    return ops.reshape(creation.array(ops.reshape(input, (-1,))), extents_of(input))


def _at_least(input: Sequence[Any], rank: int) -> Any:
    given = _several(input)
    made = tuple(getattr(ops, f"atleast_{rank}d")(t) for t in given)
    return made[0] if len(input) == 1 and values.is_array(input[0]) else made


@function
def atleast_1d(*tensors: Tensor | Sequence[Tensor]) -> Any:
    return _at_least(tensors, 1)


@function
def atleast_2d(*tensors: Tensor | Sequence[Tensor]) -> Any:
    return _at_least(tensors, 2)


@function
def atleast_3d(*tensors: Tensor | Sequence[Tensor]) -> Any:
    return _at_least(tensors, 3)


@only_method
def unfold(input: Tensor, dimension: int, size: int, step: int) -> Any:
    axis = axis_in(input, dimension)
    whole = values.static_extent(input, axis)
    if size > whole:
        raise RuntimeError(f"maximum size for tensor at dimension {axis} is {whole} but size is {size}")
    starts = ops.arange(0, whole - size + 1, step)
    places = ops.add(ops.unsqueeze(starts, 1), ops.arange(size))
    taken = ops.index_select(input, axis, ops.reshape(places, (-1,)))
    extents = extents_of(input)
    count = (whole - size) // step + 1
    return ops.movedim(ops.reshape(taken, (*extents[:axis], count, size, *extents[axis + 1 :])), axis + 1, -1)


@method
def as_strided(input: Tensor, size: Extents, stride: Extents, storage_offset: int | None = None) -> Any:
    return ops.as_strided(input, size, stride, storage_offset)


@only_method
def sum_to_size(input: Tensor, *size: Extents) -> Any:
    return views.sum_to_size(input, values.with_known_numbers(extents(size), "size"))


@only_method
def narrow_copy(input: Tensor, dim: int, start: int, length: int) -> Any:
    return creation.array(narrow(input, dim, start, length))


@function
def unravel_index(indices: Tensor, shape: Extents) -> Any:
    rest, places = indices, list[Any]()
    for n in reversed(extents((shape,))):
        places.append(ops.remainder(rest, n))
        rest = ops.floor_divide(rest, n)
    return tuple(reversed(places))


for _new, _old in {
    "concat": "cat", "concatenate": "cat", "row_stack": "vstack", "moveaxis": "movedim", "unsafe_chunk": "chunk",
    "unsafe_split": "split", "unsafe_split_with_sizes": "split_with_sizes",
}.items():  # fmt: skip
    alias(_new, _old)
