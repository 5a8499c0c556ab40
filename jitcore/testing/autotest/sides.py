"""The two sides of a comparison: how each makes arrays, runs a call on copies of its operands, and has gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Protocol, cast

import numpy as np

import jitcore
from jitcore.structs import dataclass, field
from jitcore.testing.autotest.calls import Call, Operand
from jitcore.testing.autotest.items import Array, Item, Mapping, flattened
from jitcore.testing.autotest.layouts import copied
from jitcore.testing.autotest.replicas import Replicas

Function = Callable[..., Any]


@dataclass(slots=True, eq=False)
class Outcome:
    """What a run of a call gave: the items of the result, the operands afterwards, gradients by operand (None where
    none arrived) and second derivatives; or what it raised."""

    result: list[Item] = field(default_factory=list[Item])
    operands: list[Item] = field(default_factory=list[Item])
    gradients: list[Item] = field(default_factory=list[Item])
    second: list[Item] = field(default_factory=list[Item])
    error: Exception | None = None


class Side(Protocol):
    """A library whose arrays a call is run with."""

    def made(self, array: Array, requires_grad: bool = False) -> Any:
        """An array of this library's of the same memory layout."""
        ...

    def read(self, value: object) -> tuple[str, Array] | None:
        """The dtype's name and the elements of an array; None of what is no array of this library's."""
        ...

    def run(self, function: Function, call: Call, gradients: int = 0) -> Outcome:
        """Call a function with copies of the operands. `gradients`: of which order derivatives are wanted."""
        ...


def weighted_sum(result: object) -> Any:
    """The sum of the floats of a result, each times a weight of its own: what AutoTest takes gradients of. Results are
    Tensors, and tuples, lists and dicts of them; None if no gradient goes through any.

    >>> from jitcore.compat.torch import package
    >>> print(f"{weighted_sum((package().ones(2, requires_grad=True), 3)).item():.4f}")  # 1 + cos(1)
    1.5403
    """
    total: Any = None
    for tensor in differentiable(result):
        part = (tensor * weights_of(tensor)).sum()
        part = (part.real if part.is_complex() else part).double()
        total = part if total is None else total + part
    return total


def differentiable(result: object) -> list[Any]:
    """The Tensors of a result that gradients go through."""
    return [tensor for tensor in _tensors(result) if getattr(tensor, "requires_grad", False)]


def weights_of(tensor: object) -> Any:
    """The factors of a Tensor's elements in `weighted_sum`: what the gradient of that by the Tensor is."""
    given = cast("Any", tensor)
    return given.new_tensor(np.cos(np.arange(given.numel())).reshape(tuple(given.shape)))


def _tensors(value: object) -> Iterator[Any]:
    if isinstance(value, tuple | list):
        for item in cast("tuple[object, ...]", value):
            yield from _tensors(item)
    elif isinstance(value, Mapping):
        for item in cast("Mapping[object, object]", value).values():
            yield from _tensors(item)
    elif hasattr(value, "requires_grad"):
        yield value


@dataclass(frozen=True, slots=True)
class TorchSide:
    """PyTorch, or jitcore's front of it: `torch` is the package; operands of modules are those at `position`."""

    torch: Any
    position: int
    replicas: Replicas

    def made(self, array: Array, requires_grad: bool = False) -> Any:
        """See `Side.made`."""
        tensor = self.torch.from_numpy(copied(array))
        return tensor.requires_grad_(True) if requires_grad else tensor

    def read(self, value: object) -> tuple[str, Array] | None:
        """See `Side.read`."""
        if not isinstance(value, self.torch.Tensor):
            return None
        tensor = cast("Any", value).detach()
        tensor = tensor.resolve_conj().resolve_neg() if tensor.is_complex() and self.position == 0 else tensor
        return str(tensor.dtype).removeprefix("torch."), np.asarray(tensor.numpy())

    def run(self, function: Function, call: Call, gradients: int = 0) -> Outcome:
        """See `Side.run`."""
        operands = [self._copied(k, operand, gradients > 0) for k, operand in enumerate(call.operands)]
        try:
            result = function(*operands)
            outcome = Outcome(list(flattened(result, self.read)))
            outcome.operands = self._afterwards(operands, call)
            if gradients:
                self._differentiate(result, operands, outcome, gradients)
        except Exception as error:
            return Outcome(error=error)
        return outcome

    def _copied(self, k: int, operand: Operand, gradients: bool) -> Any:
        if operand.array is not None:
            return self.made(operand.array, gradients and operand.requires_grad)
        given = operand.of[self.position]
        return self.replicas.of(given, k) if operand.module else given

    def _afterwards(self, operands: Sequence[Any], call: Call) -> list[Item]:
        """What was given, as it is then: arrays, and the buffers of modules."""
        found: list[Item] = []
        for k, (value, operand) in enumerate(zip(operands, call.operands, strict=True)):
            if operand.module:
                found += flattened(dict(value.named_buffers()), self.read, f"operand {k}")
            elif operand.array is not None:
                found += flattened(value, self.read, f"operand {k}")
        return found

    def _differentiate(self, result: object, operands: Sequence[Any], outcome: Outcome, order: int) -> None:
        leaves, results = dict(self._leaves(operands)), differentiable(result)
        if not results or not leaves:
            return
        found = self._gradients(results, leaves, order > 1)
        outcome.gradients = [item for name in leaves for item in flattened(found[name], self.read, name)]
        again = differentiable([g for g in found.values() if g is not None]) if order > 1 else []
        if again:
            second = self._gradients(again, leaves, create_graph=False)
            outcome.second = [item for name in leaves for item in flattened(second[name], self.read, name)]

    def _gradients(self, results: list[Any], leaves: Mapping[str, Any], create_graph: bool) -> dict[str, Any]:
        """The gradients of the weighted sum of results, which is not itself computed."""
        found = self.torch.autograd.grad(
            results, list(leaves.values()), list(map(weights_of, results)), create_graph=create_graph, allow_unused=True
        )
        return dict(zip(leaves, found, strict=True))

    def _leaves(self, operands: Sequence[Any]) -> Iterator[tuple[str, Any]]:
        for k, value in enumerate(operands):
            if isinstance(value, self.torch.Tensor):
                if value.requires_grad:
                    yield f"operand {k}", value
            elif isinstance(value, self.torch.nn.Module):
                for name, parameter in value.named_parameters():
                    if parameter.requires_grad:
                        yield f"operand {k}.{name}", parameter


