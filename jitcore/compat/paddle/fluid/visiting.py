"""Which Variables a gradient has come by: fluid gives these a gradient of zeros where nothing arrives.

A Variable knows, as long as it lives, those that it was computed of. Where gradients end (`stop_gradient`) they go on
as zeros; at what is detached they end.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from jitcore.runtime import autograd
from jitcore.runtime.tensor import Tensor


class _Notes:
    """What is noted of Tensors, as long as they are: those that they were computed of, and whether a gradient came."""

    def __init__(self) -> None:
        self._of: dict[int, tuple[weakref.ref[Tensor], tuple[Tensor, ...]]] = {}
        self._visited: dict[int, weakref.ref[Tensor]] = {}

    def put(self, tensor: Tensor, inputs: tuple[Tensor, ...]) -> None:
        number = id(tensor)
        self._of[number] = weakref.ref(tensor, lambda _: self._of.pop(number, None)), inputs

    def inputs(self, tensor: Tensor) -> tuple[Tensor, ...]:
        found = self._of.get(id(tensor))
        return found[1] if found is not None and found[0]() is tensor else ()

    def visit(self, tensor: Tensor) -> None:
        number = id(tensor)
        self._visited[number] = weakref.ref(tensor, lambda _: self._visited.pop(number, None))

    def is_visited(self, tensor: Tensor) -> bool:
        found = self._visited.get(id(tensor))
        return found is not None and found() is tensor

    def forget(self, tensor: Tensor) -> None:
        self._visited.pop(id(tensor), None)


_notes: Final = _Notes()


def _tensors(tree: object) -> Iterator[Tensor]:
    if isinstance(tree, Tensor):
        yield tree
    elif isinstance(tree, Mapping):
        yield from _tensors(list(cast("Mapping[object, object]", tree).values()))
    elif isinstance(tree, list | tuple):
        for item in cast("Sequence[object]", tree):
            yield from _tensors(item)


def note(result: object, args: object, keywords: object) -> None:
    """Note what the results of a call were computed of, and have them keep their gradients."""
    inputs: tuple[Tensor, ...] | None = None
    for made in _tensors(result):
        if autograd.needs_gradient(made) and not autograd.is_leaf(made):
            inputs = tuple(_tensors((args, keywords))) if inputs is None else inputs
            _notes.put(made, inputs)
            autograd.retain(made)


def visit(root: Tensor) -> None:
    """Note that a gradient has gone back from a Tensor."""
    waiting, seen = [root], set[int]()
    while waiting:
        tensor = waiting.pop()
        if id(tensor) not in seen:
            seen.add(id(tensor))
            _notes.visit(tensor)
            waiting += _notes.inputs(tensor)


def is_visited(tensor: Tensor) -> bool:
    """Whether a gradient has come by a Tensor since it was forgotten."""
    return _notes.is_visited(tensor)


def forget(tensor: Tensor) -> None:
    """Note that no gradient has come."""
    _notes.forget(tensor)


def gradient_of(tensor: Tensor) -> Any:
    """The gradient of a Tensor as an ndarray: zeros where one has come by and nothing arrived; None where none has."""
    grad = autograd.grad_of(tensor)
    if grad is not None:
        return grad.asnumpy().copy()
    return tensor.numpy() * 0 if is_visited(tensor) else None
