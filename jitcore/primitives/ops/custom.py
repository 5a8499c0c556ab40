"""Derivatives that users write: values whose gradient is not that of how they were computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from jitcore.primitives.core.registry import Decomposition, Sample, Vjp, declare
from jitcore.primitives.ops import elementwise
from jitcore.structs import dataclass
from jitcore.types import Type


class Backward(Protocol):
    """How the cotangents of the inputs follow from those of the results."""

    def __call__(
        self, cotangents: Sequence[Any], results: Sequence[Any], inputs: Sequence[Any], others: Sequence[Any]
    ) -> Sequence[Any]:
        """A cotangent, or None for zero, for each input; `others` are the values it uses besides."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class CustomGradient:
    """The attribute `__jitcore_custom_gradient__` of callables with a gradient of their own: `function(*args)` computes
    the result, `backward(*args, result, cotangents)` gives the gradient of each argument (a tuple, or one value for
    one)."""

    function: Any
    backward: Any


def _expand(*args: Any, inputs: int, results: int, backward: Backward) -> Any:
    made = args[inputs : inputs + results]
    return made[0] if results == 1 else tuple(made)


def _rule(*args: Type, inputs: int, results: int, backward: Backward) -> tuple[Type, ...]:
    return tuple(args[inputs : inputs + results])


def _vjp(
    cotangents: Sequence[Any], outs: Sequence[Any], *args: Any, inputs: int, results: int, backward: Backward
) -> Sequence[Any]:
    others = args[inputs + results :]
    found = backward(cotangents, args[inputs : inputs + results], args[:inputs], others)
    return [*found, *(None for _ in range(results)), *(None for _ in others)]


def _twice(cotangents: Sequence[Any], *_: Any) -> Sequence[Any]:
    return [elementwise.mul(cotangents[0], 2)]


def _samples() -> Iterable[Sample]:
    x = np.array([1.0, 2.0])
    yield Sample((x, x * 2), {"inputs": 1, "results": 1, "backward": _twice}, differentiable=False)


custom_vjp = declare(
    "custom_vjp",
    "*values",
    rule=_rule,
    reference=lambda *args, inputs, results, backward: _expand(
        *args, inputs=inputs, results=results, backward=backward
    ),
    lowering=Decomposition(_expand),
    derivative=Vjp(_vjp, None),
    samples=_samples,
    doc="The values after the inputs, as results of the inputs whose cotangents `backward` gives.",
)
