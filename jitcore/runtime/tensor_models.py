"""What Tensors ask of modules above them: tapes, hooks, NumPy's protocols, other libraries' arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from jitcore.modelled import modelled

if TYPE_CHECKING:
    from jitcore.runtime.tensor import Tensor


@modelled
def record_made(made: Tensor, data: object) -> None:
    """Tell the tapes that a Tensor was made of another one, or of nested sequences with Tensors in them."""
    raise NotImplementedError


@modelled
def cut_view(made: Tensor, base: Tensor) -> None:
    """Have no gradient go through a view that is made while nothing is recorded."""
    raise NotImplementedError


@modelled
def view_again(function: Callable[..., Tensor], args: Sequence[Any], keywords: Mapping[str, Any]) -> Tensor:
    """A view made anew as gradients see it, whether they are recorded now or not."""
    raise NotImplementedError


@modelled
def as_ndarray(value: object) -> np.ndarray[Any, Any] | None:
    """The ndarray that shares the memory of another library's array; None for what is none."""
    raise NotImplementedError


@modelled
def call_ufunc(ufunc: np.ufunc, method: str, inputs: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """`ufunc.method(*inputs, **keywords)` with a Tensor among them."""
    raise NotImplementedError


@modelled
def call_function(function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """`function(*args, **keywords)` of NumPy with a Tensor among the arguments."""
    raise NotImplementedError


@modelled
def refuse_cut(values: Sequence[object], what: str) -> None:
    """Raise if a gradient that is being taken would end here."""
    raise NotImplementedError


@modelled
def register_hook(tensor: Tensor, hook: Callable[[Any], Any]) -> object:
    """Add a hook. Raises TypeError for what cannot be called."""
    raise NotImplementedError


@modelled
def hooks_of(tensor: Tensor) -> Sequence[Callable[[Any], Any]]:
    """The hooks of a Tensor."""
    raise NotImplementedError
