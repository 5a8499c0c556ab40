"""Methods of Tensors that take their arguments in another way than the functions of their names do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore.compat.torch.arguments import Operand
from jitcore.compat.torch.declaring import only_method
from jitcore.compat.torch.functions import pointwise, random, shaping
from jitcore.compat.torch.functions.random import Generator
from jitcore.runtime.tensor import Tensor


@only_method
def where(input: Tensor, condition: Tensor, other: Operand) -> Any:
    return pointwise.where(condition, input, other)


@only_method
def split(input: Tensor, split_size: int | Sequence[int], dim: int = 0) -> Any:
    return shaping.split(input, split_size, dim)


@only_method
def bernoulli(input: Tensor, p: float | None = None, *, generator: Generator | None = None) -> Any:
    return random.bernoulli(input, p, generator=generator)


@only_method
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Generator | None = None
) -> Any:
    return random.multinomial(input, num_samples, replacement, generator=generator)
