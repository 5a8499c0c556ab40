"""Images and volumes read at places of a grid."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore.library.array import shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import dtype_of_value, evaluator, promote, rank_of, shape_of, static_ints
from jitcore.library.images import resampling
from jitcore.library.linalg import products
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import shape as s


@operator("grid_sample")
def grid_sample(
    input: Any, grid: Any, mode: Any = "bilinear", padding_mode: Any = "zeros", align_corners: Any = False
) -> Any:
    """The input (N, C, …) at the points of a grid (N, …, 2 or 3) of coordinates between -1 and 1, x first."""
    a, points = promote("mul", as_float(input), as_float(grid))
    if rank_of(a) not in (4, 5) or rank_of(points) != rank_of(a):
        raise ValueError(f"For 'grid_sample', Tensors of 4 or 5 dimensions are needed, not {rank_of(a)}.")
    how, padding = (evaluator().static(v, w) for v, w in ((mode, "mode"), (padding_mode, "padding_mode")))
    if how not in ("bilinear", "nearest", "bicubic") or (how == "bicubic" and rank_of(a) == 5):
        raise ValueError(f"For 'grid_sample', the mode {how!r} is not supported.")
    if padding not in ("zeros", "border", "reflection"):
        raise ValueError(f"For 'grid_sample', the padding_mode {padding!r} is not supported.")
    corners = bool(evaluator().static(align_corners, "align_corners"))
    return resampling.sample_grid(a, points, how, padding, corners)


@operator("GridSampler2D GridSampler3D")
def grid_sample_set_up(
    input_x: Any,
    grid: Any,
    *,
    interpolation_mode: Any = "bilinear",
    padding_mode: Any = "zeros",
    align_corners: Any = False,
) -> Any:
    """As `grid_sample`."""
    return grid_sample(input_x, grid, interpolation_mode, padding_mode, align_corners)


@operator("affine_grid")
def affine_grid(theta: Any, size: Any, align_corners: Any = False) -> Any:
    """The grids of points (N, …, 2 or 3) that affine maps (N, 2, 3) or (N, 3, 4) take the points of images of a size
    to."""
    maps = as_float(theta)
    wanted = static_ints(size, "size")[2:]
    corners = bool(evaluator().static(align_corners, "align_corners"))
    axes: list[Any] = []
    for n in wanted:
        points = np.linspace(-1, 1, n) if corners else (2 * np.arange(n) + 1) / n - 1
        axes.append(np.zeros(1) if corners and n == 1 else points)
    grid = np.stack([*np.meshgrid(*axes, indexing="ij")[::-1], np.ones(wanted)], -1)
    base = evaluator().constant(grid.reshape(-1, len(wanted) + 1), dtype_of_value(maps))
    made = products.matmul(base, shapes.swapaxes(maps, -1, -2))
    return s.reshape(made, shape=(shape_of(maps)[0], *wanted, len(wanted)))


@operator("AffineGrid")
def affine_grid_set_up(theta: Any, output_size: Any, *, align_corners: Any = False) -> Any:
    """As `affine_grid`."""
    return affine_grid(theta, output_size, align_corners)