_STEP: Final = 1e-6
"""Of central differences in float64: near the cube root of its precision, 6e-6, where their error is least."""


@dataclass(frozen=True, slots=True)
class ArraySide:
    """NumPy's ndarrays, or jitcore's Tensors (`tensors`). Gradients are jitcore's, or of NumPy's functions (`numeric`)
    central differences; of float64 arguments only."""

    tensors: bool
    numeric: bool

    def made(self, array: Array, requires_grad: bool = False) -> Any:
        """See `Side.made`."""
        del requires_grad
        return jitcore.Tensor(array) if self.tensors else copied(array)

    def read(self, value: object) -> tuple[str, Array] | None:
        """See `Side.read`."""
        if isinstance(value, jitcore.Tensor):
            value = value.asnumpy()
        return (value.dtype.name, np.asarray(value)) if isinstance(value, np.ndarray | np.generic) else None

    def run(self, function: Function, call: Call, gradients: int = 0) -> Outcome:
        """See `Side.run`."""
        operands = [o.of[0 if self.numeric else 1] if o.array is None else self.made(o.array) for o in call.operands]
        try:
            outcome = Outcome(list(flattened(function(*operands), self.read)))
            for k, value in enumerate(operands):
                outcome.operands += flattened(value, self.read, f"operand {k}")
            if gradients and is_differentiable(outcome.result):
                outcome.gradients = self._gradients(function, call, outcome.result[0].value)
        except Exception as error:
            return Outcome(error=error)
        return outcome

    def _gradients(self, function: Function, call: Call, result: Array) -> list[Item]:
        places = tuple(k for k, operand in enumerate(call.operands) if operand.requires_grad)
        if not places:
            return []
        weights = np.cos(np.arange(result.size)).reshape(result.shape)
        found = (self._differences if self.numeric else self._exact)(function, call, places, weights)
        return [Item(f"operand {k}", "array", "float64", np.asarray(g)) for k, g in zip(places, found, strict=True)]

    def _exact(self, function: Function, call: Call, places: tuple[int, ...], weights: Array) -> list[Array]:
        operands = [o.of[1] if o.array is None else self.made(o.array) for o in call.operands]
        factors = jitcore.Tensor(weights) if self.tensors else weights
        found: Any = jitcore.grad(lambda *given: (function(*given) * factors).sum(), places)(*operands)
        return [g.asnumpy() if isinstance(g, jitcore.Tensor) else g for g in found]

    def _differences(self, function: Function, call: Call, places: tuple[int, ...], weights: Array) -> list[Array]:
        arrays = [o.of[0] if o.array is None else o.array.copy() for o in call.operands]

        def total() -> float:
            given = [a.copy() if isinstance(a, np.ndarray) else a for a in arrays]
            return float((function(*given) * weights).sum())

        return [_slopes(total, arrays[k]) for k in places]


def _slopes(total: Callable[[], float], array: Array) -> Array:
    """The central differences of a function by each element of an array that it reads."""
    found = np.zeros(array.shape)
    for at in np.ndindex(array.shape):
        held = array[at]
        array[at] = held + _STEP
        above = total()
        array[at] = held - _STEP
        found[at] = (above - total()) / (2 * _STEP)
        array[at] = held
    return found


def is_differentiable(items: list[Item]) -> bool:
    """Whether a result is one array of float64, which gradients of ndarrays are taken of."""
    return len(items) == 1 and items[0].kind == "array" and items[0].dtype == "float64"
