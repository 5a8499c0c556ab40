"""OneFlow's functions that PyTorch has not, or not as functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, cast

import numpy as np

from jitcore import ops
from jitcore.compat.oneflow import dtypes
from jitcore.compat.oneflow.placing import placement as Placement
from jitcore.compat.oneflow.placing import sbp as Sbp
from jitcore.compat.oneflow.tensor import CATEGORY
from jitcore.compat.oneflow.tensor import Tensor as FlowTensor
from jitcore.compat.torch import surface
from jitcore.compat.torch.arguments import Data, Device, DTypeLike
from jitcore.compat.torch.declaring import METHODS, NETWORK, declared, in_category, require_device
from jitcore.compat.torch.functions import creation, random
from jitcore.library.core import marking, values
from jitcore.library.core.defaults import default_float
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.math import elementwise
from jitcore.runtime.tensor import Tensor

F = TypeVar("F", bound=Callable[..., Any])

OWN: Final[dict[str, Callable[..., Any]]] = {}
"""Those of the module `oneflow`, by name."""
OWN_NETWORK: Final[dict[str, Callable[..., Any]]] = {}
"""Those of `oneflow.nn.functional`, by name."""

surface.complete()

_OF_METHODS: Final = (
    *("view", "repeat", "expand", "contiguous", "new_empty", "new_full", "new_ones", "new_zeros", "gt_", "div_"),
    *("lerp_", "erfinv_", "masked_fill_", "index_add_"),
)
_OF_NETWORKS: Final = (
    *("gelu", "mish", "silu", "selu", "softplus", "softshrink", "softsign", "pad", "adaptive_avg_pool1d"),
    *("adaptive_avg_pool2d", "adaptive_avg_pool3d", "threshold"),
)
OWN.update({name: METHODS[name] for name in _OF_METHODS})
OWN.update({name: NETWORK[name] for name in _OF_NETWORKS})


def _own(declaration: F) -> F:
    made = declared(declaration)
    OWN[cast("Any", declaration).__name__.rstrip("_")] = made
    return made


def _network(declaration: F) -> F:
    made = declared(declaration)
    OWN_NETWORK[cast("Any", declaration).__name__] = made
    return made


# --- of data ------------------------------------------------------------------------------------------


@_own
def as_tensor(data: Data, dtype: DTypeLike = None, device: Device = None) -> Any:
    """Data as a Tensor: itself, if it is one of that dtype."""
    require_device(device)
    if isinstance(data, np.ndarray) and dtype is None:
        return from_numpy(cast("Any", data))
    if values.category(data) == "tensor":
        return data if dtype is None else elementwise.astype(data, as_dtype(dtype))
    return in_category(marking.finish(creation.of_data(data, dtype), "tensor"), CATEGORY)


@marking.library("raw")
def from_numpy(ndarray: np.ndarray[Any, Any]) -> Any:
    """A Tensor of an ndarray's memory."""
    return in_category(Tensor.from_numpy(ndarray), CATEGORY)


@_own
def cast_(input: Tensor, dtype: DTypeLike) -> Any:
    """A Tensor in a dtype."""
    return elementwise.astype(input, as_dtype(dtype))


# --- places in Tensors --------------------------------------------------------------------------------


@_own
def broadcast_like(x: Tensor, like_tensor: Tensor, broadcast_axes: Sequence[int] | None = None) -> Any:
    """A Tensor in the extents of another, in which `broadcast_axes` are axes that it has not yet."""
    made = x
    if broadcast_axes is not None and len(values.shape_of(x)) < len(values.shape_of(like_tensor)):
        for axis in sorted(broadcast_axes):
            made = ops.expand_dims(made, axis)
    return ops.broadcast_to(made, tuple(values.shape_of(like_tensor)))


@_own
def gather_nd(params: Tensor, indices: Tensor) -> Any:
    """The slices of a Tensor at indices, which are the last axis of `indices`."""
    return ops.gather_nd(params, indices)


