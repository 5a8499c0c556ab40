"""`paddle.nn.utils`: gradients kept small, Parameters as one vector, and weights by their lengths and directions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jitcore import ops
from jitcore.compat.paddle.declaring import operation
from jitcore.compat.paddle.nn.layer import Layer
from jitcore.compat.paddle.nn.parameter import Parameter
from jitcore.compat.torch.nn import utils
from jitcore.compat.torch.nn.utils import clip_grad_norm_
from jitcore.library.core import values
from jitcore.runtime import nodes
from jitcore.runtime.tensor import Tensor, wrap_like

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "parameters_to_vector",
    "remove_weight_norm",
    "vector_to_parameters",
    "weight_norm",
]


def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float) -> None:
    """Limit each element of the gradients of Parameters."""
    utils.clip_grad_value_(parameters, clip_value)


@operation
def _joined(parts: list[Tensor]) -> Any:
    return ops.cat([ops.reshape(part, (-1,)) for part in parts], 0)


def parameters_to_vector(parameters: Iterable[Tensor], name: str | None = None) -> Any:
    """The elements of all Parameters in one vector."""
    del name
    return _joined(list(parameters))


def vector_to_parameters(vec: Tensor, parameters: Iterable[Parameter], name: str | None = None) -> None:
    """Write the parts of a vector into Parameters."""
    del name
    array: Any = nodes.detached(vec).asnumpy()
    start = 0
    for p in parameters:
        shape = nodes.detached(p).asnumpy().shape
        count = int(nodes.detached(p).asnumpy().size)
        p.set_value(wrap_like(vec, array[start : start + count].reshape(shape)))
        start += count


# --- lengths and directions -----------------------------------------------------------------------------


@operation
def _lengths(v: Tensor, dim: int | None) -> Any:
    """The lengths of a weight's parts along an axis; of all of it, without one."""
    squares = ops.mul(v, v)
    if dim is None or dim == -1:
        return ops.reshape(ops.sqrt(ops.sum_ext(squares)), (1,))
    others = tuple(k for k in range(values.rank_of(v)) if k != dim)
    return ops.sqrt(ops.sum_ext(squares, others))


@operation
def _of_length(v: Tensor, g: Tensor, dim: int | None) -> Any:
    """A weight whose parts have other lengths."""
    rank = values.rank_of(v)
    if dim is None or dim == -1:
        return ops.mul(v, ops.div(g, ops.sqrt(ops.sum_ext(ops.mul(v, v)))))
    others = tuple(k for k in range(rank) if k != dim)
    length = ops.sqrt(ops.sum_ext(ops.mul(v, v), others, True))
    return ops.mul(v, ops.div(ops.reshape(g, (-1,) + (1,) * (rank - 1 - dim)), length))


def weight_norm(layer: Layer, name: str = "weight", dim: int | None = 0) -> Layer:
    """Have a weight be learnt by its lengths along an axis, `name`_g, and its directions, `name`_v (Salimans and Kingma
    2016). Raises RuntimeError where it is already."""
    if name in layer.__dict__.get("_normed_weights", {}):
        raise RuntimeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
    weight: Any = getattr(layer, name)
    delattr(layer, name)
    for suffix, data in (("_g", _lengths(nodes.detached(weight), dim)), ("_v", nodes.detached(weight).clone())):
        made = Parameter(data, name=f"{weight.name}{suffix}")
        setattr(layer, name + suffix, made)

    def renew(layer: Layer, inputs: object) -> None:
        del inputs
        setattr(layer, name, _of_length(getattr(layer, f"{name}_v"), getattr(layer, f"{name}_g"), dim))

    handle = layer.register_forward_pre_hook(renew)
    layer.__dict__.setdefault("_normed_weights", {})[name] = handle, dim
    renew(layer, ())
    return layer


def remove_weight_norm(layer: Layer, name: str = "weight") -> Layer:
    """Have a weight be learnt itself again. Raises ValueError where it is."""
    held: dict[str, Any] = layer.__dict__.get("_normed_weights", {})
    if name not in held:
        raise ValueError(f"weight_norm of '{name}' not found in {layer}")
    handle, dim = held.pop(name)
    handle.remove()
    v, g = getattr(layer, f"{name}_v"), getattr(layer, f"{name}_g")
    data = _of_length(nodes.detached(v), nodes.detached(g), dim)
    for suffix in ("", "_g", "_v"):
        delattr(layer, name + suffix)
    setattr(layer, name, Parameter(data, name=v.name.removesuffix("_v")))
    return layer
