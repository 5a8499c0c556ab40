"""Batches of samples: Tensors, arrays and numbers stacked, containers item by item."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, cast

import numpy as np

from jitcore.compat.torch import tensor as tensors
from jitcore.library.array import shapes
from jitcore.runtime import autograd, nodes
from jitcore.runtime.tensor import Tensor, made_of, wrap_like

Samples: TypeAlias = Sequence[Any]


def default_collate(batch: Samples) -> Any:
    """One batch of many samples."""
    return collated(batch, tensors.Tensor)


def collated(batch: Samples, cls: type[Tensor]) -> Any:
    """One batch of many samples, whose arrays and numbers become Tensors of a class."""
    first = batch[0]
    if isinstance(first, Tensor):
        return _stacked(batch)
    if isinstance(first, np.ndarray | np.generic):
        if first.dtype.kind in "SUO":
            raise TypeError(f"{_WORDS}{first.dtype}")
        return made_of(cls, np.stack([np.asarray(item) for item in batch]))
    if isinstance(first, bool | int | float):
        return made_of(cls, np.array(batch, np.float64 if isinstance(first, float) else None))
    if isinstance(first, str | bytes):
        return batch
    if isinstance(first, Mapping):
        return _like_mapping(first, {key: collated([item[key] for item in batch], cls) for key in first})
    if isinstance(first, tuple) and hasattr(first, "_fields"):  # a named tuple
        return type(cast("Any", first))(*(collated(items, cls) for items in zip(*batch, strict=True)))
    if isinstance(first, Sequence):
        if any(len(item) != len(cast("Samples", first)) for item in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [collated(items, cls) for items in zip(*batch, strict=True)]
    raise TypeError(f"{_WORDS}{type(first)}")


_WORDS = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found "


def _stacked(batch: Sequence[Tensor]) -> Any:
    shape = batch[0].shape
    for k, item in enumerate(batch):
        if item.shape != shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(shape)} at entry 0 and {list(item.shape)} "
                f"at entry {k}"
            )
    if any(_needs_gradient(item) for item in batch):
        return shapes.stack(list(batch))
    return wrap_like(batch[0], np.stack([nodes.detached(item).asnumpy() for item in batch]))


def _needs_gradient(tensor: Tensor) -> bool:
    """Whether gradients go to a Tensor; of views of what has no history, found without asking how they were made."""
    base: Tensor | None = tensor
    while base is not None:
        if base._history is not None:
            return autograd.needs_gradient(tensor)
        base = None if base._view is None else base._view[0]
    return False


def _like_mapping(first: object, made: dict[Any, Any]) -> Any:
    """A mapping of the type of the samples', where it is made of one."""
    try:
        return type(cast("Any", first))(made)
    except TypeError:
        return made


def default_convert(data: object) -> Any:
    """A sample, with its arrays as Tensors: what is done where there are no batches."""
    return converted(data, tensors.Tensor)


def converted(data: object, cls: type[Tensor]) -> Any:
    """A sample, with its arrays as Tensors of a class."""
    if isinstance(data, np.ndarray | np.generic):
        return data if data.dtype.kind in "SUO" else made_of(cls, np.asarray(data))
    if isinstance(data, Mapping):
        held = cast("Mapping[Any, Any]", data)
        return _like_mapping(held, {key: converted(value, cls) for key, value in held.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(cast("Any", data))(*(converted(item, cls) for item in cast("Samples", data)))
    if isinstance(data, list | tuple):
        return [converted(item, cls) for item in cast("Samples", data)]
    return data
