"""Grids, all combinations, and the places in triangles."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore.library.array import creation, indexing, shapes
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, evaluator, promote, shape_of, static_int, static_ints
from jitcore.library.math import elementwise
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.types import f32, i32, i64


def _triangle(row: Any, col: Any, offset: Any, dtype: Any, lower: bool) -> Any:
    square = creation.ones((row, col), f32)
    kept = shapes.triangle(square, offset, lower=lower)
    return elementwise.astype(shapes.stack(indexing.nonzero(kept), 0), i64 if dtype is None else dtype)


@operator("tril_indices")
def tril_indices(row: Any, col: Any, offset: Any = 0, *, dtype: Any = None) -> Any:
    """The places on and below a diagonal: two rows."""
    return _triangle(row, col, offset, dtype, True)


@operator("TrilIndices")
def tril_indices_set_up(*, row: Any, col: Any, offset: Any = 0, dtype: Any = i32) -> Any:
    """As `tril_indices`."""
    return tril_indices(row, col, offset, dtype=dtype)


@operator("triu_indices")
def triu_indices(row: Any, col: Any, offset: Any = 0, *, dtype: Any = None) -> Any:
    """The places on and above a diagonal: two rows."""
    return _triangle(row, col, offset, dtype, False)


@operator("TriuIndices")
def triu_indices_set_up(*, row: Any, col: Any, offset: Any = 0, dtype: Any = i32) -> Any:
    """As `triu_indices`."""
    return triu_indices(row, col, offset, dtype=dtype)


@operator("meshgrid")
def meshgrid(*inputs: Any, indexing: Any = "xy") -> Any:
    """Coordinate matrices of coordinate vectors."""
    vectors = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], list | tuple) else inputs
    return tuple(creation.meshgrid(*vectors, indexing=indexing))


@operator("Meshgrid")
def meshgrid_set_up(inputs: Any, *, indexing: Any = "xy") -> Any:
    """As `meshgrid`."""
    return meshgrid(*inputs, indexing=indexing)


@operator("meshgrid_ext")
def meshgrid_ext(*tensors: Any, indexing: Any = None) -> Any:
    """The coordinates of a grid."""
    return meshgrid(*tensors, indexing="ij" if indexing is None else indexing)


@operator("UnravelIndex unravel_index")
def unravel_index(indices: Any, dims: Any) -> Any:
    """The places in a shape of indices into its flattened elements: a row for each axis."""
    extents = static_ints(dims, "the shape")
    rest = index_modes.from_start(as_array(indices), math.prod(extents), 0, "an index into the flattened elements")
    parts: list[Any] = []
    for extent in reversed(extents):
        parts.insert(0, e.mod(rest, extent))
        rest = e.floordiv(rest, extent)
    return shapes.stack(parts, 0)


@operator("cartesian_prod")
def cartesian_prod(*inputs: Any) -> Any:
    """All combinations of the elements of vectors, one in a row."""
    if len(inputs) == 1:
        return as_array(inputs[0])
    grids = creation.meshgrid(*promote("concatenate", *inputs), indexing="ij")
    return shapes.stack([shapes.ravel(grid) for grid in grids], 1)


@operator("combinations .combinations")
def combinations(input: Any, r: Any = 2, with_replacement: Any = False) -> Any:
    """The choices of r elements, each a row."""
    a = as_array(input)
    n = static_int(evaluator().number(shape_of(a)[0]), "the number of elements")
    choose: Callable[..., Any] = itertools.combinations
    if evaluator().static(with_replacement, "with_replacement"):
        choose = itertools.combinations_with_replacement
    chosen = np.array(list(choose(range(n), static_int(r, "r"))), np.int64).reshape(-1, static_int(r, "r"))
    return ix.gather(a, evaluator().constant(chosen, i64), axis=0)
