"""`fluid.layers`: layers with parameters in a Program, pooling, dropout, resizing."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from jitcore.compat.paddle.fluid.declaring import functional, in_mode, is_static, layer, paddle
from jitcore.compat.paddle.fluid.tensor import StaticVariable
from jitcore.compat.paddle.fluid.types import dtype_named
from jitcore.compat.paddle.networks.layouts import Borders
from jitcore.compat.paddle.nn.attributes import AttrLike, Fill
from jitcore.compat.paddle.static import creation
from jitcore.compat.paddle.static import nn as static
from jitcore.compat.paddle.static.variables import Value

F = TypeVar("F", bound=Callable[..., Any])
Sizes = int | Sequence[int]


def _recorded(function: F) -> F:
    """A layer with parameters of its own: only in static mode, in which fluid begins. Raises RuntimeError in dynamic
    mode."""

    @functools.wraps(function)
    def call(*args: object, **keywords: object) -> Any:
        if not is_static():
            name = cast("Any", function).__name__
            raise RuntimeError(
                f"fluid.layers.{name} makes parameters, which in dynamic mode belong to a Layer: use "
                f"fluid.dygraph.{_LAYERS.get(name, 'Layer')}"
            )
        with in_mode():
            return function(*args, **keywords)

    return cast("F", call)


_LAYERS = {
    "fc": "Linear", "conv2d": "Conv2D", "conv3d": "Conv3D", "batch_norm": "BatchNorm", "embedding": "Embedding",
    "layer_norm": "LayerNorm", "group_norm": "GroupNorm", "prelu": "PRelu", "conv2d_transpose": "Conv2DTranspose",
}  # fmt: skip


def data(
    name: str,
    shape: Sequence[int | None],
    append_batch_size: bool = True,
    dtype: object = "float32",
    lod_level: int = 0,
    type: object = None,
    stop_gradient: bool = True,
) -> Any:
    """What the Program is fed with under a name. There is an axis for the rows of the batch before `shape`, unless
    not `append_batch_size` or an extent is -1."""
    del type
    extents = [-1 if n is None else n for n in shape]
    if append_batch_size and not any(n < 0 for n in extents):
        extents = [-1, *extents]
    made = creation.data(name, extents, dtype_named(dtype), lod_level, StaticVariable, checked=False)
    if not stop_gradient:
        made.stop_gradient = False
    return made


def create_parameter(
    shape: Sequence[int],
    dtype: object,
    name: str | None = None,
    attr: AttrLike = None,
    is_bias: bool = False,
    default_initializer: Fill | None = None,
) -> Any:
    """A parameter of the Program."""
    with in_mode():
        return creation.create_parameter(shape, dtype_named(dtype), name, attr, is_bias, default_initializer)


def create_global_var(
    shape: Sequence[int],
    value: float,
    dtype: object,
    persistable: bool = False,
    force_cpu: bool = False,
    name: str | None = None,
) -> Any:
    """A Variable that is kept between runs."""
    with in_mode():
        return creation.create_global_var(shape, value, dtype_named(dtype), persistable, force_cpu, name)


@_recorded
def fc(
    input: Value,
    size: int,
    num_flatten_dims: int = 1,
    param_attr: AttrLike | Sequence[AttrLike] = None,
    bias_attr: AttrLike = None,
    act: str | None = None,
    name: str | None = None,
) -> Any:
    """The input (or the sum over several), seen as a matrix, times a weight, and a bias."""
    return static.fc(input, size, num_flatten_dims, param_attr, bias_attr, act, name)


@_recorded
def embedding(
    input: Value,
    size: Sequence[int],
    is_sparse: bool = False,
    is_distributed: bool = False,
    padding_idx: int | None = None,
    param_attr: AttrLike = None,
    dtype: object = "float32",
) -> Any:
    """The rows of a table at numbers, which have a last axis of extent 1."""
    given = paddle.squeeze(input, -1) if input.shape[-1] == 1 else input
    return static.embedding(given, size, is_sparse, is_distributed, padding_idx, param_attr, dtype_named(dtype))


conv2d = _recorded(static.conv2d)
conv3d = _recorded(static.conv3d)
conv2d_transpose = _recorded(static.conv2d_transpose)
batch_norm = _recorded(static.batch_norm)
layer_norm = _recorded(static.layer_norm)
group_norm = _recorded(static.group_norm)


@_recorded
def prelu(x: Value, mode: str, param_attr: AttrLike = None, name: str | None = None) -> Any:
    """x, or a learned share of it where it is negative."""
    return static.prelu(x, mode, param_attr, name=name)


# --- without parameters ---------------------------------------------------------------------------------


@layer
def pool2d(
    input: Value,
    pool_size: Sizes = -1,
    pool_type: str = "max",
    pool_stride: Sizes = 1,
    pool_padding: Borders = 0,
    global_pooling: bool = False,
    use_cudnn: bool = True,
    ceil_mode: bool = False,
    exclusive: bool = True,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """The largest (or with `pool_type` "avg" the mean) of each window. Raises ValueError for other types."""
    del name
    del use_cudnn
    if pool_type not in ("max", "avg"):
        raise ValueError(f"pool_type is 'max' or 'avg', not {pool_type!r}")
    if global_pooling:
        name = f"adaptive_{pool_type}_pool2d"
        return getattr(functional, name)(input, 1, **({} if pool_type == "max" else {"data_format": data_format}))
    if pool_type == "max":
        return functional.max_pool2d(
            input, pool_size, pool_stride, pool_padding, ceil_mode=ceil_mode, data_format=data_format
        )
    return functional.avg_pool2d(
        input, pool_size, pool_stride, pool_padding, ceil_mode, exclusive, data_format=data_format
    )


@layer
def adaptive_pool2d(
    input: Value, pool_size: Sizes, pool_type: str = "max", require_index: bool = False, name: str | None = None
) -> Any:
    """The largest, or the mean, of windows of which there are so many along each axis."""
    del name
    if pool_type == "max":
        return functional.adaptive_max_pool2d(input, pool_size, require_index)
    return functional.adaptive_avg_pool2d(input, pool_size)


@layer
def dropout(
    x: Value,
    dropout_prob: float,
    is_test: bool = False,
    seed: int | None = None,
    dropout_implementation: str = "downgrade_in_infer",
    name: str | None = None,
) -> Any:
    """Zeros in the place of elements, each with a probability. With "downgrade_in_infer" the others stay as they are,
    and all are scaled where nothing is trained; with "upscale_in_train" it is the other way round. Raises ValueError
    for other words."""
    del name
    del seed
    modes = {"downgrade_in_infer": "downscale_in_infer", "upscale_in_train": "upscale_in_train"}
    if dropout_implementation not in modes:
        raise ValueError(f"dropout_implementation is one of {list(modes)}, not {dropout_implementation!r}")
    return functional.dropout(x, dropout_prob, training=not is_test, mode=modes[dropout_implementation])


@layer
def image_resize(
    input: Value,
    out_shape: Sequence[int] | None = None,
    scale: float | None = None,
    resample: str = "BILINEAR",
    actual_shape: object = None,
    align_corners: bool = True,
    align_mode: int = 1,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """Images of another size."""
    del name
    del actual_shape
    mode = resample.lower()
    corners = align_corners and mode != "nearest"
    return functional.interpolate(input, out_shape, scale, mode, corners, align_mode, data_format)


def resize_bilinear(
    input: Value,
    out_shape: Sequence[int] | None = None,
    scale: float | None = None,
    name: str | None = None,
    actual_shape: object = None,
    align_corners: bool = True,
    align_mode: int = 1,
    data_format: str = "NCHW",
) -> Any:
    """Images of another size, between the nearest elements."""
    del name
    return image_resize(input, out_shape, scale, "BILINEAR", actual_shape, align_corners, align_mode, data_format)


def resize_nearest(
    input: Value,
    out_shape: Sequence[int] | None = None,
    scale: float | None = None,
    name: str | None = None,
    actual_shape: object = None,
    align_corners: bool = True,
    data_format: str = "NCHW",
) -> Any:
    """Images of another size, of the nearest elements."""
    del name
    return image_resize(input, out_shape, scale, "NEAREST", actual_shape, align_corners, 1, data_format)


@layer
def lrn(
    input: Value, n: int = 5, k: float = 1.0, alpha: float = 1e-4, beta: float = 0.75, name: str | None = None
) -> Any:
    """Each element over what its neighbours along the channels are together."""
    del name
    return functional.local_response_norm(input, n, alpha * n, beta, k)
