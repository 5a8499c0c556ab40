"""`torch.nn.utils`: gradients kept small, Parameters as one vector, and sequences padded to one length."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np

from jitcore.compat.torch import tensor as tensors
from jitcore.library.array import creation, shapes
from jitcore.runtime import autograd, nodes
from jitcore.runtime.tensor import Tensor, made_of, wrap, wrap_like

Params: TypeAlias = Tensor | Iterable[Tensor]
Array: TypeAlias = "np.ndarray[Any, Any]"

_LEAST = 1e-6
"""What is added to a norm that is divided by: PyTorch's."""


def _gradients(parameters: Params) -> list[Tensor]:
    held = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    return [grad for p in held if (grad := autograd.grad_of(p)) is not None]


def _array(tensor: Tensor) -> Array:
    return nodes.detached(tensor).asnumpy()


def _norm(values: Array, kind: float) -> float:
    flat = np.abs(values).reshape(-1)
    if not flat.size:
        return 0.0
    if math.isinf(kind):
        return float(flat.max() if kind > 0 else flat.min())
    if kind == 2:
        return math.sqrt(float(flat @ flat))
    return float(np.count_nonzero(flat)) if kind == 0 else float((flat**kind).sum() ** (1 / kind))


def get_total_norm(
    tensors_: Params, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Any:
    """The norm of Tensors as one vector."""
    del foreach
    held = [tensors_] if isinstance(tensors_, Tensor) else list(tensors_)
    if not held:
        return made_of(tensors.Tensor, np.zeros((), np.float32))
    kind = float(norm_type)
    total = _norm(np.array([_norm(_array(t), kind) for t in held]), kind)
    if error_if_nonfinite and not math.isfinite(total):
        raise RuntimeError(
            f"The total norm of order {kind} for gradients from `parameters` is non-finite, so it cannot be "
            "clipped. To disable this error and "
            "scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return wrap_like(held[0], np.array(total, _array(held[0]).real.dtype))


def clip_grads_with_norm_(parameters: Params, max_norm: float, total_norm: Tensor, foreach: bool | None = None) -> None:
    """Scale gradients, of which the norm is known, so that it is at most `max_norm`."""
    del foreach
    factor = float(max_norm) / (float(total_norm) + _LEAST)
    if factor < 1.0 or math.isnan(factor):
        _change(_gradients(parameters), lambda grad: grad * grad.dtype.type(factor))


def _change(grads: Sequence[Tensor], change: Callable[[Array], Array]) -> None:
    """Write what becomes of gradients in their places."""
    with nodes.recording(False):
        for grad in grads:
            nodes.detached(grad)[...] = wrap(change(_array(grad)))


def clip_grad_norm_(
    parameters: Params,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Any:
    """Scale the gradients of Parameters so that the norm of all is at most `max_norm`; the norm before."""
    held = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    total = get_total_norm(_gradients(held), norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(held, max_norm, total, foreach)
    return total


def clip_grad_norm(
    parameters: Params, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False
) -> Any:
    """`clip_grad_norm_`, by its old name."""
    words = "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`."
    warnings.warn(words, FutureWarning, stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite)


def clip_grad_value_(parameters: Params, clip_value: float, foreach: bool | None = None) -> None:
    """Limit each element of the gradients of Parameters."""
    del foreach
    limit = float(clip_value)
    _change(_gradients(parameters), lambda grad: np.clip(grad, -limit, limit))


# --- one vector -------------------------------------------------------------------------------------


def parameters_to_vector(parameters: Iterable[Tensor]) -> Any:
    """The elements of all Parameters in one vector."""
    return shapes.concatenate([shapes.reshape(p, (-1,)) for p in parameters], 0)


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Have Parameters be parts of a vector."""
    if not isinstance(vec, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    array, offset = _array(vec), 0
    for p in parameters:
        n = p.numel()
        cast("Any", p).data = wrap_like(p, array[offset : offset + n].reshape(p.shape))
        offset += n


# --- sequences --------------------------------------------------------------------------------------


def pad_sequence(
    sequences: Sequence[Tensor], batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Any:
    """Sequences along their first axes in one Tensor, padded to the length of the longest."""
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    longest = max(x.shape[0] for x in sequences)
    padded: list[Any] = []
    for x in sequences:
        fill = creation.full((longest - x.shape[0], *x.shape[1:]), padding_value, cast("Any", x)._dtype)
        padded.append(shapes.concatenate([x, fill] if padding_side == "right" else [fill, x], 0))
    return shapes.stack(padded, 0 if batch_first else 1)
