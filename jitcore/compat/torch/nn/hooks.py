"""Hooks on a Module's way back: functions called with the gradients of its results, and of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

from jitcore.compat.torch.custom import Function, FunctionCtx
from jitcore.runtime import autograd
from jitcore.runtime.tensor import Tensor


class Watched(Protocol):
    """A Module with such hooks."""

    def hooks_back(self) -> tuple[Sequence[Callable[..., Any]], Sequence[Callable[..., Any]]]:
        """Those called before gradients go back through it, and after."""
        ...

    def construct(self, *args: object, **keywords: object) -> Any:
        """What the Module computes."""
        ...


class _Passage:
    """One call of a Module, as its gradients come back."""

    def __init__(self, module: Watched, count: int, places: Sequence[int]) -> None:
        self._module = module
        self._count = count
        self._places = places
        self._of_results: tuple[Any, ...] = ()

    def arrive(self, gradients: tuple[Any, ...]) -> tuple[Any, ...]:
        """The gradients of the results, as the hooks before have them."""
        for hook in self._module.hooks_back()[0]:
            changed = hook(self._module, gradients)
            if changed is not None:
                gradients = changed if isinstance(changed, tuple) else (changed,)
        self._of_results = gradients
        if not self._places:
            self.depart(())
        return gradients

    def depart(self, gradients: tuple[Any, ...]) -> tuple[Any, ...]:
        """The gradients of the arguments that are Tensors, as the hooks have them."""
        listed: list[Any] = [None] * self._count
        for place, gradient in zip(self._places, gradients, strict=True):
            listed[place] = gradient
        given = tuple(listed)
        for hook in self._module.hooks_back()[1]:
            changed = hook(self._module, given, self._of_results)
            if changed is not None:
                given = changed if isinstance(changed, tuple) else (changed,)
        return tuple(given[place] for place in self._places)


class _Kept(FunctionCtx):
    passage: _Passage


class _Entrance(Function):
    @staticmethod
    def forward(ctx: _Kept, passage: _Passage, *tensors: Tensor) -> Any:
        ctx.passage = passage
        return tensors

    @staticmethod
    def backward(ctx: _Kept, *gradients: Tensor | None) -> Any:
        return None, *ctx.passage.depart(gradients)


class _Exit(Function):
    @staticmethod
    def forward(ctx: _Kept, passage: _Passage, *tensors: Tensor) -> Any:
        ctx.passage = passage
        return tensors

    @staticmethod
    def backward(ctx: _Kept, *gradients: Tensor | None) -> Any:
        return None, *ctx.passage.arrive(gradients)


def watched(module: Watched, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """A call of a Module whose hooks see gradients."""
    places = [k for k, a in enumerate(args) if isinstance(a, Tensor) and autograd.needs_gradient(a)]
    passage = _Passage(module, len(args), places)
    if places:
        listed = list(args)
        entered = _Entrance.apply(passage, *(args[k] for k in places))
        for place, tensor in zip(places, entered, strict=True):
            listed[place] = tensor
        args = tuple(listed)
    made = module.construct(*args, **keywords)
    if isinstance(made, Tensor):
        return _Exit.apply(passage, made)[0]
    if isinstance(made, tuple | list) and all(isinstance(m, Tensor) for m in cast("Sequence[object]", made)):
        return type(made)(_Exit.apply(passage, *cast("Sequence[Any]", made)))
    return made
