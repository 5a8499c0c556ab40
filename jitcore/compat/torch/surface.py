"""All that is declared, read."""

from __future__ import annotations

import functools

from jitcore.compat.torch.functions import (
    comparisons,
    conversions,
    creation,
    in_place,
    indexing,
    machine,
    methods,
    pointwise,
    products,
    random,
    reductions,
    shaping,
)
from jitcore.compat.torch.networks import (
    activations,
    attention,
    convolutions,
    dense,
    images,
    losses,
    normalisation,
    pooling,
    shared,
)
from jitcore.compat.torch.tensor import add_methods

FAMILIES = (
    creation, conversions, comparisons, pointwise, reductions, shaping, indexing, products, random, machine, methods,
    in_place,
)  # fmt: skip
NETWORKS = (activations, attention, convolutions, dense, images, losses, normalisation, pooling, shared)


@functools.cache
def complete() -> None:
    """Give Tensor the methods that the function files declare."""
    add_methods()
