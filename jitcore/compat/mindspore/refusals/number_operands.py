"""What MindSpore's operators give in compiled code of Python's numbers alone: these are Tensors of int32 and float32
there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from jitcore.compat.mindspore.tensor import Tensor
from jitcore.passes.infer.engine.operands import Instead, Operand
from jitcore.types import f32, i32

_NAMES: Final = frozenset((
    "Add", "Sub", "Mul", "Div", "RealDiv", "FloorDiv", "FloorMod", "Maximum", "Minimum", "Pow", "SquaredDifference",
    "Xlogy",
    "add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide", "floor_div", "floor_divide",
    "floor_mod", "mod", "remainder", "maximum", "minimum", "pow", "xlogy",
))  # fmt: skip
"""Operators, and functions that call them."""
_QUOTIENTS: Final = frozenset(["Div", "RealDiv", "div", "divide", "true_divide"])
"""Which are float64 of ints."""
_NUMBERS: Final = ("bool", "int", "float")


def answer(name: str, callee: Callable[..., Any], args: Sequence[Operand]) -> Instead | None:
    """What is called in place of an operator or function `name` that has two numbers for its operands."""
    kinds = {x.kind for x in args}
    if name not in _NAMES or len(args) != 2 or not kinds <= set(_NUMBERS) or kinds == {"bool"}:
        return None
    if kinds == {"int"} and name in _QUOTIENTS:
        return None
    return Instead(_of_numbers(callee, "float" in kinds))


@cache
def _of_numbers(function: Callable[..., Any], has_floats: bool) -> Callable[..., Any]:
    dtype = f32 if has_floats else i32

    def of_numbers(*operands: float) -> Any:
        return function(*[Tensor(x, dtype) for x in operands])

    return of_numbers
