"""All that is declared, read."""

from __future__ import annotations

import functools

from jitcore.compat.paddle import names
from jitcore.compat.paddle.declaring import FUNCTIONS, LINALG, METHODS, NETWORK
from jitcore.compat.paddle.functions import (
    conversions,
    creation,
    in_place,
    indexing,
    pointwise,
    products,
    random,
    reductions,
    shaping,
)
from jitcore.compat.paddle.networks import activation, convolution, dense, images, loss, normalisation, pooling
from jitcore.compat.paddle.tensor import add_methods

_FOR_BOTH = ("cholesky", "cross", "diagonal", "matmul", "matrix_transpose", "norm")
"""Functions of the module `paddle` that are in `paddle.linalg`, too."""

FAMILIES = (
    creation, conversions, pointwise, reductions, shaping, indexing, products, random, in_place,
    activation, convolution, dense, images, loss, normalisation, pooling,
)  # fmt: skip


@functools.cache
def complete() -> None:
    """Give Tensor the methods that the function files declare."""
    for name in (names.TENSOR & FUNCTIONS.keys()) - METHODS.keys():
        METHODS[name] = FUNCTIONS[name]
    for name in _FOR_BOTH:
        LINALG[name] = FUNCTIONS[name]
    for name in (names.PADDLE & NETWORK.keys()) - FUNCTIONS.keys():
        FUNCTIONS[name] = NETWORK[name]
    add_methods()
