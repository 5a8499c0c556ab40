"""Hooks of Tensors: functions called with the gradient of a Tensor on the way back."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Iterator
from typing import Any, Final

from jitcore.modelled import modelled
from jitcore.runtime import tensor_models
from jitcore.runtime.tensor import Tensor

Hook = Callable[[Any], Any]
_numbers = itertools.count()


class Hooks:
    """The hooks of one Tensor, in the order in which they are called."""

    def __init__(self) -> None:
        self.functions: dict[int, Hook] = {}

    def __call__(self, gradient: Any) -> Any:
        """The gradient as the hooks leave it: what one returns, unless None, is what the next one gets. Raises
        RuntimeError if that is no Tensor."""
        for function in tuple(self.functions.values()):
            changed = function(gradient)
            if changed is None:
                continue
            if not isinstance(changed, Tensor):
                raise RuntimeError(f"Tensor hook should be return Tensor, but get type: {type(changed).__name__}.")
            gradient = changed
        return gradient


class TensorHookHandle:
    """What registering a hook gives: `remove()` takes it away again."""

    def __init__(self, hooks: Hooks, number: int) -> None:
        self._hooks = hooks
        self._number = number

    def remove(self) -> None:
        """Take the hook away; nothing happens if it is gone already."""
        self._hooks.functions.pop(self._number, None)


_known: Final[dict[int, tuple[weakref.ref[Any], Hooks]]] = {}
"""By the id of a Tensor that lives: its hooks."""


def hooks_of(tensor: Tensor) -> Hooks | None:
    """The hooks of a Tensor, if it has ever had any."""
    known = _known.get(id(tensor))
    return None if known is None else known[1]


@tensor_models.hooks_of.model
def functions_of(tensor: Tensor) -> list[Hook]:
    """The hooks of a Tensor, as they are called."""
    known = hooks_of(tensor)
    return [] if known is None else list(known.functions.values())


def share(source: Tensor, same: Tensor) -> None:
    """Have another Tensor called by the hooks of one it stands for."""
    hooks = hooks_of(source)
    if hooks is not None:
        _keep(same, hooks)


def _keep(tensor: Tensor, hooks: Hooks) -> None:
    key = id(tensor)
    _known[key] = (weakref.ref(tensor, lambda _: _known.pop(key, None)), hooks)


def exist() -> bool:
    """Whether any Tensor may have hooks."""
    return bool(_known)


def any_of(tensors: Iterator[Any]) -> bool:
    """Whether a gradient by one of these would call a hook."""
    return exist() and any((found := hooks_of(t)) is not None and found.functions for t in tensors)


@modelled
def hooked(tensor: Tensor, hooks: Hooks) -> None:
    """Tell the tapes that a Tensor has hooks from here on."""
    raise NotImplementedError


@tensor_models.register_hook.model
def register(tensor: Tensor, hook: Hook) -> TensorHookHandle:
    """Add a hook. Raises TypeError for what cannot be called."""
    if not callable(hook):
        raise TypeError(f"Expected a callable hook function, but got {type(hook).__name__}.")
    if not getattr(tensor, "requires_grad", True):
        raise RuntimeError("The tensor requires grad is false, which can not register tensor hook")
    hooks = hooks_of(tensor)
    if hooks is None:
        hooks = Hooks()
        _keep(tensor, hooks)
        hooked(tensor, hooks)
    number = next(_numbers)
    hooks.functions[number] = hook
    return TensorHookHandle(hooks, number)
