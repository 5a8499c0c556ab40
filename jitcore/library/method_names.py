"""Methods of Tensors that are operators, under the operator's name or one of their own."""

from __future__ import annotations

from typing import Final

from jitcore.library.array.assignment import changing
from jitcore.library.core.declarations import FUNCTIONS, METHODS

_ALIASES: Final = {
    name: name
    for name in [
        "approximate_equal", "cdist", "col2im", "fold", "kthvalue", "reverse", "unfold", "unsorted_segment_max",
        "unsorted_segment_min", "unsorted_segment_prod", "unique_with_pad", "fills", "matrix_determinant", "isneginf",
        "isposinf", "geqrf", "gelu", "hfft", "kron", "logsigmoid", "nanquantile", "ormqr", "triangular_solve", "vdot",
    ]
} | {
    "fix": "trunc", "pinverse": "pinv", "soft_shrink": "softshrink", "scatter_sub": "tensor_scatter_sub",
    "scatter_mul": "tensor_scatter_mul", "scatter_div": "tensor_scatter_div", "scatter_max": "tensor_scatter_max",
    "scatter_min": "tensor_scatter_min",
}  # fmt: skip
_IN_PLACE: Final = (
    "addmm", "bitwise_and", "bitwise_or", "bitwise_xor", "cos", "erf", "erfinv", "expm1", "floor_divide", "index_fill",
    "logical_and", "logical_not", "logical_or", "masked_scatter", "nan_to_num", "relu", "remainder", "round", "rsqrt",
    "sigmoid", "sin", "square", "subtract", "tan", "tanh", "trunc",
)  # fmt: skip
"""Operators that have a method which writes their result into the Tensor; the name of it ends in an underscore."""


def name_methods() -> None:
    """Make operators methods; called when all of them are declared."""
    for method, name in _ALIASES.items():
        if name in FUNCTIONS:
            METHODS.setdefault(method, FUNCTIONS[name])
    for name in _IN_PLACE:
        if f"{name}_" not in METHODS:
            changing(f"{name}_", FUNCTIONS[name])
