"""`oneflow.nn`: the layers of PyTorch's shape, as classes of their own that are OneFlow's Modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from jitcore.compat.oneflow import functions, names
from jitcore.compat.oneflow.nn.module import Module, Parameter
from jitcore.compat.torch import nn as shaped
from jitcore.compat.torch.nn import module
from jitcore.runtime.tensor import Tensor


class QuickGELU(Module):
    """x times the sigmoid of 1.702 x."""

    def forward(self, x: Tensor) -> Any:
        return functions.quick_gelu(x)


_MADE: Final[dict[type, Any]] = {module.Module: Module}


_BIASED: Final = ("_Channels", "LayerNorm", "GroupNorm")
"""Layers of whose bias OneFlow's texts say nothing."""


def _of_bias_silent(text: Callable[[Any], str]) -> Callable[[Any], str]:
    def extra_repr(self: object) -> str:
        return text(self).replace(", bias=True", "").replace(", bias=False", "")

    return extra_repr


def _as_own(cls: Any) -> Any:
    """A layer's class as one of OneFlow's: it is derived from the layer, and from OneFlow's of its bases."""
    if cls not in _MADE:
        bases = [_as_own(base) for base in cls.__bases__ if issubclass(base, module.Module)]
        body: dict[str, Any] = {"__module__": __name__, "__qualname__": cls.__qualname__, "__doc__": cls.__doc__}
        if cls.__name__ in _BIASED:
            body["extra_repr"] = _of_bias_silent(cls.extra_repr)
        made: Any = type(cls.__name__, (cls, *bases), body)
        if "_sum" in vars(cls):
            made._sum = made
        _MADE[cls] = made
    return _MADE[cls]


_NAMED: Final = {
    "Parameter": Parameter,
    "QuickGELU": QuickGELU,
    **{
        name: _as_own(cls)
        for name in shaped.__all__
        if name in names.NN and isinstance(cls := getattr(shaped, name), type) and issubclass(cls, module.Module)
    },
}

globals().update(_NAMED)
__all__ = list(_NAMED)  # pyright: ignore[reportUnsupportedDunderAll]