@_own
def scatter_nd(index: Tensor, update: Tensor, shape: Sequence[int]) -> Any:
    """Zeros of a shape, to which slices are added at indices."""
    return ops.scatter_nd(index, update, tuple(shape))


@_own
def tensor_scatter_nd_update(tensor: Tensor, indices: Tensor, updates: Tensor) -> Any:
    """A Tensor with other slices at indices."""
    return ops.tensor_scatter_update(tensor, indices, updates)


@_own
def in_top_k(targets: Tensor, predictions: Tensor, k: int) -> Any:
    """Whether each target is among the k largest of its row of predictions."""
    return ops.intopk(predictions, targets, k)


# --- slices -------------------------------------------------------------------------------------------


def _slices(ranges: Sequence[Sequence[int | None]]) -> tuple[slice, ...]:
    return tuple(slice(*(None if bound is None else int(bound) for bound in one)) for one in ranges)


@_own
def slice_(input: Tensor, slice_tup_list: Sequence[Sequence[int | None]]) -> Any:
    """The part of a Tensor that (start, stop, step) of each axis say."""
    return input[_slices(slice_tup_list)]


@_own
def slice_update(input: Tensor, update: Tensor, slice_tup_list: Sequence[Sequence[int | None]]) -> Any:
    """Write to the part of a Tensor that (start, stop, step) of each axis say; the Tensor."""
    values.evaluator().write(input[_slices(slice_tup_list)], update)
    return input


# --- global Tensors, which are those of this process --------------------------------------------------


@marking.library("raw")
def to_global(
    input: Tensor, placement: Placement | None = None, sbp: Sbp | Sequence[Sbp] | None = None, **kwargs: object
) -> Any:
    """The Tensor, all of which is in the one process that there is."""
    del placement, sbp, kwargs
    return input


@marking.library("raw")
def to_local(input: Tensor) -> Any:
    """The Tensor."""
    return input


OWN.update(
    dict.fromkeys(("to_global", "to_consistent", "local_to_global", "global_to_global"), to_global),
    to_local=to_local,
    from_numpy=from_numpy,
)

# --- networks -----------------------------------------------------------------------------------------


@_network
def quick_gelu(x: Tensor) -> Any:
    """x times the sigmoid of 1.702 x (Hendrycks and Gimpel 2016)."""
    return ops.mul(x, ops.sigmoid(ops.mul(x, 1.702)))


@_network
def square_relu(x: Tensor) -> Any:
    """The square of what is positive, else 0."""
    return ops.square(ops.relu(x))


@_network
def sparse_softmax_cross_entropy(labels: Tensor, logits: Tensor) -> Any:
    """The cross entropy of each row, unreduced."""
    return NETWORK["cross_entropy"](logits, labels, reduction="none")


@_network
def depend(input: Tensor, depend: Tensor | Sequence[Tensor]) -> Any:
    """The input; where the program is read as a graph, what it depends on is computed before."""
    del depend
    return input


OWN["quick_gelu"] = quick_gelu

# --- what they are told of dtypes and chance ----------------------------------------------------------


def convert_oneflow_dtype_to_numpy_dtype(oneflow_dtype: dtypes.dtype) -> Any:
    """NumPy's scalar type of a dtype."""
    return oneflow_dtype.dtype.type


def get_default_dtype() -> dtypes.dtype:
    """The dtype of Python's floats."""
    return dtypes.OF[default_float()]


class Generator(random.Generator):
    """A stream of random numbers."""

    _category = CATEGORY


class _Default(Generator):
    """The process's own stream."""

    def __init__(self) -> None:
        super().__init__()
        self.stream = random.default_generator.stream


default_generator: Final = _Default()
"""What is drawn from unless another generator is given."""


def get_rng_state() -> Any:
    """All that the next random numbers depend on, in bytes."""
    return default_generator.get_state()


for _name, _method in {
    "cast": OWN["cast"],
    "in_top_k": OWN["in_top_k"],
    **{n: NETWORK[n] for n in _OF_NETWORKS[:7]},
}.items():
    setattr(FlowTensor, _name, _method)
